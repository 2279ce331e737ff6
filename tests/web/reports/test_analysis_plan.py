"""The plan on the page of a frozen report, and its provenance record as a file; under pseudonyms on a shared page."""

import json
from dataclasses import replace

import pytest
from django.http import QueryDict
from django.test import Client

from annotation.models import Item, Report, User
from annotation.projects.analysis_plans import set_plan
from annotation.pseudonyms import Pseudonyms
from annotation.rating.bulk_storage import NewRating, store_ratings
from annotation.reporting import Choices
from annotation.reporting.shared_links import make_link
from tests.cast import ACCURATE, SEVERE, study
from tests.exporting.bundles import frozen

pytestmark = pytest.mark.django_db

PLAN = 'measures = ["accurate"]\ncomparisons = [["heron", "plover"]]\nfamily = "planned"\n'


@pytest.fixture(scope="module")
def june(module_rows):
    return study(prompts=12, systems=("heron", "plover"), sentences=2)


def rated(june):
    """Store ratings: Heron is always accurate, Plover on the first sentence."""
    items = Item.objects.filter(response__in=june.responses).select_related("response__system")
    raters = [june.people[name] for name in ("ravi", "rosa")]
    store_ratings(
        june.project,
        [
            NewRating(item, rater, SEVERE if item.position and item.response.system.name == "plover" else ACCURATE)
            for item in items
            for rater in raters
        ],
    )
    return june.project


def page_of(client, report: Report) -> str:
    return " ".join(client.get(f"/reports/{report.public_id}/").content.decode().split())


def test_as_planned(lena, june):
    version, _ = set_plan(june.project, PLAN)
    stored = frozen(rated(june))
    page = page_of(lena, stored)
    assert json.loads(lena.get(f"/reports/{stored.public_id}/provenance.json").content) == stored.provenance
    assert [row["rater"] for row in stored.provenance["raters"]] == ["ravi", "rosa"]
    assert "As planned, version 1" in page and version.sha256[:12] in page and "before the first rating" in page
    assert "Holm’s adjustment covers the planned comparisons on the planned measures: 1 test." in page
    assert "heron − plover" in page
    assert "The family of the analysis plan is the planned comparisons on the planned measures (1 test);" in page
    assert "Not in the plan, so exploratory: Inaccurate, Severely inaccurate." in page


def test_each_deviation_is_named_under_pseudonyms_and_without_the_project_where_it_is_shared(lena, june):
    exclusions = '[exclusions]\nleast_gold = 0.7\nwithout_raters = ["tom"]\n'
    set_plan(june.project, f'{PLAN}unit = "document"\nresamples = 10000\n{exclusions}')
    stored = frozen(rated(june), Choices(resamples=100, without_raters=("rosa",)))
    page = page_of(lena, stored).replace("\N{NO-BREAK SPACE}", " ")
    assert "4 deviations from version 1 of the plan" in page
    for topic, planned, actual in (
        ("Sampling unit", "documents", "prompts"),
        ("Resamples", "10000", "100"),
        ("Accuracy on gold, at least", "70 %", "none"),
        ("Raters excluded", "tom", "rosa"),
    ):
        cells = f'<td data-label="Planned">{planned}</td> <td data-label="Reported">{actual}</td>'
        assert f"{topic}</th> {cells}" in page
    User.objects.filter(username="tom").delete()
    User.objects.filter(username="ravi").update(username="erased-1")  # names stay as they were frozen
    pseudonym = Pseudonyms(june.project).pseudonym
    for with_names, named in ((True, str), (False, pseudonym)):
        _, key = make_link(stored, with_names=with_names)
        page, text = (Client().get(f"/r/{key}/{name}").content.decode() for name in ("", "provenance.json"))
        record = json.loads(text)
        assert "Analysis plan" in page and "/analysis-plan/" not in page
        assert (record["project"], record["title"], record["dataset"]) == ("", "", "")
        deviations = [(row["planned"], row["actual"]) for row in record["plan"]["deviations"]]
        assert record["raters"][0]["rater"] == named("ravi") and ([named("tom")], [named("rosa")]) in deviations
        for name in ("ravi", "rosa", "tom", "erased-1"):
            assert with_names or (name not in text and f">{name}<" not in page)
        assert not with_names or "rosa" in page


def test_the_dialog_that_freezes_sets_the_options_as_planned(lena, june):
    rated(june)
    assert "There is no analysis plan" in lena.get("/projects/june/report/").content.decode()
    source = PLAN + 'unit = "prompt"\nseed = 3\n[exclusions]\nwithout_raters = ["rosa"]\nleast_seconds = 2\n'
    set_plan(june.project, source)
    page = lena.get("/projects/june/report/")
    assert "version 1 of the analysis plan" in page.content.decode()
    options = page.context["planned_options"]
    assert options == "live=1&seed=3&cluster=prompt&without_raters=rosa&least_seconds=2.0"
    choices, problems = Choices.from_mapping(QueryDict(options))
    assert not problems
    record = frozen(june.project, replace(choices, resamples=100)).provenance
    assert record["plan"]["deviations"] == []


def test_without_a_plan_the_report_is_post_hoc_and_an_older_one_says_nothing_of_a_plan(lena, june):
    stored = frozen(rated(june))
    assert "<b>No analysis plan.</b>" in page_of(lena, stored)
    older = Report.objects.create(project=june.project, document=stored.document, data_sha256=stored.data_sha256)
    assert 'id="analysis-plan"' not in page_of(lena, older)
    assert lena.get(f"/reports/{older.public_id}/provenance.json").status_code == 404


def test_a_plan_from_after_the_first_rating_is_marked(lena, june):
    set_plan(june.project, PLAN + "seed = 2\n")
    rated(june)
    set_plan(june.project, PLAN)
    page = page_of(lena, frozen(june.project))
    assert "As planned, version 2" in page and "after the first rating" in page
    assert "Compared with the version from before the first rating" in page
    assert "One deviation from version 1 of the plan" in page

"""Live and frozen reports: freezing from the page by a job that is followed, frozen reports that are shown first and
stay the same for ever, what can be taken home, pages without a way in for hostile names, and raters under their display
names.
"""

import json
import re
import uuid

import pytest
from django.test import Client
from django.urls import reverse

from annotation import jobs, reporting
from annotation.models import Item, Job, Rating, Report, User
from annotation.reporting import Choices
from annotation.reporting.shared_links import make_link
from tests.cast import ACCURATE, person
from tests.exporting.bundles import frozen as freeze
from tests.reporting.project_rows import Row, project_of, worked_example
from tests.web.pages import queries, text_of
from tests.web.reports.pages import get_page, page_with_options

pytestmark = [pytest.mark.django_db, pytest.mark.seeded]
FREEZE = "/projects/june/report/freeze/"


def file_of(client, report: Report, name: str):
    return client.get(reverse("report_file", args=[report.public_id, name]))


def test_freezing_makes_a_job_that_the_page_follows_after_a_reload(lena, june, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as sent:
        response = lena.post(FREEZE, {"seed": "5", "resamples": "300"})
    job = Job.objects.get()
    assert len(sent) == 1
    assert lena.post(FREEZE)["Location"] == response["Location"], "the same job"
    assert response["Location"] == reverse("job", args=[job.public_id])
    assert (job.params, job.started_by) == ({"seed": 5, "resamples": 300}, person("lena"))
    for text in (get_page(lena, "report", "june"), get_page(lena, "job", job.public_id)):
        assert f'data-job hx-get="{reverse("job", args=[job.public_id])}"' in text
    answer = lena.get(reverse("job", args=[job.public_id]), {"format": "json"}).json()
    assert (answer["state"], answer["share"], answer["url"]) == ("queued", None, None)


def test_a_report_is_frozen_with_its_switches_and_its_job_leads_to_it(lena, june):
    text = page_with_options(lena, without_raters="tom")
    assert '<input type="hidden" name="without_raters" value="tom">' in text
    lena.post(FREEZE, {"without_raters": "tom", "seed": "1", "resamples": "100"})
    job = Job.objects.get()
    assert job.params == {"resamples": 100, "without_raters": ["tom"]}
    jobs.run(job.pk, reporting.freeze_job)
    frozen = june.reports.get()
    assert json.loads(frozen.document)["filters"] == {"without_raters": ["tom"]}
    address, page = reverse("job", args=[job.public_id]), reverse("frozen_report", args=[frozen.public_id])
    answer = lena.get(address, headers={"accept": "application/json"}).json()
    assert (answer["state"], answer["url"], lena.get(address)["Location"]) == ("done", page, page)
    assert "data-job" not in get_page(lena, "report", "june")
    text = get_page(lena, "frozen_report", frozen.public_id)
    assert "Without the ratings of tom" in text and "102 ratings by 2 raters" in text
    assert 'name="without_raters"' not in text.split("<dialog")[0], "nothing can be switched in a frozen report"


def test_a_job_that_failed_says_why_where_it_was_asked_for(lena, june):
    job = jobs.create(reporting.FREEZE, project=june, actor=person("lena"))

    def refuse(job, progress):
        raise jobs.Refused(["The disk is full: free some space and freeze again."])

    jobs.run(job.pk, refuse)
    for text in (get_page(lena, "report", "june"), get_page(lena, "job", job.public_id)):
        assert "Freezing a report failed" in text and "The disk is full" in text


def test_a_bad_form_freezes_nothing_and_says_what_to_choose(lena):
    for form, says in (
        ({"seed": "-1"}, "Choose a whole number from 0"),
        ({"resamples": "12"}, "Choose a whole number from 100 to 100,000"),
        ({"resamples": "many"}, "&#x27;many&#x27; is not a whole number"),
        ({"seed": "99999999999"}, "Choose a whole number from 0"),
    ):
        assert says in lena.post(FREEZE, form, follow=True).content.decode(), form
    assert not Job.objects.exists()


def test_a_frozen_report_is_shown_first_says_what_came_since_and_keeps_its_page_and_its_bytes(lena, frozen):
    assert "Live numbers, not frozen" not in get_page(lena, "report", "june")
    Rating.objects.filter(rater=person("tom")).delete()
    text = get_page(lena, "report", "june")
    assert "153 ratings by 3 raters" in text
    assert "Fewer ratings count now" in text
    live = get_page(lena, "report", "june", query="?live=1")
    assert "102 ratings by 2 raters" in live and "Live numbers, not frozen" in live
    assert file_of(lena, frozen, "report.json").content == frozen.document.encode()
    html = get_page(lena, "frozen_report", frozen.public_id)
    assert "<small>61 of 70</small>" in html
    bar = html.split('class="project-bar"')[1].split("</nav>")[0]
    assert re.findall(r'aria-current="true"\s*>\s*([^<]+?)\s*</a>', bar) == ["Report"]


def test_a_frozen_report_can_be_taken_home_in_every_format(lena, frozen):
    for name, kind, holds in (
        ("report.json", "application/json", '"schema": "factuary-report/1"'),
        ("report.csv", "text/csv; charset=utf-8", '"systems","Alder","","measure","accurate","61","70",'),
        ("report.md", "text/markdown; charset=utf-8", "| Alder | 87.1 % ["),
        ("report.tex", "application/x-tex; charset=utf-8", r"\toprule"),
        ("report.html", "text/html; charset=utf-8", "<h1>Report</h1>"),
        ("options-light.svg", "image/svg+xml", "<desc id="),
        ("options-dark.svg", "image/svg+xml", "#63c79d"),
    ):
        response = file_of(lena, frozen, name)
        assert response["Content-Type"] == kind
        assert response["Content-Disposition"].startswith("attachment")
        assert holds in response.content.decode()
    for name in ("report.docx", "other.json", "options-light.gif", "options.png", "nothing-light.svg", "..svg"):
        assert file_of(lena, frozen, name).status_code == 404, name
    for name in ("frozen_report", "job"):
        assert lena.get(reverse(name, args=[uuid.uuid4()])).status_code == 404


def test_a_report_of_before_is_shown_without_what_it_does_not_have(lena, june, frozen):
    document = json.loads(frozen.document)
    for key in ("filters", "ranks", "aggregations", "disagreements", "raters"):
        document.pop(key)
    for cell in (document["overall"], *document["systems"]):
        cell.pop("shares"), cell.pop("shares_of_assessed")
    old = Report.objects.create(project=june, document=json.dumps(document), data_sha256="0" * 64, figures={})
    text = get_page(lena, "frozen_report", old.public_id)
    assert "<small>61 of 70</small>" in text and "Distribution of answers" in text
    assert "Sensitivity to aggregation" not in text and "Accuracy on gold" not in text
    freeze(june, Choices(resamples=100, without_raters=("tom",)))
    Report.objects.filter(pk=frozen.pk).delete()
    assert reverse("report_links", args=[old.public_id]) in get_page(lena, "report", "june"), "it is of all ratings"
    assert file_of(lena, old, "options-light.svg").status_code == 200


def test_a_frozen_report_lists_what_raters_disagreed_on_with_a_way_to_what_is_still_there(lena, frozen):
    rows = json.loads(frozen.document)["disagreements"]
    item, gone = (Item.objects.get(response__key=row["response"], position=row["item"]) for row in rows[:2])
    Item.objects.filter(pk=gone.pk).update(position=999)
    html = lena.get(reverse("frozen_report", args=[frozen.public_id])).content.decode()
    assert html.count('<p class="votes">') == len(rows)
    assert reverse("review_item", args=["june", item.public_id]) in html
    assert reverse("review_item", args=["june", gone.public_id]) not in html


def test_a_report_of_a_part_does_not_take_the_place_of_the_report_of_all(lena, june):
    first = freeze(june, Choices(resamples=100, without_raters=("tom",), cluster="document"))
    text = get_page(lena, "report", "june")
    assert "Without the ratings of tom" in text, "there is no other yet"
    assert "<li>Documents as the sampling unit</li>" in text
    whole = freeze(june)
    copied = {name: getattr(first, name) for name in ("document", "data_sha256", "provenance")}
    second = Report.objects.create(project=june, **copied)
    text = get_page(lena, "report", "june")
    assert "153 ratings by 3 raters" in text and "Computed with" not in text
    assert text.count("Without the ratings of tom") == 2 and text.count("all ratings that count") == 1
    exports = get_page(lena, "exports", "june")
    for report in (first, whole, second):
        assert str(report.public_id) in exports
    assert "Without the ratings of tom" in exports


def test_a_page_has_no_inline_style_or_script_and_a_hostile_name_is_text(lena, frozen):
    name = "<script>alert(1)</script>\"'"
    project_of([Row("q1", name, r, ACCURATE, metadata={name: name}) for r in ("ravi", "rosa")], "odd")
    pages = [get_page(lena, page, slug) for page in ("report", "exports") for slug in ("june", "odd")]
    for text in [*pages, get_page(lena, "frozen_report", frozen.public_id)]:
        assert " style=" not in text and "onclick" not in text
        assert not re.search(r"<script(?![^>]*\bsrc=)", text)


def test_ratings_can_be_taken_home_as_a_stream_also_under_pseudonyms(lena, june):
    address = reverse("export_ratings", args=["june"])
    for format in ("jsonl", "csv"):
        response = lena.get(address, {"format": format})
        assert response.streaming
        assert response["Content-Disposition"].startswith("attachment")
        assert len(b"".join(response.streaming_content).decode().splitlines()) == 153 + (format == "csv")
    assert lena.get(address, {"format": "docx"}).status_code == 404
    response = lena.get(address, {"format": "jsonl", "pseudonymous": "1"})
    raters = {json.loads(line)["rater"] for line in b"".join(response.streaming_content).splitlines()}
    assert len(raters) == 3 and not raters & {"ravi", "rosa", "tom"}


def test_a_page_asks_the_database_as_often_for_few_ratings_as_for_many(lena):
    project_of(worked_example()[:12], "few")
    for name in ("report", "exports"):
        few, many = (queries(lena, reverse(name, args=[slug])) for slug in ("few", "june"))
        assert few == many <= 45, name


def give_names() -> None:
    for user, first, last in (("ravi", "Ravi", "Rao"), ("rosa", "Rosa", "Reyes")):
        User.objects.filter(username=user).update(first_name=first, last_name=last)


def test_live_pages_and_options_name_raters_as_other_pages_do(lena, june):
    give_names()
    for name, *rater in (("report",), ("agreement",), ("raters",), ("rater", "ravi")):
        text = text_of(lena.get(reverse(name, args=["june", *rater])))
        assert "Ravi Rao" in text, name
        assert "ravi" not in text, name
    page = get_page(lena, "report", "june", query="?live=1&without_raters=ravi")
    assert 'name="without_raters" value="ravi" checked> Ravi Rao' in page
    assert "Without the ratings of Ravi Rao" in page


def test_frozen_and_compared_reports_keep_their_bytes_and_their_pages_have_the_names(lena, june, frozen):
    part = freeze(june, Choices(resamples=100, without_raters=("ravi",)))
    files = [reverse("report_file", args=[part.public_id, f"report.{ending}"]) for ending in ("json", "md", "csv")]
    before = [lena.get(file).content for file in files]
    give_names()
    text = text_of(lena.get(reverse("frozen_report", args=[part.public_id])))
    assert "Rosa Reyes" in text and "ithout the ratings of Ravi Rao" in text
    assert before == [lena.get(file).content for file in files]
    assert b"rosa" in before[0]
    text = text_of(lena.get(reverse("report_comparison", args=["june"])))
    assert "without the ratings of Ravi Rao" in text
    assert "of ravi" not in text


def test_a_shared_report_has_names_only_if_its_link_has(frozen):
    give_names()
    for with_names in (True, False):
        text = text_of(Client().get(reverse("shared_report", args=[make_link(frozen, with_names=with_names)[1]])))
        assert ("Ravi Rao" in text) == with_names
        assert "ravi" not in text

"""What the report says of the sample of a project."""

import pytest
from django.test import Client

from annotation.judging.judges import Configuration, create_judge
from annotation.models import Project
from annotation.projects.create import add_responses
from annotation.rating.bulk_storage import NewRating, store_ratings
from annotation.reporting import Choices, build
from annotation.reporting.report import ReportSample
from annotation.reporting.text.methods import methods_of
from annotation.reporting.text.names import Names
from annotation.reporting.text.notes import filters_note, sample_note
from tests.cast import ACCURATE, response, study
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db
QUICK = Choices(resamples=100)
WARNING = (
    "Raters were asked about a random sample of 4 of 12 sentences, drawn more often where a judge was unsure. "
    "Publish the estimates “People alone, weighted”, or those with a judge: the proportions, differences and other "
    "figures of ratings are not weighted for these unequal probabilities."
)


def rated_study(design: str = "uniform"):
    june = study(prompts=4, sentences=3, sample=4, design=design)
    drawn = june.project.sampled_items.filter(is_drawn=True).select_related("item")
    store_ratings(june.project, [NewRating(row.item, june.people["ravi"], ACCURATE) for row in drawn])
    return june


@pytest.mark.parametrize(
    ("design", "sample", "note"),
    [
        ("uniform", 4, "Raters were asked about a random sample of 4 of 12 sentences, spread over prompts."),
        ("responses", 3, "Raters were asked about a random sample of whole responses, 3 of 12 sentences."),
    ],
)
def test_the_report_states_the_sample(client: Client, design: str, sample: int, note: str) -> None:
    june = rated_study(design)
    report = build(june.project, QUICK)
    assert report.data.sample == ReportSample(design, 12, sample)
    assert report.data.ratings == sample
    names = Names(june.project.protocol.definition)
    assert sample_note(report, "sentence") == note
    assert note in methods_of(report, names).paragraphs[0].text
    assert filters_note(report, names) == ""
    client.force_login(june.people["lena"])
    assert note in text_of(client.get("/projects/june/report/"))


def test_unequal_sampling_is_warned_of_on_the_page_and_with_every_table(client: Client) -> None:
    june = rated_study()
    judge = create_judge("numbers", Configuration(rule="numbers"))[0]
    Project.objects.update(sampling_design="uncertain", sampling_judge=judge)
    june.project.refresh_from_db()
    report = build(june.project, QUICK)
    names = Names(june.project.protocol.definition)
    assert filters_note(report, names) == WARNING
    assert WARNING in methods_of(report, names).paragraphs[0].text
    client.force_login(june.people["lena"])
    assert WARNING in text_of(client.get("/projects/june/report/"))


def test_a_project_without_a_sample_says_nothing() -> None:
    june = study(prompts=1)
    store_ratings(june.project, [NewRating(item, june.people["ravi"], ACCURATE) for item in june.items()])
    report = build(june.project, QUICK)
    assert "sample" not in report.to_dict()["data"]
    assert sample_note(report, "sentence") == ""


def test_new_responses_change_the_live_report(client: Client) -> None:
    """They change its data, and the live report is cached for the same data only."""
    june = rated_study()
    client.force_login(june.people["lena"])
    assert "4 of 12 sentences" in text_of(client.get("/projects/june/report/"))
    response(june.responses[0].prompt, "ibis", 3)
    add_responses(june.project)
    assert "5 of 15 sentences" in text_of(client.get("/projects/june/report/"))

"""What the report says of the sample of a project."""

import pytest

from annotation.judging.judges import create_judge
from annotation.models import Judge, Project
from annotation.projects.create import add_responses
from annotation.rating.bulk_storage import NewRating, store_ratings
from annotation.reporting import Choices, build
from annotation.reporting.methods.paragraphs import methods_of
from annotation.reporting.parts import ReportSample
from annotation.reporting.report import Report
from annotation.reporting.text.names import Names
from annotation.reporting.text.notes import filters_note, sample_note
from tests.cast import ACCURATE, response, signed_in, study
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db
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


def report_page() -> str:
    return text_of(signed_in("lena").get("/projects/june/report/"))


def report_and_filters_note() -> tuple[Report, str]:
    project = Project.objects.get()
    report, names = build(project, Choices(resamples=100)), Names(project.protocol.definition)
    return report, filters_note(report, names)


def design_of(report: Report) -> str:
    return methods_of(report, Names(Project.objects.get().protocol.definition)).paragraphs[0].text


@pytest.mark.parametrize(
    ("design", "sample", "note"),
    [
        ("uniform", 4, "Raters were asked about a random sample of 4 of 12 sentences, spread over prompts."),
        ("responses", 3, "Raters were asked about a random sample of whole responses, 3 of 12 sentences."),
    ],
)
def test_the_report_states_the_sample(design: str, sample: int, note: str) -> None:
    rated_study(design)
    report, of_filters = report_and_filters_note()
    assert report.data.sample == ReportSample(design, 12, sample)
    assert report.data.ratings == sample
    assert (sample_note(report, "sentence"), of_filters) == (note, "")
    assert note in design_of(report) and note in report_page()


def test_unequal_sampling_is_warned_of_on_the_page_and_with_every_table() -> None:
    rated_study()
    judge = create_judge(Judge(name="numbers", rule="numbers"))[0]
    Project.objects.update(sampling_design="uncertain", sampling_judge=judge)
    report, of_filters = report_and_filters_note()
    assert of_filters == WARNING
    assert WARNING in design_of(report) and WARNING in report_page()


def test_a_project_without_a_sample_says_nothing() -> None:
    june = study(prompts=1)
    store_ratings(june.project, [NewRating(item, june.people["ravi"], ACCURATE) for item in june.items()])
    report, _ = report_and_filters_note()
    assert "sample" not in report.to_dict()["data"]
    assert sample_note(report, "sentence") == ""


def test_new_responses_change_the_live_report_which_is_cached_for_the_same_data_only() -> None:
    june = rated_study()
    assert "4 of 12 sentences" in report_page()
    response(june.responses[0].prompt, "ibis", 3)
    add_responses(june.project)
    assert "5 of 15 sentences" in report_page()

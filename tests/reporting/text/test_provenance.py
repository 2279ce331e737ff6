"""What a report says of its filters and of the responses that leads excluded."""

import json

import pytest

from annotation.models import Sheet
from annotation.queue.exclusion import exclude, include
from annotation.reporting import Choices, build
from annotation.reporting.methods.paragraphs import methods_of
from annotation.reporting.parts import Filters
from annotation.reporting.report import Report
from annotation.reporting.report_comparison import origins
from annotation.reporting.text.names import Names
from annotation.reporting.text.provenance import excluded_note, filters_in_words, origin
from tests.cast import Study, signed_in, study
from tests.web.pages import rates, text_of

pytestmark = pytest.mark.django_db
QUICK = Choices(resamples=100)
NOTE = "Excluded by the project leads: 2 responses (“a duplicate”) and 1 response (“cut off”)."


@pytest.fixture
def june() -> Study:
    """Return four responses of which three are excluded; one of these has three ratings."""
    prepared = study(prompts=4, overlap=1)
    rated = rates(prepared.people["ravi"], prepared.project).sheet_id
    rates(prepared.people["ravi"], prepared.project)
    others = Sheet.objects.exclude(assignments__isnull=False).values_list("pk", flat=True)
    exclude(prepared.project, [rated, others[0]], "a duplicate")
    exclude(prepared.project, [others[1]], "cut off")
    return prepared


def test_the_methods_and_the_page_have_their_numbers_and_reasons(june: Study) -> None:
    report = build(june.project, QUICK)
    assert excluded_note(report, "sentence") == NOTE
    assert excluded_note(report, "pair").startswith("Excluded by the project leads: 2 pairs (")
    design = methods_of(report, Names(june.project.protocol.definition)).paragraphs[0].text
    assert NOTE in design
    assert "Further ratings do not count: 3 of excluded responses." in design
    page = text_of(signed_in("lena").get("/projects/june/report/"))
    assert NOTE in page
    assert "Ratings not counted: 3 of excluded responses." in page


def test_a_report_without_exclusions_has_no_such_part(june: Study) -> None:
    with_exclusions = build(june.project, QUICK)
    include(june.project, Sheet.objects.values_list("pk", flat=True))
    report = build(june.project, QUICK)
    assert excluded_note(report, "sentence") == ""
    assert "excluded" not in json.loads(report.to_json())["data"]
    [difference] = [line for line in origins(report, with_exclusions) if line.name == "excluded"]
    assert origin("data", "excluded", difference.old, "sentence") == "none"
    assert f"Excluded by the project leads: {origin('data', 'excluded', difference.new, 'sentence')}." == NOTE
    assert Report.from_dict(json.loads(with_exclusions.to_json())).data.excluded == with_exclusions.data.excluded


def test_filters_are_said_in_full():
    filters = Filters(
        answers="adjudicated", least_gold=0.8, without_raters=["rosa", "tom"], least_seconds=1.0, systems=["heron"],
        metadata={"question_type": ["advising", "simple factual"]},
    )  # fmt: skip
    assert list(filters_in_words(filters, "sentence").values()) == [
        "where a sentence was adjudicated, the adjudication replaces its ratings",
        "without raters with an accuracy on gold below 80 %",
        "without the ratings of rosa and tom",
        "without ratings given in less than 1 second",
        "heron only",
        "only prompts whose question type is advising or simple factual",
    ]
    assert filters_in_words(Filters()) == filters_in_words(None) == {}

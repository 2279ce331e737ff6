"""Notes on figures and intervals that a table lacks."""

import pytest
from msgspec import structs

from annotation.exporting.report_formats import protocol_of, render
from annotation.reporting import Choices, build
from annotation.reporting.report import Agreement, Report
from annotation.reporting.text.gap_sentences import Gap, gaps_in_words
from annotation.reporting.text.missing_figures import agreement_reason, missing_note, missing_notes
from annotation.reporting.text.names import Names
from tests.cast import ACCURATE
from tests.reporting.project_rows import Row, opposite_raters, project_of, worked_example

NO_INTERVALS = dict.fromkeys(("percent", "fleiss_kappa", "gwet_ac1", "krippendorff_alpha"))


def agreement_on(items: int, percent: float, intervals: dict[str, tuple[float, float] | None]) -> Agreement:
    return Agreement(items, 3, percent, 0.5, 0.6, 0.5, intervals=intervals)


def reason(name: str, part: Agreement, *, resampled: bool = True) -> str:
    return agreement_reason(name, part, "sentence", "prompt", resampled=resampled)


def test_gaps_are_named_by_reason_and_agreement_only_without_an_interval():
    gaps = [Gap("too few", True, "Leniency", f"r{n}") for n in range(8)] + [Gap("nobody did", False)]
    assert gaps_in_words(gaps) == (
        "No interval for Leniency (r0, r1, r2, r3, r4, r5, 2 more): too few. “–” where nobody did."
    )
    assert gaps_in_words([]) == ""
    few = "fewer than 10 prompts have a sentence with two answers"
    assert reason("percent", agreement_on(9, 0.8, NO_INTERVALS)) == few
    assert reason("percent", agreement_on(40, 1.0, NO_INTERVALS)) == few
    assert reason("gwet_ac1", agreement_on(40, 0.8, NO_INTERVALS)).startswith(few + ", or agreement is the same")
    assert "when a report is frozen" in reason("percent", agreement_on(40, 0.8, NO_INTERVALS), resampled=False)
    some = agreement_on(40, 1.0, NO_INTERVALS | {"percent": (0.9, 1.0)})
    assert reason("percent", some) == ""
    assert reason("fleiss_kappa", some) == "it is undefined in too many resamples, or the same in all"
    assert reason("percent", agreement_on(0, 0.5, NO_INTERVALS)) == "no sentence has two answers"


@pytest.fixture(scope="module")
def small(module_rows) -> Report:
    """Four prompts with one sentence each by two raters: too few for every interval, and for Dawid and Skene."""
    rows = [Row(f"q{n}", system, rater, ACCURATE) for n in range(4) for system in "ab" for rater in ("ravi", "rosa")]
    return build(project_of(rows), Choices(resamples=100), agreement_intervals=True)


def test_every_table_of_a_small_study_and_its_files_say_why(small):
    names = Names(protocol_of(small))
    notes = missing_notes(small, names)
    assert "No interval for Agreement with other raters (ravi, rosa): fewer than 10 prompts" in notes["raters"]
    assert "“–” for Accuracy on gold (ravi, rosa): no rated sentence has a gold answer" in notes["raters"]
    assert "all answers are the same, so chance alone would agree as often" in notes["agreement"]
    assert "No interval for As reported (All systems, a, b)" in notes["sensitivity"]
    assert notes["design_effects"].startswith("“–” where all ratings count, or none does.")
    for table, note in notes.items():
        assert note == missing_note(table, small, names)
    text = render(small, "markdown")
    assert "“–” for Accuracy on gold (ravi, rosa): no rated sentence has a gold answer" in text


def test_dawid_and_skene_says_what_it_needs_and_a_complete_table_nothing(db):
    built = build(project_of(opposite_raters(), "opposite"), Choices(resamples=100), agreement_intervals=True)
    row, *others = built.aggregations
    without = {key: structs.replace(measure, dawid_skene=None) for key, measure in row.measures.items()}
    report = structs.replace(built, aggregations=[structs.replace(row, measures=without), *others])
    assert any(measure.dawid_skene for each in others for measure in each.measures.values())
    note = missing_note("aggregations", report, Names(protocol_of(report)))
    assert "takes at least 50 sentences with two answers or more, by at least 3 raters who gave on average 20" in note
    assert "Dawid-Skene (" in note
    report = build(project_of(worked_example(), "example"), Choices(resamples=100))
    assert missing_note("comparisons", report, Names(protocol_of(report))) == ""
    assert missing_note("systems", report, Names(protocol_of(report))) == ""

"""Notes on figures and intervals that a table lacks."""

import pytest
from msgspec import structs

from annotation.exporting.report_formats import protocol_of, render
from annotation.reporting import Choices, build
from annotation.reporting.frozen_reports import stored_report
from annotation.reporting.sections.agreement.figures import Agreement
from annotation.reporting.sections.differences.text import Gap, gaps_in_words
from annotation.reporting.text.missing_figures import agreement_reason, missing_note
from annotation.reporting.text.names import Names
from tests.cast import ACCURATE
from tests.reporting.project_rows import Row, opposite_raters, project_of
from tests.seeds import seeded

pytestmark = [pytest.mark.django_db, pytest.mark.seeded]

FEW_PROMPTS = "fewer than 10 prompts have a sentence with two answers"


def test_gaps_are_named_by_reason():
    gaps = [Gap("too few", True, "Leniency", f"r{n}") for n in range(8)] + [Gap("nobody did", False)]
    assert gaps_in_words(gaps) == (
        "No interval for Leniency (r0, r1, r2, r3, r4, r5, 2 more): too few. “–” where nobody did."
    )
    assert gaps_in_words([]) == ""


@pytest.mark.parametrize(
    ("name", "items", "percent", "bounds", "resampled", "reason"),
    [
        ("percent", 9, 0.8, None, True, FEW_PROMPTS),
        ("percent", 40, 1.0, None, True, FEW_PROMPTS),
        ("gwet_ac1", 40, 0.8, None, True, f"{FEW_PROMPTS}, or agreement is the same"),
        ("percent", 40, 0.8, None, False, "intervals of agreement are computed when a report is frozen"),
        ("percent", 40, 1.0, (0.9, 1.0), True, ""),
        ("fleiss_kappa", 40, 1.0, (0.9, 1.0), True, "it is undefined in too many resamples, or the same in all"),
        ("percent", 0, 0.5, None, True, "no sentence has two answers"),
    ],
)
def test_agreement_without_an_interval_has_a_reason(name, items, percent, bounds, resampled, reason):
    intervals = dict.fromkeys(("percent", "fleiss_kappa", "gwet_ac1", "krippendorff_alpha")) | {"percent": bounds}
    part = Agreement(items, 3, percent, 0.5, 0.6, 0.5, intervals=intervals)
    found = agreement_reason(name, part, "sentence", "prompt", resampled=resampled)
    assert found.startswith(reason) and bool(found) == bool(reason)


def test_every_table_of_a_small_study_and_its_files_say_why():
    """Four prompts with one sentence each by two raters are too few for every interval, and for Dawid and Skene."""
    rows = [Row(f"q{n}", system, rater, ACCURATE) for n in range(4) for system in "ab" for rater in ("ravi", "rosa")]
    small = build(project_of(rows, "small"), Choices(resamples=100), agreement_intervals=True)
    names = Names(protocol_of(small))
    notes = {
        table: missing_note(table, small, names) for table in ("raters", "agreement", "sensitivity", "design_effects")
    }
    without_gold = "“–” for Accuracy on gold (ravi, rosa): no rated sentence has a gold answer"
    assert "No interval for Agreement with other raters (ravi, rosa): fewer than 10 prompts" in notes["raters"]
    assert without_gold in notes["raters"] and without_gold in render(small, "markdown")
    assert "all answers are the same, so chance alone would agree as often" in notes["agreement"]
    assert "No interval for As reported (All systems, a, b)" in notes["sensitivity"]
    assert notes["design_effects"].startswith("“–” where all ratings count, or none does.")


def test_dawid_and_skene_says_what_it_needs_and_a_complete_table_nothing():
    built = build(project_of(opposite_raters(), "opposite"), Choices(resamples=100), agreement_intervals=True)
    row, *others = built.aggregations
    without = {key: structs.replace(measure, dawid_skene=None) for key, measure in row.measures.items()}
    report = structs.replace(built, aggregations=[structs.replace(row, measures=without), *others])
    assert any(measure.dawid_skene for each in others for measure in each.measures.values())
    note = missing_note("aggregations", report, Names(protocol_of(report)))
    assert "takes at least 50 sentences with two answers or more, by at least 3 raters who gave on average 20" in note
    assert "Dawid-Skene (" in note
    report = stored_report(seeded("june").reports.get())
    for table in ("comparisons", "systems"):
        assert missing_note(table, report, Names(protocol_of(report))) == ""

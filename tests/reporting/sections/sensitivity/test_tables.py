"""The sensitivity analyses in words."""

import pytest
from msgspec.structs import replace

from annotation.reporting.methods.agreement import agreement_sentences
from annotation.reporting.report import Report
from annotation.reporting.sections.sensitivity.figures import SensitivityAnalysis, SensitivityEstimate
from annotation.reporting.sections.sensitivity.tables import (
    analysis_label,
    exclusion_phrase,
    labels_without_names,
    sensitivity_sentence,
    shown_analyses,
)
from annotation.reporting.text.names import Names
from tests.reporting.report_builders import cell, comparison, measure, report

NAMES = Names(None)
REPORTED = {"heron": 0.8, "plover": 0.7}


def analysis(name: str, values: dict[str | None, float | None], without: list[str] | None = None):
    estimates = [
        SensitivityEstimate("accurate", system, value, 100, None, None, "none", value - REPORTED[system])
        for system, value in values.items()
    ]
    return SensitivityAnalysis(analysis=name, without=without, estimates=estimates)


def study(*analyses: SensitivityAnalysis, p_holm: float | None = 0.01) -> Report:
    systems = [cell({"accurate": measure(value)}, system) for system, value in REPORTED.items()]
    overall = cell({"accurate": measure(0.75)})
    pair = comparison(a="heron", b="plover", difference=0.1, p=p_holm, p_holm=p_holm)
    whole = report(systems=systems, overall=overall, comparisons=[pair])
    return replace(whole, sensitivity=[analysis("as reported", REPORTED), *analyses])


REVERSED = analysis("majority", {"heron": 0.78, "plover": 0.79})


def test_the_largest_shift_and_the_significant_orders_that_are_reversed():
    with_kim_out = analysis("without rater", {"heron": 0.83, "plover": 0.747}, ["kim"])
    assert sensitivity_sentence(study(with_kim_out), NAMES) == (
        "In 1 sensitivity analysis the largest shift is +4.7 points: Accurate of plover, excluding kim. No analysis "
        "reverses the order of two systems that differ significantly in the report."
    )
    tied = analysis("majority", {"heron": 0.75, "plover": 0.75})
    assert "No analysis reverses" in sensitivity_sentence(study(tied), NAMES)
    assert sensitivity_sentence(study(with_kim_out, REVERSED), NAMES) == (
        "In 2 sensitivity analyses the largest shift is +9.0 points: Accurate of plover, majority of each item. The "
        "order of two systems that differ significantly in the report is reversed for Accurate in: majority of each "
        "item."
    )


def test_no_order_is_reversed_that_is_equal_or_not_significant():
    assert sensitivity_sentence(study(REVERSED, p_holm=0.06), NAMES).endswith(
        " No two systems differ significantly in the report, so their order in the analyses is not compared."
    )
    assert sensitivity_sentence(study(REVERSED, p_holm=None), NAMES).endswith("majority of each item.")
    assert sensitivity_sentence(study(), NAMES) == ""
    assert sensitivity_sentence(report(), NAMES) == ""
    row = analysis("without rater", {"heron": 0.83, "plover": 0.696}, ["kim"])
    assert exclusion_phrase(row, "accurate") == "heron +3.0, plover −0.4 points"
    none = [replace(estimate, value=None, n=0, shift=None) for estimate in row.estimates]
    assert exclusion_phrase(replace(row, estimates=none), "accurate") == "no ratings remain"


@pytest.mark.parametrize(
    ("name", "without", "label"),
    [
        ("without rater", ["kim"], "Excluding kim"),
        ("without alerted raters", ["bo", "kim"], "Excluding bo and kim"),
        ("without alerted raters", ["bo", "kim", "sue", "tom"], "Excluding the 4 raters with a quality alert"),
        ("responses equal", None, "Responses weighted equally"),
        ("not assessed as worst", None, "“Not assessed” as the worst case"),
        ("by document", None, "Documents as units"),
    ],
)
def test_labels(name, without, label):
    assert analysis_label(analysis(name, {}, without), NAMES) == label


def test_labels_of_figures_name_no_rater_and_differ():
    one, two = (analysis("without rater", {}, [name]) for name in ("bo", "kim"))
    rows = [analysis("as reported", {}), one, two, analysis("without alerted raters", {}, ["bo", "kim"])]
    labels = ["As reported", "Excluding rater 1 of 2", "Excluding rater 2 of 2", "Excluding 2 raters"]
    assert labels_without_names(rows, NAMES) == labels
    assert labels_without_names([one], NAMES) == ["Excluding 1 rater"]


def with_bounds(row: SensitivityAnalysis) -> SensitivityAnalysis:
    return replace(row, estimates=[replace(each, low=0.1, high=0.9) for each in row.estimates])


def test_units_and_rows_are_shown_once_and_the_methods_state_the_shifts():
    both = study(*(with_bounds(analysis(name, REPORTED)) for name in ("by prompt", "by document")))
    assert [row.analysis for row in shown_analyses(both)] == ["as reported", "by document"]
    assert [row.analysis for row in shown_analyses(study(analysis("by document", REPORTED)))] == ["as reported"]
    rows = [analysis("majority", {"heron": 0.9}), with_bounds(analysis("by document", REPORTED))]
    assert "In 2 sensitivity analyses the largest shift is +10.0 points" in sensitivity_sentence(study(*rows), NAMES)
    row = analysis("without rater", {"heron": 0.83, "plover": 0.696}, ["kim"])
    shift = "Shift of accurate for each system: excluding kim heron +3.0, plover −0.4 points."
    assert list(agreement_sentences(study(row), NAMES)) == [shift]
    assert list(agreement_sentences(study(), NAMES)) == []


def test_of_many_raters_with_an_alert_the_methods_state_the_shift_without_all():
    names = ["ines", "kim", "rosa", "tom"]
    alone = [analysis("without rater", {"heron": 0.83, "plover": 0.7}, [name]) for name in names]
    without_all = analysis("without alerted raters", {"heron": 0.79, "plover": 0.72}, names)
    assert " ".join(agreement_sentences(study(*alone, without_all), NAMES)) == (
        "Shift of accurate for each system: excluding the 4 raters with a quality alert heron −1.0, plover +2.0 "
        "points. The shifts without each of these 4 raters alone are in the table of the sensitivity analyses."
    )

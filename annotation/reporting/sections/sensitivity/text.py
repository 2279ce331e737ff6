"""The sensitivity analyses in words: their names, and the largest shift."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ....i18n.unit_names import unit_words
from ...report import Report
from ...text.figure_format import count, listed, points
from ...text.names import Names
from ..differences.significance import is_significant
from .figures import (
    AS_BEST,
    AS_REPORTED,
    AS_WORST,
    BY_CLUSTER,
    DAWID_SKENE,
    MAJORITY,
    RESPONSES_EQUAL,
    WITHOUT_ALERTED,
    WITHOUT_RATER,
    SensitivityAnalysis,
    SensitivityEstimate,
)

MAX_NAMED = 3
"""Raters that a label names and analyses that the sentence names; more are counted."""
MAX_SYSTEMS = 6
"""Systems of tables and figures for people; with more, they show all systems together, and the files each."""


class Shift(NamedTuple):
    """How far an analysis moves one figure of the report."""

    analysis: SensitivityAnalysis
    estimate: SensitivityEstimate
    points: float


def shown_analyses(report: Report) -> list[SensitivityAnalysis]:
    """Return the analyses of tables and figures: without those that estimate nothing, and without those in other
    sampling units that have no interval or are the report's own, as units move no value.
    """
    same = BY_CLUSTER.get(report.method.cluster)
    return [row for row in report.sensitivity or () if row.analysis != same and _is_informative(row)]


def _is_informative(row: SensitivityAnalysis) -> bool:
    return any(
        (estimate.value if row.analysis not in BY_CLUSTER.values() else estimate.low) is not None
        for estimate in row.estimates
    )


def exclusions_shown(report: Report) -> list[SensitivityAnalysis]:
    """Return the analyses that exclude raters with an alert: each alone, then all."""
    return [row for row in report.sensitivity or () if row.without]


def analysis_label(row: SensitivityAnalysis, names: Names) -> str:
    """Return the name of an analysis in tables and figures."""
    excluded = row.without or ()
    is_short = len(excluded) <= MAX_NAMED
    labels = {
        AS_REPORTED: "As reported",
        WITHOUT_RATER: "Excluding %(rater)s",
        WITHOUT_ALERTED: "Excluding %(rater)s" if is_short else "Excluding the %(n)s raters with a quality alert",
        MAJORITY: "Majority of each %(unit)s",
        DAWID_SKENE: "Dawid-Skene",
        RESPONSES_EQUAL: "Responses weighted equally",
        AS_WORST: "“%(options)s” as the worst case",
        AS_BEST: "“%(options)s” as the best case",
        **{name: f"{_plural(key)} as units" for key, name in BY_CLUSTER.items()},
    }
    parts = {
        "rater": listed(list(excluded), "and"),
        "n": count(len(excluded)),
        "unit": unit_words(names.unit),
        "options": listed(names.left_out(), "or") or "Not assessed",
    }
    return labels.get(row.analysis, row.analysis) % parts


def labels_without_names(rows: Sequence[SensitivityAnalysis], names: Names) -> list[str]:
    """Return the labels of analyses for figures, which are stored and passed on and so name no rater. Raters that are
    excluded alone have numbers, in the order of the table.
    """
    alone = [row for row in rows if row.analysis == WITHOUT_RATER]
    return [_label_without_names(row, alone, names) for row in rows]


def _label_without_names(row: SensitivityAnalysis, alone: list[SensitivityAnalysis], names: Names) -> str:
    if row in alone and len(alone) > 1:
        return f"Excluding rater {count(alone.index(row) + 1)} of {count(len(alone))}"
    if not row.without:
        return analysis_label(row, names)
    label = "Excluding %(n)s rater" if len(row.without) == 1 else "Excluding %(n)s raters"
    return label % {"n": count(len(row.without))}


def has_sensitivity_panel(report: Report) -> bool:
    """Return whether a report has the analyses of a frozen report: a live one has exclusions of raters alone."""
    return any(row.analysis == MAJORITY for row in report.sensitivity or ()) and any(
        p.value is not None for p in report.overall.measures.values()
    )


def columns_shown(report: Report, *, with_all: bool = True) -> list[str | None]:
    """Return the systems of tables and figures, with `with_all` all together (None) last; of many systems these alone.
    A single system stands for all.
    """
    systems: list[str | None] = [cell.system for cell in report.systems]
    if len(systems) > MAX_SYSTEMS:
        return [None]
    return [*systems, None] if with_all and len(systems) > 1 else systems


def sensitivity_sentence(report: Report, names: Names) -> str:
    """State the largest shift, under which analysis, and whether a significant order is reversed; "" without one."""
    shifts = list(_shifts(report))
    if not shifts:
        return ""
    largest = max(shifts, key=lambda shift: abs(shift.points))
    analyses = sum(row.analysis != AS_REPORTED for row in shown_analyses(report))
    sentence = (
        "In %(n)s sensitivity analysis the largest shift is %(points)s points: %(figure)s, %(analysis)s."
        if analyses == 1
        else "In %(n)s sensitivity analyses the largest shift is %(points)s points: %(figure)s, %(analysis)s."
    )
    figure = names.measure(largest.estimate.measure)
    if largest.estimate.system is not None:
        figure = f"{figure} of {largest.estimate.system}"
    shift = sentence % {
        "n": count(analyses),
        "points": points(largest.points),
        "figure": figure,
        "analysis": within_a_sentence(analysis_label(largest.analysis, names)) + _undecided(report, largest, names),
    }
    return f"{shift} {_orderings(report, names)}".strip()


def _undecided(report: Report, shift: Shift, names: Names) -> str:
    """State how many items a majority excludes as undecided: the rest is a selection; "" for another analysis."""
    if shift.analysis.analysis != MAJORITY:
        return ""
    system, measure = shift.estimate.system, shift.estimate.measure
    shares = [row.measures[measure].majority for row in report.aggregations or () if row.system == system]
    if not shares or not shares[0].undecided:
        return ""
    (share,) = shares
    phrase = "(%(decided)s %(units)s; %(undecided)s without a majority are excluded)"
    values = {"decided": count(share.n), "units": unit_words(names.unit, share.n), "undecided": count(share.undecided)}
    return f" {phrase % values}"


def sensitivity_score_note(report: Report, names: Names) -> str:
    """State which analyses have no scores, and why; "" in a report without scores."""
    if not report.overall.scores:
        return ""
    unit = "Scores are per 100 ratings, and so are their shifts."
    without = [within_a_sentence(analysis_label(row, names)) for row in shown_analyses(report) if row.scores is None]
    if not without:
        return unit
    analyses = listed(without, "or")
    sentence = "None for %(analyses)s: a score sums the weights of single ratings."
    return f"{unit} {sentence % {'analyses': analyses}}"


def exclusion_phrase(row: SensitivityAnalysis, measure: str) -> str:
    """Return how far each system moves on a measure: `heron +1.2, plover −0.4 points`, or that no ratings remain."""
    estimates = [each for each in row.estimates if each.measure == measure and each.system is not None]
    if all(estimate.value is None for estimate in estimates):
        return "no ratings remain"
    moved = [f"{estimate.system} {points(estimate.shift)}" for estimate in estimates]
    return f"{', '.join(moved)} points"


def _shifts(report: Report) -> Iterator[Shift]:
    """Yield the shifts of each system and of all together, other than those of the units, which move no value."""
    for row in report.sensitivity or ():
        if row.analysis != AS_REPORTED and row.analysis not in BY_CLUSTER.values():
            for estimate in row.estimates:
                if estimate.shift is not None:
                    yield Shift(row, estimate, estimate.shift)


def _orderings(report: Report, names: Names) -> str:
    """State in which analyses two systems that differ significantly change places; "" where no systems are tested."""
    if not any(row.p_holm is not None for row in report.comparisons):
        return ""
    if not any(map(is_significant, report.comparisons)):
        return "No two systems differ significantly in the report, so their order in the analyses is not compared."
    changed = {
        (analysis_label(row, names), names.measure(measure))
        for row in report.sensitivity or ()
        for measure in report.overall.measures
        if reverses_order(report, row, measure)
    }
    if not changed:
        return "No analysis reverses the order of two systems that differ significantly in the report."
    labels = list(dict.fromkeys(within_a_sentence(label) for label, _measure in sorted(changed)))
    measures = list(dict.fromkeys(measure for _label, measure in sorted(changed)))
    if len(labels) > MAX_NAMED:
        where = f"{count(len(labels))} analysis" if len(labels) == 1 else f"{count(len(labels))} analyses"
    else:
        where = listed(labels, "and")
    sentence = (
        "The order of two systems that differ significantly in the report is reversed for %(measures)s in: "
        "%(analyses)s."
    )
    return sentence % {"measures": listed(measures, "and"), "analyses": where}


def reverses_order(report: Report, row: SensitivityAnalysis, measure: str) -> bool:
    """Return whether two systems that differ significantly on a measure have the opposite order in an analysis."""
    values = {estimate.system: estimate.value for estimate in row.estimates if estimate.measure == measure}
    reported = {cell.system: cell.measures[measure].value for cell in report.systems}
    return any(
        _sign(reported[pair.a], reported[pair.b]) * _sign(values.get(pair.a), values.get(pair.b)) < 0
        for pair in report.comparisons
        if pair.measure == measure and is_significant(pair)
    )


def _sign(a: float | None, b: float | None) -> int:
    return 0 if a is None or b is None else (a > b) - (a < b)


def _plural(cluster: str) -> str:
    words = unit_words(cluster, 2)
    return words[:1].upper() + words[1:]


def within_a_sentence(label: str) -> str:
    """Lower the first letter of a label, except of a name."""
    return label if label == "Dawid-Skene" else label[:1].lower() + label[1:]

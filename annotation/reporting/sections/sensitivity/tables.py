"""The sensitivity analyses: one row for a measure and an analysis, one column for a system."""

from collections.abc import Iterator, Sequence

from ....i18n.unit_names import counted, unit_words
from ...report import Report
from ...tables import Column, Figure, Row, Table, TidyRow
from ...tables.kinds import LABEL, PERCENT, SCORE_ALONE
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
    SensitivityScore,
)

NOTE = (
    "In brackets: 95 % intervals over the same sampling units as in the other tables, unless the row names others; "
    "percentile bootstrap for Dawid-Skene, which is estimated separately for each system and for all systems, so "
    "the value of all systems may lie outside theirs. Behind them: the shift from the reported figure, in percentage "
    "points."
)


def tables(report: Report, names: Names) -> Iterator[Table]:
    if not report.sensitivity:
        return
    systems = columns_shown(report)
    rows = []
    for key in (*report.overall.measures, *(report.overall.scores or {})):
        for analysis in shown_analyses(report):
            figures = {}
            for each in analysis.figures:
                if each.measure == key:
                    is_score, has_shift = isinstance(each, SensitivityScore), each.shift and each.value is not None
                    shift = points(each.shift / (100 if is_score else 1)) if each.shift and has_shift else ""
                    figures[each.system] = Figure.of(each, after=shift, kind=SCORE_ALONE if is_score else None)
            if figures:
                values = [figures[system] for system in systems]
                rows.append(Row([names.measure(key), analysis_label(analysis, names), *values]))
    columns = [
        Column("Measure", LABEL),
        Column("Analysis", LABEL),
        *(Column(system or names.all_systems, PERCENT) for system in systems),
    ]

    def rows_of_csv() -> Iterator[TidyRow]:
        """Yield the estimates of each analysis: `figure` names it, `value` the excluded raters."""
        for row in report.sensitivity or ():
            where: TidyRow = {"table": "sensitivity", "value": ", ".join(row.without or ()), "figure": row.analysis}
            for each in row.figures:
                yield {**where, "system": each.system or "", "key": each.measure, **Figure.of(each).numbers}

    sentences = [sensitivity_sentence(report, names), NOTE, sensitivity_score_note(report, names)]
    yield Table(
        "sensitivity", "Sensitivity", columns, rows, " ".join(filter(None, sentences)),
        rows_of_csv=rows_of_csv, is_hidden=not has_sensitivity_panel(report),
    )  # fmt: skip


MAX_NAMED = 3
"""Raters that a label names and analyses that the sentence names; more are counted."""
MAX_SYSTEMS = 6
"""Systems of tables and figures for people; with more, they show all systems together, and the files each."""


def shown_analyses(report: Report) -> list[SensitivityAnalysis]:
    """Return the analyses of tables and figures: without those that estimate nothing, and without those in other
    sampling units that have no interval or are the report's own, as units move no value.
    """
    analyses = []
    for row in report.sensitivity or ():
        is_of_units = row.analysis in BY_CLUSTER.values()
        figures = [estimate.low if is_of_units else estimate.value for estimate in row.estimates]
        if row.analysis != BY_CLUSTER.get(report.method.cluster) and any(figure is not None for figure in figures):
            analyses.append(row)
    return analyses


def exclusions_shown(report: Report) -> list[SensitivityAnalysis]:
    return [row for row in report.sensitivity or () if row.without]


def analysis_label(row: SensitivityAnalysis, names: Names) -> str:
    raters = list(row.without or ())
    excluded = listed(raters, "and") if len(raters) <= MAX_NAMED else f"the {len(raters)} raters with a quality alert"
    not_assessed = listed(names.left_out(), "or") or "Not assessed"
    labels = {
        AS_REPORTED: "As reported",
        WITHOUT_RATER: f"Excluding {excluded}",
        WITHOUT_ALERTED: f"Excluding {excluded}",
        MAJORITY: f"Majority of each {unit_words(names.unit)}",
        DAWID_SKENE: "Dawid-Skene",
        RESPONSES_EQUAL: "Responses weighted equally",
        AS_WORST: f"“{not_assessed}” as the worst case",
        AS_BEST: f"“{not_assessed}” as the best case",
        **{name: f"{unit_words(cluster, 2).capitalize()} as units" for cluster, name in BY_CLUSTER.items()},
    }
    return labels.get(row.analysis, row.analysis)


def within_a_sentence(label: str) -> str:
    """Lower the first letter of a label, except of a name."""
    return label if label == "Dawid-Skene" else label[:1].lower() + label[1:]


def labels_without_names(rows: Sequence[SensitivityAnalysis], names: Names) -> list[str]:
    """Return the labels of analyses for figures, which are stored and passed on and so name no rater. Raters that are
    excluded alone have numbers, in the order of the table.
    """
    alone = [row for row in rows if row.analysis == WITHOUT_RATER]
    labels = []
    for row in rows:
        if row in alone and len(alone) > 1:
            labels.append(f"Excluding rater {alone.index(row) + 1} of {len(alone)}")
        elif row.without:
            labels.append(f"Excluding {counted(len(row.without), 'rater')}")
        else:
            labels.append(analysis_label(row, names))
    return labels


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
    shifts = [
        (estimate.shift, estimate, row)
        for row in report.sensitivity or ()
        if row.analysis not in (AS_REPORTED, *BY_CLUSTER.values())  # other units move no value
        for estimate in row.estimates
        if estimate.shift is not None
    ]
    if not shifts:
        return ""
    shift, estimate, row = max(shifts, key=lambda each: abs(each[0]))
    undecided = ""
    if row.analysis == MAJORITY:  # the items with a majority are a selection
        aggregated = [each.measures for each in report.aggregations or () if each.system == estimate.system]
        majority = aggregated[0][estimate.measure].majority if aggregated else None
        if majority and majority.undecided:
            decided = counted(majority.n, names.unit)
            undecided = f" ({decided}; {count(majority.undecided)} without a majority are excluded)"
    n = sum(each.analysis != AS_REPORTED for each in shown_analyses(report))
    of_system = "" if estimate.system is None else f" of {estimate.system}"
    return (
        f"In {n} sensitivity {'analysis' if n == 1 else 'analyses'} the largest shift is {points(shift)} points: "
        f"{names.measure(estimate.measure)}{of_system}, {within_a_sentence(analysis_label(row, names))}{undecided}. "
        f"{_reversed_orders(report, names)}"
    ).strip()


def _reversed_orders(report: Report, names: Names) -> str:
    """State in which analyses two systems that differ significantly change places; "" where no systems are tested."""
    if not any(row.p_holm is not None for row in report.comparisons):
        return ""
    significant = [pair for pair in report.comparisons if is_significant(pair)]
    if not significant:
        return "No two systems differ significantly in the report, so their order in the analyses is not compared."
    reported = {(cell.system, key): p.value for cell in report.systems for key, p in cell.measures.items()}
    changed = set()
    for row in report.sensitivity or ():
        values = {(estimate.system, estimate.measure): estimate.value for estimate in row.estimates}
        for pair in significant:
            a, b = (pair.a, pair.measure), (pair.b, pair.measure)
            if _sign(reported.get(a), reported.get(b)) * _sign(values.get(a), values.get(b)) < 0:
                changed.add((analysis_label(row, names), names.measure(pair.measure)))
    if not changed:
        return "No analysis reverses the order of two systems that differ significantly in the report."
    labels = list(dict.fromkeys(within_a_sentence(label) for label, _ in sorted(changed)))
    measures = list(dict.fromkeys(measure for _, measure in sorted(changed)))
    analyses = listed(labels, "and") if len(labels) <= MAX_NAMED else f"{len(labels)} analyses"
    return (
        "The order of two systems that differ significantly in the report is reversed for "
        f"{listed(measures, 'and')} in: {analyses}."
    )


def _sign(a: float | None, b: float | None) -> int:
    return 0 if a is None or b is None else (a > b) - (a < b)


def sensitivity_score_note(report: Report, names: Names) -> str:
    """State which analyses have no scores, and why; "" in a report without scores."""
    if not report.overall.scores:
        return ""
    unit = "Scores are per 100 ratings, and so are their shifts."
    without = [within_a_sentence(analysis_label(row, names)) for row in shown_analyses(report) if row.scores is None]
    if not without:
        return unit
    return f"{unit} None for {listed(without, 'or')}: a score sums the weights of single ratings."


def exclusion_phrase(row: SensitivityAnalysis, measure: str) -> str:
    """Return how far each system moves on a measure: `heron +1.2, plover −0.4 points`, or that no ratings remain."""
    estimates = [each for each in row.estimates if each.measure == measure and each.system is not None]
    if all(estimate.value is None for estimate in estimates):
        return "no ratings remain"
    moved = [f"{estimate.system} {points(estimate.shift)}" for estimate in estimates]
    return f"{', '.join(moved)} points"

"""A report against an analysis plan: what differs, and its p values adjusted over the plan's family."""

from collections.abc import Sequence

import msgspec

from ....protocols.analysis_plan import AUTO, PLANNED, RAW, WHOLE_REPORT, AnalysisPlan
from ....stats.comparisons import holm
from ...parts import Filters
from ...planning.plans import half_widths
from ...provenance_record import Deviation, FamilyTest
from ...report import Report
from ..differences.figures import Comparison

FilterValue = float | str | Sequence[str] | Sequence[tuple[str, Sequence[str]]] | dict[str, Sequence[str]] | None
"""A filter as JSON; metadata of a plan as pairs."""


def deviations(plan: AnalysisPlan, report: Report) -> list[Deviation]:
    """Return each topic in which the report is not as planned. More measures and comparisons are no deviation."""
    keys, planned_pairs = _figure_keys(report), plan.comparisons or ()
    compared = {(row.a, row.b) for row in report.all_comparisons if row.p is not None or row.difference is not None}
    # With `auto` the unit is as planned where the rule of the report chose it.
    unit = AUTO if plan.unit == AUTO and report.chosen_cluster is None else report.method.cluster
    rows = [
        Deviation("measures", list(plan.measures), [key for key in plan.measures if key in keys]),
        Deviation(
            "comparisons",
            [" – ".join(pair) for pair in planned_pairs],
            [" – ".join(pair) for pair in planned_pairs if pair in compared],
        ),
        Deviation("unit", [plan.unit], [unit]),
    ]
    for topic, number in (("seed", plan.seed), ("resamples", plan.resamples)):
        if number is not None:
            rows.append(Deviation(topic, [str(number)], [str(getattr(report.method, topic))]))
    planned: dict[str, FilterValue] = msgspec.to_builtins(plan.exclusions)
    actual: dict[str, FilterValue] = msgspec.to_builtins(report.filters or Filters())
    rows += [Deviation(topic, _texts(value), _texts(actual.get(topic))) for topic, value in planned.items()]
    widths = [row.half_width for row in half_widths(report, None) if row.measure in plan.measures]
    defined = [width for width in widths if width is not None]
    if plan.target is not None and len(defined) < len(widths):
        rows.append(Deviation("target", [f"{plan.target:g}"], []))
    elif plan.target is not None and max(defined, default=0.0) > plan.target:
        rows.append(Deviation("target", [f"{plan.target:g}"], [f"{max(defined):.4g}"]))
    return [row for row in rows if list(row.planned) != list(row.actual)]


def _texts(value: FilterValue) -> list[str]:
    """Return the value of a filter as texts: names, or each value of a metadata key; [] where it is not set."""
    if value is None or value == RAW:
        return []
    if isinstance(value, int | float):
        return [f"{value:g}"]
    if isinstance(value, str):
        return [value]
    texts = []
    for entry in value.items() if isinstance(value, dict) else value:
        if isinstance(entry, str):
            texts.append(entry)
        else:
            key, values = entry
            texts += [f"{key} = {each}" for each in values]
    return sorted(texts)


def family_tests(plan: AnalysisPlan, report: Report) -> tuple[list[FamilyTest], int]:
    """Return the planned comparisons on the planned measures with p adjusted by Holm over the plan's family, and the
    number of its tests; of one measure, the largest.
    """
    pairs = set(plan.pairs([str(cell.system) for cell in report.systems]))

    def is_planned(row: Comparison) -> bool:
        return row.measure in plan.measures and (row.a, row.b) in pairs

    comparisons = report.all_comparisons
    if plan.family == PLANNED:
        families = [list(filter(is_planned, comparisons))]
    elif plan.family == WHOLE_REPORT:
        families = [comparisons]
    else:
        measures = dict.fromkeys(row.measure for row in comparisons)
        families = [[row for row in comparisons if row.measure == measure] for measure in measures]
    tests = [
        FamilyTest(row.a, row.b, row.measure, row.p, p)
        for rows in families
        for row, p in zip(rows, holm([row.p for row in rows]), strict=True)
        if is_planned(row)
    ]
    return tests, max((sum(row.p is not None for row in rows) for rows in families), default=0)


def unplanned_measures(plan: AnalysisPlan, report: Report) -> list[str]:
    """Return the keys of the report's figures that the plan does not name."""
    return [key for key in _figure_keys(report) if key not in plan.measures]


def _figure_keys(report: Report) -> list[str]:
    overall = report.overall
    return [*overall.measures, *(overall.means or {}), *(overall.scores or {})]

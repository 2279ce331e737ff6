"""A report against an analysis plan: what differs, and its p values adjusted over the plan's family."""

from collections.abc import Iterator, Sequence

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
    rows = [*_figures(plan, report), *_method(plan, report), *_exclusions(plan, report), *_target(plan, report)]
    return [row for row in rows if list(row.planned) != list(row.actual)]


def family_tests(plan: AnalysisPlan, report: Report) -> tuple[list[FamilyTest], int]:
    """Return the planned comparisons on the planned measures with p adjusted by Holm over the plan's family, and the
    number of its tests; of one measure, the largest.
    """
    families = _families(plan, report)
    adjusted = [
        FamilyTest(row.a, row.b, row.measure, row.p, p)
        for rows in families
        for row, p in zip(rows, holm([row.p for row in rows]), strict=True)
    ]
    size = max((sum(row.p is not None for row in rows) for rows in families), default=0)
    planned = {_key(row) for row in planned_comparisons(plan, report)}
    return [test for test in adjusted if (test.a, test.b, test.measure) in planned], size


def planned_comparisons(plan: AnalysisPlan, report: Report) -> list[Comparison]:
    """Return the report's comparisons that were planned."""
    pairs = set(plan.pairs(systems(report)))
    return [row for row in report.all_comparisons if row.measure in plan.measures and (row.a, row.b) in pairs]


def unplanned_measures(plan: AnalysisPlan, report: Report) -> list[str]:
    """Return the keys of the report's figures that the plan does not name."""
    return [key for key in figure_keys(report) if key not in plan.measures]


def figure_keys(report: Report) -> list[str]:
    """Return the keys of the report's measures, means and scores."""
    overall = report.overall
    return [*overall.measures, *(overall.means or {}), *(overall.scores or {})]


def systems(report: Report) -> list[str]:
    return [str(cell.system) for cell in report.systems]


def _families(plan: AnalysisPlan, report: Report) -> list[Sequence[Comparison]]:
    """Return the comparisons that are adjusted together."""
    if plan.family == PLANNED:
        return [planned_comparisons(plan, report)]
    if plan.family == WHOLE_REPORT:
        return [report.all_comparisons]
    measures = dict.fromkeys(row.measure for row in report.all_comparisons)
    return [[row for row in report.all_comparisons if row.measure == measure] for measure in measures]


def _key(row: Comparison) -> tuple[str, str, str]:
    return row.a, row.b, row.measure


def _figures(plan: AnalysisPlan, report: Report) -> Iterator[Deviation]:
    present = [key for key in plan.measures if key in figure_keys(report)]
    yield Deviation("measures", list(plan.measures), present)
    compared = {(row.a, row.b) for row in report.all_comparisons if row.p is not None or row.difference is not None}
    names = [" – ".join(pair) for pair in plan.comparisons or ()]
    yield Deviation("comparisons", names, [" – ".join(pair) for pair in plan.comparisons or () if pair in compared])


def _method(plan: AnalysisPlan, report: Report) -> Iterator[Deviation]:
    yield Deviation("unit", [plan.unit], [_unit(plan, report)])
    for topic in ("seed", "resamples"):
        if (planned := getattr(plan, topic)) is not None:
            yield Deviation(topic, [str(planned)], [str(getattr(report.method, topic))])


def _unit(plan: AnalysisPlan, report: Report) -> str:
    """Return the unit as planned if it was: with `auto` the rule of the report chose it."""
    is_chosen = report.chosen_cluster is not None
    return AUTO if plan.unit == AUTO and not is_chosen else report.method.cluster


def _exclusions(plan: AnalysisPlan, report: Report) -> Iterator[Deviation]:
    planned: dict[str, FilterValue] = msgspec.to_builtins(plan.exclusions)
    actual: dict[str, FilterValue] = msgspec.to_builtins(report.filters or Filters())
    for topic in planned:
        yield Deviation(topic, _texts(planned[topic]), _texts(actual.get(topic)))


def _texts(value: FilterValue) -> list[str]:
    """Return the value of a filter as texts; [] where it is not set."""
    if value is None or value == RAW:
        return []
    if isinstance(value, int | float):
        return [f"{value:g}"]
    if isinstance(value, str):
        return [value]
    entries = value.items() if isinstance(value, dict) else value
    return sorted(text for entry in entries for text in _entry_texts(entry))


def _entry_texts(entry: str | tuple[str, Sequence[str]]) -> list[str]:
    """Return a name, or each value of a metadata key."""
    if isinstance(entry, str):
        return [entry]
    key, values = entry
    return [f"{key} = {value}" for value in values]


def _target(plan: AnalysisPlan, report: Report) -> Iterator[Deviation]:
    """Compare the widest interval of a planned proportion with the planned half-width, where it is wider."""
    widths = [row.half_width for row in half_widths(report, None) if row.measure in plan.measures]
    if plan.target is None or not widths:
        return
    undefined = [width for width in widths if width is None]
    widest = max((width for width in widths if width is not None), default=0.0)
    if undefined or widest > plan.target:
        yield Deviation("target", [f"{plan.target:g}"], [] if undefined else [f"{widest:.4g}"])

"""Compact tables in the published style: an estimate ± half the width of its interval, `86.9 ± 0.9`.

They fit one column of a paper without being scaled. A clearly asymmetric interval cannot be read from such a cell, so
the note below the table has its bounds.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..i18n.unit_names import unit_words
from ..reporting.compute import significance
from ..reporting.provenance_record import Provenance
from ..reporting.report import BoundedShare, Cell, Comparison, Report, ScoreEstimate
from ..reporting.text import figure_format, notes
from ..reporting.text.cautions import cautions
from ..reporting.text.comparison_notes import comparison_note
from ..reporting.text.missing_figures import missing_note, undefined_note
from ..reporting.text.names import Names, breakdown_label, label_columns
from ..reporting.text.planned_family import planned_family_note
from ..reporting.text.unrated_measures import without_unrated_measures
from ..reporting.text.value_order import with_ordered_values
from .table import Grid
from .table_names import table_name

MAX_ASYMMETRY = 1.5  # the longer arm of an interval over the shorter one
LEAST_ASYMMETRY = 0.002  # of the arms' difference: a smaller one is lost when rounded to 0.1 points


def compact_names(report: Report) -> list[str]:
    """Return the names of the tables that have a compact style."""
    breakdowns = [table_name(key) for key, cells in report.by.items() if cells]
    pairs = ["comparisons"] if report.comparisons and not significance.nothing_in_common(report) else []
    return ["systems", *breakdowns, *pairs]


def compact_grid(report: Report, names: Names, name: str, record: Provenance | None = None) -> Grid:
    """Return the compact form of a table among `compact_names`; see `report_tables.grids` for `record`."""
    report, _unrated = without_unrated_measures(with_ordered_values(report))
    if name == "comparisons":
        return _comparisons(report, names, record)
    if name == "systems":
        title = f"Proportions by {names.system_word}"
        return _proportions("systems", title, [names.system_head], report.systems, report, names)
    key = next(key for key in report.by if table_name(key) == name)
    cells = report.by[key]
    title = f"Proportions by {breakdown_label(key, names)}"
    return _proportions(name, title, label_columns(key, cells[0], names), cells, report, names)


def _proportions(name: str, title: str, labels: list[str], cells: Sequence[Cell], report: Report, names: Names) -> Grid:
    rows = [
        [*cell.labels, *map(_share, cell.measures.values()), *map(_score, (cell.scores or {}).values())]
        for cell in cells
    ]
    scores = [names.measure(key) for key in cells[0].scores or {}]
    head = [*labels, *(names.measure(key) for key in cells[0].measures), *scores]
    figures = [cell.measures for cell in cells]
    sentences = [
        f"Percent of the assessed ratings{_half_width(figures, report.method.cluster)}.",
        f"Per 100 ratings: {figure_format.listed(scores, 'and')}." if scores else "",
        notes.interval_note(figures, report.method.cluster).replace("† ", ""),
        _asymmetric(_asymmetric_shares(cells, names)),
        undefined_note(figures),
        *(cautions(report, names) if name == "systems" else ()),
        notes.filters_note(report, names),
    ]
    return Grid(name, title, head, rows, " ".join(filter(None, sentences)), len(labels), fitted=False)


def _comparisons(report: Report, names: Names, record: Provenance | None) -> Grid:
    comparisons = significance.comparisons_shown(report)
    rows = [
        [names.measure(row.measure), f"{row.a} − {row.b}", _difference(row), figure_format.p_value(row.p_holm)]
        for row in comparisons
    ]
    asymmetric = [
        f"{names.measure(row.measure).lower()}, {row.a} − {row.b}: {figure_format.points_between(row.low, row.high)}"
        for row in comparisons
        if _is_asymmetric(row.difference, row.low, row.high)
    ]
    sentences = [
        "± half the width of the 95 % interval.",
        comparison_note(comparisons, report.method.cluster, studentized=report.is_studentized),
        _asymmetric(asymmetric),
        missing_note("comparisons", report, names),
        notes.filters_note(report, names),
        planned_family_note(record, report, names),
    ]
    head = ["Measure", "Systems", "Difference", "p (Holm)"]
    return Grid(
        "comparisons", "Differences between systems", head, rows, " ".join(filter(None, sentences)), 2, fitted=False
    )


def _share(p: BoundedShare) -> str:
    if p.value is None:
        return figure_format.UNDEFINED
    return f"{figure_format.percent(p.value, sign=False)}{_plus_minus(p.low, p.high)}"


def _score(score: ScoreEstimate) -> str:
    bounds = "" if score.low is None or score.high is None else f" ± {(score.high - score.low) / 2:.1f}"
    return f"{figure_format.score(score.value)}{bounds}"


def _difference(row: Comparison) -> str:
    bounds = "" if significance.lacks_an_interval(row) else _plus_minus(row.low, row.high)
    return f"{figure_format.points(row.difference)}{bounds}"


def _plus_minus(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f" ± {100 * (high - low) / 2:.1f}"


def _half_width(figures: Sequence[Mapping[str, BoundedShare]], cluster: str) -> str:
    has_any = any(p.low is not None for measures in figures for p in measures.values())
    units = unit_words(cluster, 2)
    return f" ± half the width of the 95 % interval, with {units} as sampling units" if has_any else ""


def _asymmetric_shares(cells: Sequence[Cell], names: Names) -> Iterator[str]:
    for cell in cells:
        for key, p in cell.measures.items():
            if _is_asymmetric(p.value, p.low, p.high):
                yield f"{', '.join(cell.labels)}, {names.measure(key).lower()}: {figure_format.interval(p.low, p.high)}"


def _is_asymmetric(value: float | None, low: float | None, high: float | None) -> bool:
    if value is None or low is None or high is None:
        return False
    shorter, longer = sorted((value - low, high - value))
    return longer - shorter >= LEAST_ASYMMETRY and longer > MAX_ASYMMETRY * shorter


def _asymmetric(bounds: Iterable[str]) -> str:
    listed = "; ".join(bounds)
    return f"Asymmetric intervals: {listed}." if listed else ""

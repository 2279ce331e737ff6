"""The visible part of a report, without unrated questions."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from msgspec.structs import replace

from ..report import Cell, Report

Figure = TypeVar("Figure")


def without_unrated_measures(report: Report) -> tuple[Report, list[str]]:
    """Return the report without unrated measures, and their keys. A report without any rating stays as it is."""
    measures = report.overall.measures
    unrated = [key for key, measure in measures.items() if not measure.n]
    if not unrated or len(unrated) == len(measures):
        return report, []

    def rated(figures: Mapping[str, Figure]) -> dict[str, Figure]:
        return {key: figure for key, figure in figures.items() if key not in unrated}

    def cut(cells: Sequence[Cell]) -> list[Cell]:
        return [replace(cell, measures=rated(cell.measures)) for cell in cells]

    changed = replace(
        report,
        overall=cut([report.overall])[0],
        systems=cut(report.systems),
        by={key: cut(cells) for key, cells in report.by.items()},
        comparisons=[row for row in report.comparisons if row.measure not in unrated],
        ranks=[row for row in report.ranks or () if row.measure not in unrated],
        aggregations=[replace(row, measures=rated(row.measures)) for row in report.aggregations or ()],
        crossed_models=[row for row in report.crossed_models or () if row.measure not in unrated] or None,
    )
    return changed, unrated

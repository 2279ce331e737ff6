"""Which place each system has on each measure, and how sure that is."""

from typing import Any

from ...models import Item
from ...stats.ranking import rank_intervals
from ..data.table import RatingTable
from ..text.naming import Names
from .breakdowns import by_system
from .cells import LEVEL, Cells

Row = dict[str, Any]


def ranks(ratings: RatingTable, cells: Cells) -> list[Row]:
    """The report's `ranks`: rank 1 has the highest value; bounds come from the resamples of the proportions.

    None where a rating is about two systems at once, as these are not places in one row.
    """
    if cells.protocol.unit == Item.Unit.PAIR:
        return []
    rows = []
    counts = cells.measures_by_cluster(ratings.counts, by_system(ratings))
    for measure, (k, n) in zip(cells.protocol.measures, counts, strict=True):
        found = rank_intervals(k, n, cells.resamples, LEVEL) if len(k) else []
        rows += [
            {"measure": measure.key, "system": system, "rank": of.rank, "low": of.low, "high": of.high}
            for system, of in zip(ratings.responses.systems, found, strict=True)
        ]
    return rows


def from_the_best(rows: list[Row], names: Names) -> list[Row]:
    """The report's `ranks` as people read them: 1 is the best, so they are turned where lower is better."""
    lower = {row["measure"] for row in rows if names.better(row["measure"]) == "lower"}
    return [_turned(row, rows) if row["measure"] in lower else row for row in rows]


def _turned(own: Row, rows: list[Row]) -> Row:
    of = [row for row in rows if row["measure"] == own["measure"] and row["rank"] is not None]
    if own["rank"] is None:
        return own
    rank = 1 + sum(row["rank"] > own["rank"] for row in of)
    low, high = (None if end is None else len(of) + 1 - end for end in (own["high"], own["low"]))
    return own | {"rank": rank, "low": low, "high": high}

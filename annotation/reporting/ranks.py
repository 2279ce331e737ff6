"""Which place each system has on each measure, and how sure that is."""

from typing import Any

from ..models import Item
from ..stats.ranking import rank_intervals
from .breakdowns import by_system
from .cells import LEVEL, Cells
from .tallies import Tallies


def ranks(tallies: Tallies, cells: Cells) -> list[dict[str, Any]]:
    """The report's `ranks`: rank 1 has the highest value; bounds come from the resamples of the proportions.

    None where a rating is about two systems at once, as these are not places in one row.
    """
    if cells.protocol.unit == Item.Unit.PAIR:
        return []
    rows = []
    for measure in cells.protocol.measures:
        k, n = cells.by_cluster(measure, tallies.entries, by_system(tallies))
        found = rank_intervals(k, n, cells.resamples, LEVEL) if len(k) else []
        rows += [
            {"measure": measure.key, "system": system, "rank": of.rank, "low": of.low, "high": of.high}
            for system, of in zip(tallies.systems, found, strict=True)
        ]
    return rows

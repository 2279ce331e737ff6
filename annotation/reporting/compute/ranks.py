"""The rank of each system on each measure, with its interval."""

from collections.abc import Callable, Sequence

import msgspec

from ...models import Item
from ...stats.ranking import rank_intervals
from ..data.table import RatingTable
from ..report import Rank
from .breakdowns import by_system
from .cells import LEVEL, Cells


def ranks(ratings: RatingTable, cells: Cells) -> list[Rank]:
    """Rank the systems: 1 has the highest value; bounds come from the resamples of the proportions.

    No ranks if ratings are about pairs of systems: pairs have no common order.
    """
    if cells.protocol.unit == Item.Unit.PAIR:
        return []
    rows = []
    counts = cells.measures_by_cluster(ratings.counts, by_system(ratings))
    for measure, (k, n) in zip(cells.protocol.measures, counts, strict=True):
        intervals = rank_intervals(k, n, cells.resamples, LEVEL) if len(k) else []
        rows += [
            Rank(measure.key, system, interval.rank, interval.low, interval.high)
            for system, interval in zip(ratings.responses.systems, intervals, strict=True)
        ]
    return rows


def best_first(ranks: Sequence[Rank], better: Callable[[str], str]) -> list[Rank]:
    """Return the ranks with 1 for the best value: reversed for measures of which `better` returns `lower`."""
    reversed_measures = {rank.measure for rank in ranks if better(rank.measure) == "lower"}
    return [_reverse_rank(rank, ranks) if rank.measure in reversed_measures else rank for rank in ranks]


def _reverse_rank(rank: Rank, ranks: Sequence[Rank]) -> Rank:
    if rank.rank is None:
        return rank
    others = [other.rank for other in ranks if other.measure == rank.measure and other.rank is not None]
    low, high = (None if end is None else len(others) + 1 - end for end in (rank.high, rank.low))
    return msgspec.structs.replace(rank, rank=1 + sum(other > rank.rank for other in others), low=low, high=high)

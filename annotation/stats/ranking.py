"""The rank of each system, with its interval.

A rank is counted, not estimated: it is one more than the number of systems with a higher proportion, in the data and
again in every resample. The resamples are those of the proportions, so that a prompt which is easy for all systems
changes all values and no rank.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .bootstrap import FixedResamples, Floats, Resamples, replicates
from .intervals import MIN_CLUSTERS
from .proportions import ratios
from .quantiles import two_sided


@dataclass(frozen=True, slots=True)
class RankInterval:
    """The rank of one row: 1 has the highest value, and equal values share the better rank.

    `rank` is None for a row without a rating; `low` and `high`, the best and the worst rank that the interval
    allows, are None too with fewer than 10 clusters, with a single row to rank, or without resamples.
    """

    rank: int | None
    low: int | None
    high: int | None


def rank_intervals(
    k: ArrayLike, n: ArrayLike, resamples: Resamples | FixedResamples | None = None, level: float = 0.95
) -> list[RankInterval]:
    """Return one rank a row of k and n, both of shape (systems, clusters), with its percentile interval.

    Bounds are whole ranks: the middle `level` of the ranks in the resamples (Goldstein and Spiegelhalter 1996),
    where a tie stretches from the better rank to the worse. Each interval holds for its own row, not for all at once.
    """
    proportions = ratios(k, n)
    ranked = [system for system, ratio in enumerate(proportions) if ratio.value is not None]
    bounds: dict[int, tuple[int, int]] = {}
    if resamples is not None and len(ranked) > 1:
        drawn = replicates(np.asarray(k)[ranked], np.asarray(n)[ranked], resamples)
        for row, system in enumerate(ranked):
            if proportions[system].clusters >= MIN_CLUSTERS and np.isfinite(drawn[row]).any():
                bounds[system] = _middle(drawn, row, level)
    values = [ratio.value for ratio in proportions if ratio.value is not None]
    ranks = [None if p.value is None else 1 + sum(other > p.value for other in values) for p in proportions]
    return [RankInterval(rank, *bounds.get(system, (None, None))) for system, rank in enumerate(ranks)]


def _middle(drawn: Floats, row: int, level: float) -> tuple[int, int]:
    """Return the bounds of one row's ranks in the resamples where it has a value; elsewhere it is not ahead."""
    values = drawn[row]
    ahead, level_with = np.zeros((2, len(values)), dtype=np.int16)
    for other in (*drawn[:row], *drawn[row + 1 :]):
        ahead += other > values
        level_with += other == values
    is_finite = np.isfinite(values)
    upper = two_sided(level)
    best, worst = (ranks if is_finite.all() else ranks[is_finite] for ranks in (ahead + 1, ahead + level_with + 1))
    return _rank_at(best, 1 - upper), _rank_at(worst, upper)


def _rank_at(ranks: NDArray[np.int16], probability: float) -> int:
    """Return the smallest rank that at least this share of the resamples does not exceed (a type-1 quantile)."""
    reached = np.cumsum(np.bincount(ranks))
    return int(np.argmax(reached >= probability * len(ranks)))

"""The choice of the interval for a proportion in the report.

The cluster bootstrap (BCa) is best with enough clusters; with few prompts or few events its tails are too short, and
the exact bounds on the effective number of ratings keep their coverage; with fewer than ten prompts no interval is
reliable, and only the counts are shown. The rule is applied to each cell separately.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .bootstrap import FixedResamples, Resamples, bca, left_out, replicates_in_turn
from .intervals import MIN_CLUSTERS, Interval, are_very_unequal, closed_form
from .proportions import Counts, Ratio, by_observation, checked_counts, ratios

# The bootstrap needs this many clusters and this many hits and misses in a cell.
ENOUGH_CLUSTERS = 50
ENOUGH_EVENTS = 20

# Cells whose sums are in memory together: those of 64 with 10,000 resamples take 5 MB at the most.
CELLS_PER_CHUNK = 64


@dataclass(frozen=True, slots=True)
class Headline:
    """The printed result for one measure of one cell; `method` is `bca`, `korn-graubard` or `none`."""

    value: float | None
    k: int
    n: int
    low: float | None
    high: float | None
    method: str
    deff: float | None
    clusters: int
    se: float | None
    icc: float | None


def method_for(clusters: int, k: int, n: int, effective: float | None = None) -> str:
    """Return the method for a cell: `bca` with 50 clusters and 20 hits and misses, `none` with under 10 clusters.

    `effective`: how many clusters of equal size they are worth, by default all; very unequal ones get no `bca`, which
    would rest on the few large ones.
    """
    if clusters < MIN_CLUSTERS:
        return "none"
    enough = clusters >= ENOUGH_CLUSTERS and min(k, n - k) >= ENOUGH_EVENTS
    unequal = effective is not None and are_very_unequal(clusters, effective)
    return "bca" if enough and not unequal else "korn-graubard"


def headline(
    k: ArrayLike,
    n: ArrayLike,
    *,
    resamples: Resamples | FixedResamples | None = None,
    level: float = 0.95,
    unit: int = 1,
) -> Headline:
    """Return the headline of one cell; k and n have shape (clusters,). See `headlines`."""
    k, n = np.atleast_2d(np.asarray(k)), np.atleast_2d(np.asarray(n))
    return headlines(k, n, resamples=resamples, level=level, unit=unit)[0]


def headlines(
    k: ArrayLike,
    n: ArrayLike,
    *,
    resamples: Resamples | FixedResamples | None = None,
    level: float = 0.95,
    unit: int | Sequence[int] = 1,
) -> list[Headline]:
    """Return one headline a row of k and n, both of shape (cells, clusters).

    `resamples` of these clusters, the same for all cells; without them every interval is closed-form. A cell
    whose bootstrap is degenerate gets the closed form too. `unit`: what one observation adds to n (`by_observation`),
    of all cells or each; method and closed form are those of the observations, k and n of the headline are as given.
    Raises ValueError on bad counts, or when the resamples are of another number of clusters.
    """
    hits, among = checked_counts(k, n)
    proportions = ratios(hits, among)
    units = np.broadcast_to(unit, len(proportions)).tolist()
    observed = [by_observation(p, of_cell) for p, of_cell in zip(proportions, units, strict=True)]
    drawn = [cell for cell, p in enumerate(observed) if method_for(p.clusters, p.k, p.n, p.effective_clusters) == "bca"]
    bounds = {} if resamples is None else _bca_of(drawn, hits, among, proportions, resamples, level)
    return [
        Headline(p.value, p.k, p.n, interval.low, interval.high, interval.method, p.deff, p.clusters, p.se, p.icc)
        for cell, (p, of_observations) in enumerate(zip(proportions, observed, strict=True))
        for interval in [bounds.get(cell) or closed_form(of_observations, level)]
    ]


def _bca_of(
    cells: Sequence[int],
    k: Counts,
    n: Counts,
    proportions: Sequence[Ratio],
    resamples: Resamples | FixedResamples,
    level: float,
) -> dict[int, Interval]:
    """Return {cell: BCa bounds}, without the cells where these are undefined."""
    bounds = {}
    for start in range(0, len(cells), CELLS_PER_CHUNK):
        group = list(cells[start : start + CELLS_PER_CHUNK])
        for cell, drawn in zip(group, replicates_in_turn(k[group], n[group], resamples), strict=True):
            bounds[cell] = bca(drawn, proportions[cell].value, left_out(k[cell], n[cell]), level)
    return {cell: interval for cell, interval in bounds.items() if interval.low is not None}

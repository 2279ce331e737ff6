"""Spearman's rank correlation in many resamples of clusters, in time and memory linear in the number of responses.

Spearman's coefficient is Pearson's of ranks within the resample, equal values having the average of theirs. If values
below one were drawn c times, and it was drawn itself t times, twice its rank less the mean rank is 2 c + t - n. So the
responses are sorted once, and then added one after the other, in all resamples of a slice at the same time. All sums
are of whole numbers below 2**53, so they are exact and do not depend on the order.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .bootstrap import Floats, Sums

Indices = NDArray[np.int64]

SLICE_SIZE = 4_000_000
"""Cells (clusters and values, times resamples) of one slice: 32 MB."""
MAX_SLICE = 1_024
"""Resamples of a slice: their sums of one response stay in the processor's cache."""

FEW_LEVELS = 60
"""Up to as many levels, a product with the table of counts takes less time than adding the responses."""


@dataclass(frozen=True)
class RankedResponses:
    """Responses in the order of one value, and several other values of them.

    `cluster`: shape (responses,). `ends`: where each level of the first value ends. `others`: the number of the level
    of each other value, shape (others, responses).
    """

    cluster: Indices
    ends: Indices
    others: Indices

    @classmethod
    def sort(cls, x: Floats, ys: Floats, cluster: Indices) -> "RankedResponses":
        """Sort responses by `x`, shape (responses,); `ys` has shape (others, responses)."""
        first, *others = (np.unique(values, return_inverse=True)[1].reshape(-1) for values in (x, *ys))
        if len(others) == 1 and others[0].max() > first.max():  # the coefficient is the same: tables are smaller
            first, others = others[0], [first]
        order = np.argsort(first, kind="stable")
        return cls(cluster[order], np.cumsum(np.bincount(first)), np.stack(others)[:, order])

    def spearman(self, weights: Sums) -> Floats:
        """Return the coefficient of the first value with each other one under each row of weights.

        `weights` has shape (resamples, clusters), the result (others, resamples); NaN where a series is constant.
        """
        levels = int((self.others.max(axis=1) + 1).sum())
        step = min(MAX_SLICE, max(1, SLICE_SIZE // (weights.shape[1] + 2 * levels)))
        parts = (weights[start : start + step] for start in range(0, len(weights), step))
        slices = [self._of_slice(np.ascontiguousarray(part.T, dtype=np.float64)) for part in parts]
        return np.concatenate(slices, axis=1)

    def without_each(self, clusters: int) -> Iterator[Floats]:
        """Yield weights of all clusters without each in turn that has a response, some rows at a time."""
        occupied = np.unique(self.cluster)
        step = min(MAX_SLICE, max(1, SLICE_SIZE // clusters))
        for start in range(0, len(occupied), step):
            omitted = occupied[start : start + step]
            weights = np.ones((len(omitted), clusters))
            weights[np.arange(len(omitted)), omitted] = 0
            yield weights

    def _of_slice(self, weights: Floats) -> Floats:
        """Return the coefficients under each column of weights, shape (clusters, resamples)."""
        sizes = (self.others.max(axis=1) + 1).tolist()
        starts = np.cumsum([0, *sizes[:-1]])
        size, levels = weights.shape[1], (self.others + starts[:, None]).T.tolist()
        sums = np.zeros((sum(sizes), size))  # Σ w × centered rank, by level of each other value
        total = np.bincount(self.cluster, minlength=len(weights)).astype(np.float64) @ weights
        below, spread = -total / 2, np.zeros(size)
        rank, product = np.empty((2, size))
        clusters, start = self.cluster.tolist(), 0
        for end in self.ends.tolist():
            above = below.copy()
            for number in range(start, end):
                np.add(above, weights[clusters[number]], out=above)
            np.add(below, above, out=rank)
            for number in range(start, end):
                np.multiply(rank, weights[clusters[number]], out=product)
                for level in levels[number]:
                    np.add(sums[level], product, out=sums[level])
                np.multiply(product, rank, out=product)
                np.add(spread, product, out=spread)
            below, start = above, end
        parts = zip(self.others, np.split(sums, starts[1:]), strict=True)
        return np.stack([self._coefficient(weights, total, spread, *part) for part in parts])

    def _coefficient(self, weights: Floats, total: Floats, spread: Floats, other: Indices, sums: Floats) -> Floats:
        """Return r with one other value from sums of products of doubled ranks: a quarter of each is that of ranks."""
        often = self._drawn(weights, other, len(sums))
        rank = 2 * np.cumsum(often, axis=0) - often - total
        spreads = (spread / 4) * (np.einsum("lr,lr,lr->r", often, rank, rank) / 4)
        with np.errstate(invalid="ignore", divide="ignore"):
            r = np.einsum("lr,lr->r", sums, rank) / 4 / np.sqrt(spreads)
        return np.where(spreads > 0, np.clip(r, -1.0, 1.0), np.nan)

    def _drawn(self, weights: Floats, other: Indices, levels: int) -> Floats:
        """Return how often each level of another value was drawn, shape (levels, resamples)."""
        if levels <= FEW_LEVELS:
            counts = np.bincount(other * len(weights) + self.cluster, minlength=levels * len(weights))
            return counts.reshape(levels, len(weights)).astype(np.float64) @ weights
        order = np.argsort(other, kind="stable")
        often = np.zeros((levels, weights.shape[1]))
        for level, cluster in zip(other[order].tolist(), self.cluster[order].tolist(), strict=True):
            np.add(often[level], weights[cluster], out=often[level])
        return often

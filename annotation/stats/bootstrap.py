"""The cluster bootstrap: whole clusters are drawn with replacement, and all their ratings come along.

A resample is kept as weights, how often each cluster was drawn, so that the replicates of every cell are one
matrix product, and one set of resamples serves all systems: a difference between two systems is then a
difference within resamples. Counts and weights are whole numbers below 2**53, so the product is exact and the
same on every machine.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

# Cells of one block of weights: 2 million, so that a block takes 16 MB however many clusters there are.
BLOCK = 2_000_000


@dataclass(frozen=True)
class Resamples:
    """`count` resamples of `clusters` clusters from a seeded generator (PCG64), or those of given indices.

    `blocks()` gives them in order as weights of shape (some resamples, clusters), always the same for the
    same three numbers. A set that fits one block is drawn once and kept.
    """

    clusters: int
    count: int = 10_000
    seed: int = 1

    def __post_init__(self) -> None:
        if self.clusters < 1 or self.count < 1:
            raise ValueError(f"{self.count} resamples of {self.clusters} clusters: both must be at least 1")

    def blocks(self) -> Iterator[Floats]:
        if self.count * self.clusters <= BLOCK:
            yield self._only_block
        else:
            yield from self._drawn()

    @cached_property
    def _only_block(self) -> Floats:
        return next(self._drawn())

    def _drawn(self) -> Iterator[Floats]:
        generator = np.random.default_rng(self.seed)
        rows = max(1, BLOCK // self.clusters)
        for start in range(0, self.count, rows):
            size = (min(rows, self.count - start), self.clusters)
            yield weights_of(generator.integers(0, self.clusters, size), self.clusters)


@dataclass(frozen=True)
class GivenResamples:
    """Resamples that were drawn elsewhere: `weights` of shape (resamples, clusters)."""

    weights: Floats

    @property
    def clusters(self) -> int:
        return int(self.weights.shape[1])

    @property
    def count(self) -> int:
        return int(self.weights.shape[0])

    def blocks(self) -> Iterator[Floats]:
        yield self.weights


def given(indices: ArrayLike, clusters: int) -> GivenResamples:
    """Resamples from cluster indices of shape (resamples, drawn), each from 0 to clusters - 1."""
    return GivenResamples(weights_of(np.asarray(indices, dtype=np.int64), clusters))


def weights_of(indices: NDArray[np.int64], clusters: int) -> Floats:
    """How often each cluster occurs in each row of `indices`: shape (resamples, clusters), as floats."""
    if indices.size and (indices.min() < 0 or indices.max() >= clusters):
        raise ValueError(f"a resample draws a cluster that is not among the {clusters}, counted from 0")
    places = indices + (np.arange(len(indices)) * clusters)[:, None]
    counts = np.bincount(places.ravel(), minlength=len(indices) * clusters)
    return counts.reshape(len(indices), clusters).astype(np.float64)

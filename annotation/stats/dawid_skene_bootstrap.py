"""The cluster bootstrap of Dawid and Skene's class shares.

Each resample draws whole clusters with all their items and estimates the model again. EM starts from the estimate of
all items, so that a few steps are enough. Items with the same answers have the same posterior: they are one pattern
with a weight, and each array operation computes many resamples.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .bootstrap import FixedResamples, Floats, Resamples, weighted_sums
from .dawid_skene import FACTORS_PER_CHUNK, MIN_PROBABILITY, Estimate
from .proportions import count_table

ITERATIONS = 40
"""EM steps from the estimate of all items."""
MIN_RESAMPLES, MAX_RESAMPLES = 200, 1000
MAX_OPERATIONS = 200_000_000
"""Answers × categories × steps of all resamples, a few seconds: beyond it there are fewer resamples …"""
TOO_MANY_OPERATIONS = 4_000_000_000
"""… and beyond this, with `MIN_RESAMPLES`, none."""

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Patterns:
    """The distinct sets of answers of the items, those with most answers first.

    `of_item`: the pattern of each item; `codes[n]`: rater × categories + label of the n-th answer of the first
    `len(codes[n])` patterns.
    """

    of_item: Numbers
    codes: list[Numbers]

    def __len__(self) -> int:
        return len(self.codes[0]) if self.codes else 0

    @property
    def answers(self) -> int:
        """The number of answers of all patterns."""
        return sum(map(len, self.codes))


def answer_patterns(items: ArrayLike, raters: ArrayLike, labels: ArrayLike, shape: tuple[int, int, int]) -> Patterns:
    """Return the patterns of the answers, arrays as for `dawid_skene`; every item has an answer."""
    item = np.asarray(items, dtype=np.int64)
    codes = np.asarray(raters, dtype=np.int64) * shape[2] + np.asarray(labels, dtype=np.int64)
    none = shape[1] * shape[2]
    order = np.lexsort((codes, item))
    sizes = np.bincount(item, minlength=shape[0])
    place = np.arange(len(item)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    table = np.full((shape[0], int(sizes.max(initial=0))), none)
    table[item[order], place] = codes[order]
    distinct, of_item = np.unique(table, axis=0, return_inverse=True)
    by_size = np.argsort((distinct == none).sum(axis=1), kind="stable")
    number = np.empty_like(by_size)
    number[by_size] = np.arange(len(by_size))
    columns = distinct[by_size].T
    return Patterns(number[of_item.ravel()], [column[column < none] for column in columns])


def affordable_resamples(patterns: Patterns, categories: int, count: int) -> int:
    """Return how many of `count` resamples to compute in a few seconds, from the size of the data alone; 0 for none."""
    each = patterns.answers * categories * ITERATIONS
    if each * MIN_RESAMPLES > TOO_MANY_OPERATIONS or not each:
        return 0
    return min(count, MAX_RESAMPLES, max(MIN_RESAMPLES, MAX_OPERATIONS // each))


def class_share_replicates(
    patterns: Patterns,
    shape: tuple[int, int, int],
    clusters: ArrayLike,
    start: Estimate,
    resamples: Resamples | FixedResamples,
) -> Floats:
    """Return the class shares in every resample, shape (categories, resamples); NaN where one drew no item.

    `clusters`: the cluster of each item; `start`: the estimate of all items.
    """
    in_cluster = count_table(patterns.of_item, clusters, (len(patterns), resamples.clusters))
    # 0 for a category that a rater never met.
    never = [[0.0] * shape[2]] * shape[2]
    tables = [[row if row is not None else never[0] for row in table] for table in start.errors]
    start_shares, start_errors = (
        np.array(start.class_shares),
        np.array(tables, dtype=np.float64).transpose(0, 2, 1).reshape(-1, shape[2]),
    )
    parts = [
        _class_shares(patterns, shape, sums.astype(np.float64), start_shares, start_errors)
        for weights in resamples.blocks()
        for sums in weighted_sums(in_cluster, weights)
    ]
    return np.concatenate(parts, axis=1)


def _class_shares(
    patterns: Patterns, shape: tuple[int, int, int], weights: Floats, start_shares: Floats, start_errors: Floats
) -> Floats:
    """Return the class shares after EM under `weights`, (patterns, resamples): shape (categories, resamples)."""
    number = weights.shape[1]
    shares = np.repeat(start_shares[:, None], number, axis=1)
    errors = np.repeat(start_errors[:, :, None], number, axis=2)
    totals = weights.sum(axis=0)
    answers = _Answers.of(patterns, shape)
    with np.errstate(invalid="ignore", divide="ignore"):  # 0/0 where a resample drew no item
        for _ in range(ITERATIONS):
            expected = _posterior(patterns, shares, errors) * weights[:, None, :]
            shares = expected.sum(axis=0) / totals
            errors = answers.errors(expected, shape)
    return shares


def _posterior(patterns: Patterns, shares: Floats, errors: Floats) -> Floats:
    """Return P(true category | answers) by pattern: shape (patterns, categories, resamples)."""
    likely = np.maximum(errors, MIN_PROBABILITY)
    odds = np.repeat(np.maximum(shares, MIN_PROBABILITY)[None], len(patterns), axis=0)
    for number, codes in enumerate(patterns.codes, start=1):
        odds[: len(codes)] *= likely[codes]
        if number % FACTORS_PER_CHUNK == 0:
            odds /= odds.max(axis=1, keepdims=True)
    odds /= odds.sum(axis=1, keepdims=True)
    return odds


@dataclass(frozen=True)
class _Answers:
    """The answers of all patterns in the order of their codes: `starts[i]` is the first with the code `present[i]`."""

    pattern: Numbers
    present: Numbers
    starts: Numbers

    @classmethod
    def of(cls, patterns: Patterns, shape: tuple[int, int, int]) -> "_Answers":
        codes = np.concatenate(patterns.codes)
        pattern = np.concatenate([np.arange(len(column)) for column in patterns.codes])
        order = np.argsort(codes, kind="stable")
        present, starts = np.unique(codes[order], return_index=True)
        return cls(pattern[order], present, starts)

    def errors(self, expected: Floats, shape: tuple[int, int, int]) -> Floats:
        """Return P(label | true category) from the expected items by pattern and true category."""
        counts = np.zeros((shape[1] * shape[2], *expected.shape[1:]))
        for code, answers in zip(self.present.tolist(), iter(np.split(self.pattern, self.starts[1:])), strict=True):
            counts[code] = expected[answers].sum(axis=0)
        by_rater = counts.reshape(shape[1], shape[2], *expected.shape[1:])
        totals = by_rater.sum(axis=1, keepdims=True)
        return np.divide(by_rater, totals, out=np.zeros_like(by_rater), where=totals > 0).reshape(counts.shape)

"""Weighted sums of errors per 100 ratings, as a protocol's `scores` define them.

A score is computed as its share of the largest one that is possible, which lies between 0 and 1 as a proportion does;
weights are whole hundredths, so that its sums are exact. The tally is enough, as for means.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec.structs import replace

from ....models import Item
from ....protocols import Score
from ....protocols.schema import HUNDREDTHS
from ....stats.interval_choice import headline
from ...choices import Choices
from ...data.arrays import Indices
from ...data.groups import LEVEL, Cells, Groups, by_system
from ...data.table import Counts, RatingTable
from ...parts import Cell, ScoreEstimate
from ..differences.figures import Comparison, Table, compare_tables
from ..means.figures import cells_with_means


def cells_with_scores(computation: Cells, breakdowns: Sequence[tuple[Counts, Groups]]) -> list[list[Cell]]:
    """Return the cells of these breakdowns with their means, and with `scores` if the protocol has any."""
    by_breakdown = cells_with_means(computation, breakdowns)
    if not computation.protocol.scores:
        return by_breakdown
    return [
        _with_scores(computation, entries, groups, cells)
        for (entries, groups), cells in zip(breakdowns, by_breakdown, strict=True)
    ]


def _with_scores(computation: Cells, entries: Counts, groups: Groups, cells: list[Cell]) -> list[Cell]:
    scores = score_groups(computation, entries, groups, len(cells), score_weights(computation))
    return [replace(cell, scores=of_cell) for cell, of_cell in zip(cells, scores, strict=True)]


Weights = Mapping[str, tuple[tuple[Indices, Indices], int]]
"""By score: the hundredths of each set of answers, whether it is among the score's ratings, and the largest score."""


def score_weights(computation: Cells) -> Weights:
    """Return what each set of answers weighs in each score of the protocol."""
    scores = computation.protocol.scores
    return {score.key: (_points(score, computation.answers), _largest(score)) for score in scores}


def score_groups(
    computation: Cells, entries: Counts, groups: Groups, count: int, weights: Weights
) -> list[dict[str, ScoreEstimate]]:
    """Return the scores of each of `count` groups of entries."""
    order = np.argsort(groups.cell_of, kind="stable")
    ends = np.searchsorted(groups.cell_of[order], np.arange(1, count))
    parts = np.split(groups.entries[order], ends) if count else []
    return [
        {key: _estimate(computation, entries, part, *of_score) for key, of_score in weights.items()} for part in parts
    ]


def _points(score: Score, answers: list[dict[str, str]]) -> tuple[Indices, Indices]:
    """Return the hundredths of each set of answers, and 1 where it is among the score's ratings, else 0."""
    points = [score.points(of_rating) for of_rating in answers]
    return (
        np.array([value or 0 for value in points], dtype=np.int64),
        np.array([value is not None for value in points], dtype=np.int64),
    )


def _estimate(
    cells: Cells, entries: Counts, part: Indices, points: tuple[Indices, Indices], largest: int
) -> ScoreEstimate:
    """Return the score of the ratings in `part`, the numbers of their entries; `largest`: score per 100 ratings."""
    answers, n, cluster = entries.answer[part], entries.n[part], entries.cluster[part]
    sums, among = np.zeros(cells.clusters, dtype=np.int64), np.zeros(cells.clusters, dtype=np.int64)
    np.add.at(sums, cluster, points[0][answers] * n)
    np.add.at(among, cluster, points[1][answers] * n)
    share = headline(sums, largest * among, resamples=cells.resamples, level=LEVEL, unit=largest)
    value, low, high = per_100_ratings(largest, share.value, share.low, share.high)
    return ScoreEstimate(value, share.k / HUNDREDTHS, share.n // largest, low, high, share.method)


def score_comparisons(ratings: RatingTable, cells: Cells, choices: Choices) -> list[Comparison]:
    """Compare every pair of systems in every score, as in measures; differences are per 100 ratings. None if ratings
    are about pairs of systems.

    """
    if cells.protocol.unit == Item.Unit.PAIR or not cells.protocol.scores:
        return []
    largest = {score.key: _largest(score) for score in cells.protocol.scores}
    tables = [_table(ratings, cells, score, largest[score.key]) for score in cells.protocol.scores]
    return [_per_100(row, largest[row.measure]) for row in compare_tables(tables, ratings, cells, choices)]


def _largest(score: Score) -> int:
    """Return the largest weight in hundredths, which is the largest possible score per 100 ratings; at least 1."""
    return max(1, *(round(entry.weight * HUNDREDTHS) for entry in score.weights))


def _table(ratings: RatingTable, cells: Cells, score: Score, largest: int) -> Table:
    """Return the hundredths of a score, and the most that its ratings could have, by system and prompt."""
    entries, groups = ratings.counts, by_system(ratings)
    entry, shape = groups.entries, (len(ratings.responses.systems), len(ratings.responses.prompts))
    index = groups.cell_of * shape[1] + ratings.responses.prompt_of[entries.response[entry]]
    points, among = (
        np.bincount(index, weights=each[entries.answer[entry]] * entries.n[entry], minlength=shape[0] * shape[1])
        for each in _points(score, cells.answers)
    )
    k, n = (side.astype(np.int64).reshape(shape) for side in (points, largest * among))
    return Table(score.key, k, n, unit=largest)


def _per_100(row: Comparison, largest: int) -> Comparison:
    difference, low, high = per_100_ratings(largest, row.difference, row.low, row.high)
    return replace(row, difference=difference, low=low, high=high)


def per_100_ratings(largest: int, *shares: float | None) -> tuple[float | None, ...]:
    """Return shares of the largest score as scores per 100 ratings."""
    return tuple(None if share is None else largest * share for share in shares)

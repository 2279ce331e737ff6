"""Weighted sums of errors per 100 ratings, as a protocol's `scores` define them.

A score is computed as its share of the largest one that is possible, which lies between 0 and 1 as a proportion does;
weights are whole hundredths, so that its sums are exact. The tally is enough, as for means.
"""

from collections.abc import Mapping

import numpy as np
from msgspec.structs import replace

from ....models import Item
from ....protocols import Score
from ....protocols.schema import HUNDREDTHS
from ....stats.interval_choice import headline
from ...data.arrays import Indices
from ...data.groups import LEVEL, Cells, Groups
from ...data.study import Study
from ...data.table import Counts
from ...parts import Cell, Fields, ScoreEstimate
from ..differences.figures import Comparison, Table, compare_tables, with_prompt_bounds


def scores_fields(study: Study) -> Fields:
    """Return the comparisons of systems in scores, if the protocol has any."""
    return {"score_comparisons": with_prompt_bounds(study, score_comparisons) or None}


def with_scores(computation: Cells, groups: Groups, cells: list[Cell]) -> list[Cell]:
    """Return the cells of these groups, with `scores` if the protocol has any."""
    if not computation.protocol.scores:
        return cells
    scores = score_groups(computation, groups, score_weights(computation))
    return [replace(cell, scores=of_cell) for cell, of_cell in zip(cells, scores, strict=True)]


Weights = Mapping[str, tuple[tuple[Indices, Indices], int]]
"""By score: the hundredths of each set of answers, whether it is among the score's ratings, and the largest score."""


def score_weights(computation: Cells) -> Weights:
    """Return what each set of answers weighs in each score of the protocol."""
    scores = computation.protocol.scores
    return {score.key: (_points(score, computation.answers), _largest(score)) for score in scores}


def score_groups(computation: Cells, groups: Groups, weights: Weights) -> list[dict[str, ScoreEstimate]]:
    """Return the scores of each cell."""
    order, count = np.argsort(groups.cell_of, kind="stable"), len(groups.cells)
    ends = np.searchsorted(groups.cell_of[order], np.arange(1, count))
    parts = map(groups.counts.rows, np.split(order, ends) if count else [])
    return [{key: _estimate(computation, part, *of_score) for key, of_score in weights.items()} for part in parts]


def _points(score: Score, answers: list[dict[str, str]]) -> tuple[Indices, Indices]:
    """Return the hundredths of each set of answers, and 1 where it is among the score's ratings, else 0."""
    points = [score.points(of_rating) for of_rating in answers]
    return (
        np.array([value or 0 for value in points], dtype=np.int64),
        np.array([value is not None for value in points], dtype=np.int64),
    )


def _estimate(cells: Cells, counts: Counts, points: tuple[Indices, Indices], largest: int) -> ScoreEstimate:
    """Return the score of these ratings; `largest`: score per 100 ratings."""
    sums, among = np.zeros(cells.clusters, dtype=np.int64), np.zeros(cells.clusters, dtype=np.int64)
    np.add.at(sums, counts.cluster, points[0][counts.answer] * counts.n)
    np.add.at(among, counts.cluster, points[1][counts.answer] * counts.n)
    share = headline(sums, largest * among, resamples=cells.resamples, level=LEVEL, unit=largest)
    value, low, high = per_100_ratings(largest, share.value, share.low, share.high)
    return ScoreEstimate(value, share.k / HUNDREDTHS, share.n // largest, low, high, share.method)


def score_comparisons(study: Study) -> list[Comparison]:
    """Compare every pair of systems in every score, as in measures; differences are per 100 ratings. None if ratings
    are about pairs of systems, or without resamples.
    """
    if study.protocol.unit == Item.Unit.PAIR or not study.protocol.scores or not study.choices.resamples:
        return []
    largest = {score.key: _largest(score) for score in study.protocol.scores}
    tables = [_table(study, score, largest[score.key]) for score in study.protocol.scores]
    return [_per_100(row, largest[row.measure]) for row in compare_tables(tables, study)]


def _largest(score: Score) -> int:
    """Return the largest weight in hundredths, which is the largest possible score per 100 ratings; at least 1."""
    return max(1, *(round(entry.weight * HUNDREDTHS) for entry in score.weights))


def _table(study: Study, score: Score, largest: int) -> Table:
    """Return the hundredths of a score, and the most that its ratings could have, by system and prompt."""
    counts, responses = study.by_system.counts, study.ratings.responses
    shape = (len(responses.systems), len(responses.prompts))
    index = study.by_system.cell_of * shape[1] + responses.prompt_of[counts.response]
    points, among = (
        np.bincount(index, weights=each[counts.answer] * counts.n, minlength=shape[0] * shape[1])
        for each in _points(score, study.cells.answers)
    )
    k, n = (side.astype(np.int64).reshape(shape) for side in (points, largest * among))
    return Table(score.key, k, n, unit=largest)


def _per_100(row: Comparison, largest: int) -> Comparison:
    difference, low, high = per_100_ratings(largest, row.difference, row.low, row.high)
    return replace(row, difference=difference, low=low, high=high)


def per_100_ratings(largest: int, *shares: float | None) -> tuple[float | None, ...]:
    """Return shares of the largest score as scores per 100 ratings."""
    return tuple(None if share is None else largest * share for share in shares)

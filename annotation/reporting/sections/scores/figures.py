"""Weighted sums of errors per 100 ratings, as a protocol's `scores` define them.

A score is computed as its share of the largest one that is possible, which lies between 0 and 1 as a proportion does;
weights are whole hundredths, so that its sums are exact. The tally is enough, as for means.
"""

from collections.abc import Mapping

import numpy as np
from msgspec.structs import replace

from ....models import Item
from ....protocols.schema import HUNDREDTHS
from ....stats.interval_choice import headline
from ...data.arrays import Indices
from ...data.groups import LEVEL, Cells, Groups, Ratio
from ...data.study import Study
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
    """Return what each set of answers weighs in each score of the protocol, and the largest weight in hundredths, which
    is the largest possible score per 100 ratings; at least 1.
    """
    weights = {}
    for score in computation.protocol.scores:
        points = [score.points(answers) for answers in computation.answers]
        hundredths = np.array([value or 0 for value in points], dtype=np.int64)
        among = np.array([value is not None for value in points], dtype=np.int64)
        largest = max(1, *(round(entry.weight * HUNDREDTHS) for entry in score.weights))
        weights[score.key] = (hundredths, among), largest
    return weights


def score_groups(computation: Cells, groups: Groups, weights: Weights) -> list[dict[str, ScoreEstimate]]:
    """Return the scores of each cell."""
    ratios, scores = _ratios(weights), []
    for part in groups.batches(len(ratios) * computation.clusters):
        tables = computation.measures_by_cluster(part, ratios)
        for number in range(len(part.cells)):
            by_key = {}
            for (key, (_, largest)), (k, n) in zip(weights.items(), tables, strict=True):
                share = headline(k[number], n[number], resamples=computation.resamples, level=LEVEL, unit=largest)
                value, low, high = per_100_ratings(largest, share.value, share.low, share.high)
                points, ratings = share.k / HUNDREDTHS, share.n // largest
                by_key[key] = ScoreEstimate(value, points, ratings, low, high, share.method)
            scores.append(by_key)
    return scores


def _ratios(weights: Weights) -> list[Ratio]:
    """Return the scores as ratios: of the most that their ratings could have."""
    return [Ratio("scores", key, points, largest * among) for key, ((points, among), largest) in weights.items()]


def score_comparisons(study: Study) -> list[Comparison]:
    """Compare every pair of systems in every score, as in measures; differences are per 100 ratings. None if ratings
    are about pairs of systems, or without resamples.
    """
    if study.protocol.unit == Item.Unit.PAIR or not study.protocol.scores or not study.choices.resamples:
        return []
    weights = score_weights(study.cells)
    largest = {key: most for key, (_, most) in weights.items()}
    counts = study.count_by_prompt(_ratios(weights))
    tables = [Table(key, k, n, largest[key]) for key, (k, n) in zip(weights, counts, strict=True)]
    rows = []
    for row in compare_tables(tables, study):
        difference, low, high = per_100_ratings(largest[row.measure], row.difference, row.low, row.high)
        rows.append(replace(row, difference=difference, low=low, high=high))
    return rows


def per_100_ratings(largest: int, *shares: float | None) -> tuple[float | None, ...]:
    """Return shares of the largest score as scores per 100 ratings."""
    return tuple(None if share is None else largest * share for share in shares)

"""Scores under the sensitivity analyses that keep single ratings: exclusions of raters, responses of equal weight, what
could not be assessed, and other sampling units. Majorities and Dawid and Skene's model have no weights to sum.
"""

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from ..data.arrays import Indices
from ..report import ScoreEstimate, SensitivityAnalysis, SensitivityScore
from .breakdowns import by_system
from .cells import one_group
from .scores import Weights, per_100_ratings, score_groups, score_weights
from .sensitivity import (
    AS_BEST,
    AS_REPORTED,
    AS_WORST,
    BY_CLUSTER,
    RESPONSES_EQUAL,
    Study,
    could_not_assess,
    in_clusters,
    means_of_responses,
    without_raters,
)

Scores = dict[tuple[str, str | None], ScoreEstimate]
"""By score and system; None for all systems together."""


def with_scores(study: Study, report: "Report", analyses: Sequence[SensitivityAnalysis]) -> list[SensitivityAnalysis]:
    """Return the analyses with the scores of the report, if its protocol has any."""
    if report.overall.scores is None:
        return list(analyses)
    own: Scores = {
        (key, cell.system): score
        for key in report.overall.scores
        for cell in (report.overall, *report.systems)
        for score in [(cell.scores or {})[key]]
    }
    return [replace(row, scores=_estimates(_scores(study, row, own), own)) for row in analyses]


def _estimates(figures: Scores | None, own: Scores) -> list[SensitivityScore] | None:
    if figures is None:
        return None
    nothing = ScoreEstimate(None, 0.0, 0, None, None, "none")
    return [_estimate(*key, figures.get(key, nothing), reported) for key, reported in own.items()]


def _estimate(key: str, system: str | None, score: ScoreEstimate, reported: ScoreEstimate) -> SensitivityScore:
    shift = None if score.value is None or reported.value is None else score.value - reported.value
    return SensitivityScore(key, system, score.value, score.n, score.low, score.high, score.method, shift)


def _scores(study: Study, row: SensitivityAnalysis, own: Scores) -> Scores | None:
    """Return the scores under an analysis; None where it has none."""
    cluster = next((cluster for cluster, name in BY_CLUSTER.items() if name == row.analysis), "")
    if row.analysis == AS_REPORTED:
        return own
    if row.without is not None:
        return _of_study(without_raters(study, row.without))
    if row.analysis == RESPONSES_EQUAL:
        return _responses_equal(study)
    if row.analysis in (AS_WORST, AS_BEST):
        return _of_study(study, _not_assessed(study, as_best=row.analysis == AS_BEST))
    return _of_study(in_clusters(study, cluster)) if cluster else None


def _of_study(study: Study, weights: Weights | None = None) -> Scores:
    entries, systems = study.ratings.counts, study.ratings.responses.systems
    weighted = score_weights(study.cells) if weights is None else weights
    (overall,) = score_groups(study.cells, entries, one_group(entries), 1, weighted)
    of_systems = score_groups(study.cells, entries, by_system(study.ratings), len(systems), weighted)
    named = [(None, overall), *zip(systems, of_systems, strict=True)]
    return {(key, system): score for system, scores in named for key, score in scores.items()}


def _responses_equal(study: Study) -> Scores:
    """Estimate the mean of the responses' own scores: each response has the same weight."""
    entries, count = study.ratings.counts, len(study.ratings.responses)
    scores: Scores = {}
    for key, ((points, among), largest) in score_weights(study.cells).items():
        sums, n = (
            np.bincount(entries.response, weights=each[entries.answer] * entries.n, minlength=count).astype(np.int64)
            for each in (points, among)
        )
        for system, share in means_of_responses(study, sums, largest * n).items():
            value, low, high = per_100_ratings(largest, share.value, share.low, share.high)
            scores[key, system] = ScoreEstimate(value, 0.0, share.n, low, high, share.method)
    return scores


def _not_assessed(study: Study, *, as_best: bool) -> Weights:
    """Return the weights with what could not be assessed in the denominator: with the largest weight in the worst case
    of a score that is better the lower, with 0 in the best.
    """
    weights = score_weights(study.cells)
    return {
        score.key: _added(weights[score.key], study, score.key, has_largest=as_best != (score.better == "lower"))
        for score in study.cells.protocol.scores
    }


def _added(
    weights: tuple[tuple[Indices, Indices], int], study: Study, key: str, *, has_largest: bool
) -> tuple[tuple[Indices, Indices], int]:
    (points, among), largest = weights
    score = next(score for score in study.cells.protocol.scores if score.key == key)
    questions = {question for entry in score.weights for question in entry.when}
    added = could_not_assess(study.cells, questions) & (among == 0)
    return (np.where(added, largest if has_largest else 0, points), np.where(added, 1, among)), largest

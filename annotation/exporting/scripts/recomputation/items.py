"""Aggregations of the ratings of each item: majorities, averages, and Dawid and Skene's model with its interval."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .intervals import MIN_CLUSTERS, Inference, exact_bounds, resample_weights
from .study import ADJUDICATOR, Figures, Ratio, Row, Study, cluster_order, holds, item_of, numbered

MIN_ITEMS, MIN_RATERS, MIN_RATINGS_EACH = 50, 3, 20
MIN_PROBABILITY = 1e-10
ITERATIONS, BOOTSTRAP_ITERATIONS = 100, 40
MIN_RESAMPLES, MAX_RESAMPLES = 200, 1000
MAX_OPERATIONS, TOO_MANY_OPERATIONS = 200_000_000, 4_000_000_000


@dataclass(frozen=True)
class Vote:
    """A rating with a label of the measure's question, and whether the measure counts it."""

    row: Row
    label: str
    is_hit: bool


def votes_of(study: Study, measure: Ratio, rows: Sequence[Row]) -> list[Vote]:
    """Return the ratings in the denominator of a measure; their label is the answer to its first question."""
    question = next(key for key in study.questions if key in measure.counts)
    return [
        Vote(row, row[f"answers.{question}"], holds(measure.counts, row))
        for row in rows
        if holds(measure.among, row) and row[f"answers.{question}"]
    ]


def winner(votes: Sequence[Vote]) -> bool | None:
    """Return whether the majority of an item is a hit; None where it is undecided."""
    tally: dict[str, int] = defaultdict(int)
    for vote in votes:
        tally[vote.label] += 1
    most = max(tally.values())
    top = [label for label, n in tally.items() if n == most]
    hits = sum(vote.is_hit for vote in votes if vote.label == top[0])
    return None if len(top) > 1 or 2 * hits == most else 2 * hits > most


def aggregation(study: Study, measure: Ratio, system: str | None) -> Figures:
    """Return the aggregations of one measure of one system, or of all together, without Dawid and Skene's."""
    votes = votes_of(study, measure, [row for row in study.counted if system in (None, row["report_system"])])
    by_item, by_response, by_prompt = (_grouped(votes, key) for key in (item_of, _response_of, _prompt_of))
    decided = [won for group in by_item.values() if (won := winner(group)) is not None]
    with_any = sum(any(vote.is_hit for vote in group) for group in by_response.values())
    return {
        "pooled": _share(sum(vote.is_hit for vote in votes), len(votes)),
        "majority": {
            "value": _share(sum(decided), len(decided)),
            "k": sum(decided),
            "n": len(decided),
            "undecided": len(by_item) - len(decided),
        },
        "macro_item": _average(by_item),
        "macro_response": _average(by_response),
        "macro_prompt": _average(by_prompt),
        "responses_with_any": {
            "value": _share(with_any, len(by_response)),
            "k": with_any,
            "n": len(by_response),
        },
    }


def _response_of(row: Row) -> Hashable:
    return row["response"], row["against"]


def _prompt_of(row: Row) -> Hashable:
    return row["prompt"]


def _grouped(votes: Sequence[Vote], key: Any) -> dict[Hashable, list[Vote]]:
    groups: dict[Hashable, list[Vote]] = defaultdict(list)
    for vote in votes:
        groups[key(vote.row)].append(vote)
    return groups


def _share(k: int, n: int) -> float | None:
    return k / n if n else None


def _average(groups: dict[Hashable, list[Vote]]) -> float | None:
    shares = [sum(vote.is_hit for vote in group) / len(group) for group in groups.values()]
    return float(np.mean(shares)) if shares else None


@dataclass(frozen=True)
class Answers:
    """Items with the same answers are one pattern. Index arrays of shape (answers of the patterns,).

    `often`: how many items of each cluster have each pattern, shape (patterns, clusters).
    """

    pattern: np.ndarray
    rater: np.ndarray
    label: np.ndarray
    raters: int
    labels: int
    often: np.ndarray

    @property
    def code(self) -> np.ndarray:
        return self.rater * self.labels + self.label


def dawid_skene(study: Study, measure: Ratio, system: str | None, inference: Inference) -> Figures | None:
    """Return the share of hits under Dawid and Skene's (1979) model with its interval; None with too few ratings."""
    votes = votes_of(study, measure, [row for row in study.counted if system in (None, row["report_system"])])
    options = study.questions[next(key for key in study.questions if key in measure.counts)]
    items, item = numbered(item_of(vote.row) for vote in votes)
    raters, rater = numbered(rater_of(vote.row) for vote in votes)
    labels, label = numbered((options.index(vote.label), vote.is_hit) for vote in votes)
    if not _has_enough(item, rater):
        return None
    clusters = sorted({row["cluster"] for row in study.counted}, key=cluster_order)
    number = {name: i for i, name in enumerate(clusters)}
    cluster_of = {i: number[vote.row["cluster"]] for i, vote in zip(item.tolist(), votes, strict=True)}
    answers = _patterns(item, rater, label, len(raters), len(labels), cluster_of, len(clusters))
    is_hit = np.array([hit for _, hit in labels])
    shares, errors = fit(answers)
    low, high = _interval(answers, shares, errors, is_hit, inference)
    value = float(shares[is_hit].sum())
    return {"value": value, "items": len(items), "raters": len(raters), "low": low, "high": high}


def rater_of(row: Row) -> tuple[str, str]:
    """Return who gave a rating: an adjudicator is another author than the rater of that name."""
    return ("" if row["role"] == "rater" else ADJUDICATOR), row["rater"]


def _has_enough(item: np.ndarray, rater: np.ndarray) -> bool:
    if not len(item):
        return False
    shared = np.bincount(item)[item] > 1
    raters = len(np.unique(rater[shared]))
    return bool(
        len(np.unique(item[shared])) >= MIN_ITEMS and raters >= MIN_RATERS and shared.sum() >= MIN_RATINGS_EACH * raters
    )


def _patterns(
    item: np.ndarray,
    rater: np.ndarray,
    label: np.ndarray,
    raters: int,
    labels: int,
    cluster_of: dict[int, int],
    clusters: int,
) -> Answers:
    sets: dict[int, list[int]] = defaultdict(list)
    for i, code in zip(item.tolist(), (rater * labels + label).tolist(), strict=True):
        sets[i].append(code)
    number: dict[tuple[int, ...], int] = {}
    of_item = {i: number.setdefault(tuple(sorted(codes)), len(number)) for i, codes in sets.items()}
    often = np.zeros((len(number), clusters))
    for i, pattern in of_item.items():
        often[pattern, cluster_of[i]] += 1
    code = np.array([code for codes in number for code in codes])
    pattern_of = np.array([pattern for codes, pattern in number.items() for _ in codes])
    return Answers(pattern_of, code // labels, code % labels, raters, labels, often)


def fit(answers: Answers) -> tuple[np.ndarray, np.ndarray]:
    """Return the class shares, and P(label | true category) of each rater, after EM from the shares of votes."""
    weights = answers.often.sum(axis=1)
    votes = np.zeros((len(weights), answers.labels))
    np.add.at(votes, (answers.pattern, answers.label), 1)
    expected = votes / votes.sum(axis=1, keepdims=True) * weights[:, None]
    return _iterate(answers, weights, expected.sum(axis=0) / weights.sum(), rater_errors(answers, expected), ITERATIONS)


def _iterate(
    answers: Answers, weights: np.ndarray, shares: np.ndarray, errors: np.ndarray, iterations: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return shares and errors after some steps of EM, in which each pattern occurs `weights` times."""
    for _ in range(iterations):
        expected = _posterior(answers, shares, errors) * weights[:, None]
        shares, errors = expected.sum(axis=0) / weights.sum(), rater_errors(answers, expected)
    return shares, errors


def rater_errors(answers: Answers, expected: np.ndarray) -> np.ndarray:
    """Return P(label | true category) of each rater from expected items: shape (raters × labels, categories)."""
    size = answers.raters * answers.labels
    counts = np.stack([np.bincount(answers.code, column[answers.pattern], size) for column in expected.T], axis=1)
    by_rater = counts.reshape(answers.raters, answers.labels, -1).sum(axis=1)
    totals = np.repeat(by_rater, answers.labels, axis=0)
    return np.divide(counts, totals, out=np.zeros_like(counts), where=totals > 0)


def _posterior(answers: Answers, shares: np.ndarray, errors: np.ndarray) -> np.ndarray:
    """Return P(true category | answers) of each pattern."""
    logs = np.log(np.maximum(errors, MIN_PROBABILITY))[answers.code]
    sums = np.stack([np.bincount(answers.pattern, column, len(answers.often)) for column in logs.T], axis=1)
    odds = sums + np.log(np.maximum(shares, MIN_PROBABILITY))
    odds = np.exp(odds - odds.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)


def _interval(
    answers: Answers, shares: np.ndarray, errors: np.ndarray, is_hit: np.ndarray, inference: Inference
) -> tuple[float | None, float | None]:
    """Return the percentile interval over clusters; EM starts from the estimate of all items."""
    count = _affordable_resamples(answers, inference.resamples)
    clusters = answers.often.shape[1]
    by_cluster = answers.often.sum(axis=0)
    if is_hit.all() or not is_hit.any():
        return exact_bounds(by_cluster, inference, all_hit=bool(is_hit.all()))[:2]
    if not count or np.count_nonzero(by_cluster) < MIN_CLUSTERS:
        return None, None
    drawn = []
    for weights in resample_weights(clusters, count, inference.seed):
        of_patterns = answers.often @ weights
        if of_patterns.any():
            drawn_shares, _ = _iterate(answers, of_patterns, shares, errors, BOOTSTRAP_ITERATIONS)
            drawn.append(drawn_shares[is_hit].sum())
    low, high = np.quantile(drawn, [1 - inference.upper, inference.upper])
    return float(low), float(high)


def _affordable_resamples(answers: Answers, count: int) -> int:
    """Return the number of resamples: fewer for many distinct sets of answers, none for very many."""
    each = len(answers.pattern) * answers.labels * BOOTSTRAP_ITERATIONS
    if not each or not count or each * MIN_RESAMPLES > TOO_MANY_OPERATIONS:
        return 0
    return min(count, MAX_RESAMPLES, max(MIN_RESAMPLES, MAX_OPERATIONS // each))

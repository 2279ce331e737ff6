"""Agreement of raters, question by question.

An answer that no measure includes, such as "can't assess", is missing, not a category: raters who could not judge a
sentence did not disagree about it. `accurate_or_not` is the first measured question under the measure `accurate`.
`severity_scale` orders accurate, an issue that is not severe and a severe issue: its alpha is the ordinal one.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...protocols import Measure, Question
from ...stats import agreement as coefficients
from ...stats.intervals import closed_form
from ...stats.proportions import count_table, ratio
from ..data.arrays import MISSING, Indices, SmallNumbers, indices
from ..data.table import RatingTable
from ..report import Agreement
from .cells import LEVEL, Cells

REPORTED = ("percent", "fleiss_kappa", "gwet_ac1", "krippendorff_alpha")
ACCURATE_OR_NOT, ACCURATE = "accurate_or_not", "accurate"
SEVERITY_SCALE, SEVERITY = "severity_scale", "severity"
NOT_SEVERE, SEVERE = "not_severe", "severe"
CHUNK_SIZE = 20_000  # ratings processed together
MAX_CHANCE_ALPHA, MIN_SHARED_ITEMS = 0.1, 50
"""Krippendorff's alpha below the first, over at least as many items with two labels or more, is called chance."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Labels:
    """One labeling of the ratings: `by_answers[a]` is the label of the a-th distinct set of answers, or MISSING.

    `ordered`: the categories are a scale, so Krippendorff's alpha is the ordinal one.
    """

    key: str
    categories: list[str]
    by_answers: Indices
    ordered: bool = False


@dataclass(frozen=True)
class Confusion:
    """The counts of two labels of one item by two raters: unordered pairs `pairs[a][b]` for a <= b, and 0 for a > b."""

    categories: list[str]
    pairs: list[list[int]]


@dataclass(frozen=True)
class Bootstrap:
    """Parameters of the resampled intervals."""

    resamples: int
    seed: int


def agreement(ratings: RatingTable, cells: Cells, bootstrap: Bootstrap | None) -> dict[str, Agreement]:
    """Compute agreement question by question; without `bootstrap` every interval is None."""
    return {labels.key: _agreement(ratings, labels, bootstrap) for labels in all_labels(cells)}


def is_by_chance(agreement: Agreement) -> bool:
    """Return whether the raters agree little more than by chance."""
    alpha = agreement.krippendorff_alpha
    return alpha is not None and alpha < MAX_CHANCE_ALPHA and agreement.items >= MIN_SHARED_ITEMS


def confusions(ratings: RatingTable, cells: Cells) -> dict[str, Confusion]:
    """Count which labels raters confuse, question by question."""
    return {labels.key: _confusion(_counts(ratings, labels), labels) for labels in all_labels(cells)}


def all_labels(cells: Cells) -> Iterator[Labels]:
    """Yield each choice question of the protocol; `accurate_or_not` where it has a measure `accurate`, and
    `severity_scale` where it also asks whether an issue is severe.
    """
    for question in cells.protocol.questions:
        if question.kind == "choice":
            yield labels_of(question, cells)
    for measure in cells.protocol.measures:
        if measure.key == ACCURATE:
            yield accurate_or_not(measure, cells)
            yield from _severity_scale(measure, cells)


def labels_of(question: Question, cells: Cells) -> Labels:
    """Return the labels of one question; options that no measure includes are missing."""
    left_out = cells.protocol.left_out(question.key)
    categories = [key for key in question.option_keys if key not in left_out]
    number = {key: i for i, key in enumerate(categories)}
    return Labels(
        question.key,
        categories,
        indices(number.get(answers.get(question.key, ""), MISSING) for answers in cells.answers),
    )


def accurate_or_not(measure: Measure, cells: Cells) -> Labels:
    """Return the labels for a measure: counted, or only in its denominator."""
    hits, among = cells.masks(measure)
    return Labels(ACCURATE_OR_NOT, [ACCURATE, "not_accurate"], np.where(among, np.where(hits, 0, 1), MISSING))


def _severity_scale(accurate: Measure, cells: Cells) -> Iterator[Labels]:
    """Yield accurate < an issue that is not severe < a severe issue, where the protocol asks for exactly that."""
    options = {question.key: set(question.option_keys) for question in cells.protocol.questions}
    if options.get(SEVERITY) != {NOT_SEVERE, SEVERE}:
        return
    scale = {NOT_SEVERE: 1, SEVERE: 2}
    hits, among = cells.masks(accurate)
    issues = indices(scale.get(answers.get(SEVERITY, ""), MISSING) for answers in cells.answers)
    labels = np.where(among, np.where(hits, 0, issues), MISSING)
    yield Labels(SEVERITY_SCALE, [ACCURATE, NOT_SEVERE, SEVERE], labels, ordered=True)


def _agreement(ratings: RatingTable, labels: Labels, bootstrap: Bootstrap | None) -> Agreement:
    counts = _counts(ratings, labels)
    estimates = coefficients.agreement(counts, ordered=labels.ordered)
    shared = counts.sum(axis=1) > 1
    return Agreement(
        items=int(shared.sum()),
        raters=_raters(ratings, shared, labels),
        percent=estimates.percent,
        fleiss_kappa=estimates.fleiss_kappa,
        gwet_ac1=estimates.gwet_ac1,
        krippendorff_alpha=estimates.krippendorff_ordinal if labels.ordered else estimates.krippendorff_alpha,
        intervals=_intervals(counts, ratings.item_cluster, labels, bootstrap, estimates.percent),
    )


def _raters(ratings: RatingTable, shared: Mask, labels: Labels) -> int:
    """Count the raters who gave a label to one of the `shared` items; stop once every rater did."""
    gave_label, labeled = np.zeros(len(ratings.raters), dtype=bool), labels.by_answers != MISSING
    for start in range(0, len(ratings.item), CHUNK_SIZE):
        part = slice(start, start + CHUNK_SIZE)
        gave_label[ratings.rater[part][shared[ratings.item[part]] & labeled[ratings.answer[part]]]] = True
        if gave_label.all():
            break
    return int(gave_label.sum())


def given_labels(ratings: RatingTable, labels: Labels) -> SmallNumbers:
    """Return the label of every rating, or MISSING."""
    return ratings.expand(labels.by_answers)


def _counts(ratings: RatingTable, labels: Labels) -> Indices:
    """Count the raters who gave each item each label: shape (items, labels)."""
    by_item, shape = ratings.item_counts, (len(ratings.items), len(labels.categories))
    by_rating = labels.by_answers[by_item.answer] if len(labels.by_answers) else by_item.answer
    return count_table(by_item.item, by_rating, shape, by_item.n)


def _confusion(counts: Indices, labels: Labels) -> Confusion:
    pairs = np.triu(counts.T @ counts, 1) + np.diag((counts * (counts - 1) // 2).sum(axis=0))
    return Confusion(labels.categories, pairs.tolist())


def _intervals(
    counts: Indices, clusters: Indices, labels: Labels, bootstrap: Bootstrap | None, percent: float | None
) -> dict[str, tuple[float, float] | None]:
    if bootstrap is None:
        return dict.fromkeys(REPORTED)
    intervals = coefficients.agreement_intervals(
        counts,
        clusters,
        resamples=bootstrap.resamples,
        seed=bootstrap.seed,
        level=LEVEL,
        ordered=labels.ordered,
    )
    alpha = "krippendorff_ordinal" if labels.ordered else "krippendorff_alpha"
    reported = {name: intervals[alpha if name == "krippendorff_alpha" else name] for name in REPORTED}
    if reported["percent"] is None and percent in (0, 1):
        reported["percent"] = _exact_bounds(counts, clusters, agree=percent == 1)
    return reported


def _exact_bounds(counts: Indices, clusters: Indices, *, agree: bool) -> tuple[float, float] | None:
    """Return Korn and Graubard's bounds of the agreement where raters agree on all items or on none, so that resamples
    do not vary; None with fewer than 10 clusters.
    """
    n = np.bincount(clusters[counts.sum(axis=1) > 1])
    bounds = closed_form(ratio(n if agree else np.zeros_like(n), n), LEVEL)
    return None if bounds.low is None or bounds.high is None else (bounds.low, bounds.high)

"""Aggregations of the same ratings in several ways: pooled, majority of each item, averages of averages.

The report's proportions pool all ratings, so an item with more ratings weighs more. The other aggregations give every
item, response or prompt the same weight, take the majority of each item, or model the errors of each rater. If they
differ, items or raters with many ratings are not like the rest.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from ....protocols import Measure
from ....stats.aggregation import macro_average, share_of_groups_with_any, winners
from ....stats.bootstrap import Floats, Resamples, percentile
from ....stats.dawid_skene import Estimate, dawid_skene
from ....stats.dawid_skene_bootstrap import affordable_resamples, answer_patterns, class_share_replicates
from ....stats.intervals import MIN_CLUSTERS, Interval, closed_form
from ....stats.proportions import count_table, ratio, share
from ...data.arrays import Indices, order_by_answers
from ...data.groups import LEVEL, Cells
from ...data.study import Study
from ...data.table import RatingTable
from ...parts import Count, Fields, Fraction, Part, Share

MAJORITIES = "majorities"


class MajorityShare(Share, frozen=True):
    """The share of items with a majority; `undecided` are ties."""

    undecided: Count


class DawidSkene(Part, frozen=True):
    """The share among the most likely labels of the items."""

    value: Fraction | None
    items: Count
    raters: Count
    low: Annotated[Fraction | None, Meta(description="Percentile bootstrap over the sampling units.")] = None
    high: Fraction | None = None


class MeasureAggregation(Part, frozen=True):
    """One measure aggregated in several ways."""

    pooled: Fraction | None
    majority: MajorityShare
    macro_item: Fraction | None
    macro_response: Fraction | None
    macro_prompt: Fraction | None
    responses_with_any: Share
    dawid_skene: DawidSkene | None


class Aggregation(Part, frozen=True):
    """The measures of one system, or of all together (`system` null), aggregated in other ways than pooled."""

    system: str | None
    measures: Mapping[str, MeasureAggregation]


NO_LABEL = -1
OTHER, NEITHER, HIT = -1, 0, 1

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Votes:
    """The ratings as votes on one measure.

    By distinct set of answers: `labels`, the answer to the first question that the measure counts, as a number, or
    NO_LABEL outside its denominator; `hits`, whether it counts them. By item: `k` of the `n` ratings with a label are
    hits, and `majority` is HIT, OTHER or, undecided, NEITHER.
    """

    labels: Indices
    hits: Mask
    k: Indices
    n: Indices
    majority: Indices


def aggregations_fields(study: Study) -> Fields:
    """Return the ratings aggregated in other ways; Dawid and Skene's estimates in slow reports only."""
    return {"aggregations": aggregations(study.ratings.with_turned_answers(), study.cells, slow=study.is_slow)}


def aggregations(ratings: RatingTable, cells: Cells, *, slow: bool) -> list[Aggregation]:
    """Aggregate the ratings of all systems together, then of each. Without `slow`, `dawid_skene` is None.

    `ratings` has the ratings after adjudication; an adjudication is a vote like any.
    """
    votes = votes_by_measure(ratings, cells)
    system_of = ratings.responses.system_of[ratings.items.response]
    groups: list[tuple[str | None, Mask]] = [(None, np.ones(len(system_of), dtype=bool))]
    groups += [(name, system_of == number) for number, name in enumerate(ratings.responses.systems)]
    return [
        Aggregation(name, dict(_aggregate_all(ratings, items, votes, Models(ratings, cells, items) if slow else None)))
        for name, items in groups
    ]


def votes_by_measure(ratings: RatingTable, cells: Cells) -> dict[str, Votes]:
    """Return the ratings as votes on each measure."""
    return {measure.key: votes_on(measure, ratings, cells) for measure in cells.protocol.measures}


def by_measure(aggregations: Sequence[Aggregation]) -> Iterator[tuple[str, str | None, MeasureAggregation]]:
    """Yield (measure, system, aggregation) in the order of tables: by measure, all systems together (None) last, and
    omitted for a single system.
    """
    rows = sorted(aggregations, key=lambda row: row.system is None)[: None if len(aggregations) > 2 else 1]
    for measure in aggregations[0].measures if aggregations else ():
        yield from ((measure, row.system, row.measures[measure]) for row in rows)


def votes_on(measure: Measure, ratings: RatingTable, cells: Cells) -> Votes:
    """Return the ratings as votes on one measure."""
    question = next(question for question in cells.protocol.questions if question.key in measure.counts)
    number = {key: i for i, key in enumerate(question.option_keys)}
    hits, among = cells.masks(measure)
    options = np.array([number.get(answers.get(question.key, ""), NO_LABEL) for answers in cells.answers], dtype=int)
    labels = np.where(among, options, NO_LABEL)
    by_item, shape = ratings.item_counts, (len(ratings.items), len(number))
    labeled = count_table(by_item.item, labels[by_item.answer], shape, by_item.n)
    hit_label = count_table(by_item.item, np.where(hits, labels, NO_LABEL)[by_item.answer], shape, by_item.n)
    return Votes(labels, hits, hit_label.sum(axis=1), labeled.sum(axis=1), _majority(labeled, hit_label))


def _majority(labeled: Indices, hit: Indices) -> Indices:
    """Return HIT, OTHER or NEITHER for each item. The most frequent label decides; if a measure counts only some of the
    ratings with that label, such as severe ones, the majority of these decides.
    """
    won = winners(labeled) if labeled.size else np.zeros(0, dtype=np.int64)
    clear = np.flatnonzero(won >= 0)
    hits = hit[clear, won[clear]]
    majority = np.full(len(won), NEITHER)
    majority[clear] = np.sign(2 * hits - labeled[clear, won[clear]])
    return majority


def _aggregate_all(
    ratings: RatingTable, items: Mask, votes: dict[str, Votes], models: "Models | None"
) -> Iterator[tuple[str, MeasureAggregation]]:
    """Aggregate each measure over some of the items."""
    for key, of_measure in votes.items():
        estimate = models.estimate(of_measure.labels, of_measure.hits) if models else None
        yield key, _aggregate(ratings, items, of_measure, estimate)


def _aggregate(ratings: RatingTable, items: Mask, votes: Votes, model: DawidSkene | None) -> MeasureAggregation:
    k, n = votes.k[items], votes.n[items]
    responses, prompts = ratings.items.response[items], ratings.item_prompt[items]
    k_by_response, n_by_response = _sums(responses, k), _sums(responses, n)
    with_any, rated = share_of_groups_with_any(k_by_response, n_by_response)
    return MeasureAggregation(
        pooled=share(int(k.sum()), int(n.sum())),
        majority=_majority_share(votes.majority[items], n),
        macro_item=macro_average(k, n),
        macro_response=macro_average(k_by_response, n_by_response),
        macro_prompt=macro_average(_sums(prompts, k), _sums(prompts, n)),
        responses_with_any=Share(share(with_any, rated), with_any, rated),
        dawid_skene=model,
    )


def _sums(groups: Indices, counts: Indices) -> Indices:
    return np.bincount(groups, weights=counts).astype(np.int64)


def _majority_share(majority: Indices, n: Indices) -> MajorityShare:
    """Return the share of items whose majority is a hit; undecided ties are excluded."""
    k, decided, labeled = (int(np.count_nonzero(mask)) for mask in (majority == HIT, majority, n))
    return MajorityShare(share(k, decided), k, decided, labeled - decided)


MIN_ITEMS = 50
"""Dawid and Skene's estimate is given where at least this many items have two labels or more …"""
MIN_RATERS = 3
"""… by at least this many raters …"""
MIN_RATINGS_EACH = 20
"""… who gave on average this many of these labels."""


@dataclass(frozen=True)
class Model:
    """One estimated model: `replicates` of the class shares, (categories, resamples), or None without an interval;
    `items` by cluster.
    """

    estimate: Estimate
    items: Indices
    raters: int
    replicates: Floats | None


@dataclass(frozen=True)
class Models:
    """The models of the ratings of some `items`, a mask of shape (items,)."""

    ratings: RatingTable
    cells: Cells
    items: Mask

    def estimate(self, labels: Indices, hits: Mask) -> DawidSkene | None:
        """Return the share of hits among the most likely labels of the items; None with too few ratings.

        By distinct set of answers: `labels`, or NO_LABEL, and whether the measure counts them.
        """
        rated = labels[self.ratings.answer]
        used = (rated != NO_LABEL) & self.items[self.ratings.item]
        codes, label = np.unique((rated * 2 + hits[self.ratings.answer])[used], return_inverse=True)
        model = self._model(used, label.ravel())
        return None if model is None else _share_of_hits(model, codes % 2 == 1)

    def _model(self, used: Mask, label: Indices) -> Model | None:
        key = used.tobytes() + label.tobytes()
        if key not in self._known:
            self._known[key] = _fit(self.ratings, self.cells.resamples, used, label)
        return self._known[key]

    @cached_property
    def _known(self) -> dict[bytes, Model | None]:
        return {}


def _fit(ratings: RatingTable, resamples: Resamples | None, used: Mask, label: Indices) -> Model | None:
    item_numbers, item = np.unique(ratings.item[used], return_inverse=True)
    order, rater = order_by_answers(item, ratings.rater[used], label)
    item, rater, label = item[order], rater[order], label[order]
    if not _has_enough_labels(item, rater):
        return None
    shape = (len(item_numbers), int(rater.max()) + 1, int(label.max()) + 1)
    estimate = dawid_skene(item, rater, label, shape)
    clusters, drawn = ratings.item_cluster[item_numbers], None
    patterns = answer_patterns(item, rater, label, shape)
    count = affordable_resamples(patterns, shape[2], resamples.count) if resamples else 0
    if resamples and count and len(np.unique(clusters)) >= MIN_CLUSTERS:
        drawn = class_share_replicates(patterns, shape, clusters, estimate, replace(resamples, count=count))
    return Model(estimate, np.bincount(clusters), shape[1], drawn)


def _share_of_hits(model: Model, is_hit: Mask) -> DawidSkene:
    """Return the share with its percentile interval; where all labels count or none, resamples do not vary, and the
    bounds are Korn and Graubard's.
    """
    value = sum(share for share, hit in zip(model.estimate.class_shares, is_hit.tolist(), strict=True) if hit)
    if is_hit.all() or not is_hit.any():
        bounds = closed_form(ratio(model.items * int(is_hit.all()), model.items), LEVEL)
    elif model.replicates is None:
        bounds = Interval(None, None, "none")
    else:
        bounds = percentile(model.replicates[is_hit].sum(axis=0), LEVEL)
    return DawidSkene(float(value), int(model.items.sum()), model.raters, bounds.low, bounds.high)


def _has_enough_labels(items: Indices, raters: Indices) -> bool:
    shared = np.bincount(items)[items] > 1 if len(items) else np.zeros(0, dtype=bool)
    ratings, by = len(items[shared]), len(np.unique(raters[shared]))
    return len(np.unique(items[shared])) >= MIN_ITEMS and by >= MIN_RATERS and ratings >= MIN_RATINGS_EACH * by

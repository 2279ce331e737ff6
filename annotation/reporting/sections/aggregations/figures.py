"""Aggregations of the same ratings in several ways: pooled, majority of each item, averages of averages.

The report's proportions pool all ratings, so an item with more ratings weighs more. The other aggregations give every
item, response or prompt the same weight, take the majority of each item, or model the errors of each rater. If they
differ, items or raters with many ratings are not like the rest.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from msgspec import Meta

from ....protocols import Measure
from ....stats.aggregation import macro_average, share_of_groups_with_any, winners
from ....stats.bootstrap import Floats, Resamples, percentile
from ....stats.dawid_skene import Estimate, dawid_skene
from ....stats.dawid_skene_bootstrap import affordable_resamples, answer_patterns, class_share_replicates
from ....stats.intervals import MIN_CLUSTERS, Interval, closed_form
from ....stats.proportions import count_table, ratio, share
from ...data.arrays import MISSING, Indices, Mask, order_by_answers
from ...data.groups import LEVEL, Cells
from ...data.study import Study
from ...data.table import RatingTable
from ...parts import Count, Fields, Fraction, Part, Share


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


OTHER, NEITHER, HIT = -1, 0, 1
MIN_ITEMS = 50
"""Dawid and Skene's estimate is given where at least this many items have two labels or more …"""
MIN_RATERS = 3
"""… by at least this many raters …"""
MIN_RATINGS_EACH = 20
"""… who gave on average this many of these labels."""


@dataclass(frozen=True)
class Votes:
    """The ratings as votes on one measure.

    By distinct set of answers: `labels`, the answer to the first question that the measure counts, as a number, or
    MISSING outside its denominator; `hits`, whether it counts them. By item: `k` of the `n` ratings with a label are
    hits, and `majority` is HIT, OTHER or, undecided, NEITHER.
    """

    labels: Indices
    hits: Mask
    k: Indices
    n: Indices
    majority: Indices


@dataclass(frozen=True)
class Model:
    """One estimated model: `replicates` of the class shares, (categories, resamples), or None without an interval;
    `items` by cluster.
    """

    estimate: Estimate
    items: Indices
    raters: int
    replicates: Floats | None


def aggregations_fields(study: Study) -> Fields:
    """Return the ratings of all systems together, then of each, aggregated in other ways; Dawid and Skene's estimates
    in slow reports only.

    Ratings are those after adjudication; an adjudication is a vote like any.
    """
    ratings, cells = study.ratings.with_turned_answers(), study.cells
    votes = {measure.key: votes_on(measure, ratings, cells) for measure in study.protocol.measures}
    system_of = ratings.responses.system_of[ratings.items.response]
    groups: list[tuple[str | None, Mask]] = [(None, np.ones(len(system_of), dtype=bool))]
    groups += [(name, system_of == number) for number, name in enumerate(ratings.responses.systems)]
    rows = []
    for system, items in groups:
        models: dict[bytes, Model | None] = {}
        measures = {}
        for key, of_measure in votes.items():
            is_slow = study.is_slow
            model = _dawid_skene(ratings, cells.resamples, items, of_measure, models) if is_slow else None
            measures[key] = _aggregate(ratings, items, of_measure, model)
        rows.append(Aggregation(system, measures))
    return {"aggregations": rows}


def by_measure(aggregations: Sequence[Aggregation]) -> Iterator[tuple[str, str | None, MeasureAggregation]]:
    """Yield (measure, system, aggregation) in the order of tables: by measure, all systems together (None) last, and
    omitted for a single system.
    """
    rows = sorted(aggregations, key=lambda row: row.system is None)[: None if len(aggregations) > 2 else 1]
    for measure in aggregations[0].measures if aggregations else ():
        yield from ((measure, row.system, row.measures[measure]) for row in rows)


def votes_on(measure: Measure, ratings: RatingTable, cells: Cells) -> Votes:
    """Return the ratings as votes on one measure.

    The most frequent label of an item decides; if a measure counts only some of the ratings with that label, such as
    severe ones, the majority of these decides.
    """
    question = next(question for question in cells.protocol.questions if question.key in measure.counts)
    hits, among = cells.masks(measure)
    labels = np.where(among, cells.answer_numbers(question.key, question.option_keys), MISSING)
    by_item, shape = ratings.item_counts, (len(ratings.items), len(question.options))
    labeled = count_table(by_item.item, labels[by_item.answer], shape, by_item.n)
    hit = count_table(by_item.item, np.where(hits, labels, MISSING)[by_item.answer], shape, by_item.n)
    won = winners(labeled)
    clear = np.flatnonzero(won >= 0)
    majority = np.full(len(won), NEITHER)
    majority[clear] = np.sign(2 * hit[clear, won[clear]] - labeled[clear, won[clear]])
    return Votes(labels, hits, hit.sum(axis=1), labeled.sum(axis=1), majority)


def _aggregate(ratings: RatingTable, items: Mask, votes: Votes, model: DawidSkene | None) -> MeasureAggregation:
    k, n, majority = votes.k[items], votes.n[items], votes.majority[items]
    hits, decided, labeled = (int(np.count_nonzero(mask)) for mask in (majority == HIT, majority, n))
    k_by_response, n_by_response, k_by_prompt, n_by_prompt = (
        np.bincount(groups[items], weights=counts).astype(np.int64)
        for groups in (ratings.items.response, ratings.item_prompt)
        for counts in (k, n)
    )
    with_any, rated = share_of_groups_with_any(k_by_response, n_by_response)
    return MeasureAggregation(
        pooled=share(int(k.sum()), int(n.sum())),
        majority=MajorityShare(share(hits, decided), hits, decided, labeled - decided),
        macro_item=macro_average(k, n),
        macro_response=macro_average(k_by_response, n_by_response),
        macro_prompt=macro_average(k_by_prompt, n_by_prompt),
        responses_with_any=Share(share(with_any, rated), with_any, rated),
        dawid_skene=model,
    )


def _dawid_skene(
    ratings: RatingTable, resamples: Resamples | None, items: Mask, votes: Votes, models: dict[bytes, Model | None]
) -> DawidSkene | None:
    """Return the share of hits among the most likely labels of some items, with its percentile interval; None with too
    few ratings. Measures that divide the answers in the same way share one of the `models`.
    """
    rated = votes.labels[ratings.answer]
    used = (rated != MISSING) & items[ratings.item]
    codes, label = np.unique((rated * 2 + votes.hits[ratings.answer])[used], return_inverse=True)
    key = used.tobytes() + label.tobytes()
    if key not in models:
        models[key] = _fit(ratings, resamples, used, label.ravel())
    model = models[key]
    if model is None:
        return None
    is_hit = codes % 2 == 1
    value = sum(share for share, hit in zip(model.estimate.class_shares, is_hit.tolist(), strict=True) if hit)
    if is_hit.all() or not is_hit.any():  # resamples do not vary
        bounds = closed_form(ratio(model.items * int(is_hit.all()), model.items), LEVEL)
    elif model.replicates is None:
        bounds = Interval(None, None, "none")
    else:
        bounds = percentile(model.replicates[is_hit].sum(axis=0), LEVEL)
    return DawidSkene(float(value), int(model.items.sum()), model.raters, bounds.low, bounds.high)


def _fit(ratings: RatingTable, resamples: Resamples | None, used: Mask, label: Indices) -> Model | None:
    """Fit a model to the `used` ratings, whose labels are `label`; None with too few."""
    item_numbers, item = np.unique(ratings.item[used], return_inverse=True)
    order, rater = order_by_answers(item, ratings.rater[used], label)
    item, rater, label = item[order], rater[order], label[order]
    is_shared = np.bincount(item)[item] > 1
    items, raters = len(np.unique(item[is_shared])), len(np.unique(rater[is_shared]))
    if items < MIN_ITEMS or raters < MIN_RATERS or np.count_nonzero(is_shared) < MIN_RATINGS_EACH * raters:
        return None
    shape = (len(item_numbers), int(rater.max()) + 1, int(label.max()) + 1)
    estimate = dawid_skene(item, rater, label, shape)
    clusters, drawn = ratings.item_cluster[item_numbers], None
    patterns = answer_patterns(item, rater, label, shape)
    count = affordable_resamples(patterns, shape[2], resamples.count) if resamples else 0
    if resamples and count and len(np.unique(clusters)) >= MIN_CLUSTERS:
        drawn = class_share_replicates(patterns, shape, clusters, estimate, replace(resamples, count=count))
    return Model(estimate, np.bincount(clusters), shape[1], drawn)

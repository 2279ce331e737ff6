"""Dawid and Skene's estimate of each measure, with its interval.

Measures that divide the answers in the same way, such as accurate and inaccurate, share one model.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...stats.bootstrap import Floats, Resamples, percentile
from ...stats.dawid_skene import Estimate, dawid_skene
from ...stats.dawid_skene_bootstrap import affordable_resamples, answer_patterns, class_share_replicates
from ...stats.intervals import MIN_CLUSTERS, Interval, closed_form
from ...stats.proportions import ratio
from ..data.arrays import Indices, order_by_answers
from ..data.table import RatingTable
from ..report import DawidSkene
from .cells import LEVEL, Cells

MIN_ITEMS = 50
"""Dawid and Skene's estimate is given where at least this many items have two labels or more …"""
MIN_RATERS = 3
"""… by at least this many raters …"""
MIN_RATINGS_EACH = 20
"""… who gave on average this many of these labels."""
NO_LABEL = -1

Mask = NDArray[np.bool_]


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

"""Agreement and accuracy by week, of each rater and of all together: whether somebody drifts.

The shares are those of the page of raters: `same` is the share of ratings that equal the majority of the others, `gold`
the accuracy on gold answers. A week with fewer than MIN_RATINGS has its k and n, and no share.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...stats.intervals import wilson
from ..data.arrays import SmallNumbers
from ..data.report_input import ReportInput
from ..data.table import RatingTable
from ..report import BoundedShare
from .cells import LEVEL, Cells
from .raters import Shares, correct_answers
from .reference_labels import reference_labels

ALL_RATERS = ""
MIN_RATINGS = 10


@dataclass(frozen=True)
class WeekCount:
    """`k` of `n` ratings in an ISO week (UTC), such as 2026-W47."""

    week: str
    k: int
    n: int

    @property
    def share(self) -> BoundedShare | None:
        """The share with its Wilson interval, in which each rating counts as independent; None with few ratings."""
        if self.n < MIN_RATINGS:
            return None
        bounds = wilson(self.k, self.n, LEVEL)
        return BoundedShare(self.k / self.n, self.k, self.n, bounds.low, bounds.high)


@dataclass(frozen=True)
class Trends:
    """Counts by rater (user name, or ALL_RATERS), only of weeks with such ratings, in order."""

    same: Mapping[str, Sequence[WeekCount]]
    gold: Mapping[str, Sequence[WeekCount]]


def trends_of(data: ReportInput, cells: Cells) -> Trends:
    """Count by rater and week, by the raters' own ratings."""
    ratings, labels = data.by_raters, reference_labels(data, cells)
    gold = correct_answers(labels.gold, labels.checked)
    return Trends(_by_rater(ratings, labels.same), _by_rater(ratings, gold))


def _by_rater(ratings: RatingTable, flags: SmallNumbers) -> dict[str, list[WeekCount]]:
    """Count the ratings whose flag is 1, among those with 1 or 0."""
    raters, weeks = len(ratings.raters), len(ratings.weeks)
    counted = Shares.count(ratings.rater * weeks + ratings.week, flags, raters * weeks)
    k, n = (array.reshape(raters, weeks) for array in (counted.k, counted.n))
    rows = dict(zip(ratings.raters, zip(k, n, strict=True), strict=True))
    rows[ALL_RATERS] = k.sum(axis=0), n.sum(axis=0)
    return {
        name: [WeekCount(ratings.weeks[week], int(k[week]), int(n[week])) for week in np.flatnonzero(n).tolist()]
        for name, (k, n) in rows.items()
    }

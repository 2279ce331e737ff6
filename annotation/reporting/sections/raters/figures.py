"""Each rater compared with gold answers, adjudications and the other raters.

Gold answers and adjudications are compared by the protocol's checked question, as in training and hidden gold; all else
is about its first measured question, and leniency about its measure `accurate` (or its first one). A flag needs enough
ratings and an interval that lies wholly beyond its threshold, or two figures that agree; it is a reason to look at that
rater's answers, not to exclude them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from ....stats import raters as stats
from ....stats.intervals import closed_form, wilson
from ....stats.label_comparison import confusion
from ....stats.proportions import count_table, distinct_counts, ratio, share
from ...data.arrays import MISSING, Indices, SmallNumbers
from ...data.groups import LEVEL
from ...data.study import Study
from ...data.table import RatingTable
from ...parts import BoundedShare, Count, Fields, Fraction, Part, Share
from ..agreement.figures import disagreements
from .reference_labels import ReferenceLabels, reference_labels


class Leniency(Part, frozen=True):
    """How much more often than the others on the same items a rater chose the counted answer, shrunk toward 0."""

    value: float | None
    low: float | None
    high: float | None
    raw: float | None
    items: Count


class RaterWeek(Part, frozen=True):
    """One rater in one ISO week (UTC)."""

    week: str
    ratings: Count
    accurate: Fraction | None
    leave_one_out: Fraction | None
    leniency: float | None


class RaterQuality(Part, frozen=True):
    """One rater compared with gold answers, adjudications and the other raters."""

    rater: str
    ratings: Count
    assessed: Count
    gold: BoundedShare | None
    adjudicated: BoundedShare | None
    leave_one_out: BoundedShare | None
    leniency: Leniency | None
    seconds: Annotated[float | None, Meta(description="Median.")]
    quick: Share | None
    weeks: Sequence[RaterWeek]
    flags: Sequence[str]


Floats = NDArray[np.float64]

MIN_GOLD_SHARE = 0.7
"""`below gold`: the upper bound of the accuracy on gold lies below this."""
BEYOND = 0.1
"""`lenient`, `strict`: the whole interval of the leniency lies farther than this from 0."""
APART = 0.1
"""`disagrees`: the upper bound of the agreement with the others lies this much below the other raters' share."""
FASTER = 1 / 3
"""`much faster`: the median time is below this part of the others' median …"""
MIN_TIMED_RATINGS = 20
"""… over at least this many timed ratings, and gold or agreement lies below the others' too."""
QUICK = 2.0
"""Seconds: an answer given in less is called very quick."""
MIN_SECONDS = 1.0
"""`too fast`: the median time of at least `MIN_TIMED_RATINGS` is below this, in which adults read four words (238 words
a minute: Brysbaert 2019, Journal of Memory and Language 109, 104047)."""

BELOW_GOLD, LENIENT, STRICT, DISAGREES, MUCH_FASTER, TOO_FAST = FLAGS = (
    "below gold",
    "lenient",
    "strict",
    "disagrees",
    "much faster",
    "too fast",
)


def raters_fields(study: Study) -> Fields:
    """Return the raters, and the items that they disagree on."""
    disputed, tie = disagreements(study.by_raters, study.cells, study.texts.read)
    return {"raters": raters_of(study), "disagreements": disputed, "disagreement_tie": tie}


def raters_of(study: Study) -> list[RaterQuality]:
    """Compare each rater, by name, by the raters' own ratings.

    `gold` and `adjudicated` have Wilson bounds; `leave_one_out` is the share of ratings that equal the majority of the
    others, with bounds over clusters; `seconds` is the median.
    """
    ratings, labels = study.by_raters, reference_labels(study)
    leniencies = stats.leniency(ratings.rater, ratings.cluster, labels.apart, len(ratings.raters), level=LEVEL)
    rows = _rows(ratings, labels, leniencies)
    outliers = {ratings.raters[rater]: outlier for rater, outlier in _out_of_line(ratings, labels, leniencies).items()}
    flags = _flags(rows, outliers)
    return [msgspec.structs.replace(row, flags=raised) for row, raised in zip(rows, flags, strict=True)]


@dataclass(frozen=True)
class Shares:
    """Numerators k and denominators n of shares: arrays of one shape."""

    k: Indices
    n: Indices

    @classmethod
    def count(cls, groups: Indices, flags: SmallNumbers, count: int) -> "Shares":
        """Count the ratings of each of `count` groups whose flag is 1, among those with 1 or 0; both (ratings,)."""
        table = count_table(groups, flags, (count, 2))
        return cls(table[:, 1], table.sum(axis=1))

    def value(self, group: int) -> float | None:
        return share(int(self.k[group]), int(self.n[group]))


@dataclass(frozen=True)
class Weeks:
    """Figures of each rater and week, numbered rater × weeks + week."""

    names: list[str]
    ratings: Indices
    accurate: Shares
    same: Shares
    apart: Floats

    @classmethod
    def count(cls, ratings: RatingTable, labels: ReferenceLabels) -> "Weeks":
        count = len(ratings.raters) * len(ratings.weeks)
        groups = ratings.rater * len(ratings.weeks) + ratings.week
        return cls(
            ratings.weeks,
            np.bincount(groups, minlength=count),
            Shares.count(groups, labels.hits, count),
            Shares.count(groups, labels.same, count),
            stats.mean_differences(groups, labels.apart, count),
        )

    def rows(self, rater: int) -> list[RaterWeek]:
        """Return the weeks in which the rater rated."""
        first = rater * len(self.names)
        rated = np.flatnonzero(self.ratings[first : first + len(self.names)]).tolist()
        return [self._row(self.names[week], first + week) for week in rated]

    def _row(self, name: str, group: int) -> RaterWeek:
        return RaterWeek(
            week=name,
            ratings=int(self.ratings[group]),
            accurate=self.accurate.value(group),
            leave_one_out=self.same.value(group),
            leniency=float(self.apart[group]) if np.isfinite(self.apart[group]) else None,
        )


def _rows(ratings: RatingTable, labels: ReferenceLabels, leniencies: list[stats.Leniency | None]) -> list[RaterQuality]:
    """Return the figures of each rater, by name, without flags."""
    count, weeks = len(ratings.raters), Weeks.count(ratings, labels)
    numbers = np.bincount(ratings.rater, minlength=count).tolist()
    assessed = np.bincount(ratings.rater[labels.labels != MISSING], minlength=count).tolist()
    gold, adjudicated = (
        Shares.count(ratings.rater, correct_answers(reference, labels.checked), count)
        for reference in (labels.gold, labels.adjudicated)
    )
    figures = zip(
        ratings.raters, numbers, assessed, _leave_one_out(ratings, labels), leniencies, _times(ratings), strict=True
    )
    return [
        RaterQuality(
            rater=name,
            ratings=n,
            assessed=labeled,
            gold=_wilson_share(gold, rater),
            adjudicated=_wilson_share(adjudicated, rater),
            leave_one_out=same,
            leniency=_leniency(leniency),
            seconds=float(np.median(seconds)) if len(seconds) else None,
            quick=_share(int((seconds < QUICK).sum()), len(seconds)),
            weeks=weeks.rows(rater),
            flags=[],
        )
        for rater, (name, n, labeled, same, leniency, seconds) in enumerate(figures)
    ]


def _times(ratings: RatingTable) -> list[Floats]:
    """Return the recorded seconds of each rater's ratings."""
    timed = np.isfinite(ratings.seconds)
    raters, seconds = ratings.rater[timed], ratings.seconds[timed]
    few_bytes = raters.astype(np.min_scalar_type(len(ratings.raters)))  # sorts in a tenth of the time
    order = np.argsort(few_bytes, kind="stable")
    ends = np.bincount(raters, minlength=len(ratings.raters)).cumsum()
    return np.split(seconds[order], ends[:-1]) if len(ends) else []


def correct_answers(reference: SmallNumbers, answers: SmallNumbers) -> SmallNumbers:
    """Return 1 if the answer equals the reference, 0 if it does not, MISSING without one of them; an answer that no
    measure includes counts like any other here.
    """
    return np.where((reference != MISSING) & (answers != MISSING), reference == answers, np.int16(MISSING))


def _wilson_share(correct: Shares, rater: int) -> BoundedShare | None:
    k, n = int(correct.k[rater]), int(correct.n[rater])
    bounds = wilson(k, n, LEVEL)
    return BoundedShare(k / n, k, n, bounds.low, bounds.high) if n else None


def _leave_one_out(ratings: RatingTable, labels: ReferenceLabels) -> list[BoundedShare | None]:
    """Return each rater's share of ratings that equal the majority of the others, with closed-form bounds."""
    clusters, raters = int(ratings.item_cluster.max(initial=0)) + 1, len(ratings.raters)
    groups = (ratings.rater * clusters + ratings.cluster) * 2 + labels.same
    codes, n = distinct_counts(groups[labels.same != stats.NO_OTHERS], raters * clusters * 2)
    ends = np.searchsorted(codes // (clusters * 2), np.arange(raters + 1))
    return [_majority_share(codes[part], n[part]) for part in map(slice, ends[:-1], ends[1:])]


def _majority_share(codes: Indices, n: Indices) -> BoundedShare | None:
    """Return the majority share. `codes`: twice the cluster, plus one for the `n` ratings that equal the others'."""
    if not len(codes):
        return None
    clusters, hit = np.divmod(codes - codes[0] // 2 * 2, 2)
    total, hits = np.bincount(clusters, n), np.bincount(clusters, n * hit)
    p = ratio(hits[total > 0].astype(np.int64), total[total > 0].astype(np.int64))
    bounds = closed_form(p, LEVEL)
    return BoundedShare(p.value, p.k, p.n, bounds.low, bounds.high)


def _leniency(estimate: stats.Leniency | None) -> Leniency | None:
    if estimate is None:
        return None
    return Leniency(estimate.value, estimate.low, estimate.high, estimate.raw, estimate.items)


def _share(k: int, n: int) -> Share | None:
    return Share(k / n, k, n) if n else None


def _out_of_line(
    ratings: RatingTable, labels: ReferenceLabels, first: list[stats.Leniency | None]
) -> dict[int, stats.Leniency]:
    columns = (ratings.item, ratings.rater, ratings.cluster, labels.hits)
    return stats.outlying_raters(*columns, len(ratings.raters), beyond=BEYOND, first=first)


def _flags(rows: list[RaterQuality], outliers: dict[str, stats.Leniency]) -> Iterator[list[str]]:
    """Yield the flags of each rater, in the order of FLAGS."""
    for i, row in enumerate(rows):
        others = rows[:i] + rows[i + 1 :]
        outlier = outliers.get(row.rater)
        raised = {
            BELOW_GOLD: _is_below(row.gold, MIN_GOLD_SHARE),
            LENIENT: outlier is not None and outlier.value > 0,
            STRICT: outlier is not None and outlier.value < 0,
            DISAGREES: _disagrees(row, others),
            MUCH_FASTER: _much_faster(row, others),
            TOO_FAST: is_too_fast(row),
        }
        yield [flag for flag in FLAGS if raised[flag]]


def is_too_fast(row: RaterQuality) -> bool:
    """Return whether the rater cannot have read most of the items, whatever the others do."""
    return row.seconds is not None and row.seconds < MIN_SECONDS and is_timed(row)


def is_timed(row: RaterQuality) -> bool:
    """Return whether enough ratings have a recorded time."""
    return row.quick is not None and row.quick.n >= MIN_TIMED_RATINGS


def _is_below(p: BoundedShare | None, threshold: float) -> bool:
    """Return whether the whole interval lies below the threshold."""
    return p is not None and p.high is not None and p.high < threshold


def _disagrees(row: RaterQuality, others: list[RaterQuality]) -> bool:
    usual = _pooled([other.leave_one_out for other in others])
    return usual is not None and _is_below(row.leave_one_out, usual - APART)


def _much_faster(row: RaterQuality, others: list[RaterQuality]) -> bool:
    """Return whether the rater is faster than a part of the others' median, and worse by gold or by agreement."""
    times = [other.seconds for other in others if other.seconds is not None]
    if row.seconds is None or not is_timed(row) or not times:
        return False
    worse = _is_worse(row.gold, [other.gold for other in others]) or _is_worse(
        row.leave_one_out, [other.leave_one_out for other in others]
    )
    return row.seconds < FASTER * float(np.median(times)) and worse


def _is_worse(p: Share | None, others: Sequence[Share | None]) -> bool:
    usual = _pooled(others)
    return p is not None and p.value is not None and usual is not None and p.value < usual


def _pooled(shares: Sequence[Share | None]) -> float | None:
    """Return k / n of all shares together."""
    present = [p for p in shares if p is not None]
    return share(sum(p.k for p in present), sum(p.n for p in present))


@dataclass(frozen=True)
class RaterDetails:
    """One rater: `row` as in the report, and which answers were confused.

    `gold`, `adjudicated`, `others`: counts of (reference or another rater's answer, the rater's answer); the first two
    of shape (checked options, checked options), the last (options, options); None where there is nothing to compare.
    """

    row: RaterQuality
    options: list[str]
    checked_options: list[str]
    gold: list[list[int]] | None
    adjudicated: list[list[int]] | None
    others: list[list[int]] | None


def rater_details(study: Study, name: str) -> RaterDetails | None:
    """Return one rater by user name, or None."""
    rows = {row.rater: row for row in raters_of(study)}
    if name not in rows:
        return None
    ratings, labels = study.by_raters, reference_labels(study)
    number = ratings.raters.index(name)
    by_rater, options = ratings.rater == number, list(labels.question.option_keys)
    checked, count = labels.checked[by_rater], len(labels.checked_options)
    return RaterDetails(
        row=rows[name],
        options=options,
        checked_options=labels.checked_options,
        gold=_nonzero(confusion(labels.gold[by_rater], checked, count)),
        adjudicated=_nonzero(confusion(labels.adjudicated[by_rater], checked, count)),
        others=_nonzero(stats.others_labels(ratings.item, ratings.rater, labels.labels, len(options), number)),
    )


def _nonzero(table: Indices) -> list[list[int]] | None:
    return table.tolist() if table.any() else None


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


def trends_of(study: Study) -> Trends:
    """Count by rater and week, by the raters' own ratings."""
    ratings, labels = study.by_raters, reference_labels(study)
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

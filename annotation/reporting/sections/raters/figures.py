"""Each rater compared with gold answers, adjudications and the other raters.

Gold answers and adjudications are compared by the protocol's checked question, as in training and hidden gold; all else
is about its first measured question, and leniency about its measure `accurate` (or its first one). A flag needs enough
ratings and an interval that lies wholly beyond its threshold, or two figures that agree; it is a reason to look at that
rater's answers, not to exclude them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from ....stats import raters as stats
from ....stats.intervals import closed_form, wilson
from ....stats.label_comparison import confusion
from ....stats.proportions import count_table, distinct_counts, ratio, share
from ...data.arrays import MISSING, Indices, SmallNumbers
from ...data.groups import LEVEL, Cells
from ...data.report_input import ReportInput
from ...data.table import RatingTable
from ...parts import BoundedShare, Count, Fraction, Part, Share
from ..judge.input import ReferenceLabels, reference_labels


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


def raters_of(data: ReportInput, cells: Cells) -> list[RaterQuality]:
    """Compare each rater, by name, by the raters' own ratings. Four queries at the most.

    `gold` and `adjudicated` have Wilson bounds; `leave_one_out` is the share of ratings that equal the majority of the
    others, with bounds over clusters; `seconds` is the median.
    """
    ratings, labels = data.by_raters, reference_labels(data, cells)
    count = len(ratings.raters)
    numbers = np.bincount(ratings.rater, minlength=count).tolist()
    assessed = np.bincount(ratings.rater[labels.labels != MISSING], minlength=count).tolist()
    gold, adjudicated = (
        count_table(ratings.rater, correct_answers(reference, labels.checked), (count, 2)).tolist()
        for reference in (labels.gold, labels.adjudicated)
    )
    leniencies = stats.leniency(ratings.rater, ratings.cluster, labels.apart, count, level=LEVEL)
    leave_one_out, times, weeks = _leave_one_out(ratings, labels), _times(ratings), _weeks(ratings, labels)
    rows = []
    for rater, (name, leniency, seconds) in enumerate(zip(ratings.raters, leniencies, times, strict=True)):
        timed, quick = len(seconds), int((seconds < QUICK).sum())
        rows.append(
            RaterQuality(
                rater=name,
                ratings=numbers[rater],
                assessed=assessed[rater],
                gold=_wilson_share(*gold[rater]),
                adjudicated=_wilson_share(*adjudicated[rater]),
                leave_one_out=leave_one_out[rater],
                leniency=None
                if leniency is None
                else Leniency(leniency.value, leniency.low, leniency.high, leniency.raw, leniency.items),
                seconds=float(np.median(seconds)) if timed else None,
                quick=Share(quick / timed, quick, timed) if timed else None,
                weeks=weeks[rater],
                flags=[],
            )
        )
    columns = (ratings.item, ratings.rater, ratings.cluster, labels.hits)
    outliers = stats.outlying_raters(*columns, count, beyond=BEYOND, first=leniencies)
    return [
        msgspec.structs.replace(row, flags=_flags(row, rows[:rater] + rows[rater + 1 :], outliers.get(rater)))
        for rater, row in enumerate(rows)
    ]


def correct_answers(reference: SmallNumbers, answers: SmallNumbers) -> SmallNumbers:
    """Return 1 if the answer equals the reference, 0 if it does not, MISSING without one of them; an answer that no
    measure includes counts like any other here.
    """
    return np.where((reference != MISSING) & (answers != MISSING), reference == answers, np.int16(MISSING))


def _wilson_share(misses: int, hits: int) -> BoundedShare | None:
    n = hits + misses
    bounds = wilson(hits, n, LEVEL)
    return BoundedShare(hits / n, hits, n, bounds.low, bounds.high) if n else None


def _leave_one_out(ratings: RatingTable, labels: ReferenceLabels) -> list[BoundedShare | None]:
    """Return each rater's share of ratings that equal the majority of the others, with closed-form bounds."""
    clusters, raters = int(ratings.item_cluster.max(initial=0)) + 1, len(ratings.raters)
    groups = (ratings.rater * clusters + ratings.cluster) * 2 + labels.same
    codes, n = distinct_counts(groups[labels.same != stats.NO_OTHERS], raters * clusters * 2)
    ends = np.searchsorted(codes // (clusters * 2), np.arange(raters + 1)).tolist()
    shares: list[BoundedShare | None] = []
    for part in map(slice, ends[:-1], ends[1:]):
        cluster, is_same = np.divmod(codes[part], 2)
        if not len(cluster):
            shares.append(None)
            continue
        total = np.bincount(cluster - cluster[0], n[part]).astype(np.int64)
        same = np.bincount(cluster - cluster[0], n[part] * is_same).astype(np.int64)
        p = ratio(same[total > 0], total[total > 0])
        bounds = closed_form(p, LEVEL)
        shares.append(BoundedShare(p.value, p.k, p.n, bounds.low, bounds.high))
    return shares


def _times(ratings: RatingTable) -> list[stats.Floats]:
    """Return the recorded seconds of each rater's ratings."""
    timed = np.isfinite(ratings.seconds)
    raters, seconds = ratings.rater[timed], ratings.seconds[timed]
    few_bytes = raters.astype(np.min_scalar_type(len(ratings.raters)))  # sorts in a tenth of the time
    order = np.argsort(few_bytes, kind="stable")
    ends = np.bincount(raters, minlength=len(ratings.raters)).cumsum()
    return np.split(seconds[order], ends[:-1]) if len(ends) else []


def _weeks(ratings: RatingTable, labels: ReferenceLabels) -> list[list[RaterWeek]]:
    """Return the weeks in which each rater rated."""
    group, count = ratings.rater * len(ratings.weeks) + ratings.week, len(ratings.raters) * len(ratings.weeks)
    numbers = np.bincount(group, minlength=count).tolist()
    accurate, same = (count_table(group, flags, (count, 2)).tolist() for flags in (labels.hits, labels.same))
    leniencies = stats.mean_differences(group, labels.apart, count).tolist()
    rows: list[list[RaterWeek]] = [[] for _ in ratings.raters]
    figures = zip(numbers, accurate, same, leniencies, strict=True)
    for number, (n, (misses, hits), (unequal, equal), leniency) in enumerate(figures):
        if n:
            rater, week = divmod(number, len(ratings.weeks))
            rows[rater].append(
                RaterWeek(
                    week=ratings.weeks[week],
                    ratings=n,
                    accurate=share(hits, hits + misses),
                    leave_one_out=share(equal, equal + unequal),
                    leniency=leniency if np.isfinite(leniency) else None,
                )
            )
    return rows


def _flags(row: RaterQuality, others: list[RaterQuality], outlier: stats.Leniency | None) -> list[str]:
    """Return the flags of a rater, in the order of FLAGS; `outlier`: a leniency that is out of line."""
    usual_gold = _pooled([other.gold for other in others])
    usual_agreement = _pooled([other.leave_one_out for other in others])
    times = [other.seconds for other in others if other.seconds is not None]
    is_faster = row.seconds is not None and bool(times) and row.seconds < FASTER * float(np.median(times))
    is_worse = any(
        own is not None and own.value is not None and usual is not None and own.value < usual
        for own, usual in ((row.gold, usual_gold), (row.leave_one_out, usual_agreement))
    )
    raised = {
        BELOW_GOLD: _is_below(row.gold, MIN_GOLD_SHARE),
        LENIENT: outlier is not None and outlier.value > 0,
        STRICT: outlier is not None and outlier.value < 0,
        DISAGREES: usual_agreement is not None and _is_below(row.leave_one_out, usual_agreement - APART),
        MUCH_FASTER: is_faster and is_worse and _is_timed(row),
        TOO_FAST: is_too_fast(row),
    }
    return [flag for flag in FLAGS if raised[flag]]


def is_too_fast(row: RaterQuality) -> bool:
    """Return whether the rater cannot have read most of the items, whatever the others do."""
    return row.seconds is not None and row.seconds < MIN_SECONDS and _is_timed(row)


def _is_timed(row: RaterQuality) -> bool:
    """Return whether enough ratings have a recorded time."""
    return row.quick is not None and row.quick.n >= MIN_TIMED_RATINGS


def _is_below(p: BoundedShare | None, threshold: float) -> bool:
    """Return whether the whole interval lies below the threshold."""
    return p is not None and p.high is not None and p.high < threshold


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


def rater_details(data: ReportInput, cells: Cells, name: str) -> RaterDetails | None:
    """Return one rater by user name, or None."""
    rows = {row.rater: row for row in raters_of(data, cells)}
    if name not in rows:
        return None
    ratings, labels = data.by_raters, reference_labels(data, cells)
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
        return _wilson_share(self.n - self.k, self.k) if self.n >= MIN_RATINGS else None


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
    table = count_table(ratings.rater * weeks + ratings.week, flags, (raters * weeks, 2)).reshape(raters, weeks, 2)
    by_name = {**dict(zip(ratings.raters, table, strict=True)), ALL_RATERS: table.sum(axis=0)}
    return {
        name: [
            WeekCount(week, hits, misses + hits)
            for week, (misses, hits) in zip(ratings.weeks, counts.tolist(), strict=True)
            if misses + hits
        ]
        for name, counts in by_name.items()
    }

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

from ....protocols import Measure, Protocol, Question
from ....stats import raters as stats
from ....stats.intervals import closed_form, wilson
from ....stats.label_comparison import confusion
from ....stats.proportions import count_table, ratio, share
from ...data.arrays import MISSING, Indices, Mask, SmallNumbers, indices
from ...data.filters import checked_answers
from ...data.groups import LEVEL
from ...data.study import Study
from ...data.table import RatingTable, References
from ...parts import BoundedShare, Count, Fields, Fraction, Part, Share
from ..agreement.figures import ACCURATE, disagreements


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


@dataclass(frozen=True)
class ReferenceLabels:
    """The answers that each rating is compared with: arrays of shape (ratings,).

    `labels`: the answer to the first measured question, MISSING for options outside every measure; `checked`: the
    answer to the checked question; `gold`, `adjudicated`: the expected answer, never decided by the same rater;
    all numbers of options; `hits`: 1, 0 or MISSING; `same`, `apart`: see `stats.raters`.
    """

    question: Question
    labels: SmallNumbers
    hits: SmallNumbers
    checked_options: list[str]
    checked: SmallNumbers
    gold: SmallNumbers
    adjudicated: SmallNumbers
    same: SmallNumbers
    apart: stats.Differences


def raters_fields(study: Study) -> Fields:
    disputed, tie = disagreements(study)
    return {"raters": raters_of(study), "disagreements": disputed, "disagreement_tie": tie}


def raters_of(study: Study) -> list[RaterQuality]:
    """Compare each rater, by name, by the raters' own ratings.

    `gold` and `adjudicated` have Wilson bounds; `leave_one_out` is the share of ratings that equal the majority of the
    others, with bounds over clusters; `seconds` is the median.
    """
    ratings, labels = study.by_raters, reference_labels(study)
    count = len(ratings.raters)
    numbers = np.bincount(ratings.rater, minlength=count).tolist()
    assessed = np.bincount(ratings.rater[labels.labels != MISSING], minlength=count).tolist()
    gold, adjudicated = (
        count_table(ratings.rater, correct_answers(reference, labels.checked), (count, 2)).tolist()
        for reference in (labels.gold, labels.adjudicated)
    )
    leniencies = stats.leniency(ratings.rater, ratings.cluster, labels.apart, count, level=LEVEL)
    timed = _rows_by_rater(ratings, np.isfinite(ratings.seconds))
    compared = _rows_by_rater(ratings, labels.same != stats.NO_OTHERS)
    weeks = _weeks(ratings, labels)
    rows = []
    for rater, name in enumerate(ratings.raters):
        seconds, others = ratings.seconds[timed[rater]], compared[rater]
        n = np.bincount(ratings.cluster[others])
        k = np.bincount(ratings.cluster[others], labels.same[others]).astype(np.int64)
        same = ratio(k[n > 0], n[n > 0])
        bounds = closed_form(same, LEVEL)
        quick = int((seconds < QUICK).sum())
        rows.append(
            RaterQuality(
                rater=name,
                ratings=numbers[rater],
                assessed=assessed[rater],
                gold=_wilson_share(*gold[rater]),
                adjudicated=_wilson_share(*adjudicated[rater]),
                leave_one_out=BoundedShare(same.value, same.k, same.n, bounds.low, bounds.high) if same.n else None,
                leniency=msgspec.convert(leniencies[rater], Leniency | None, from_attributes=True),
                seconds=float(np.median(seconds)) if len(seconds) else None,
                quick=Share(quick / len(seconds), quick, len(seconds)) if len(seconds) else None,
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


def _rows_by_rater(ratings: RatingTable, used: Mask) -> list[Indices]:
    rows = np.flatnonzero(used)
    rater = ratings.rater[rows].astype(np.min_scalar_type(len(ratings.raters)))  # sorts in a tenth of the time
    ends = np.bincount(rater, minlength=len(ratings.raters)).cumsum()
    return np.split(rows[np.argsort(rater, kind="stable")], ends[:-1])


def _count_by_week(ratings: RatingTable, flags: SmallNumbers) -> Indices:
    """Count the ratings of each rater and week with the flags 0 and 1: shape (raters, weeks, 2)."""
    raters, weeks = len(ratings.raters), len(ratings.weeks)
    return count_table(ratings.rater * weeks + ratings.week, flags, (raters * weeks, 2)).reshape(raters, weeks, 2)


def _weeks(ratings: RatingTable, labels: ReferenceLabels) -> list[list[RaterWeek]]:
    raters, weeks = len(ratings.raters), len(ratings.weeks)
    group = ratings.rater * weeks + ratings.week
    numbers = np.bincount(group, minlength=raters * weeks).reshape(raters, weeks)
    accurate, same = (_count_by_week(ratings, flags).tolist() for flags in (labels.hits, labels.same))
    leniencies = stats.mean_differences(group, labels.apart, raters * weeks).reshape(raters, weeks)
    return [
        [
            RaterWeek(
                week=ratings.weeks[week],
                ratings=int(numbers[rater, week]),
                accurate=share(accurate[rater][week][1], sum(accurate[rater][week])),
                leave_one_out=share(same[rater][week][1], sum(same[rater][week])),
                leniency=float(leniencies[rater, week]) if np.isfinite(leniencies[rater, week]) else None,
            )
            for week in np.flatnonzero(numbers[rater]).tolist()
        ]
        for rater in range(raters)
    ]


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
    return row.quick is not None and row.quick.n >= MIN_TIMED_RATINGS


def _is_below(p: BoundedShare | None, threshold: float) -> bool:
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


def rater_details(study: Study, name: str) -> RaterDetails | None:
    rows = {row.rater: row for row in raters_of(study)}
    if name not in rows:
        return None
    ratings, labels = study.by_raters, reference_labels(study)
    number = ratings.raters.index(name)
    by_rater, options = ratings.rater == number, list(labels.question.option_keys)
    checked, count = labels.checked[by_rater], len(labels.checked_options)
    gold, adjudicated, others = (
        table.tolist() if table.any() else None
        for table in (
            confusion(labels.gold[by_rater], checked, count),
            confusion(labels.adjudicated[by_rater], checked, count),
            stats.others_labels(ratings.item, ratings.rater, labels.labels, len(options), number),
        )
    )
    return RaterDetails(rows[name], options, labels.checked_options, gold, adjudicated, others)


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


def trends_of(study: Study) -> Trends:
    """Count by rater and week, by the raters' own ratings."""
    ratings, labels = study.by_raters, reference_labels(study)
    gold = correct_answers(labels.gold, labels.checked)
    return Trends(_by_rater(ratings, labels.same), _by_rater(ratings, gold))


def _by_rater(ratings: RatingTable, flags: SmallNumbers) -> dict[str, list[WeekCount]]:
    """Count the ratings whose flag is 1, among those with 1 or 0."""
    table = _count_by_week(ratings, flags)
    by_name = {**dict(zip(ratings.raters, table, strict=True)), ALL_RATERS: table.sum(axis=0)}
    return {
        name: [
            WeekCount(week, hits, misses + hits)
            for week, (misses, hits) in zip(ratings.weeks, counts.tolist(), strict=True)
            if misses + hits
        ]
        for name, counts in by_name.items()
    }


def reference_labels(study: Study) -> ReferenceLabels:
    ratings, cells, question = study.by_raters, study.cells, study.protocol.first_measured_question
    number = {key: i for i, key in enumerate(question.option_keys)}
    options = indices(number.get(answers.get(question.key, ""), MISSING) for answers in cells.answers)
    left_out = [number[key] for key in cells.protocol.left_out(question.key)]
    checked = checked_answers(cells.protocol, cells.answers)
    labels = ratings.expand(np.where(np.isin(options, left_out), MISSING, options))
    hits, among = cells.masks(leniency_measure(cells.protocol))
    hit = ratings.expand(np.where(among, hits, MISSING))
    return ReferenceLabels(
        question=question,
        labels=labels,
        hits=hit,
        checked_options=checked.options,
        checked=ratings.expand(checked.by_answers),
        gold=_expected(ratings, ratings.items.gold, checked.by_answers),
        adjudicated=_expected(ratings, ratings.items.adjudicated, checked.by_answers),
        same=stats.agrees_with_majority(ratings.item, labels, len(number)),
        apart=stats.differences(ratings.item, hit),
    )


def leniency_measure(protocol: Protocol) -> Measure:
    """Return the measure of leniency: `accurate`, or the first."""
    measures = protocol.measures
    return next((measure for measure in measures if measure.key == ACCURATE), measures[0])


def _expected(ratings: RatingTable, references: References, options: Indices) -> SmallNumbers:
    """Return for each rating the reference's label of its item, as a number of `options` by set of answers; MISSING if
    there is none, or if the rater gave it, because raters are not compared with their own answers.
    """
    option = np.append(options, MISSING)[references.answer].astype(np.int16)[ratings.item]
    return np.where(references.rater[ratings.item] == ratings.rater, np.int16(MISSING), option)

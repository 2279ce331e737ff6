"""Each rater beside gold answers, adjudications and the other raters: what a lead looks at before trusting a figure.

Gold answers and adjudications are compared by the protocol's checked question, as in training and hidden gold; all
else is about its first measured question, and leniency about its measure `accurate` (or its first one). No figure
condemns anybody: a flag needs enough ratings and an interval that lies wholly beyond its threshold, or two figures that
point the same way, and even then it is a reason to look at that rater's answers, not to drop them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext_noop
from numpy.typing import NDArray

from ...stats import raters as stats
from ...stats.intervals import closed_form, wilson
from ...stats.label_comparison import confusion
from ...stats.proportions import count_table, distinct_counts, ratio, share
from ..data.arrays import Indices, SmallNumbers
from ..data.report_input import ReportInput
from ..data.table import RatingTable
from .agreement import MISSING
from .cells import LEVEL, Cells
from .reference_labels import Yardsticks, yardsticks

Floats = NDArray[np.float64]
Row = dict[str, Any]

LEAST_GOLD = 0.7
"""`below gold`: the upper bound of the accuracy on gold lies below this."""
BEYOND = 0.1
"""`lenient`, `strict`: the whole interval of the leniency lies farther than this from 0."""
APART = 0.1
"""`disagrees`: the upper bound of the agreement with the others lies this much below the other raters' share."""
FASTER = 1 / 3
"""`much faster`: the median time is below this part of the others' median …"""
FEWEST_TIMED = 20
"""… over at least this many timed ratings, and gold or agreement lies below the others' too."""
QUICK = 2.0
"""Seconds: an answer given in less is called very quick."""

BELOW_GOLD, LENIENT, STRICT, DISAGREES, MUCH_FASTER = FLAGS = (
    gettext_noop("below gold"),
    gettext_noop("lenient"),
    gettext_noop("strict"),
    gettext_noop("disagrees"),
    gettext_noop("much faster"),
)


def raters_of(of: ReportInput, cells: Cells) -> list[Row]:
    """The report's `raters`: one entry a rater, by name, about what raters said themselves. Four queries at the most.

    Each: `rater`, `ratings`, `assessed`; `gold` and `adjudicated` {value, k, n, low, high} with Wilson bounds, or None;
    `leave_one_out` {value, k, n, low, high}, the share of ratings that equal the majority of the others, with bounds
    over clusters; `leniency` {value, low, high, raw, items} or None; `seconds`, the median, or None; `quick`
    {value, k, n} or None; `weeks`, each {week, ratings, accurate, leave_one_out, leniency}; and `flags`.
    """
    ratings, found = of.by_raters, yardsticks(of, cells)
    lenient = stats.leniency(ratings.rater, ratings.cluster, found.apart, len(ratings.raters), level=LEVEL)
    rows = _rows(ratings, found, lenient)
    flags = _flags(rows, {ratings.raters[at]: of for at, of in _out_of_line(ratings, found, lenient).items()})
    return [row | {"flags": raised} for row, raised in zip(rows, flags, strict=True)]


@dataclass(frozen=True)
class Shares:
    """k of n ratings: arrays of one shape."""

    k: Indices
    n: Indices

    @classmethod
    def of(cls, groups: Indices, flags: SmallNumbers, count: int) -> "Shares":
        """Of the ratings of each of `count` groups whose flag is 1 or 0, those with 1; both of shape (ratings,)."""
        table = count_table(groups, flags, (count, 2))
        return cls(table[:, 1], table.sum(axis=1))

    def at(self, group: int) -> float | None:
        return share(int(self.k[group]), int(self.n[group]))


@dataclass(frozen=True)
class Weeks:
    """Of each rater and week, numbered rater × weeks + week: how many ratings, and what they are beside the others'."""

    names: list[str]
    ratings: Indices
    accurate: Shares
    same: Shares
    apart: Floats

    @classmethod
    def of(cls, ratings: RatingTable, found: Yardsticks) -> "Weeks":
        count = len(ratings.raters) * len(ratings.weeks)
        each = ratings.rater * len(ratings.weeks) + ratings.week
        return cls(
            ratings.weeks,
            np.bincount(each, minlength=count),
            Shares.of(each, found.hits, count),
            Shares.of(each, found.same, count),
            stats.mean_differences(each, found.apart, count),
        )

    def rows(self, rater: int) -> list[Row]:
        """The weeks in which the rater rated."""
        first = rater * len(self.names)
        rated = np.flatnonzero(self.ratings[first : first + len(self.names)]).tolist()
        return [self._row(self.names[week], first + week) for week in rated]

    def _row(self, name: str, at: int) -> Row:
        return {
            "week": name,
            "ratings": int(self.ratings[at]),
            "accurate": self.accurate.at(at),
            "leave_one_out": self.same.at(at),
            "leniency": float(self.apart[at]) if np.isfinite(self.apart[at]) else None,
        }


def _rows(ratings: RatingTable, found: Yardsticks, lenient: list[stats.Leniency | None]) -> list[Row]:
    """What is known of each rater, by name."""
    count, weeks = len(ratings.raters), Weeks.of(ratings, found)
    rating_counts = np.bincount(ratings.rater, minlength=count).tolist()
    assessed = np.bincount(ratings.rater[found.labels != MISSING], minlength=count).tolist()
    gold, adjudicated = (
        Shares.of(ratings.rater, _right(truth, found.checked), count) for truth in (found.gold, found.adjudicated)
    )
    each = zip(
        ratings.raters, rating_counts, assessed, _with_the_others(ratings, found), lenient, _times(ratings), strict=True
    )
    return [
        {
            "rater": name,
            "ratings": n,
            "assessed": labelled,
            "gold": _against(gold, at),
            "adjudicated": _against(adjudicated, at),
            "leave_one_out": same,
            "leniency": _leniency(apart),
            "seconds": float(np.median(seconds)) if len(seconds) else None,
            "quick": _share(int((seconds < QUICK).sum()), len(seconds)),
            "weeks": weeks.rows(at),
        }
        for at, (name, n, labelled, same, apart, seconds) in enumerate(each)
    ]


def _times(ratings: RatingTable) -> list[Floats]:
    """The seconds that each rater's ratings took, where they are known."""
    known = np.isfinite(ratings.seconds)
    raters, seconds = ratings.rater[known], ratings.seconds[known]
    few_bytes = raters.astype(np.min_scalar_type(len(ratings.raters)))  # which are sorted in a tenth of the time
    order = np.argsort(few_bytes, kind="stable")
    ends = np.bincount(raters, minlength=len(ratings.raters)).cumsum()
    return np.split(seconds[order], ends[:-1]) if len(ends) else []


def _right(truth: SmallNumbers, given: SmallNumbers) -> SmallNumbers:
    """1 where the answer given is the true one, 0 where it is not (as in `stats.labels.against_gold`), MISSING where
    there is none; an answer that is left out elsewhere is one like any here.
    """
    return np.where((truth != MISSING) & (given != MISSING), truth == given, np.int16(MISSING))


def _against(right: Shares, rater: int) -> Row | None:
    k, n = int(right.k[rater]), int(right.n[rater])
    bounds = wilson(k, n, LEVEL)
    return {"value": k / n, "k": k, "n": n, "low": bounds.low, "high": bounds.high} if n else None


def _with_the_others(ratings: RatingTable, found: Yardsticks) -> list[Row | None]:
    """Of each rater, the share of ratings that equal the majority of the others, with closed-form bounds."""
    clusters, raters = int(ratings.item_cluster.max(initial=0)) + 1, len(ratings.raters)
    groups = (ratings.rater * clusters + ratings.cluster) * 2 + found.same
    of_which, n = distinct_counts(groups[found.same != stats.NO_OTHERS], raters * clusters * 2)
    rater = of_which // (clusters * 2)
    ends = np.searchsorted(rater, np.arange(raters + 1))
    return [_same(of_which[part], n[part]) for part in map(slice, ends[:-1], ends[1:])]


def _same(codes: Indices, n: Indices) -> Row | None:
    """`codes`: twice the cluster, and one more for the `n` ratings that are the same as the others'."""
    if not len(codes):
        return None
    clusters, hit = np.divmod(codes - codes[0] // 2 * 2, 2)
    all_of, hits = np.bincount(clusters, n), np.bincount(clusters, n * hit)
    of = ratio(hits[all_of > 0].astype(np.int64), all_of[all_of > 0].astype(np.int64))
    bounds = closed_form(of, LEVEL)
    return {"value": of.value, "k": of.k, "n": of.n, "low": bounds.low, "high": bounds.high}


def _leniency(of: stats.Leniency | None) -> Row | None:
    if of is None:
        return None
    return {"value": of.value, "low": of.low, "high": of.high, "raw": of.raw, "items": of.items}


def _share(k: int, n: int) -> Row | None:
    return {"value": k / n, "k": k, "n": n} if n else None


def _out_of_line(
    ratings: RatingTable, found: Yardsticks, lenient: list[stats.Leniency | None]
) -> dict[int, stats.Leniency]:
    of = (ratings.item, ratings.rater, ratings.cluster, found.hits)
    return stats.out_of_line(*of, len(ratings.raters), beyond=BEYOND, first=lenient)


def _flags(rows: list[Row], out_of_line: dict[str, stats.Leniency]) -> Iterator[list[str]]:
    """The flags of each rater, in the order of FLAGS."""
    for at, row in enumerate(rows):
        others = rows[:at] + rows[at + 1 :]
        off = out_of_line.get(row["rater"])
        raised = {
            BELOW_GOLD: row["gold"] is not None and row["gold"]["high"] < LEAST_GOLD,
            LENIENT: off is not None and off.value > 0,
            STRICT: off is not None and off.value < 0,
            DISAGREES: _disagrees(row, others),
            MUCH_FASTER: _much_faster(row, others),
        }
        yield [flag for flag in FLAGS if raised[flag]]


def _disagrees(row: Row, others: list[Row]) -> bool:
    own, usual = row["leave_one_out"], _pooled(others, "leave_one_out")
    return own is not None and own["high"] is not None and usual is not None and own["high"] < usual - APART


def _much_faster(row: Row, others: list[Row]) -> bool:
    """Faster than a part of the others' median, and worse than they by gold or by agreement: speed is no fault."""
    times = [other["seconds"] for other in others if other["seconds"] is not None]
    if row["quick"] is None or row["quick"]["n"] < FEWEST_TIMED or not times:
        return False
    worse = any(_below(row[key], _pooled(others, key)) for key in ("gold", "leave_one_out"))
    return row["seconds"] < FASTER * float(np.median(times)) and worse


def _below(own: Row | None, usual: float | None) -> bool:
    return own is not None and usual is not None and own["value"] < usual


def _pooled(rows: list[Row], key: str) -> float | None:
    """k / n of all of `rows` together."""
    found = [row[key] for row in rows if row[key] is not None]
    return share(sum(of["k"] for of in found), sum(of["n"] for of in found))


@dataclass(frozen=True)
class OneRater:
    """What is known of one rater: `row` as in the report, and how the answers were mixed up.

    `gold`, `adjudicated`, `others`: counts of (what it should have been or another rater's answer, own answer); the
    first two of shape (checked options, checked options), the last (options, options); None where there is nothing to
    compare.
    """

    row: Row
    options: list[str]
    checked_options: list[str]
    gold: list[list[int]] | None
    adjudicated: list[list[int]] | None
    others: list[list[int]] | None


def one_rater(of: ReportInput, cells: Cells, name: str) -> OneRater | None:
    """One rater by user name, or None."""
    rows = {row["rater"]: row for row in raters_of(of, cells)}
    if name not in rows:
        return None
    ratings, found = of.by_raters, yardsticks(of, cells)
    number = ratings.raters.index(name)
    own, options = ratings.rater == number, list(found.question.option_keys)
    others = stats.others_labels(ratings.item, ratings.rater, found.labels, len(options), number)
    return OneRater(
        row=rows[name],
        options=options,
        checked_options=found.checked_options,
        gold=_counted(confusion(found.gold[own], found.checked[own], len(found.checked_options))),
        adjudicated=_counted(confusion(found.adjudicated[own], found.checked[own], len(found.checked_options))),
        others=_counted(others),
    )


def _counted(table: Indices) -> list[list[int]] | None:
    return table.tolist() if table.any() else None

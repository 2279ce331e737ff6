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

from ..models import Project, Rating, User
from ..protocols import Measure, Protocol, Question
from ..stats import raters as stats
from ..stats.intervals import closed_form, wilson
from ..stats.labels import confusion
from ..stats.proportions import cluster_counts, ratio, share
from .agreement import ACCURATE, MISSING
from .cells import LEVEL, Cells, cells_of
from .checked import checked
from .kept import kept
from .ratings import newest
from .reading import Reading, read
from .scan import Scan
from .tallies import Indices, indices, places

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


@dataclass(frozen=True)
class Yardsticks:
    """What each rating of a scan is measured with: arrays of shape (ratings,).

    `labels`: the answer to the first measured question, MISSING for options that no measure takes in; `checked`: the
    answer to the checked question, `gold` and `adjudicated` what it should have been (never by the rater's own word),
    all numbers of options; `hits`: 1, 0 or MISSING; `same`, `apart`: see `stats.raters`.
    """

    question: Question
    labels: Indices
    hits: Indices
    checked_options: list[str]
    checked: Indices
    gold: Indices
    adjudicated: Indices
    same: NDArray[np.int8]
    apart: stats.Differences


def raters_of(of: Reading, cells: Cells) -> list[Row]:
    """The report's `raters`: one entry a rater, by name, about what raters said themselves. Four queries at the most.

    Each: `rater`, `ratings`, `assessed`; `gold` and `adjudicated` {value, k, n, low, high} with Wilson bounds, or None;
    `leave_one_out` {value, k, n, low, high}, the share of ratings that equal the majority of the others, with bounds
    over clusters; `leniency` {value, low, high, raw, items} or None; `seconds`, the median, or None; `quick`
    {value, k, n} or None; `weeks`, each {week, ratings, accurate, leave_one_out, leniency}; and `flags`.
    """
    scan, found = of.own, yardsticks(of, cells)
    groups = _ratings_of_each(scan)
    lenient = stats.leniency(scan.raters, scan.cluster_of[scan.items], found.apart, len(scan.names), level=LEVEL)
    each = zip(scan.names, groups, lenient, strict=True)
    rows = [_row(scan, found, name, of, given) for name, of, given in each if len(of)]
    flags = _flags(rows, {scan.names[at]: of for at, of in _out_of_line(scan, found, lenient).items()})
    return [row | {"flags": raised} for row, raised in zip(rows, flags, strict=True)]


def yardsticks(found: Reading, cells: Cells) -> Yardsticks:
    """What the raters' own ratings are measured with."""
    scan, question = found.own, cells.protocol.first_measured_question
    number = {key: at for at, key in enumerate(question.option_keys)}
    options = indices(number.get(answers.get(question.key, ""), MISSING) for answers in cells.answers)
    left_out = [number[key] for key in cells.protocol.left_out(question.key)]
    given = options[scan.answers] if len(options) else scan.answers
    truths = checked(cells.protocol, cells.answers)
    labels = np.where(np.isin(given, left_out), MISSING, given)
    hits, among = cells.masks(leniency_measure(cells.protocol))
    hit = np.where(among, hits, MISSING)[scan.answers] if len(hits) else scan.answers
    return Yardsticks(
        question=question,
        labels=labels,
        hits=hit,
        checked_options=truths.options,
        checked=truths.of[scan.answers] if len(truths.of) else scan.answers,
        gold=_truth(found, Rating.Role.GOLD, truths.of),
        adjudicated=_truth(found, Rating.Role.ADJUDICATOR, truths.of),
        same=stats.same_as_the_others(scan.items, labels, len(number)),
        apart=stats.differences(scan.items, hit),
    )


def leniency_measure(protocol: Protocol) -> Measure:
    """The measure that leniency is about: `accurate`, or the first."""
    measures = protocol.measures
    return next((measure for measure in measures if measure.key == ACCURATE), measures[0])


def _truth(found: Reading, role: str, options: Indices) -> Indices:
    """For each rating the newest answer that `role` gave about its item, as a number of `options` by set of answers;
    MISSING where there is none, or where the rater gave it: nobody is measured with their own word.
    """
    given, scan = newest(found.project, role, found.texts), found.own
    if not len(given) or not len(scan.items):
        return np.full(len(scan.items), MISSING)
    at = places(scan.item_ids, given.items)
    label = np.where(at < 0, MISSING, options[given.answers[at]])
    giver = np.where(at < 0, MISSING, _numbers_of(given.raters, scan)[at])
    return np.where(giver[scan.items] == scan.raters, MISSING, label[scan.items])


def _numbers_of(users: Indices, scan: Scan) -> Indices:
    """The number of each user (database ids) among the raters of `scan`, MISSING for one who is none of them."""
    ids, at = np.unique(users, return_inverse=True)
    number = {name: number for number, name in enumerate(scan.names)}
    name_of = dict(User.objects.filter(pk__in=ids.tolist()).values_list("pk", "username"))
    return indices(number.get(name_of[pk], MISSING) for pk in ids.tolist())[at]


def _ratings_of_each(scan: Scan) -> list[Indices]:
    """The numbers of each rater's ratings, in the order of the names."""
    known = np.flatnonzero(scan.raters >= 0)
    order = known[np.argsort(scan.raters[known], kind="stable")]
    ends = np.bincount(scan.raters[known], minlength=len(scan.names)).cumsum()
    return np.split(order, ends[:-1]) if len(scan.names) else []


def _row(scan: Scan, found: Yardsticks, name: str, of: Indices, leniency: stats.Leniency | None) -> Row:
    """What is known of one rater, whose ratings are numbered `of`."""
    seconds = scan.seconds[of][np.isfinite(scan.seconds[of])]
    return {
        "rater": name,
        "ratings": len(of),
        "assessed": int((found.labels[of] != MISSING).sum()),
        "gold": _against(found.gold[of], found.checked[of]),
        "adjudicated": _against(found.adjudicated[of], found.checked[of]),
        "leave_one_out": _with_the_others(scan, found, of),
        "leniency": _leniency(leniency),
        "seconds": float(np.median(seconds)) if len(seconds) else None,
        "quick": _share(int((seconds < QUICK).sum()), len(seconds)),
        "weeks": [_week(found, scan.weeks[at], of[scan.week_of[of] == at]) for at in np.unique(scan.week_of[of])],
    }


def _against(truth: Indices, given: Indices) -> Row | None:
    """How often the answers `given` are the true ones (as in `stats.labels.against_gold`); an answer that is left out
    elsewhere is one like any here.
    """
    known = (truth != MISSING) & (given != MISSING)
    k, n = int((known & (truth == given)).sum()), int(known.sum())
    bounds = wilson(k, n, LEVEL)
    return {"value": k / n, "k": k, "n": n, "low": bounds.low, "high": bounds.high} if n else None


def _with_the_others(scan: Scan, found: Yardsticks, of: Indices) -> Row | None:
    """The share of ratings that equal the majority of the others, with closed-form bounds over clusters."""
    compared = of[found.same[of] != stats.NO_OTHERS]
    if not len(compared):
        return None
    clusters = scan.cluster_of[scan.items[compared]]
    same = ratio(*cluster_counts(clusters, found.same[compared], int(scan.cluster_of.max()) + 1))
    bounds = closed_form(same, LEVEL)
    return {"value": same.value, "k": same.k, "n": same.n, "low": bounds.low, "high": bounds.high}


def _leniency(of: stats.Leniency | None) -> Row | None:
    if of is None:
        return None
    return {"value": of.value, "low": of.low, "high": of.high, "raw": of.raw, "items": of.items}


def _week(found: Yardsticks, week: str, of: Indices) -> Row:
    hits, same = found.hits[of], found.same[of]
    among, compared = hits[hits != MISSING], same[same != stats.NO_OTHERS]
    apart = np.sort(found.apart.at(of).each())  # so that the mean does not depend on the order of the rows
    apart = apart[np.isfinite(apart)]
    return {
        "week": week,
        "ratings": len(of),
        "accurate": share(int(among.sum()), len(among)),
        "leave_one_out": share(int(compared.sum()), len(compared)),
        "leniency": float(apart.mean()) if len(apart) else None,
    }


def _share(k: int, n: int) -> Row | None:
    return {"value": k / n, "k": k, "n": n} if n else None


def _out_of_line(scan: Scan, found: Yardsticks, lenient: list[stats.Leniency | None]) -> dict[int, stats.Leniency]:
    of = (scan.items, scan.raters, scan.cluster_of[scan.items], found.hits)
    return stats.out_of_line(*of, len(scan.names), beyond=BEYOND, first=lenient)


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


def one_rater(of: Reading, cells: Cells, name: str) -> OneRater | None:
    """One rater by user name, or None."""
    rows = {row["rater"]: row for row in raters_of(of, cells)}
    if name not in rows:
        return None
    scan, found = of.own, yardsticks(of, cells)
    number = scan.names.index(name)
    own, options = scan.raters == number, list(found.question.option_keys)
    others = stats.others_labels(scan.items, scan.raters, found.labels, len(options), number)
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


def raters_now(project: Project) -> list[Row]:
    """The `raters` of this moment's report; computed once for the same data."""
    return kept(project, "raters", lambda: raters_of(*_now(project)))


def one_rater_now(project: Project, name: str) -> OneRater | None:
    """One rater as of this moment, by user name; computed once for the same data."""
    return kept(project, f"rater {name}", lambda: one_rater(*_now(project), name))


def _now(project: Project) -> tuple[Reading, Cells]:
    found = read(project)
    return found, cells_of(project.protocol.definition, found.tallies)

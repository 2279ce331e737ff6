"""What each rating is measured with: gold, adjudications and the other raters of its item."""

from dataclasses import dataclass

import numpy as np

from ...models import Rating, User
from ...protocols import Measure, Protocol, Question
from ...stats import raters as stats
from ..data.rating_columns import Scan, SmallNumbers
from ..data.report_input import Reading
from ..data.tallies import Indices, indices, places
from .agreement import ACCURATE, MISSING
from .cells import Cells
from .gold_questions import checked


@dataclass(frozen=True)
class Yardsticks:
    """What each rating of a scan is measured with: arrays of shape (ratings,).

    `labels`: the answer to the first measured question, MISSING for options that no measure takes in; `checked`: the
    answer to the checked question, `gold` and `adjudicated` what it should have been (never by the rater's own word),
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


def yardsticks(found: Reading, cells: Cells) -> Yardsticks:
    """What the raters' own ratings are measured with."""
    scan, question = found.own, cells.protocol.first_measured_question
    number = {key: at for at, key in enumerate(question.option_keys)}
    options = indices(number.get(answers.get(question.key, ""), MISSING) for answers in cells.answers)
    left_out = [number[key] for key in cells.protocol.left_out(question.key)]
    truths = checked(cells.protocol, cells.answers)
    labels = scan.each(np.where(np.isin(options, left_out), MISSING, options))
    hits, among = cells.masks(leniency_measure(cells.protocol))
    hit = scan.each(np.where(among, hits, MISSING))
    return Yardsticks(
        question=question,
        labels=labels,
        hits=hit,
        checked_options=truths.options,
        checked=scan.each(truths.of),
        gold=_truth(found, Rating.Role.GOLD, truths.of),
        adjudicated=_truth(found, Rating.Role.ADJUDICATOR, truths.of),
        same=stats.same_as_the_others(scan.items, labels, len(number)),
        apart=stats.differences(scan.items, hit),
    )


def leniency_measure(protocol: Protocol) -> Measure:
    """The measure that leniency is about: `accurate`, or the first."""
    measures = protocol.measures
    return next((measure for measure in measures if measure.key == ACCURATE), measures[0])


def _truth(found: Reading, role: str, options: Indices) -> SmallNumbers:
    """For each rating the newest answer that `role` gave about its item, as a number of `options` by set of answers;
    MISSING where there is none, or where the rater gave it: nobody is measured with their own word.
    """
    given, scan = found.newest(role), found.own
    if not len(given) or not len(scan.items):
        return np.full(len(scan.items), MISSING, dtype=np.int16)
    at = places(scan.item_ids, given.items)
    label = np.where(at < 0, MISSING, options[given.answers[at]])
    giver = np.where(at < 0, MISSING, _numbers_of(given.raters, scan)[at])
    return np.where(giver[scan.items] == scan.raters, np.int16(MISSING), label.astype(np.int16)[scan.items])


def _numbers_of(users: Indices, scan: Scan) -> Indices:
    """The number of each user (database ids) among the raters of `scan`, MISSING for one who is none of them."""
    ids, at = np.unique(users, return_inverse=True)
    number = {name: number for number, name in enumerate(scan.names)}
    name_of = dict(User.objects.filter(pk__in=ids.tolist()).values_list("pk", "username"))
    return indices(number.get(name_of[pk], MISSING) for pk in ids.tolist())[at]

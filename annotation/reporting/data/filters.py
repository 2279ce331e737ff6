"""Which of the ratings that count a report is made of: the filters of its choices, as masks.

A rating that filters leave out is counted once, under the first of the reasons that hold, in the order given here.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...models import Project, Rating, User
from ..choices import ADJUDICATED, Choices
from ..compute.agreement import MISSING
from ..compute.gold_questions import checked
from .rated_data import Source, Stock, take_stock
from .ratings import Ratings
from .tallies import Indices, indices, places, values_of

FILTERED, WITHOUT_RATER, BELOW_GOLD, TOO_FAST, REPLACED = REASONS = (
    "filtered",
    "without_rater",
    "below_gold",
    "too_fast",
    "adjudicated",
)

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Kept:
    """What the filters leave: `own` are the raters' ratings, `standing` the same with adjudications in their place.

    `sources`: which sources are chosen; `reasons`: how many ratings each filter took.
    """

    sources: Mask
    own: Ratings
    standing: Ratings
    reasons: dict[str, int]


def keep(stock: Stock, choices: Choices) -> Kept:
    """Apply the filters."""
    chosen = choose(stock, choices)
    kept, reasons = np.ones(len(stock.ratings), dtype=bool), {}
    for reason, leaves_out in _tests(stock, choices, chosen):
        reasons[reason] = int((kept & leaves_out).sum())
        kept &= ~leaves_out
    own = stock.ratings.where(kept)
    if choices.answers != ADJUDICATED:
        return Kept(chosen, own, own, reasons)
    decided = stock.newest(Rating.Role.ADJUDICATOR)
    decided = decided.where(chosen[stock.sources_of(decided.items)])
    replaced = np.isin(own.items, decided.items)
    standing = own.where(~replaced).with_(decided)
    return Kept(chosen, own, standing, {**reasons, REPLACED: int(replaced.sum())})


def choose(stock: Stock, choices: Choices) -> Mask:
    """Which sources are of the systems and prompts that are wanted."""
    if not (choices.systems or choices.metadata):
        return np.ones(len(stock.sources), dtype=bool)
    return np.array([_is_chosen(source, choices) for source in stock.sources], dtype=bool)


def below_gold(project: Project, least: float) -> list[str]:
    """The user names of the raters whose accuracy on gold answers is below `least`, in order."""
    found = _below_gold(take_stock(project), least).tolist()
    return sorted(User.objects.filter(pk__in=found).values_list("username", flat=True))


def _tests(stock: Stock, choices: Choices, chosen: Mask) -> Iterator[tuple[str, Mask]]:
    """Which ratings each filter that is set leaves out."""
    ratings = stock.ratings
    if not chosen.all():
        yield FILTERED, ~chosen[stock.sources_of(ratings.items)]
    if choices.without_raters:
        dropped = User.objects.filter(username__in=choices.without_raters).values_list("pk", flat=True)
        yield WITHOUT_RATER, np.isin(ratings.raters, list(dropped))
    if choices.least_gold is not None:
        yield BELOW_GOLD, np.isin(ratings.raters, _below_gold(stock, choices.least_gold))
    if choices.least_seconds is not None:
        yield TOO_FAST, ratings.seconds < choices.least_seconds


def _is_chosen(source: Source, choices: Choices) -> bool:
    if choices.systems and source.system not in choices.systems:
        return False
    found = source.prompt.metadata
    return all(set(values) & set(values_of(found.get(key))) for key, values in choices.metadata)


def _below_gold(stock: Stock, least: float) -> Indices:
    """Database ids of the raters whose answers to the protocol's checked question equal gold in less than this share.

    Gold is the newest gold rating of an item. Nobody is measured with their own word, and raters without gold stay.
    """
    gold, ratings = stock.newest(Rating.Role.GOLD), stock.ratings
    if not len(gold):
        return indices([])
    answer_of = checked(stock.project.protocol.definition, stock.answers).of
    at = places(ratings.items, gold.items)
    given, true = answer_of[ratings.answers], answer_of[gold.answers[at]]
    known = (at >= 0) & (given != MISSING) & (true != MISSING)
    asked = np.flatnonzero(known & (gold.raters[at] != ratings.raters))
    raters, who = np.unique(ratings.raters[asked], return_inverse=True)
    share = np.bincount(who, given[asked] == true[asked], len(raters)) / np.bincount(who, minlength=len(raters))
    return raters[share < least]

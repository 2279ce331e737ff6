"""Select the ratings that a report is computed from, under its choices.

A rating excluded by several filters is counted once, under the first reason in the order given here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from ...protocols import Protocol
from ..choices import ADJUDICATED, Choices
from .arrays import MISSING, Indices, Mask, indices, occurring
from .responses import Metadata, RatedResponse, values_of
from .table import RatingTable

FILTERED, WITHOUT_RATER, BELOW_GOLD, TOO_FAST = "filtered", "without_rater", "below_gold", "too_fast"
REPLACED = "adjudicated"
NOT_ASKED = ""
"""The option for a checked question that is not asked because of an earlier answer."""


@dataclass(frozen=True)
class Selection:
    """The ratings that a report is computed from.

    `by_raters`: the raters' ratings; `counted`: the same, with adjudications instead of the ratings of their items if
    the choices say so; both have the same responses. `left_out`: how many ratings each filter excludes; `is_complete`:
    none is excluded or replaced.
    """

    counted: RatingTable
    by_raters: RatingTable
    left_out: dict[str, int]
    is_complete: bool


def select(table: RatingTable, choices: Choices, protocol: Protocol) -> Selection:
    is_rating, is_match = table.rater >= 0, matching_responses(table, choices)[table.response]
    exclusions: dict[str, Mask] = {}
    if not is_match.all():
        exclusions[FILTERED] = ~is_match
    if choices.without_raters:
        raters = [number for number, name in enumerate(table.raters) if name in choices.without_raters]
        exclusions[WITHOUT_RATER] = np.isin(table.rater, raters)
    if choices.least_gold is not None:
        exclusions[BELOW_GOLD] = np.isin(table.rater, below_gold(table, protocol, choices.least_gold))
    if choices.least_seconds is not None:
        exclusions[TOO_FAST] = table.seconds < choices.least_seconds
    by_raters, left_out = is_rating.copy(), {}
    for reason, excluded in exclusions.items():
        left_out[reason] = int((by_raters & excluded).sum())
        by_raters &= ~excluded
    counted = by_raters
    if choices.answers == ADJUDICATED:
        adjudications = ~is_rating & is_match
        replaced = by_raters & occurring(table.item[adjudications], len(table.items))[table.item]
        left_out[REPLACED] = int(replaced.sum())
        counted = by_raters & ~replaced | adjudications
    used = occurring(table.response[counted], len(table.responses))
    narrowed, rows = table.keep_responses(used, choices.cluster), used[table.response]
    selected = narrowed.keep_rows(counted[rows])
    own = selected if counted is by_raters else narrowed.keep_rows(by_raters[rows])
    return Selection(selected, own, left_out, is_complete=bool((counted == is_rating).all()))


def select_from_tally(table: RatingTable, choices: Choices) -> tuple[RatingTable, int]:
    matches = matching_responses(table, choices)
    used = matches & occurring(table.response, len(table.responses))
    return table.keep_responses(used, choices.cluster), int(table.n[~matches[table.response]].sum())


def matching_responses(table: RatingTable, choices: Choices) -> Mask:
    """Return which responses belong to the systems and prompts of the choices, shape (responses,)."""
    return np.array([matches(response, choices) for response in table.responses.rated], dtype=bool)


def below_gold(table: RatingTable, protocol: Protocol, least: float) -> Indices:
    """Return the numbers of the raters whose answers to the checked question equal gold in less than this share.

    A rater's own gold answers are not compared, and raters without gold are not excluded.
    """
    if not len(table.item):
        return table.rater
    answer_of = np.append(checked_answers(protocol, table.answer_sets).by_answers, MISSING)
    gold = table.items.gold
    answered, expected = answer_of[table.answer], answer_of[gold.answer[table.item]]
    is_compared = (answered != MISSING) & (expected != MISSING) & (gold.rater[table.item] != table.rater)
    rows = np.flatnonzero(is_compared & (table.rater >= 0))
    n = np.bincount(table.rater[rows], minlength=len(table.raters))
    right = np.bincount(table.rater[rows], answered[rows] == expected[rows], len(table.raters))
    compared = np.flatnonzero(n)
    return compared[right[compared] / n[compared] < least]


@dataclass(frozen=True)
class CheckedAnswers:
    """The answers that are compared with gold answers: those to the protocol's checked questions.

    `options`: the keys; `by_answers[a]`: the option in the a-th set of answers, MISSING if unanswered.
    """

    options: list[str]
    by_answers: Indices


def checked_answers(protocol: Protocol, answers: Iterable[Mapping[str, str]]) -> CheckedAnswers:
    keys = dict.fromkeys(key for question in protocol.checked_questions for key in question.option_keys)
    options = [*keys, *([NOT_ASKED] if protocol.may_skip_checked else [])]
    number = {key: i for i, key in enumerate(options)}
    return CheckedAnswers(
        options,
        indices(number.get(protocol.checked_answer(answer_set) or NOT_ASKED, MISSING) for answer_set in answers),
    )


def matches(response: RatedResponse, choices: Choices) -> bool:
    is_system = not choices.systems or response.system in choices.systems
    return is_system and matches_metadata(response.prompt.metadata, choices)


def matches_metadata(metadata: Metadata, choices: Choices) -> bool:
    return all(set(values) & set(values_of(metadata.get(key))) for key, values in choices.metadata)

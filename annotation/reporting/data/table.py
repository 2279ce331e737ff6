"""The table that reports are computed from: ratings as arrays by column.

Prompts, responses, items and raters are numbered in the order of imported ids and names: resamples are drawn by number
and must not depend on the database. Distinct sets of answers and responses are stored once and the columns contain
their numbers, so that a calculation decides about a few sets of answers instead of every rating.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from .arrays import Indices, Mask, SmallNumbers, count_rows, new_numbers, occurring
from .responses import Responses

UNITS = ["sentence", "claim", "fact", "response", "pair"]
COLUMNS = ("response", "answer", "n", "item", "rater", "seconds", "week", "rating_id")


@dataclass(frozen=True)
class References:
    """The newest answer in another role about each item, shape (items,): its number in `answer_sets` (-1: none), and
    the number of its author among the table's raters (-1: another user).
    """

    answer: Indices
    rater: Indices


@dataclass(frozen=True)
class Items:
    """The items of a table, ordered by response, unit and position; arrays of shape (items,).

    `item_id`: database id; `unit`: number in UNITS.
    """

    item_id: Indices
    response: Indices
    unit: Indices
    position: Indices
    gold: References
    adjudicated: References

    def __len__(self) -> int:
        return len(self.item_id)

    def keep(self, used: Mask, raters: Indices) -> "Items":
        """Return the items that are used; `raters` are the new numbers of the raters."""
        columns = {name: getattr(self, name)[used] for name in ("item_id", "response", "unit", "position")}
        gold, adjudicated = (
            References(reference.answer[used], _renumbered(reference.rater[used], raters))
            for reference in (self.gold, self.adjudicated)
        )
        return Items(**columns, gold=gold, adjudicated=adjudicated)


@dataclass(frozen=True)
class Counts:
    """Arrays of one shape: `n` ratings of a response, whose prompt is in this cluster, have these answers."""

    response: Indices
    cluster: Indices
    answer: Indices
    n: Indices

    def rows(self, rows: Indices) -> "Counts":
        return Counts(self.response[rows], self.cluster[rows], self.answer[rows], self.n[rows])


@dataclass(frozen=True)
class ItemCounts:
    """`n` ratings of an item have these answers; in the order of items, then of answers. Shape (rows,).

    There are hardly more of them with thirty ratings an item than with three.
    """

    item: Indices
    answer: Indices
    n: Indices


@dataclass(frozen=True)
class RaterCounts(Counts):
    """The same by rater (below 0: an adjudicator) and week."""

    rater: Indices
    week: Indices


@dataclass(frozen=True)
class RatingTable:
    """Ratings as arrays by column, with the meaning of their numbers.

    Columns of shape (rows,): `response`, `answer` (number in `answer_sets`) and `n`. A row from the tally is `n`
    ratings. With `has_single_ratings` a row is one rating and there are more columns (else of shape (0,)): `item`;
    `rater`, a number in `raters`, or -1 - number in `adjudicators`; `seconds`, NaN if not recorded; `week`, a number in
    `weeks`, such as 2026-W47 (ISO 8601, UTC); `rating_id` (database). These are in the order of items, then raters.

    `answer_sets`: the distinct sets of choice answers, as PostgreSQL writes them in `answer_texts`; after these, sets
    of turned pairs: `other_side` is the number of each when the responses change places.
    """

    responses: Responses
    answer_texts: list[str]
    answer_sets: list[dict[str, str]]
    other_side: Indices
    has_single_ratings: bool
    items: Items
    raters: list[str]
    adjudicators: list[str]
    weeks: list[str]
    response: Indices
    answer: Indices
    n: Indices
    item: Indices
    rater: Indices
    seconds: NDArray[np.float64]
    week: SmallNumbers
    rating_id: Indices

    def keep_responses(self, used: Mask, cluster: str) -> "RatingTable":
        """Return the rows of the used responses, renumbered; `cluster` is the choice of the sampling unit."""
        if used.all() and self.responses.has_cluster(cluster):
            return self
        rated = list(compress(self.responses.rated, used))
        numbers = new_numbers(used)
        items = replace(self.items, response=numbers[self.items.response])
        table = replace(self, responses=Responses.number(rated, cluster), response=numbers[self.response], items=items)
        return table._select_rows(used[self.response]).drop_unused()

    def keep_rows(self, rows: Mask) -> "RatingTable":
        """Return these rows; unused items, raters and weeks are dropped. Responses stay as they are."""
        return self if rows.all() else self._select_rows(rows).drop_unused()

    def drop_unused(self) -> "RatingTable":
        is_rater = self.rater >= 0
        used_raters = occurring(self.rater[is_rater], len(self.raters))
        used_adjudicators = occurring(-1 - self.rater[~is_rater], len(self.adjudicators))
        used_items, used_weeks = occurring(self.item, len(self.items)), occurring(self.week, len(self.weeks))
        raters, adjudicators = new_numbers(used_raters), new_numbers(used_adjudicators)
        return replace(
            self,
            items=self.items.keep(used_items, raters),
            raters=list(compress(self.raters, used_raters)),
            adjudicators=list(compress(self.adjudicators, used_adjudicators)),
            weeks=list(compress(self.weeks, used_weeks)),
            item=new_numbers(used_items)[self.item],
            rater=np.where(is_rater, _renumbered(self.rater, raters), -1 - _renumbered(-1 - self.rater, adjudicators)),
            week=new_numbers(used_weeks)[self.week].astype(np.int32),
        )

    def _select_rows(self, rows: Mask) -> "RatingTable":
        """Return these rows with all numbers as they are; a table from the tally has columns of shape (0,), too."""
        columns = {name: getattr(self, name) for name in COLUMNS}
        return replace(self, **{name: column[rows] for name, column in columns.items() if len(column)})

    def expand(self, by_answers: Indices) -> SmallNumbers:
        """Return for every row the number that its set of answers has in `by_answers`, such as an option's."""
        return by_answers.astype(np.int16)[self.answer] if len(by_answers) else np.zeros(0, dtype=np.int16)

    @property
    def item_prompt(self) -> Indices:
        return self.responses.prompt_of[self.items.response]

    @cached_property
    def item_cluster(self) -> Indices:
        return self.responses.cluster_of[self.item_prompt]

    @cached_property
    def cluster(self) -> SmallNumbers:
        return self.item_cluster.astype(np.int32)[self.item]

    @cached_property
    def counts(self) -> Counts:
        (response, answer), n = count_rows(
            [(self.response, len(self.responses)), (self.answer, len(self.answer_sets))], self.n
        )
        return self._as_counts(response, answer, n)

    @cached_property
    def item_counts(self) -> ItemCounts:
        (item, answer), n = count_rows([(self.item, len(self.items)), (self.answer, len(self.answer_sets))], self.n)
        return ItemCounts(item, answer, n)

    @cached_property
    def rater_counts(self) -> RaterCounts:
        first = -len(self.adjudicators)
        columns = [
            (self.response, len(self.responses)),
            (self.rater - first, len(self.raters) - first),
            (self.week, len(self.weeks)),
            (self.answer, len(self.answer_sets)),
        ]
        (response, rater, week, answer), n = count_rows(columns, self.n)
        counts = self._as_counts(response, answer, n)
        return RaterCounts(counts.response, counts.cluster, counts.answer, counts.n, rater + first, week)

    def with_turned_answers(self) -> "RatingTable":
        """Return the same with answers about pairs of systems in the order of their names.

        Answers are stored for the responses in their own order, which agreement is computed on.
        """
        return replace(self, answer=self._turn_answers(self.response, self.answer))

    def _as_counts(self, response: Indices, answer: Indices, n: Indices) -> Counts:
        cluster = self.responses.cluster_of[self.responses.prompt_of[response]]
        return Counts(response, cluster, self._turn_answers(response, answer), n)

    def _turn_answers(self, response: Indices, answer: Indices) -> Indices:
        turned = self.responses.turned
        return np.where(turned[response], self.other_side[answer], answer) if turned.any() else answer


def _renumbered(numbers: Indices, new: Indices) -> Indices:
    """Return the new number of each of `numbers`; negative ones become -1."""
    return np.append(new, -1)[np.maximum(numbers, -1)]

"""What the tally cannot answer: who rated which item, when, and how long it took. One entry a rating.

Its answers are as they are stored: whether raters agree is about what they said of the item. What is said of systems is
another matter, see `Sources.as_named`.
"""

from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...stats.proportions import distinct_counts
from .tallies import Entries, Indices, Sources, numbered

MONDAY = date(1970, 1, 5)

SmallNumbers = NDArray[np.signedinteger]
"""In fewer bytes than the numbers that are calculated with."""


@dataclass(frozen=True)
class ByItem:
    """`n[i]` ratings of the item `items[i]` gave the answers `answers[i]`; in the order of items, then of answers.

    There are hardly more of them with thirty ratings an item than with three.
    """

    items: Indices
    answers: Indices
    n: Indices


@dataclass(frozen=True)
class ByRater:
    """`n[i]` ratings of the source `sources[i]` by the rater `raters[i]` in the week `weeks[i]` gave the answers
    `answers[i]`.
    """

    sources: Indices
    raters: Indices
    weeks: Indices
    answers: Indices
    n: Indices

    def entries(self, sources: Sources) -> Entries:
        """The same as entries."""
        return sources.entries(self.sources, self.answers, self.n)


@dataclass(frozen=True)
class Scan:
    """Ratings by item and rater; items by imported ids and position, wherever they are stored.

    Of each rating: `items`, `raters` (-1 - number of the adjudicator for an adjudication), `answers` (number in
    `Tallies.answers`), `seconds` (NaN where none were recorded), `week_of` (number in `weeks`), and its `ids` in the
    database. `weeks` are such as `2026-W47` (ISO 8601, UTC); `names` and `adjudicators` are user names in order.
    Of each item: `item_ids` (of the database), `source_of` (its response), `prompt_of`, `cluster_of`, `positions`,
    `units`.
    """

    items: Indices
    raters: Indices
    answers: Indices
    seconds: NDArray[np.float64]
    week_of: SmallNumbers
    ids: Indices
    weeks: list[str]
    names: list[str]
    adjudicators: list[str]
    item_ids: Indices
    source_of: Indices
    prompt_of: Indices
    cluster_of: Indices
    positions: Indices
    units: Indices

    def each(self, of_answers: Indices) -> SmallNumbers:
        """What is known of every set of answers, a small number such as an option's, for every rating."""
        return of_answers.astype(np.int16)[self.answers] if len(of_answers) else np.zeros(0, dtype=np.int16)

    @cached_property
    def clusters(self) -> SmallNumbers:
        """The cluster of every rating."""
        return self.cluster_of.astype(np.int32)[self.items]

    @cached_property
    def by_item(self) -> ByItem:
        """The ratings of an item that are alike, together."""
        (items, answers), n = _together((self.items, len(self.item_ids)), (self.answers, _width(self.answers)))
        return ByItem(items, answers, n)

    @cached_property
    def by_rater(self) -> ByRater:
        """The ratings of a source by one rater in one week that are alike, together."""
        first = -len(self.adjudicators)
        (sources, raters, weeks, answers), n = _together(
            (self.source_of[self.items], _width(self.source_of)),
            (self.raters - first, len(self.names) - first),
            (self.week_of, len(self.weeks)),
            (self.answers, _width(self.answers)),
        )
        return ByRater(sources, raters + first, weeks, answers, n)

    def as_named(self, sources: Sources) -> "Scan":
        """The same with answers about pairs of systems in the order of their names."""
        return replace(self, answers=sources.as_named(self.source_of[self.items], self.answers))


def _together(*columns: tuple[SmallNumbers, int]) -> tuple[list[Indices], Indices]:
    """The distinct rows of columns of whole numbers, each given with what they lie below, in order, and how often each
    row occurs.
    """
    codes, below = np.zeros(len(columns[0][0]), dtype=np.int64), 1
    for column, width in columns:
        codes, below = codes * width + column, below * width
    distinct, n = distinct_counts(codes, below)
    found = []
    for _, width in reversed(columns):
        distinct, column = np.divmod(distinct, max(1, width))
        found.append(column)
    return found[::-1], n


def _width(numbers: Indices) -> int:
    return int(numbers.max(initial=-1)) + 1


def weeks_of(days: Indices) -> tuple[list[str], SmallNumbers]:
    """The ISO weeks in which days lie, in order, and the number of each day's week; days are counted from MONDAY."""
    different, day_of = numbered(days)
    weeks, number = numbered(different // 7)
    return [iso_week(MONDAY + timedelta(weeks=week)) for week in weeks.tolist()], number.astype(np.int32)[day_of]


def iso_week(day: date) -> str:
    """18 November 2026 -> 2026-W47."""
    year, week, _ = day.isocalendar()
    return f"{year}-W{week:02d}"

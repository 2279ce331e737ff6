"""What the tally cannot answer: who rated which item, when, and how long it took. One entry a rating.

Its answers are as they are stored: whether raters agree is about what they said of the item. What is said of systems is
another matter, see `Sources.as_named`.
"""

from dataclasses import dataclass, replace
from datetime import date, timedelta

import numpy as np
from numpy.typing import NDArray

from .tallies import Entries, Indices, Sources

MONDAY = date(1970, 1, 5)


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
    week_of: Indices
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

    def entries(self, sources: Sources) -> Entries:
        """The ratings as entries of one rating each."""
        return sources.entries(self.source_of[self.items], self.answers, np.ones(len(self.items), dtype=np.int64))

    def as_named(self, sources: Sources) -> "Scan":
        """The same with answers about pairs of systems in the order of their names."""
        return replace(self, answers=sources.as_named(self.source_of[self.items], self.answers))


def weeks_of(days: Indices) -> tuple[list[str], Indices]:
    """The ISO weeks in which days lie, in order, and the number of each day's week; days are counted from MONDAY."""
    weeks, number = np.unique(days // 7, return_inverse=True)
    return [iso_week(MONDAY + timedelta(weeks=week)) for week in weeks.tolist()], number.astype(np.int64)


def iso_week(day: date) -> str:
    """18 November 2026 -> 2026-W47."""
    year, week, _ = day.isocalendar()
    return f"{year}-W{week:02d}"

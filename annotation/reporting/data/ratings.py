"""Ratings as columns with database ids: who rated which item, what, when, and how long it took."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...models import Project
from .columns import array_of, as_array, read_columns
from .tallies import Indices

_KNOWN = "unnest(%s::text[]::jsonb[]) WITH ORDINALITY AS known(choices, number)"
_COLUMNS = array_of(
    "item_id",
    "rater_id",
    "number - 1",
    "coalesce(seconds, 'NaN')",
    "(rated_at AT TIME ZONE 'UTC')::date - date '1970-01-05'",
    "r.id",
)
_COUNTED = f"""
    SELECT {_COLUMNS} FROM annotation_rating r JOIN {_KNOWN} USING (choices)
    WHERE project_id = %s AND role = 'rater' AND counted
"""  # noqa: S608 - only constants of this module
_BY_RATER = "GROUP BY rater_id"
_OF_ITEMS = "AND item_id = ANY(%s::bigint[])"
_NEWEST = f"""
    SELECT {_COLUMNS} FROM (
        SELECT DISTINCT ON (item_id) rating.* FROM annotation_rating rating
        JOIN annotation_item i ON i.id = item_id JOIN annotation_user u ON u.id = rater_id
        WHERE project_id = %s AND role = %s AND retired_at IS NULL
        ORDER BY item_id, rated_at DESC, username COLLATE "C" DESC
    ) r JOIN {_KNOWN} USING (choices)
"""  # noqa: S608 - only constants of this module


@dataclass(frozen=True)
class Ratings:
    """Columns of ratings: database ids of items and raters, numbers of the answers among sets of answers, seconds (NaN
    where none were recorded), days from a Monday, their own ids, and whether a rater gave them or an adjudicator.
    """

    items: Indices
    raters: Indices
    answers: Indices
    seconds: NDArray[np.float64]
    days: Indices
    ids: Indices
    own: NDArray[np.bool_]

    @classmethod
    def read(cls, query: str, parameters: list[Any], *, own: bool) -> "Ratings":
        items, raters, answers, seconds, days, ids = read_columns(
            query, parameters, ("i8", "i8", "i8", "f8", "i4", "i8")
        )
        return cls(items, raters, answers, seconds, days, ids, np.full(len(items), own))

    def __len__(self) -> int:
        return len(self.items)

    def where(self, kept: NDArray[np.bool_]) -> "Ratings":
        """Those that are kept."""
        return self if kept.all() else self.at(kept)

    def at(self, index: NDArray[Any]) -> "Ratings":
        """Those that a mask or an array of numbers picks."""
        return Ratings(*(getattr(self, field.name)[index] for field in fields(self)))

    def with_(self, others: "Ratings") -> "Ratings":
        """These and the others."""
        return Ratings(*(np.concatenate([getattr(of, field.name) for of in (self, others)]) for field in fields(self)))

    def in_order(self) -> "Ratings":
        """By item, then by rater."""
        among = int(self.raters.max(initial=0)) + 1
        return self.at(np.argsort(self.items * among + self.raters, kind="stable"))


NONE = Ratings(*(np.zeros(0, dtype=kind) for kind in ("i8", "i8", "i8", "f8", "i8", "i8", "?")))


def read_counted(project: Project, texts: list[str], items: Sequence[int] | None = None) -> Ratings:
    """The ratings of raters that count, of these items or of all, in order; `texts` are the sets of answers, as
    `Stock.texts`.
    """
    if items is None:
        return Ratings.read(_COUNTED + _BY_RATER, [texts, project.pk], own=True).in_order()
    return Ratings.read(_COUNTED + _OF_ITEMS, [texts, project.pk, as_array(items)], own=True).in_order()


def newest(project: Project, role: str, texts: list[str], roles: Collection[str]) -> Ratings:
    """The newest rating in this role of each item that is not retired, in the order of the items' ids; `texts` as for
    `read_counted`. Read only where the role is among those that gave some, `roles`.
    """
    if role not in roles:
        return NONE
    found = Ratings.read(_NEWEST, [project.pk, role, texts], own=False)
    return found.at(np.argsort(found.items))

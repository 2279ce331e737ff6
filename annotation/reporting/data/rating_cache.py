"""The ratings that count, kept from report to report: of many, only those of the items that changed are read anew.

Every statement that changes ratings notes whose project's they are and of which items (`models.changes`). What is kept
knows the changes it has seen, so those that it has not seen name what to read again. It is never out of date: where a
change does not say which items it touched, or one that was seen is gone (because many were gathered into one, rolled
back, or because a backup was restored), everything is read.
"""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from django.core.cache import cache
from django.db import connection
from numpy.typing import NDArray

from ... import __version__
from ...models import Project
from ...models.changes import PROJECT
from ..live_cache import HOUR
from .ratings import Ratings, read_counted
from .tallies import Indices, indices

MOST_KEPT = 1_000_000
"""Ratings; so many take 22 MB of the cache."""
MOST_CHANGED = 0.2
"""Where more than this share of the ratings is to be read again, all are."""
WORTH_KEEPING = 0.01
"""Where no more than this share was read again, it may be once more, which is quicker than to keep all of them anew."""

Seen = frozenset[bytes]

_SEEN = "SELECT coalesce(string_agg(uuid_send(id), ''), '') FROM annotation_change WHERE concerns = %s"
_TOUCHED = "SELECT items FROM annotation_change WHERE id = ANY(%s::uuid[])"


@dataclass(frozen=True)
class KeptRatings:
    """`columns` of Ratings in the smallest types that hold them; their answers are numbers among `texts`. They are what
    the database had after the changes that were `seen`.
    """

    seen: Seen
    texts: list[str]
    columns: list[NDArray[Any]]

    @classmethod
    def of(cls, seen: Seen, texts: list[str], ratings: Ratings) -> "KeptRatings":
        return cls(seen, texts, [_small(getattr(ratings, field.name)) for field in fields(Ratings)])

    def ratings(self, texts: list[str]) -> Ratings | None:
        """The ratings with answers numbered as in other `texts`; None where these lack some."""
        number = {text: at for at, text in enumerate(texts)}
        if not all(text in number for text in self.texts):
            return None
        new = _small(indices(number[text] for text in self.texts))
        items, raters, answers, *others = self.columns
        return Ratings(items.astype(np.int64), raters, new[answers] if len(new) else answers, *others)


def counted(project: Project, texts: list[str], seen: Seen) -> Ratings:
    """The ratings of raters that count, by item and rater; `texts` are the sets of answers, as `Stock.texts`.

    `seen`: the changes as they were before `texts` were read. What comes in later may be here or not, and is not where
    its answers are not among `texts`; the next time it is read again. Where none was seen, nothing is kept:
    ratings from before changes were noted could be any.
    """
    before: KeptRatings | None = cache.get(key_of(project))
    if before and (found := _up_to_date(project, texts, before, seen)):
        ratings, read_again = found
        if read_again <= WORTH_KEEPING * len(ratings):
            return ratings
    else:
        ratings = read_counted(project, texts)
    if seen and len(ratings) <= MOST_KEPT:
        cache.set(key_of(project), KeptRatings.of(seen, texts, ratings), HOUR)
    return ratings


def key_of(project: Project) -> str:
    """Where the cache has the project's ratings."""
    return f"ratings:{__version__}:{project.pk}"


def _up_to_date(project: Project, texts: list[str], kept: KeptRatings, seen: Seen) -> tuple[Ratings, int] | None:
    """What is kept, with the ratings of changed items read again, and how many these are; None where it does not do."""
    items = _touched(seen - kept.seen) if kept.seen <= seen else None
    ratings = kept.ratings(texts) if items is not None else None
    if items is None or ratings is None:
        return None
    if not len(items):
        return ratings, 0
    changed = np.isin(ratings.items, items)
    if changed.sum() > MOST_CHANGED * len(ratings):
        return None
    again = read_counted(project, texts, items.tolist())
    return ratings.at(~changed).with_(again).in_order(), len(again)


def changes_of(project: Project) -> Seen:
    """The ids of the changes of the project's ratings."""
    with connection.cursor() as cursor:
        cursor.execute(_SEEN, [f"{PROJECT}{project.pk}"])
        ids = bytes(cursor.fetchone()[0])
    return frozenset(ids[at : at + 16] for at in range(0, len(ids), 16))


def _touched(changes: Seen) -> Indices | None:
    """The items whose ratings these changes touched; None where one does not say, or was gathered meanwhile."""
    if not changes:
        return indices([])
    with connection.cursor() as cursor:
        cursor.execute(_TOUCHED, [[change.hex() for change in changes]])
        found = [items for (items,) in cursor.fetchall()]
    if None in found or len(found) < len(changes):
        return None
    return np.unique(indices(item for items in found for item in items))


def _small(column: NDArray[Any]) -> NDArray[Any]:
    """The same numbers in fewer bytes."""
    if column.dtype.kind != "i" or not len(column):
        return column
    largest = max(int(column.max()), -int(column.min()))
    return column.astype(np.min_scalar_type(-1 - largest))  # of a negative number it is a type with a sign

"""Disagreements of raters, adjudications and gold answers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from .connection import Connection
from .records import decode


@dataclass(frozen=True)
class Vote:
    """An answer, and how many raters gave it."""

    answers: Mapping[str, Any]
    raters: int


@dataclass(frozen=True)
class Decision:
    """The adjudication of a lead, or a gold answer."""

    answers: Mapping[str, Any]
    reason: str
    evidence: tuple[Mapping[str, Any], ...]
    by: str
    rated_at: datetime


@dataclass(frozen=True)
class ReviewedItem:
    """An item under review. `score` is the disagreement: 0 if raters agree."""

    item: str
    text: str
    response: str
    score: float
    raters: int
    votes: tuple[Vote, ...]
    comments: int
    adjudication: Decision | None
    gold: Decision | None


class Review:
    """The items of a project under review, by `ReviewedItem.item` or `Rating.item`."""

    def __init__(self, connection: Connection, project: str) -> None:
        self._connection, self._path = connection, f"projects/{project}/review/"

    def items(self, show: str = "open", *, system: str = "") -> Iterator[ReviewedItem]:
        """Yield the items, the strongest disagreement first: `open`, `disputed`, `adjudicated`, `commented`, `all`."""
        return self._ranked(self._path, {"show": show, "system": system})

    def gold(self) -> Iterator[ReviewedItem]:
        """Yield the items with a gold answer, the newest first."""
        return self._ranked(f"{self._path}gold/", {})

    def _ranked(self, path: str, query: Mapping[str, str]) -> Iterator[ReviewedItem]:
        """Yield the rows of a list whose pages have offsets: its order is a ranking."""
        offset = 0
        while rows := self._connection.get(path, {**query, "offset": offset})["items"]:
            yield from (decode(ReviewedItem, row) for row in rows)
            offset += len(rows)

    def item(self, item: str) -> ReviewedItem:
        """Return the answers to an item with its adjudication and gold answer."""
        return decode(ReviewedItem, self._connection.get(f"{self._path}{item}/"))

    def adjudicate(
        self, item: str, answers: Mapping[str, Any], reason: str, *, evidence: tuple[Mapping[str, Any], ...] = ()
    ) -> ReviewedItem:
        """Decide about an item."""
        body = {"answers": answers, "reason": reason, "evidence": list(evidence)}
        return decode(ReviewedItem, self._connection.put(f"{self._path}{item}/", body))

    def withdraw(self, item: str) -> ReviewedItem:
        """Withdraw the adjudication."""
        return decode(ReviewedItem, self._connection.delete(f"{self._path}{item}/"))

    def set_gold(self, item: str, answers: Mapping[str, Any], *, reason: str = "") -> ReviewedItem:
        """Set the gold answer; raters in training see the reason."""
        body = {"answers": answers, "reason": reason}
        return decode(ReviewedItem, self._connection.put(f"{self._path}{item}/gold/", body))

    def remove_gold(self, item: str) -> ReviewedItem:
        """Remove the gold answer."""
        return decode(ReviewedItem, self._connection.delete(f"{self._path}{item}/gold/"))

"""Disagreements of raters, adjudications and gold answers."""

from collections.abc import Iterator, Mapping
from typing import Any

from . import records
from .records import ContestedItem as ReviewedItem  # noqa: F401 -- its earlier name
from .records import VerdictRating as Decision  # noqa: F401 -- its earlier name
from .records import Vote  # noqa: F401 -- as in earlier versions
from .resources import Resource


class Review(Resource):
    """The items of a project under review, by `ContestedItem.item` or `Rating.item`."""

    def items(self, show: str = "open", *, system: str = "") -> Iterator[records.ContestedItem]:
        """Yield the items, the strongest disagreement first: `open`, `disputed`, `adjudicated`, `commented`, `all`."""
        return self._ranked("", show=show, system=system)

    def gold(self) -> Iterator[records.ContestedItem]:
        """Yield the items with a gold answer, the newest first."""
        return self._ranked("gold/")

    def _ranked(self, path: str, **query: str) -> Iterator[records.ContestedItem]:
        """Yield the rows of a list whose pages have offsets: its order is a ranking."""
        offset = 0
        while items := self._get(records.ContestedItems, path, **query, offset=offset).items:
            yield from items
            offset += len(items)

    def item(self, item: str) -> records.ContestedItem:
        """Return the answers to an item with its adjudication and gold answer."""
        return self._get(records.ContestedItem, f"{item}/")

    def adjudicate(
        self, item: str, answers: Mapping[str, Any], reason: str, *, evidence: tuple[Mapping[str, Any], ...] = ()
    ) -> records.ContestedItem:
        """Decide about an item."""
        body = {"answers": answers, "reason": reason, "evidence": list(evidence)}
        return self._write(records.ContestedItem, "PUT", f"{item}/", **body)

    def withdraw(self, item: str) -> records.ContestedItem:
        """Withdraw the adjudication."""
        return self._write(records.ContestedItem, "DELETE", f"{item}/")

    def set_gold(self, item: str, answers: Mapping[str, Any], *, reason: str = "") -> records.ContestedItem:
        """Set the gold answer; raters in training see the reason."""
        return self._write(records.ContestedItem, "PUT", f"{item}/gold/", answers=answers, reason=reason)

    def remove_gold(self, item: str) -> records.ContestedItem:
        """Remove the gold answer."""
        return self._write(records.ContestedItem, "DELETE", f"{item}/gold/")

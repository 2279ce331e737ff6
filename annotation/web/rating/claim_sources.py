"""A data set's evidence for each item of a response, shown next to it if there is no article."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ...models import Item, Response
from ...protocols.web_addresses import is_address

_MARKED = re.compile(r"\s*(\[[^\]\s]{1,8}\])\s*")
_ADDRESS = re.compile(r"(https?://\S+)\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Source:
    """One piece of evidence: its mark in the text ("[3]"), its origin, its text. Any may be empty."""

    mark: str
    address: str
    passage: str

    @property
    def is_link(self) -> bool:
        return is_address(self.address)


def source(text: str) -> Source:
    """Parse a piece of evidence: ExpertQA's `[k] address` with an optional passage, or any text."""
    marked = _MARKED.match(text)
    rest = text[marked.end() :] if marked else text
    address = _ADDRESS.match(rest)
    passage = rest[address.end() :] if address else rest
    return Source(marked[1] if marked else "", address[1] if address else "", passage.strip())


def sources_of(response: Response, items: Iterable[Item]) -> dict[str, Any] | None:
    """Return sources by item (`items_of`: position, sources) and of the response (`all`); None without any."""
    evidence = response.metadata.get("evidence")
    if not isinstance(evidence, list):
        return None
    rated = [item.position for item in items if item.rate]
    return {
        "items_of": [(n, [source(text) for text in (evidence[n] if n < len(evidence) else [])]) for n in rated],
        "all": [source(text) for text in response.metadata.get("sources", [])],
    }

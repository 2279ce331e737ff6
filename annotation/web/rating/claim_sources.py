"""A data set's evidence for each item of a response, shown next to it if there is no article."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from ...importing.lfqa_eval import DOCUMENTS
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


_TITLES = ("title", "heading")
_TEXTS = ("extract", "text", "quote", "passage")


def cited_documents(metadata: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the title (may be empty) and the text of each document that an answer cites and the data set stores with
    it: one text, a list of texts, objects with a title and an extract, or one object with a list of each. All are shown
    as text, never as markup.
    """
    return [document for document in _documents(metadata.get(DOCUMENTS)) if document["text"].strip()]


def _documents(value: Any) -> Iterator[dict[str, str]]:
    if isinstance(value, list):
        for each in value:
            yield from _documents(each)
    elif isinstance(value, dict):
        title, text = (next((value[key] for key in keys if value.get(key)), "") for keys in (_TITLES, _TEXTS))
        if isinstance(text, list):
            titles = title if isinstance(title, list) else []
            for each_title, each in zip_longest(titles[: len(text)], text, fillvalue=""):
                yield {"title": str(each_title), "text": str(each)}
        else:
            yield {"title": str(title), "text": str(text)}
    elif isinstance(value, str):
        yield {"title": "", "text": value}

"""What every reader yields, whatever the format: documents, prompts about them, responses to these.

A document comes before the first prompt that is about it. `place` is where it was read, for messages.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict


@dataclass(frozen=True, slots=True)
class SourceItem:
    """One unit of a response as the data give it: code points `start` to `end` (exclusive) of its text.

    One that is no part of the response's text has no place in it (None), and brings `text` of its own.
    """

    start: int | None
    end: int | None
    kind: str
    rate: bool
    unit: str = "sentence"
    text: str = ""

    def text_in(self, response: str) -> str:
        """Return its own text, or the text of its span in the response."""
        return self.text or response[self.start : self.end]


FACT, REFERENCE_FACT = "fact", "reference_fact"
"""Kinds of a fact: one of the response, or one of the prompt's reference answer."""


@dataclass(frozen=True, slots=True)
class SourceFacts:
    """What the response and the reference answer say, a fact each, beside the response's other items. `found_by` is
    who took the answers apart, such as a judge; empty if the data do not say."""

    response: tuple[str, ...] = ()
    reference: tuple[str, ...] = ()
    found_by: str = ""

    def of_kind(self, kind: str) -> tuple[str, ...]:
        return self.reference if kind == REFERENCE_FACT else self.response


@dataclass(frozen=True, slots=True)
class SourceResponse:
    """One system's answer. `items` None: to be split. `facts` come on top of these."""

    place: str
    prompt: str
    system: str
    text: str
    id: str = ""
    items: tuple[SourceItem, ...] | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    facts: SourceFacts = SourceFacts()

    @property
    def key(self) -> str:
        """Return the id, or without one a hash of prompt, system and text."""
        return self.id or _sha256([self.prompt, self.system, self.text])[:40]

    def fingerprint(self) -> str:
        items = None if self.items is None else [[i.start, i.end, i.kind, i.rate, i.unit, i.text] for i in self.items]
        return _sha256([self.text, items, self.metadata, self.facts.response, self.facts.reference])


class Paragraph(TypedDict):
    """A paragraph, or the caption of a figure or table."""

    id: str
    kind: str
    text: str


class Section(TypedDict):
    """A section of a document, as `models.Document` stores it."""

    heading: str
    level: int
    paragraphs: list[Paragraph]


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """An article. `sections` as `models.Document` stores them; `empty_paragraphs` and `blank_pages` were dropped,
    `unreadable` characters stand as U+FFFD. `is_file`: it is a file by itself, with the file's name as its key."""

    place: str
    key: str
    title: str
    sections: list[Section]
    empty_paragraphs: int = 0
    blank_pages: int = 0
    unreadable: int = 0
    is_file: bool = False

    def fingerprint(self) -> str:
        return _sha256([self.title, self.sections])


@dataclass(frozen=True, slots=True)
class SourcePair:
    """Two of a prompt's responses, by key, that are compared with each other: the first and the second."""

    response: str
    against: str


@dataclass(frozen=True, slots=True)
class SourcePrompt:
    """What was asked, about the document with the key `document` (None: about none).

    `merges`: the format has a record a response, so the same prompt may come again with another one; `hint`: what to do
    when it then says something else.
    """

    place: str
    key: str
    text: str
    document: str | None
    reference: str = ""
    annotations: Sequence[Mapping[str, object]] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=dict)
    responses: tuple[SourceResponse, ...] = ()
    pairs: tuple[SourcePair, ...] = ()
    merges: bool = False
    hint: str = ""

    def fingerprint(self) -> str:
        """Return a hash of the content, without the responses."""
        return _sha256([self.text, self.document, self.reference, self.annotations, self.metadata])


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something in the file that is not loaded, and why, in the words of `counts.REASONS`."""

    place: str
    reason: str


Record = SourceDocument | SourcePrompt | LeftOut


def _sha256(parts: list[Any]) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

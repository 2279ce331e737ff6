"""The records that every reader yields, whatever the format: documents, their prompts, and the responses.

A document precedes the first prompt that refers to it. `location` is the file and line, for messages.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict


@dataclass(frozen=True, slots=True)
class SourceItem:
    """One unit of a response in the input: code points `start` to `end` (exclusive) of its text.

    An item outside the response's text has no span (None), but its own `text`.
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
    """The facts of the response and of the reference answer, in addition to the response's other items. `found_by` is
    the author of the facts, such as a judge; empty if unknown."""

    response: tuple[str, ...] = ()
    reference: tuple[str, ...] = ()
    found_by: str = ""

    def of_kind(self, kind: str) -> tuple[str, ...]:
        return self.reference if kind == REFERENCE_FACT else self.response


@dataclass(frozen=True, slots=True)
class SourceResponse:
    """One system's answer. `items` None: the importer splits it. `facts` are additional items. `id_hint`: the remedy if
    its id occurs again with another answer, or without an id the answer with other metadata."""

    location: str
    prompt: str
    system: str
    text: str
    id: str = ""
    items: tuple[SourceItem, ...] | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    facts: SourceFacts = SourceFacts()
    id_hint: str = ""

    @property
    def key(self) -> str:
        """Return the id, by default a hash of prompt, system and text."""
        return self.id or hash_of([self.prompt, self.system, self.text])[:40]

    def fingerprint(self) -> str:
        items = None if self.items is None else [[i.start, i.end, i.kind, i.rate, i.unit, i.text] for i in self.items]
        return hash_of([self.text, items, self.metadata, self.facts.response, self.facts.reference])


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
    `unreadable` characters are replaced by U+FFFD. `is_file`: a separate file, with the file's name as its key."""

    location: str
    key: str
    title: str
    sections: list[Section]
    empty_paragraphs: int = 0
    blank_pages: int = 0
    unreadable: int = 0
    is_file: bool = False

    def fingerprint(self) -> str:
        return hash_of([self.title, self.sections])


@dataclass(frozen=True, slots=True)
class SourcePair:
    """A comparison of two of a prompt's responses, by key: the first and the second."""

    response: str
    against: str


@dataclass(frozen=True, slots=True)
class SourcePrompt:
    """A prompt about the document with the key `document` (None: without one).

    `merges`: the format has one record per response, so a prompt may occur again with another response; `hint`: the
    remedy if its other fields differ then, `id_hint`: if its text differs.
    """

    location: str
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
    id_hint: str = ""

    def fingerprint(self) -> str:
        """Return a hash of the content, without the responses."""
        return hash_of([self.text, self.document, self.reference, self.annotations, self.metadata])


NO_RESPONSE = "response without text"
"""The reason for which a system without an answer to a prompt is left out, in every format."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A part of the file that is not loaded, with the reason, a key of `counts.REASONS`."""

    location: str
    reason: str


Record = SourceDocument | SourcePrompt | LeftOut
EXAMPLES = 5  # locations named for each reason of exclusion


@dataclass
class Exclusions:
    """How many records are left out for each reason, and where the first ones are."""

    counts: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[str]] = field(default_factory=dict)

    def add(self, reason: str, location: str) -> None:
        self.counts[reason] += 1
        if self.counts[reason] <= EXAMPLES:
            self.examples.setdefault(reason, []).append(location)

    def merge(self, other: "Exclusions") -> None:
        """Add what another part of the import left out."""
        self.counts += other.counts
        for reason, locations in other.examples.items():
            self.examples[reason] = [*self.examples.get(reason, []), *locations][:EXAMPLES]


def hash_of(parts: list[Any]) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

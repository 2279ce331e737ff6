"""What every reader yields, whatever the format: documents, prompts about them, responses to these.

A document comes before the first prompt that is about it. `place` is where it was read, for messages.
"""

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class SourceItem:
    """One unit of a response as the data give it: code points `start` to `end` (exclusive) of its text."""

    start: int
    end: int
    kind: str
    rate: bool
    unit: str = "sentence"


@dataclass(frozen=True, slots=True)
class SourceResponse:
    """One system's answer. `items` None: to be split."""

    place: str
    prompt: str
    system: str
    text: str
    id: str = ""
    items: tuple[SourceItem, ...] | None = None
    metadata: dict[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The id, or without one a hash of prompt, system and text."""
        return self.id or _sha256([self.prompt, self.system, self.text])[:40]


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """An article. `sections` as `models.Document` stores them; `empty_paragraphs` were dropped."""

    place: str
    key: str
    title: str
    sections: list[dict[str, Any]]
    empty_paragraphs: int = 0

    def fingerprint(self) -> str:
        return _sha256([self.title, self.sections])


@dataclass(frozen=True, slots=True)
class SourcePrompt:
    """What was asked, about the document with the key `document` (None: about none)."""

    place: str
    key: str
    text: str
    document: str | None
    reference: str = ""
    annotations: list[dict[str, Any]] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=dict)
    responses: tuple[SourceResponse, ...] = ()


Record = SourceDocument | SourcePrompt


def _sha256(parts: list[Any]) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

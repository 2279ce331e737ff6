"""The first of two passes: everything is checked and counted before anything is stored.

So an invalid file is refused before the database is used, a sample is drawn from the whole file, and the second pass
knows its progress. Only ids of the records stay in memory.
"""

import hashlib
import heapq
import re
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from ..jobs import Refused
from .problems import BadRecord, Problems, echo
from .records import Exclusions, LeftOut, Record, SourceDocument, SourcePrompt, SourceResponse
from .subsets import Annotations, Rule

TOKEN = re.compile(r"\w+|[^\w\s]")
TOKENIZER = r"words and punctuation marks, \w+|[^\w\s], in the text of an article without its captions"
SAMPLE_STEP = "a sample of %(sample)s with seed %(seed)s"


@dataclass(frozen=True)
class Selection:
    """The records to store, by key, the steps of their selection, and what is excluded."""

    prompts: frozenset[str]
    documents: frozenset[str]
    steps: list[dict[str, Any]]
    excluded: Exclusions


@dataclass
class _Step:
    """The counts after one step of the rule."""

    label: str
    prompts: int = 0
    documents: set[str] = field(default_factory=set)

    def add(self, document: str | None) -> None:
        self.prompts += 1
        if document is not None:
            self.documents.add(document)


@dataclass(frozen=True, slots=True)
class _Document:
    """A document that was read: the hash of its content, its first location, and counts."""

    fingerprint: str
    location: str
    tokens: int
    dropped: dict[str, int]


@dataclass(frozen=True, slots=True)
class _Prompt:
    """A prompt that was read: its first location, and hashes of its text and content where it may occur again."""

    location: str
    text: int | None = None
    fingerprint: str = ""


@dataclass(frozen=True, slots=True)
class _Response:
    """A response that was read: its first location, and the values that further records of its prompt are compared
    with, where there may be some."""

    location: str
    system: str = ""
    fingerprint: str = ""
    metadata: str = ""


class Survey:
    """Validates every record of the files, and then selects. `is_stored` returns whether a document's key is stored."""

    def __init__(self, rule: Rule, problems: Problems, is_stored: Callable[[str], bool]):
        self.rule, self.problems, self._is_stored = rule, problems, is_stored
        self.steps = [_Step("in the files"), *(_Step(label) for label, _ in rule.steps)]
        self._document_of_prompt: dict[str, str | None] = {}
        self._documents: dict[str, _Document] = {}
        self._prompts: dict[str, _Prompt] = {}
        self._responses: dict[str, _Response] = {}
        self.excluded = Exclusions()
        self.has_articles = False

    def take(self, record: Record) -> None:
        """Check one record; its problems are collected."""
        try:
            if isinstance(record, LeftOut):
                self.excluded.add(record.reason, record.location)
            elif isinstance(record, SourceDocument):
                self._take_document(record)
            else:
                self._take_prompt(record)
        except BadRecord as broken:
            self.problems.add(record.location, broken)

    @property
    def prompts(self) -> int:
        """Return the number of prompts."""
        return self.steps[0].prompts

    def select(self, sample: int | None, seed: int) -> Selection:
        """Return the selected prompts, or all documents if there are no prompts. Raise Refused if no prompt is left,
        with the count of each step.
        """
        selected = self._document_of_prompt
        if sample is not None:
            # Keys that are the same on every machine, whatever the order of the file.
            keys = {key: hashlib.sha256(f"{seed}:{key}".encode()).digest() for key in selected}
            selected = {key: selected[key] for key in heapq.nsmallest(sample, keys, key=keys.__getitem__)}
            self.steps.append(_Step(SAMPLE_STEP % {"sample": sample, "seed": seed}))
            for document in selected.values():
                self.steps[-1].add(document)
        if not selected and self.prompts:
            remaining = (
                f"{step.label}: prompts: {step.prompts}, documents: {len(step.documents)}" for step in self.steps
            )
            message = (
                f"the subset rule {self.rule.name!r} leaves no prompt, so nothing is stored. Remaining after each step"
            )
            raise Refused([f"{message}: {'; '.join(remaining)}. Choose another rule with --subset, such as 'all'"])
        documents = frozenset(
            (key for key in selected.values() if key is not None) if self.prompts else self._documents
        )
        counts, in_subset = self.excluded.counts, self.steps[len(self.rule.steps)].prompts
        counts["not in the subset"] = self.steps[0].prompts - in_subset
        counts["not in the sample"] = in_subset - len(selected)
        counts["document without a prompt"] = len(self._documents.keys() - documents)
        for reason in ("empty paragraph", "page without text", "unreadable character"):
            counts[reason] = sum(self._documents[key].dropped[reason] for key in documents if key in self._documents)
        steps = []
        for step in self.steps:
            tokens = [self._documents[key].tokens for key in step.documents if key in self._documents]
            mean = round(sum(tokens) / len(tokens), 1) if tokens else None
            sizes = {"prompts": step.prompts, "documents": len(step.documents), "mean_tokens": mean}
            steps.append({"step": step.label, **sizes})
        return Selection(frozenset(selected), documents, steps, self.excluded)

    def _take_document(self, document: SourceDocument) -> None:
        fingerprint, first = document.fingerprint(), self._documents.get(document.key)
        if first and first.fingerprint != fingerprint:
            raise BadRecord(f"document {echo(document.key)} has other content in {first.location}")
        self.has_articles |= document.is_file
        self._documents[document.key] = _Document(
            fingerprint,
            first.location if first else document.location,
            tokens_of(document),
            {
                "empty paragraph": document.empty_paragraphs,
                "page without text": document.blank_pages,
                "unreadable character": document.unreadable,
            },
        )

    def _take_prompt(self, prompt: SourcePrompt) -> None:
        if prompt.key in self._prompts:
            self._merge(prompt, self._prompts[prompt.key])
            return
        self._prompts[prompt.key] = _Prompt(prompt.location)
        if not (prompt.document is None or prompt.document in self._documents or self._is_stored(prompt.document)):
            message = "is not defined yet; define it in full at its first use, or as a file of this name"
            raise BadRecord(f"document {echo(prompt.document)} {message}")
        for response in prompt.responses:
            self._take_response(response)
        if prompt.merges:
            self._prompts[prompt.key] = _Prompt(prompt.location, hash(prompt.text), prompt.fingerprint())
            for response in prompt.responses:
                self._note(response)
        self.steps[0].add(prompt.document)
        for step, (_label, holds) in zip(self.steps[1:], self.rule.steps, strict=True):
            if not holds(cast(Annotations, prompt.annotations)):  # Only formats with such annotations have rules.
                return
            step.add(prompt.document)
        self._document_of_prompt[prompt.key] = prompt.document

    def _take_response(self, response: SourceResponse) -> None:
        if (first := self._responses.get(response.key)) is None:
            self._responses[response.key] = _Response(response.location)
        elif response.id:
            message = f"response {echo(response.id)} occurs a second time; the first is in {first.location}"
            raise BadRecord(message + response.id_hint)
        else:
            self.excluded.counts["repeated response"] += 1

    def _note(self, response: SourceResponse) -> None:
        """Store the values that further records of the prompt are compared with."""
        first, metadata = self._responses[response.key].location, " ".join(_checksums(response.metadata).values())
        self._responses[response.key] = _Response(first, response.system, response.fingerprint(), metadata)

    def _merge(self, prompt: SourcePrompt, first: _Prompt) -> None:
        """Add a further record of a prompt: common fields must be equal, new ones are added."""
        where = f"the first is in {first.location}"
        if not prompt.merges:
            raise BadRecord(f"prompt {echo(prompt.key)} occurs a second time; {where}")
        if first.text != hash(prompt.text):
            message = f"the id {echo(prompt.key)} occurs a second time with another prompt; {where}"
            raise BadRecord(message + prompt.id_hint)
        if first.fingerprint != prompt.fingerprint():
            message = f"prompt {echo(prompt.text)} occurs a second time and differs from the first, in {first.location}"
            raise BadRecord(message + prompt.hint)
        fresh = [response for response in prompt.responses if response.key not in self._responses]
        for response in prompt.responses:
            earlier = self._responses.get(response.key)
            if earlier is None or response in fresh:
                self._take_response(response)
                self._note(response)
            elif earlier.system != response.system and prompt.pairs:  # the pair is of the stored answer
                self.excluded.counts["another system's name for the same answer"] += 1
            elif (earlier.system, earlier.fingerprint) != (response.system, response.fingerprint()):
                raise BadRecord(_why_not_again(response, prompt, earlier))
            elif fresh:
                self.excluded.counts["repeated response"] += 1
        if not fresh:
            self.excluded.counts["identical row"] += 1


def _why_not_again(response: SourceResponse, prompt: SourcePrompt, first: _Response) -> str:
    """Return what is wrong with a response whose key occurred earlier with other content."""
    if response.id and response.id_hint:
        message = f"response id {echo(response.id)} occurs a second time with another answer; the first is in "
        return message + first.location + response.id_hint
    answer = f"answer of {echo(response.system)} to {echo(prompt.text)}"
    checksums = _checksums(response.metadata)
    fields = ", ".join(echo(name) for name, checksum in checksums.items() if checksum not in first.metadata)
    if response.id or not fields:
        return f"the {answer} occurs twice and differs from the first, in {first.location}"
    return f"the same {answer} is in {first.location}, with another value of {fields}{response.id_hint}"


def tokens_of(document: SourceDocument) -> int:
    """Return the number of tokens in the article's paragraphs, as counted by `TOKENIZER`."""
    paragraphs = (paragraph for section in document.sections for paragraph in section["paragraphs"])
    return sum(len(TOKEN.findall(paragraph["text"])) for paragraph in paragraphs if paragraph["kind"] == "text")


def _checksums(metadata: Mapping[str, Any]) -> dict[str, str]:
    return {name: f"{zlib.crc32(repr((name, value)).encode()):08x}" for name, value in metadata.items()}

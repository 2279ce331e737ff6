"""The first of two passes: everything is checked and counted before anything is stored.

So an invalid file is refused before the database is used, a sample is drawn from the whole file, and the second pass
knows its progress. Only ids of the records stay in memory.
"""

import hashlib
import heapq
import re
import zlib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from ..jobs import Refused
from .problems import BadRecord, Problems, echo
from .records import LeftOut, Record, SourceDocument, SourcePrompt, SourceResponse
from .subsets import Annotations, Rule

TOKEN = re.compile(r"\w+|[^\w\s]")
EXAMPLES = 5  # locations named for each reason of exclusion
TOKENIZER = r"words and punctuation marks, \w+|[^\w\s], in the text of an article without its captions"
SAMPLE_STEP = "a sample of %(sample)s with seed %(seed)s"


@dataclass(frozen=True)
class Selection:
    """The records to store, by key, and the steps of their selection. `examples`: where the first excluded are."""

    prompts: frozenset[str]
    documents: frozenset[str]
    steps: list[dict[str, Any]]
    left_out: Counter[str]
    examples: dict[str, list[str]]


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


class Survey:
    """Validates every record of the files, and then selects. `is_stored` returns whether a document's key is stored."""

    def __init__(self, rule: Rule, problems: Problems, is_stored: Callable[[str], bool]):
        self.rule, self.problems, self._is_stored = rule, problems, is_stored
        self.steps = [_Step("in the files"), *(_Step(label) for label, _ in rule.steps)]
        self._document_of_prompt: dict[str, str | None] = {}
        self._prompts: dict[str, str] = {}
        self._responses: dict[str, str] = {}
        self._fingerprints: dict[str, str] = {}
        self._metadata: dict[str, str] = {}
        self._texts: dict[str, int] = {}
        self._systems: dict[str, str] = {}
        self._documents: dict[str, tuple[str, str]] = {}
        self._tokens: dict[str, int] = {}
        self._empty: dict[str, int] = {}
        self._blank: dict[str, int] = {}
        self._unreadable: dict[str, int] = {}
        self.left_out: Counter[str] = Counter()
        self.examples: dict[str, list[str]] = {}
        self.has_articles = False

    def take(self, record: Record) -> None:
        """Check one record; its problems are collected."""
        try:
            if isinstance(record, LeftOut):
                self.left_out[record.reason] += 1
                if self.left_out[record.reason] <= EXAMPLES:
                    self.examples.setdefault(record.reason, []).append(record.location)
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
            selected = {
                key: selected[key] for key in heapq.nsmallest(sample, selected, key=lambda key: _random_key(seed, key))
            }
            self.steps.append(_Step(SAMPLE_STEP % {"sample": sample, "seed": seed}))
            for document in selected.values():
                self.steps[-1].add(document)
        if not selected and self.prompts:
            raise Refused([self._why_nothing_is_left()])
        documents = frozenset(
            (key for key in selected.values() if key is not None) if self.prompts else self._documents
        )
        self._count_left_out(selected, documents)
        return Selection(
            frozenset(selected), documents, [self._as_json(step) for step in self.steps], self.left_out, self.examples
        )

    def _take_document(self, document: SourceDocument) -> None:
        fingerprint = document.fingerprint()
        before = self._documents.setdefault(document.key, (fingerprint, document.location))
        if before[0] != fingerprint:
            raise BadRecord(f"document {echo(document.key)} has other content in {before[1]}")
        self.has_articles |= document.is_file
        self._tokens[document.key] = tokens_of(document)
        self._empty[document.key] = document.empty_paragraphs
        self._blank[document.key] = document.blank_pages
        self._unreadable[document.key] = document.unreadable

    def _take_prompt(self, prompt: SourcePrompt) -> None:
        if prompt.key in self._prompts:
            self._merge(prompt)
            return
        self._prompts[prompt.key] = prompt.location
        if (
            prompt.document is not None
            and prompt.document not in self._documents
            and not self._is_stored(prompt.document)
        ):
            raise BadRecord(
                f"document {echo(prompt.document)} is not defined yet; define it in full at its first use, or "
                "as a file "
                "of this name"
            )
        for response in prompt.responses:
            self._take_response(response)
        if prompt.merges:
            self._fingerprints[prompt.key], self._texts[prompt.key] = prompt.fingerprint(), hash(prompt.text)
            for response in prompt.responses:
                self._note(response)
        self._apply_rule(prompt)

    def _note(self, response: SourceResponse) -> None:
        """Store the values that further records of the prompt are compared with."""
        self._fingerprints[response.key] = response.fingerprint()
        self._systems[response.key] = response.system
        self._metadata[response.key] = " ".join(_checksums(response.metadata).values())

    def _merge(self, prompt: SourcePrompt) -> None:
        """Add a further record of a prompt: common fields must be equal, new ones are added."""
        first = self._prompts[prompt.key]
        if not prompt.merges:
            raise BadRecord(f"prompt {echo(prompt.key)} occurs a second time; the first is in {first}")
        if self._texts.get(prompt.key) != hash(prompt.text):
            message = "the id %(key)s occurs a second time with another prompt; the first is in %(first)s"
            raise BadRecord(message % {"key": echo(prompt.key), "first": first} + prompt.id_hint)
        if self._fingerprints.get(prompt.key) != prompt.fingerprint():
            message = "prompt %(text)s occurs a second time and differs from the first, in %(first)s"
            hint = prompt.hint if prompt.hint else ""
            raise BadRecord(message % {"text": echo(prompt.text), "first": first} + hint)
        fresh = [response for response in prompt.responses if response.key not in self._responses]
        for response in prompt.responses:
            if response in fresh:
                self._take_response(response)
                self._note(response)
            elif self._systems[response.key] != response.system and prompt.pairs:  # the pair is of the stored answer
                self.left_out["another system's name for the same answer"] += 1
            elif (self._systems[response.key], self._fingerprints.get(response.key)) != (
                response.system,
                response.fingerprint(),
            ):
                raise BadRecord(self._why_not_again(response, prompt))
            elif fresh:
                self.left_out["repeated response"] += 1
        if not fresh:
            self.left_out["identical row"] += 1

    def _why_not_again(self, response: SourceResponse, prompt: SourcePrompt) -> str:
        """Return what is wrong with a response whose key occurred earlier with other content."""
        first = self._responses[response.key]
        if response.id and response.id_hint:
            message = "response id %(id)s occurs a second time with another answer; the first is in %(first)s"
            return message % {"id": echo(response.id), "first": first} + response.id_hint
        values = {"system": echo(response.system), "text": echo(prompt.text), "first": first}
        checksums, before = _checksums(response.metadata), self._metadata[response.key]
        fields = ", ".join(echo(name) for name, checksum in checksums.items() if checksum not in before)
        if response.id or not fields:
            message = "the answer of %(system)s to %(text)s occurs twice and differs from the first, in %(first)s"
            return message % values
        message = "the same answer of %(system)s to %(text)s is in %(first)s, with another value of %(fields)s"
        return message % (values | {"fields": fields}) + response.id_hint

    def _take_response(self, response: SourceResponse) -> None:
        if response.key not in self._responses:
            self._responses[response.key] = response.location
        elif response.id:
            first = self._responses[response.key]
            raise BadRecord(
                f"response {echo(response.id)} occurs a second time; the first is in {first}" + response.id_hint
            )
        else:
            self.left_out["repeated response"] += 1

    def _apply_rule(self, prompt: SourcePrompt) -> None:
        self.steps[0].add(prompt.document)
        for step, (_label, holds) in zip(self.steps[1:], self.rule.steps, strict=True):
            if not holds(cast(Annotations, prompt.annotations)):  # Only formats with such annotations have rules.
                return
            step.add(prompt.document)
        self._document_of_prompt[prompt.key] = prompt.document

    def _count_left_out(self, selected: dict[str, str | None], documents: frozenset[str]) -> None:
        in_subset = self.steps[len(self.rule.steps)].prompts
        self.left_out["not in the subset"] = self.steps[0].prompts - in_subset
        self.left_out["not in the sample"] = in_subset - len(selected)
        self.left_out["document without a prompt"] = len(self._documents.keys() - documents)
        self.left_out["empty paragraph"] = sum(self._empty.get(key, 0) for key in documents)
        self.left_out["page without text"] = sum(self._blank.get(key, 0) for key in documents)
        self.left_out["unreadable character"] = sum(self._unreadable.get(key, 0) for key in documents)

    def _as_json(self, step: _Step) -> dict[str, Any]:
        tokens = [self._tokens[key] for key in step.documents if key in self._tokens]
        mean = round(sum(tokens) / len(tokens), 1) if tokens else None
        return {"step": step.label, "prompts": step.prompts, "documents": len(step.documents), "mean_tokens": mean}

    def _why_nothing_is_left(self) -> str:
        steps = (f"{step.label}: prompts: {step.prompts}, documents: {len(step.documents)}" for step in self.steps)
        return (
            f"the subset rule {self.rule.name!r} leaves no prompt, so nothing is stored. Remaining after each step: "
            f"{'; '.join(steps)}. Choose another rule with --subset, such as 'all'"
        )


def tokens_of(document: SourceDocument) -> int:
    """Return the number of tokens in the article's paragraphs, as counted by `TOKENIZER`."""
    paragraphs = (paragraph for section in document.sections for paragraph in section["paragraphs"])
    return sum(len(TOKEN.findall(paragraph["text"])) for paragraph in paragraphs if paragraph["kind"] == "text")


def _checksums(metadata: Mapping[str, Any]) -> dict[str, str]:
    return {name: f"{zlib.crc32(repr((name, value)).encode()):08x}" for name, value in metadata.items()}


def _random_key(seed: int, key: str) -> bytes:
    """Return a prompt's random sort key: the same on every machine, whatever the order of the file."""
    return hashlib.sha256(f"{seed}:{key}".encode()).digest()

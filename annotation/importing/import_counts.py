"""Counts of an import, for people and for programs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..i18n.unit_names import counted
from .column_mapping import Columns
from .label_mapping import LabelMapping
from .record_sample import RecordSample
from .records import Exclusions
from .subsets import Rule
from .validation import TOKENIZER

REASONS = {
    "not in the subset": "prompts excluded by the subset rule",
    "not in the sample": "prompts outside the sample",
    "document without a prompt": "no prompt is about it",
    "empty paragraph": "it contains no text",
    "repeated response": "it equals an earlier one of the same prompt and system",
    "identical row": "the same question and system occurred earlier with the same content",
    "page without text": "blank, or a picture without recognized text",
    "unreadable character": "the font of a PDF does not map the character; it is stored as �",
    "prompt without a document": "no passage can be retrieved",
    "row without a prompt": "the column of the prompt is empty",
    "response without text": "the text is empty: the system gave no answer",
    "pair with a response without text": "there is nothing to compare",
    "another system's name for the same answer": "its text occurred earlier under another name, and is stored once",
    "pair without a preference": "the file names no preferred answer",
    "file of another kind": "neither data nor a readable article",
    "tool call without text": "the model called a tool in place of an answer",
    "message that the model did not write": "it is a user's or a tool's, or an instruction",
    "request or sample with an error": "it ended in an error, so it has no whole answer",
    "trace with its calls": "the calls of models in it are read in its place",
    "sample without generated text": "the task only compares likelihoods",
    "trace of another step": "it is no call of a model with an input",
    "skipped annotation": "the annotator skipped the task",
    "prediction without its labels": "Label Studio exported only its number; a snapshot made by its API has the labels",
    "label outside the rated sentences": "it marks text that raters are not asked about, such as a heading",
    "further label of a sentence": "another label covers more of the sentence",
    "annotation without a result": "the annotator or model gave no answer",
    "annotation without an imported label": "all its labels are excluded",
    "annotation without a response": "its task has no prompt, or no text of a response",
    "annotation of a response outside the data set": "the data set was imported from another file, or as a subset",
    "label of a kind that is not imported": "it is no choice, number, text or span of text",
    "label without a value": "nothing was chosen or written",
    "label that is not imported": "it is mapped to “Not imported” (leave_out)",
    "claim without labels": "all its labels are null in the file, so it has no rating",
}
"""Descriptions of the excluded records."""


def words_of(reason: str) -> tuple[str, str]:
    """Return a reason in the reader's language, and its description; what follows a colon is of the file."""
    name, colon, detail = reason.partition(": ")
    return name + colon + detail, str(REASONS.get(name, ""))


def excluded_words(excluded: Exclusions) -> str:
    """Return what was excluded, with the reasons and the first places; "" for nothing."""
    parts = []
    for reason, n in sorted(excluded.counts.items()):
        words, description = words_of(reason)
        about = ": ".join(filter(None, [description, ", ".join(excluded.examples.get(reason, []))]))
        parts += [f"{n:,} × {words} ({about})"] if n else []
    return ", ".join(parts)


@dataclass
class ImportCounts:
    """Totals by name in printing order; `new` is the number of records that were not stored before."""

    totals: dict[str, int]
    new: int = 0
    changed: int | None = None
    excluded: Exclusions = field(default_factory=Exclusions)
    steps: list[dict[str, Any]] = field(default_factory=list)
    rule: Rule | None = None
    columns: Columns | None = None
    labels: LabelMapping | None = None
    annotators: dict[str, str] = field(default_factory=dict)  # users of annotators with another name
    unnamed: int = 0  # annotations whose annotator the file does not name
    raters: set[str] = field(default_factory=set)
    project: str = ""
    protocol: str = ""
    offered_again: int = 0  # finished responses with new facts
    sample: RecordSample = field(default_factory=RecordSample)
    dry_run: bool = False

    def add(self, name: str, n: int = 1) -> None:
        self.totals[name] += n

    def as_json(self) -> dict[str, Any]:
        """Return the output of `--json`."""
        left_out = {reason: n for reason, n in sorted(self.excluded.counts.items()) if n}
        changed = {} if self.changed is None else {"changed": self.changed}
        project = {"project": self.project} if self.project else {}
        return {**self.totals, "left_out": left_out, "new": self.new, **changed, **project}

    def details(self) -> dict[str, Any]:
        """Return all details of an import or a dry run for a page."""
        return {
            "counts": self.as_json(),
            "steps": self.steps,
            "rule": {"name": self.rule.name, "title": self.rule.title} if self.rule else None,
            "published": dict(self.rule.published) if self.rule and self.rule.published else None,
            "tokeniser": TOKENIZER,
            "examples": self.excluded.examples,
            "columns": self.columns.as_json() if self.columns else None,
            "labels": self.labels.as_json() if self.labels else None,
            "annotators": self.annotators,
            "unnamed": self.unnamed,
            "protocol": self.protocol,
            "sample": self.sample.as_json(),
            "dry_run": self.dry_run,
        }

    def lines(self) -> list[str]:
        """Return the same details as lines for a terminal."""
        totals_text = [counted(n, name.removesuffix("s")) for name, n in self.totals.items()]
        changed = f", {self.changed:,} changed" if self.changed else ""
        lines = [f"{', '.join(totals_text)}; {self.new:,} new{changed}"]
        for reason, n in sorted(self.excluded.counts.items()):
            locations = self.excluded.examples.get(reason, [])
            more = ", …" if n > len(locations) else ""
            lines += (
                [f"excluded: {n:,} × {reason}" + (f" ({', '.join(locations)}{more})" if locations else "")] if n else []
            )
        mapped = [mapping.as_json() for mapping in (self.columns, self.labels) if mapping]
        for name, values in (pair for mapping in mapped for pair in mapping.items()):
            lines.append(f"{name}: {', '.join(value or '(without a label)' for value in values)}")
        lines += [f"{annotator}: user {user}" for annotator, user in sorted(self.annotators.items())]
        if self.unnamed:
            lines.append(
                f"annotations without an annotator's name: {self.unnamed:,}; a user whose name ends in -unknown may be "
                "several people"
            )
        if self.project:
            lines.append(f"project {self.project}, protocol {self.protocol}")
        if (self.rule and self.rule.steps) or len(self.steps) > 1:
            lines += [f"subset {self.rule.name}: {self.rule.title}"] if self.rule else []
            for step in self.steps:
                mean = f", mean {step['mean_tokens']:,} tokens" if step["mean_tokens"] is not None else ""
                lines.append(f"  {step['step']}: {_prompts_on_documents(step)}{mean}")
            if self.rule and self.rule.published:
                published, mean = self.rule.published, f"mean {self.rule.published['mean_tokens']:,} tokens"
                tokenizer = f"(the tokenizer is unknown; here: {TOKENIZER})"
                lines.append(f"  published: {_prompts_on_documents(published)}, {mean} {tokenizer}")
        if self.offered_again:
            lines.append(f"{self.offered_again:,} finished and offered again to their raters, for the new facts")
        if self.dry_run:
            lines.append("dry run: nothing was stored")
        return lines


def _prompts_on_documents(step: Mapping[str, Any]) -> str:
    return f"{counted(step['prompts'], 'prompt')} on {counted(step['documents'], 'document')}"

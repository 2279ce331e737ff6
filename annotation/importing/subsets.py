"""Named subsets of a data set's prompts: rules of steps, each of which is counted.

The published evaluation used the questions of Qasper without "any gold response or evidence" that are not marked
unanswerable: 158 questions on 145 articles, mean 5,138 tokens. The ids were never published, and read literally the
rule selects nothing in v0.3, where every answer has one type. So every interpretation is offered here; `stem-qa` is the
one with the published size. An annotation is one annotator's answer to a prompt, as the qasper reader yields it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypedDict


class Annotation(TypedDict):
    """One annotator's answer to a prompt."""

    annotation_id: str
    unanswerable: bool
    extractive_spans: list[str]
    yes_no: bool | None
    free_form_answer: str
    evidence: list[str]
    highlighted_evidence: list[str]


Annotations = list[Annotation]
Step = tuple[str, Callable[[Annotations], bool]]

PUBLISHED = {"prompts": 158, "documents": 145, "mean_tokens": 5138}
FLOAT = "FLOAT SELECTED"  # begins evidence that is a figure or a table


@dataclass(frozen=True)
class Rule:
    """A named subset: the prompts that pass every step's test. `published`: the counts of the publication."""

    name: str
    title: str
    steps: tuple[Step, ...] = ()
    published: Mapping[str, int] | None = None


def _filled(texts: list[str]) -> bool:
    return any(text.strip() for text in texts)


def _has_gold(answer: Annotation) -> bool:
    return bool(answer["extractive_spans"]) or bool(answer["free_form_answer"].strip()) or answer["yes_no"] is not None


def _has_text_evidence(answer: Annotation) -> bool:
    return any(text.strip() and FLOAT not in text for text in answer["evidence"])


def _none(test: Callable[[Annotation], bool]) -> Callable[[Annotations], bool]:
    return lambda annotations: not any(test(answer) for answer in annotations)


def _some(test: Callable[[Annotation], bool]) -> Callable[[Annotations], bool]:
    return lambda annotations: any(test(answer) for answer in annotations)


def _has_evidence(answer: Annotation) -> bool:
    return _filled(answer["evidence"])


def _unanswerable(answer: Annotation) -> bool:
    return bool(answer["unanswerable"])


ANNOTATED: Step = ("with an annotation", bool)
ANSWERABLE: Step = ("not marked unanswerable by any annotator", _none(_unanswerable))
NO_EVIDENCE: Step = ("no supporting evidence in any annotation", _none(_has_evidence))


def _stem(name: str, title: str, *steps: Step) -> Rule:
    """Return an interpretation of the published rule: annotated prompts that no annotator marked unanswerable."""
    return Rule(name, title, (ANNOTATED, ANSWERABLE, *steps), PUBLISHED)


_RULES = (
    Rule("all", "every prompt"),
    _stem(
        "stem-qa",
        "not marked unanswerable by any annotator, and no supporting evidence in any annotation",
        NO_EVIDENCE,
    ),
    Rule(
        "stem-qa-to-the-letter",
        "not marked unanswerable, and neither a gold response nor evidence in any annotation",
        (ANSWERABLE, NO_EVIDENCE, ("no gold response in any annotation", _none(_has_gold))),
        PUBLISHED,
    ),
    _stem(
        "stem-qa-one-annotation",
        "not marked unanswerable by any annotator, and no supporting evidence in at least one annotation",
        ("no evidence in at least one annotation", _some(lambda a: not _has_evidence(a))),
    ),
    _stem(
        "no-text-evidence",
        "not marked unanswerable, and no evidence but figures and tables in any annotation",
        ("no evidence from the text in any annotation", _none(_has_text_evidence)),
    ),
    _stem(
        "no-highlighted-evidence",
        "not marked unanswerable, and no highlighted evidence in any annotation",
        ("no highlighted evidence", _none(lambda a: _filled(a["highlighted_evidence"]))),
    ),
    _stem(
        "yes-no-only",
        "not marked unanswerable, and neither a written answer nor an extracted span in any annotation",
        ("no extracted span in any annotation", _none(lambda a: bool(a["extractive_spans"]))),
        ("no written answer in any annotation", _none(lambda a: bool(a["free_form_answer"].strip()))),
    ),
    _stem(
        "no-written-answer",
        "not marked unanswerable, and no written (free-form) answer in any annotation",
        ("no written answer", _none(lambda a: bool(a["free_form_answer"].strip()))),
    ),
    Rule("answerable", "annotated, and not marked unanswerable by any annotator", (ANNOTATED, ANSWERABLE)),
    Rule(
        "unanswerable-to-some",
        "marked unanswerable by at least one annotator",
        (("marked unanswerable by at least one annotator", _some(_unanswerable)),),
    ),
    Rule(
        "unanswerable-to-all",
        "marked unanswerable by every annotator",
        (ANNOTATED, ("marked unanswerable by every annotator", _none(lambda a: not _unanswerable(a)))),
    ),
    Rule(
        "not-annotated",
        "without any annotation",
        (("without an annotation", lambda annotations: not annotations),),
    ),
)

RULES: dict[str, Rule] = {rule.name: rule for rule in _RULES}

"""A protocol's worked example and practice item, for the introduction, the guidelines and the workspace."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from ... import protocols
from ...access import project_for
from ...i18n.protocol_translation import validate_answers
from ...projects.guidelines import current_guidelines
from ...projects.overview import rater_work
from ...protocols import ExampleItem, Option, Protocol
from ...protocols.pair_options import PAIR
from ...qualification.gold_comparison import Verdict, options_of, verdict_on
from ..authentication import Request

FIELD_PREFIX = "answer-"
"""Begins the names of the practice form's fields, so that no key of a question has another meaning in the form."""


@dataclass(frozen=True)
class WorkedItem:
    """An item of the worked example with the options of its answers, and its written answers after their questions."""

    item: ExampleItem
    options: tuple[Option, ...]
    written: list[tuple[str, str]]


def worked_items(protocol: Protocol) -> list[WorkedItem]:
    """Return the items of the protocol's worked example; none without an example."""
    rows = []
    for item in protocol.example.items if protocol.example else ():
        answers = dict(item.answers)
        written = [(q.text, answers[q.key]) for q in protocol.questions if q.kind != "choice" and q.key in answers]
        rows.append(WorkedItem(item, options_of(protocol, answers), written))
    return rows


@dataclass(frozen=True)
class Practice:
    """The practice item with the answers that were sent, which are never stored. `protocol`: its choice questions."""

    protocol: Protocol
    item: ExampleItem
    answers: dict[str, str]
    problems: dict[str, list[str]]

    @cached_property
    def expected(self) -> dict[str, str]:
        return protocols.choices(self.protocol, dict(self.item.answers))

    @property
    def verdict(self) -> Verdict | None:
        """How the answers compare with those of the example; None before they are complete."""
        return None if self.problems else verdict_on(self.protocol, self.answers, self.expected)

    @property
    def answer_options(self) -> tuple[Option, ...]:
        return options_of(self.protocol, self.answers)

    @property
    def expected_options(self) -> tuple[Option, ...]:
        return options_of(self.protocol, self.expected)


def practice_of(protocol: Protocol, form: Mapping[str, str]) -> Practice | None:
    """Return the practice item of the protocol with the answers in `form`; None if it has no such item.

    Written answers are not asked for, as there is nothing to compare them with.
    """
    item = protocol.example.practice if protocol.example else None
    if item is None:
        return None
    questions = protocol.for_item(is_last=protocol.unit in (PAIR, "response"), kind=item.kind)
    choices = replace(questions, questions=tuple(q for q in questions.questions if q.kind == "choice"))
    sent = {q.key: form[FIELD_PREFIX + q.key] for q in choices.questions if FIELD_PREFIX + q.key in form}
    return Practice(choices, item, *validate_answers(choices, sent))


@require_http_methods(["GET", "HEAD", "POST"])
def introduction(request: Request, slug: str) -> HttpResponse:
    """Show the page; a post compares the answers to the practice item. Nothing is stored."""
    project = project_for(request.user, slug)
    protocol = project.protocol.translated
    work = next(iter(rater_work(request.user, project)), None)
    context = {
        "project": project,
        "protocol": protocol,
        "worked_items": worked_items(protocol),
        "practice": practice_of(protocol, request.POST),
        "is_checked": request.method == "POST",
        "guidelines": current_guidelines(project),
        "work": work,
    }
    return render(request, "rating/introduction.html", context)

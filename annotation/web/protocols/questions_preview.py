"""The questions of a protocol as raters see them, beside the form or the text that is edited, with its problems."""

from dataclasses import dataclass

from ... import protocols
from ...models import User
from ...projects.protocol_versions import ProtocolClash, read_custom_protocol
from ...protocols import Problem, Protocol
from ..rating.views import MAX_DETAILED_QUESTIONS
from .protocol_form import FormPart

MAX_PROBLEMS = 20


@dataclass(frozen=True)
class PreviewProblem:
    """A problem with the id of its field or part in the form; "" and its line where the text is edited."""

    message: str
    target: str = ""
    line: int = 0
    text: str = ""


@dataclass(frozen=True)
class QuestionsPreview:
    """`protocol`: as far as the text can be read; None if it is not TOML."""

    protocol: Protocol | None
    problems: list[PreviewProblem]

    @property
    def is_long(self) -> bool:
        return self.protocol is not None and len(self.protocol.questions) > MAX_DETAILED_QUESTIONS


def read_text(text: str, actor: User) -> tuple[Protocol | None, list[Problem]]:
    """Return the protocol of a text as far as it can be read, and all reasons why `actor` cannot store it."""
    try:
        protocol, problems = protocols.read(text)
    except protocols.ProtocolError as error:
        return None, error.problems
    if problems:
        return protocol, problems
    try:
        read_custom_protocol(text, actor=actor)
    except protocols.ProtocolError as error:
        return protocol, error.problems
    except ProtocolClash as clash:
        return protocol, [Problem(1, f"{clash}.", ("version",))]
    return protocol, []


def problems_in_text(text: str, problems: list[Problem]) -> list[PreviewProblem]:
    """Return the problems with their lines."""
    lines = text.split("\n")
    return [
        PreviewProblem(problem.message, line=problem.line, text=lines[problem.line - 1][:200])
        for problem in problems[:MAX_PROBLEMS]
    ]


def problems_in_form(parts: list[FormPart]) -> list[PreviewProblem]:
    """Return the problems of the parts with the ids of their fields, in the order of the form."""
    located = [PreviewProblem(message, target) for part in parts for target, message in part.located_problems]
    return located[:MAX_PROBLEMS]

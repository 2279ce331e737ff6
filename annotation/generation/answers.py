"""Read an answer in steps: type of the question, steps, and the answer itself."""

import re
from dataclasses import dataclass

from ..model_calls.errors import REASONING_ALONE, InvalidAnswer
from ..model_calls.reasoning import separated

_PART = re.compile(r"^[ \t>#*_]*(type|steps|answer)[ \t*_]*:[ \t*_]*", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True)
class StepsAnswer:
    """The parts of an answer; the type and the steps may be empty."""

    answer: str
    question_type: str = ""
    steps: str = ""


def read_text(text: str) -> str:
    """Return an answer without the reasoning before it. Raises InvalidAnswer without one."""
    answer = separated(text).answer
    if not answer.strip():
        raise InvalidAnswer(REASONING_ALONE if text.strip() else "It is empty.")
    return answer


def read_steps(text: str) -> StepsAnswer:
    """Return the parts of an answer, without the reasoning before them, each of which begins with its name and a colon
    on a new line.

    What follows the first line of the answer belongs to it, whatever it begins with. Raises InvalidAnswer without one.
    """
    text = read_text(text)
    parts: dict[str, str] = {}
    marks = list(_PART.finditer(text))
    for number, mark in enumerate(marks):
        name = mark[1].lower()
        if name == "answer":
            parts[name] = text[mark.end() :].strip()
            break
        end = marks[number + 1].start() if number + 1 < len(marks) else len(text)
        parts.setdefault(name, text[mark.end() : end].strip())
    if not parts.get("answer"):
        raise InvalidAnswer("It has no part that begins with 'Answer:' on a new line.")
    return StepsAnswer(parts["answer"], parts.get("type", ""), parts.get("steps", ""))

"""Problems of an input file, collected so that its author sees twenty at once."""

import re
from collections.abc import Iterable
from types import TracebackType

from ..jobs import PROBLEMS_SHOWN, Refused

LOCATION = re.compile(r"(?P<file>.*?):(?P<line>\d+)\b")
ECHO = 60  # characters of a file's text that a message repeats


class BadRecord(ValueError):
    """A record is invalid. The text names the reason and the remedy."""


class Problems:
    """Lines `location: problem`, up to 20; the twentieth ends the reading. Refused names them in the files' order of
    lines, since a check of the whole file finds some of them last.

    As a context manager it raises Refused at its end if there are problems, and puts them before an error that ended
    the reading earlier.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, location: str, message: object) -> None:
        """Add one problem. Raise Refused when there are enough to show."""
        self.lines.append(f"{location}: {message}")
        if len(self.lines) >= PROBLEMS_SHOWN:
            raise Refused(in_line_order(self.lines))

    def __enter__(self) -> "Problems":
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if error is None and self.lines:
            raise Refused(in_line_order(self.lines))
        if isinstance(error, Refused) and self.lines and set(error.problems) != set(self.lines):
            raise Refused([*in_line_order(self.lines), *error.problems][:PROBLEMS_SHOWN]) from None


def in_line_order(problems: Iterable[str]) -> list[str]:
    """Return problems by file, in the order of their first ones, then by line."""
    files: dict[str, int] = {}

    def position(problem: str) -> tuple[int, int]:
        match = LOCATION.match(problem)
        file, line = (match["file"], int(match["line"])) if match else ("", 0)
        return files.setdefault(file, len(files)), line

    return sorted(problems, key=position)


def echo(text: object) -> str:
    """Return a file's text for a message: quoted, shortened, and without terminal control characters."""
    excerpt = str(text)
    return ascii_safe(repr(excerpt[:ECHO] + "…" if len(excerpt) > ECHO else excerpt))


def ascii_safe(text: str) -> str:
    """Return `text` without unpaired surrogates, which no terminal and no database accepts."""
    return text.encode("utf-8", "backslashreplace").decode()

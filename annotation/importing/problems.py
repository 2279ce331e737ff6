"""Problems of an input file, collected so that its author sees twenty at once."""

import re
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import TypeVar

from ..jobs import PROBLEMS_SHOWN, Refused

LOCATION = re.compile(r"(?P<file>.*?):(?P<line>\d+)\b")
ECHO = 60  # characters of a file's text that a message repeats

Value = TypeVar("Value")
Result = TypeVar("Result")


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


def read_each(
    values: Iterable[tuple[str, Value]], problems: Problems, read: Callable[[str, Value], Iterable[Result]]
) -> Iterator[Result]:
    """Yield what `read` makes of location and value of each record. A record that is invalid, or of which nothing is
    made, becomes a problem: so no reader can lose one without a count."""
    for location, value in values:
        try:
            results = list(read(location, value))
        except BadRecord as broken:
            problems.add(location, broken)
            continue
        except RecursionError:
            problems.add(location, "brackets are nested too deeply")
            continue
        if not results:
            problems.add(location, "this record was neither read nor counted; remove it, and report this fault")
        yield from results


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


def plain_name(name: str) -> str:
    """Return the name of a column or a field in lower case with underscores: `Model Name` -> `model_name`."""
    return re.sub(r"[\s_-]+", "_", name.strip().lower())


def similar_name(name: str, names: Iterable[str]) -> str:
    """Return the first of `names` that differs from `name` only in case, spaces, hyphens or underscores; "" if none."""
    return next((other for other in names if other != name and plain_name(other) == plain_name(name)), "")


def did_you_mean(missing: Iterable[str], names: Iterable[str]) -> str:
    """Return the end of a message that suggests names for those which are missing; "" without a suggestion."""
    existing = list(names)
    pairs = [(similar, name) for name in missing if (similar := similar_name(name, existing))]
    return "".join(f"; it has '{similar}': did you mean '{name}'?" for similar, name in pairs)

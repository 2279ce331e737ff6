"""The loop of the readers over the records of a file: each one is stored, counted under a reason, or a problem."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from .problems import BadRecord, Problems

Value = TypeVar("Value")
Result = TypeVar("Result")


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
            problems.add(
                location,
                "this record was neither read nor counted; remove it, and report this fault",
            )
        yield from results

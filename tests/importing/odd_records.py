"""Files of records, one of which is odd."""

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from annotation.jobs import Refused

FEW: tuple[Any, ...] = (None, 5, "", [], {}, ["text"])  # in place of inner parts
ODD: tuple[Any, ...] = (*FEW, True, "text", " ", [None], [5], [{}], {"a": None}, {"text": "x"})


def json_lines(path: Path, records: list[Any]) -> dict[int, int]:
    """Write a record on each line. Return the line of each record."""
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return {n: n + 1 for n in range(len(records))}


def json_list(path: Path, records: list[Any]) -> dict[int, int]:
    path.write_text("[\n" + ",\n".join(map(json.dumps, records)) + "\n]", encoding="utf-8")
    return {n: n + 2 for n in range(len(records))}


def fault_of(name: str, lines: dict[int, int], before: dict[str, int], account: Callable[[], dict[str, int]]) -> Any:
    """Return what is wrong if the second of three records is neither counted nor named with its line.

    `before`: the account of the two others alone.
    """
    try:
        after = account()
    except Refused as refusal:
        # A label that no option has is named by itself, with the number of its occurrences.
        named = refusal.problems[0].startswith((f"{name}:{lines[1]}", "label "))
        others = tuple(f"{name}:{lines[n]}:" for n in (0, 2))
        return None if named and not any(each.startswith(others) for each in refusal.problems) else refusal.problems
    counted = sum(after.values()) > sum(before.values()) and all(after[key] >= before[key] for key in before)
    return None if counted else after


def changed(record: Any, odd: tuple[Any, ...]) -> Iterator[tuple[str, Any]]:
    """Yield the record with each part of it removed, or replaced by each odd value."""
    for keys in _paths(record):
        for value in odd if len(keys) < 2 else FEW[: len(odd)]:
            if keys:
                yield f"{keys}: {value!r}", _with(record, keys, value)
            elif len(odd) > 1:
                yield repr(value), value
        if keys and isinstance(keys[-1], str) and len(odd) > 1:
            yield f"{keys} removed", _with(record, keys, ...)


def _paths(value: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield before
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield from _paths(each, (*before, key))


def _with(record: Any, keys: tuple[Any, ...], value: Any) -> Any:
    copied = copy.deepcopy(record)
    part = copied
    for key in keys[:-1]:
        part = part[key]
    if value is ...:
        del part[keys[-1]]
    else:
        part[keys[-1]] = copy.deepcopy(value)
    return copied

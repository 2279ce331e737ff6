"""Read responses and write spans as JSON lines, the format of `split_sentences`."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any, NamedTuple

from annotation.splitting.kinds import Span

MAX_PROBLEMS = 20


class Record(NamedTuple):
    """One response to split."""

    id: str | int
    text: str


class BadRecords(Exception):
    """Invalid lines. `.problems` are (line number, the problem and its remedy), at most 20."""

    def __init__(self, problems: list[tuple[int, str]]) -> None:
        self.problems = problems
        super().__init__("; ".join(f"{number}: {message}" for number, message in problems))


def read_records(lines: Iterable[tuple[int, str]]) -> list[Record]:
    """Return the records of numbered lines; blank lines are skipped. Raise BadRecords."""
    records: list[Record] = []
    problems: list[tuple[int, str]] = []
    first_line: dict[str | int, int] = {}
    for number, line in lines:
        if not line.strip("\ufeff \t\r\n"):
            continue
        record = _read(line)
        if isinstance(record, Record) and (first := first_line.setdefault(record.id, number)) != number:
            record = f"id {record.id!r} is also on line {first}; give every response its own id"
        if isinstance(record, str):
            problems.append((number, record))
        else:
            records.append(record)
        if len(problems) == MAX_PROBLEMS:
            break
    if problems:
        raise BadRecords(problems)
    return records


def _read(line: str) -> Record | str:
    """Return the record on a line, or its problem."""
    try:
        value: Any = json.loads(line.strip("\ufeff \t\r\n"))
    except (ValueError, RecursionError) as error:
        detail = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deeply or a number too long"
        return f"this is not JSON ({detail}); write one object a line"
    if not isinstance(value, dict):
        return 'this is not an object; write {"id": …, "text": …}'
    for key, kinds, expected in (("id", (str, int), "a string or a whole number"), ("text", str, "a string")):
        if key not in value:
            return f"{key!r} is missing"
        if not isinstance(value[key], kinds) or isinstance(value[key], bool):
            return f"{key!r} is not {expected}"
    return Record(value["id"], value["text"])


def write_records(split_records: Iterable[tuple[Record, list[Span]]]) -> Iterator[bytes]:
    """Write JSON lines of `{"id", "spans": [{"start", "end", "kind", "rate"}]}`."""
    for record, spans in split_records:
        row = {"id": record.id, "spans": [asdict(span) for span in spans]}
        yield json.dumps(row).encode("ascii") + b"\n"

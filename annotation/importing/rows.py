"""Custom rows: JSON lines, a JSON list, CSV, Excel or Parquet, read with a column mapping.

One row is a prompt, or a response (then each of its rows repeats the prompt), or a prompt with a column of answers for
each system. Objects in a row are columns `a.b`; a list of objects is columns `answers[].text`, and each of its elements
a response.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from .article_files import is_article, read_article
from .column_mapping import Columns
from .each_record import read_each
from .input_files import FileReader
from .json_fields import check_id, check_text, check_value, kind_of
from .problems import BadRecord, Problems, echo
from .records import NO_RESPONSE, LeftOut, Record, SourceDocument, SourcePrompt, SourceResponse
from .sections import Sections, document
from .tabular_files import Row, is_binary, read_rows

NO_PROMPT = "row without a prompt"
_DEEPEST = 3  # levels of objects that are flattened to columns
_REPEATED = (
    ": all rows of a prompt must have the same value. Map what differs to the response (response_metadata), omit "
    "it, or give the prompts their own ids"
)
_SAME_ANSWER = (
    ": if a column with this name is the id of the answer, map it to response_id (--map response_id=COLUMN), else omit "
    "it (--map leave_out=COLUMN)"
)


class _Column:
    """The name of a column in messages. It is formatted only for a message: files have many cells."""

    __slots__ = ("name",)

    def __init__(self, name: str):
        self.name = name

    def __str__(self) -> str:
        return f"column {echo(self.name)}"


def rows_in(file_reader: FileReader, problems: Problems) -> Iterator[Row]:
    """Yield the rows of one file with flattened objects."""
    begins = b"" if is_binary(file_reader) else file_reader.beginning()
    format = "jsonl" if begins.startswith((b"{", b"[")) else "csv"
    for row in read_rows(file_reader, problems, format=format, needed=()):
        yield from flat_rows(row, problems)


RowReader = Callable[[FileReader, Problems], Iterator[Row]]


def read_mapped(
    columns: Columns, file_reader: FileReader, problems: Problems, system: str = "", rows: RowReader = rows_in
) -> Iterator[Record]:
    """Yield the records of one file, whose rows `rows` reads. Invalid rows go to `problems`. `system` names the system
    of rows without one; the default is the name of the response's column."""
    if is_article(file_reader):
        yield read_article(file_reader)
        return
    seen_keys: set[str] = set()
    located = ((row.location, row) for row in rows(file_reader, problems))
    yield from read_each(located, problems, lambda _location, row: records_of(row, columns, seen_keys, system))


def flat_rows(row: Row, problems: Problems) -> Iterator[Row]:
    """Yield the row with its objects and lists of objects as columns; an invalid one goes to `problems`."""
    try:
        yield flat_row(row)
    except BadRecord as broken:
        problems.add(row.location, broken)


def flat_row(row: Row) -> Row:
    """Return the row with its objects and lists of objects as columns. Raise BadRecord."""
    if row.is_csv:
        return row
    if not isinstance(row.values, dict):
        raise BadRecord(f"the row must be an object with named fields, but is {kind_of(row.values)}")
    values = dict(_leaves(row.values))
    for n, name in enumerate(values, 1):
        check_text(name, f"the name of column {n}")
    return Row(row.location, values)


def _leaves(value: dict[str, Any], before: str = "", depth: int = 1) -> Iterator[tuple[str, Any]]:
    for key, inner in value.items():
        name = f"{before}{key}"
        if isinstance(inner, dict) and inner and depth < _DEEPEST:
            yield from _leaves(inner, f"{name}.", depth + 1)
        elif isinstance(inner, list) and inner and all(isinstance(element, dict) for element in inner) and depth == 1:
            keys = dict.fromkeys(key for element in inner for key in element)
            yield from ((f"{name}[].{key}", [element.get(key) for element in inner]) for key in keys)
        else:
            yield name, inner


def records_of(row: Row, columns: Columns, seen_keys: set[str], system: str = "") -> Iterator[Record]:
    """Yield document, prompt and responses of one row; `seen_keys`: keys of earlier prompts, `system`: as in
    `read_mapped`. Raise BadRecord."""
    text = _text(row, columns.column_of("prompt"))
    if not text.strip():
        yield LeftOut(row.location, NO_PROMPT)
        return
    about = _document(row, columns)
    if isinstance(about, SourceDocument):
        yield about
    document_key = about.key if isinstance(about, SourceDocument) else about
    key = _id(row, columns.column_of("prompt_id")) or _hash(text, document_key or "")
    converted = [_response(row_and_name, key, columns, system) for row_and_name in _responses(row, columns)]
    responses = tuple(response for response in converted if response)
    if columns.column_of("response"):
        yield from (LeftOut(row.location, NO_RESPONSE) for response in converted if response is None)
    if responses or key not in seen_keys or not columns.column_of("response"):
        seen_keys.add(key)
        yield SourcePrompt(
            location=row.location,
            key=key,
            text=text,
            document=document_key,
            reference=_text(row, columns.column_of("reference")),
            metadata=_metadata(row, columns.all("metadata")),
            responses=responses,
            merges=True,
            hint=_REPEATED,
            id_hint=_id_hint(columns, "prompt_id"),
        )


def _id_hint(columns: Columns, field: str) -> str:
    """Return the remedy for an id that occurs again with another text, which names the id's column, or for an answer
    without an id that occurs again with other metadata."""
    if not (column := columns.column_of(field)):
        return _SAME_ANSWER if field == "response_id" else ""
    values = {"column": echo(column), "field": field, "other": "prompt_id" if field == "response_id" else "metadata"}
    of_prompt = (
        ": column %(column)s is mapped to %(field)s, so it must have another value for each prompt; map it to "
        "%(other)s, or omit it (--map leave_out=COLUMN)"
    )
    of_response = (
        ": column %(column)s is mapped to %(field)s, so it must have another value in each row; if it is the id of "
        "the question, map it to %(other)s (--map %(other)s=COLUMN), else omit it (--map leave_out=COLUMN)"
    )
    return (of_response if field == "response_id" else of_prompt) % values


def _document(row: Row, columns: Columns) -> SourceDocument | str | None:
    """Return a full document, the id of one elsewhere, or None."""
    key, name = _id(row, columns.column_of("document_id")), columns.column_of("document")
    value = row.values.get(name)
    paragraphs = value if isinstance(value, list) else _text(row, name).replace("\r\n", "\n").split("\n")
    if not all(isinstance(paragraph, str) for paragraph in paragraphs):
        raise BadRecord(f"{echo(name)} must be a text or a list of texts")
    if not any(paragraph.strip() for paragraph in paragraphs):
        return key or None
    sections = Sections()
    sections.add("", [check_text(p, echo(name)) for p in paragraphs if p.strip()])
    return document(row.location, key or _hash(*paragraphs), _text(row, columns.column_of("document_title")), sections)


def _responses(row: Row, columns: Columns) -> Iterator[tuple[Row, str]]:
    """Yield each response's row and column: a list of responses is split into rows."""
    for name in columns.all("response"):
        if "[]." not in name or _has_no_list(row, name):
            yield row, name
            continue
        before = name.split("[].")[0] + "[]."
        lists = {key: value for key, value in row.values.items() if key.startswith(before)}
        for n in range(len(lists.get(name, []))):
            yield Row(row.location, row.values | {key: value[n] for key, value in lists.items()}), name


def _has_no_list(row: Row, name: str) -> bool:
    """Return whether the row has nothing in place of the list of responses. Raise BadRecord for another value."""
    before = name.split("[].")[0]
    if name in row.values or any(key.startswith(f"{before}[].") for key in row.values):
        return False
    if row.values.get(before) not in (None, "", []) or any(key.startswith(f"{before}.") for key in row.values):
        raise BadRecord(f"{echo(before)} must be a list of objects, as in the other rows")
    return True


def _response(
    row_and_name: tuple[Row, str], prompt: str, columns: Columns, default_system: str
) -> SourceResponse | None:
    row, name = row_and_name
    default = (len(columns.all("response")) == 1 and default_system) or name.split("[].")[0]
    text = _text(row, name)
    if not text.strip():
        return None
    return SourceResponse(
        location=row.location,
        prompt=prompt,
        system=_id(row, columns.column_of("system")) or default,
        text=text,
        id=_id(row, columns.column_of("response_id")),
        metadata=_metadata(row, columns.all("response_metadata")),
        id_hint=_id_hint(columns, "response_id"),
    )


def _text(row: Row, name: str) -> str:
    """Return the column's value as a text: a number or a truth value is formatted, a missing value is ""."""
    value = row.values.get(name) if name else None
    if value is None:
        return ""
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    if not isinstance(value, str):
        raise BadRecord(f"column {echo(name)} must contain a text, but contains {kind_of(value)}")
    return check_text(value, _Column(name))


def _id(row: Row, name: str) -> str:
    return check_id(_text(row, name).strip(), _Column(name))


def _metadata(row: Row, names: tuple[str, ...]) -> dict[str, Any]:
    short = {name: name.rsplit("[].", 1)[-1] for name in names}
    times = Counter(short.values())
    values = {key if times[key] == 1 else name: row.values.get(name) for name, key in short.items()}
    return {key: check_value(value, _Column(key)) for key, value in values.items() if value not in (None, "")}


def _hash(*parts: str) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:40]

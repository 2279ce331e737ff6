"""Custom rows: JSON lines, a JSON list, CSV, Excel or Parquet, read with a column mapping.

One row is a prompt, or a response (then each of its rows repeats the prompt), or a prompt with a column of answers for
each system. Objects in a row are columns `a.b`; a list of objects is columns `answers[].text`, and each of its elements
a response.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from .article_files import is_article, read_article
from .column_mapping import Columns
from .input_files import FileReader, SourceFile
from .json_fields import Part, check_id, check_text, check_value, kind_of
from .problems import BadRecord, Problems, echo, read_each
from .records import NO_RESPONSE, LeftOut, Record, SourceDocument, SourcePrompt, SourceResponse
from .sections import Sections, document
from .tabular_files import Row, is_binary, read_rows

NO_PROMPT = "row without a prompt"
SPLIT = "split"
_SPLIT = re.compile(r"(?:^|[/_.-])(train|validation|valid|dev|test)(?=[/_.-])")
_DEEPEST = 3  # levels of objects that are flattened to columns
_REPEATED = (
    ": all rows of a prompt must have the same value. Map what differs to the response (response_metadata), omit "
    "it, or give the prompts their own ids"
)
_SAME_ANSWER = (
    ": if a column with this name is the id of the answer, map it to response_id (--map response_id=COLUMN), else omit "
    "it (--map leave_out=COLUMN)"
)


def rows_in(file_reader: FileReader, problems: Problems) -> Iterator[Row]:
    """Yield the rows of one file with flattened objects."""
    begins = b"" if is_binary(file_reader) else file_reader.beginning()
    format = "jsonl" if begins.startswith((b"{", b"[")) else "csv"
    located = ((row.location, row) for row in read_rows(file_reader, problems, format=format, needed=()))
    yield from read_each(located, problems, lambda _location, row: [flat_row(row)])


RowReader = Callable[[FileReader, Problems], Iterator[Row]]


def rows_of_shards(file_reader: FileReader, problems: Problems) -> Iterator[Row]:
    """Yield the rows of one Parquet file of a Hugging Face data set, with the split that its path names as a column. A
    file in an archive is unpacked for the time of the reading. Raise Refused."""
    splits = _SPLIT.findall(file_reader.name.lower())
    with NamedTemporaryFile(dir=file_reader.keeps) if file_reader.source.member else nullcontext() as file:
        unpacked = file_reader
        if file:
            for chunk in file_reader.raw_chunks():
                file.write(chunk)
            file.flush()
            unpacked = FileReader(SourceFile(Path(file.name), file_reader.name))
        for row in rows_in(unpacked, problems):
            yield Row(row.location, {SPLIT: splits[-1], **row.values}, row.is_csv) if splits else row


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
    converted = [_response(part, name, key, columns, system) for part, name in _responses(row, columns)]
    responses = tuple(response for response in converted if response)
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
    mapped = f": {_column(column)} is mapped to {field}, so it must have another value"
    if field == "prompt_id":
        return f"{mapped} for each prompt; map it to metadata, or omit it (--map leave_out=COLUMN)"
    return (
        f"{mapped} in each row; if it is the id of the question, map it to prompt_id (--map prompt_id=COLUMN), else "
        "omit it (--map leave_out=COLUMN)"
    )


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
        before, is_in_list, _key = name.partition("[].")
        lists = {key: value for key, value in row.values.items() if key.startswith(f"{before}[].")}
        if is_in_list and lists:
            for n in range(len(lists.get(name, []))):
                yield Row(row.location, row.values | {key: value[n] for key, value in lists.items()}), name
            continue
        if is_in_list and (
            row.values.get(before) not in (None, "", []) or any(key.startswith(f"{before}.") for key in row.values)
        ):
            raise BadRecord(f"{echo(before)} must be a list of objects, as in the other rows")
        yield row, name


def _response(row: Row, name: str, prompt: str, columns: Columns, default_system: str) -> SourceResponse | None:
    if not (text := _text(row, name)).strip():
        return None
    default = (len(columns.all("response")) == 1 and default_system) or name.split("[].")[0]
    return SourceResponse(
        location=row.location,
        prompt=prompt,
        system=_id(row, columns.column_of("system")) or default,
        text=text,
        id=_id(row, columns.column_of("response_id")),
        metadata=_metadata(row, columns.all("response_metadata")),
        id_hint=_id_hint(columns, "response_id"),
    )


def _column(name: str) -> str:
    return f"column {echo(name)}"


def _text(row: Row, name: str) -> str:
    """Return the column's value as a text: a number or a truth value is formatted, a missing value is ""."""
    value = row.values.get(name) if name else None
    if value is None:
        return ""
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    if not isinstance(value, str):
        raise BadRecord(f"{_column(name)} must contain a text, but contains {kind_of(value)}")
    return check_text(value, Part((_column, name)))


def _id(row: Row, name: str) -> str:
    return check_id(_text(row, name).strip(), Part((_column, name)))


def _metadata(row: Row, names: tuple[str, ...]) -> dict[str, Any]:
    short = {name: name.rsplit("[].", 1)[-1] for name in names}
    times = Counter(short.values())
    values = {key if times[key] == 1 else name: row.values.get(name) for name, key in short.items()}
    return {key: check_value(value, Part((_column, key))) for key, value in values.items() if value not in (None, "")}


def _hash(*parts: str) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:40]

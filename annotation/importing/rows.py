"""Custom rows: JSON lines, a JSON list, CSV, Excel or Parquet, read with a column mapping.

One row is a prompt, or a response (then each of its rows repeats the prompt), or a prompt with a column of answers for
each system. Objects in a row are columns `a.b`; a list of objects is columns `answers[].text`, and each of its elements
a response.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from .article_files import is_article, read_article
from .column_mapping import Columns
from .input_files import FileReader
from .json_fields import check_id, check_text, check_value, kind_of
from .problems import BadRecord, Problems, echo
from .records import NO_RESPONSE, LeftOut, Record, SourceDocument, SourcePrompt, SourceResponse
from .sections import Sections, document
from .tabular_files import Row, is_binary, read_rows

NO_PROMPT = "row without a prompt"
_DEEPEST = 3  # levels of objects that are flattened to columns
_SEPARATORS = ",;\t|"
_REPEATED = gettext_noop(
    ": all rows of a prompt must have the same value. Map what differs to the response (response_metadata), omit "
    "it, or give the prompts their own ids"
)


class _Column:
    """The name of a column in messages. It is formatted only for a message: files have many cells."""

    __slots__ = ("name",)

    def __init__(self, name: str):
        self.name = name

    def __str__(self) -> str:
        return _("column %(name)s") % {"name": echo(self.name)}


def rows_in(file_reader: FileReader, problems: Problems) -> Iterator[Row]:
    """Yield the rows of one file with flattened objects."""
    begins = b"" if is_binary(file_reader) else file_reader.beginning()
    format = "jsonl" if begins.startswith((b"{", b"[")) else "csv"
    for row in read_rows(file_reader, problems, format=format, needed=(), separator=_separator(begins)):
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
    for row in rows(file_reader, problems):
        try:
            yield from records_of(row, columns, seen_keys, system)
        except BadRecord as broken:
            problems.add(row.location, broken)


def _separator(begins: bytes) -> str:
    """Return the separator of a CSV file: the most frequent candidate in the first line."""
    first = begins.split(b"\n", 1)[0].decode(errors="replace")
    return max(_SEPARATORS, key=first.count)


def flat_rows(row: Row, problems: Problems) -> Iterator[Row]:
    """Yield the row with its objects and lists of objects as columns; nothing if it is no object."""
    if row.is_csv:
        yield row
    elif isinstance(row.values, dict):
        yield Row(row.location, dict(_leaves(row.values)))
    else:
        message = _("the row must be an object with named fields, but is %(kind)s")
        problems.add(row.location, message % {"kind": kind_of(row.values)})


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
    if responses or key not in seen_keys:
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
        )


def _document(row: Row, columns: Columns) -> SourceDocument | str | None:
    """Return a full document, the id of one elsewhere, or None."""
    key, name = _id(row, columns.column_of("document_id")), columns.column_of("document")
    value = row.values.get(name)
    paragraphs = value if isinstance(value, list) else _text(row, name).replace("\r\n", "\n").split("\n")
    if not all(isinstance(paragraph, str) for paragraph in paragraphs):
        raise BadRecord(_("%(name)s must be a text or a list of texts") % {"name": echo(name)})
    if not any(paragraph.strip() for paragraph in paragraphs):
        return key or None
    sections = Sections()
    sections.add("", [check_text(p, echo(name)) for p in paragraphs if p.strip()])
    return document(row.location, key or _hash(*paragraphs), _text(row, columns.column_of("document_title")), sections)


def _responses(row: Row, columns: Columns) -> Iterator[tuple[Row, str]]:
    """Yield each response's row and column: a list of responses is split into rows."""
    for name in columns.all("response"):
        if "[]." not in name:
            yield row, name
            continue
        before = name.split("[].")[0] + "[]."
        lists = {key: value for key, value in row.values.items() if key.startswith(before)}
        for n in range(len(lists.get(name, []))):
            yield Row(row.location, row.values | {key: value[n] for key, value in lists.items()}), name


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
    )


def _text(row: Row, name: str) -> str:
    """Return the column's value as a text: a number or a truth value is formatted, a missing value is ""."""
    value = row.values.get(name) if name else None
    if value is None:
        return ""
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    if not isinstance(value, str):
        message = _("column %(name)s must contain a text, but contains %(kind)s")
        raise BadRecord(message % {"name": echo(name), "kind": kind_of(value)})
    return check_text(value, _Column(name))


def _id(row: Row, name: str) -> str:
    return check_id(_text(row, name).strip(), _Column(name))


def _metadata(row: Row, names: tuple[str, ...]) -> dict[str, Any]:
    values = {name.rsplit("[].", 1)[-1]: row.values.get(name) for name in names}
    return {key: check_value(value, _Column(key)) for key, value in values.items() if value not in (None, "")}


def _hash(*parts: str) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:40]

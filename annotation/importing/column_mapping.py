"""Column mappings: the field of each column of a file in the format `rows`.

A mapping names columns by field. It is chosen on a page or on a command line, stored with the import, and used for the
next file of the data set, so that loading the same file again changes nothing.
"""

import shlex
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..jobs import Refused
from .json_fields import check_value
from .problems import BadRecord, echo

FIELDS = {
    "prompt": "Prompt: its text",
    "prompt_id": "Prompt: its id",
    "response": "Response: its text",
    "response_id": "Response: its id",
    "system": "System that wrote the response",
    "reference": "Reference answer, never shown to raters",
    "document": "Document: its text",
    "document_id": "Document: its id, or the name of its file",
    "document_title": "Document: its title",
    "metadata": "About the prompt: a breakdown of the report",
    "response_metadata": "About the response: kept with it",
    "leave_out": "Not loaded",
}
SEVERAL = ("response", "metadata", "response_metadata", "leave_out")
"""Fields that may have more than one column. Several of `response` are one system each, called as the column is."""
_WHOLE_LISTS = ("metadata", "response_metadata", "leave_out")
"""Fields whose value may be a whole list."""


@dataclass(frozen=True)
class Columns:
    """Columns by field."""

    by_field: Mapping[str, tuple[str, ...]]

    def column_of(self, field: str) -> str:
        """Return the field's column, "" without one."""
        return next(iter(self.by_field.get(field, ())), "")

    def all(self, field: str) -> tuple[str, ...]:
        return self.by_field.get(field, ())

    @property
    def mapped(self) -> set[str]:
        """Return every column that has a field."""
        return {column for columns in self.by_field.values() for column in columns}

    def as_json(self) -> dict[str, list[str]]:
        """Return the mapping as stored with an import and written to a mapping file."""
        return {field: list(self.by_field[field]) for field in FIELDS if self.by_field.get(field)}

    def as_arguments(self) -> str:
        """Return the mapping as command line arguments."""
        pairs = [f"{field}={column}" for field in FIELDS for column in self.by_field.get(field, ())]
        return " ".join(f"--map {shlex.quote(pair)}" for pair in pairs)


NO_COLUMNS = Columns({})


def columns_from(mapping: Any) -> Columns:
    """Return the mapping in `mapping`: fields with a column or a list of columns each. Raise Refused."""
    if not isinstance(mapping, dict):
        raise Refused(["the mapping must be an object that names columns by field"])
    check_mapping(mapping)
    problems = [
        f"the mapping names an unknown field {echo(field)}; the fields are: {', '.join(FIELDS)}"
        for field in mapping.keys() - FIELDS
    ]
    columns_by_field: dict[str, tuple[str, ...]] = {}
    for field in FIELDS.keys() & mapping.keys():
        columns = [mapping[field]] if isinstance(mapping[field], str) else mapping[field]
        if not isinstance(columns, list | tuple) or not all(isinstance(name, str) and name for name in columns):
            problems.append(f"field '{field}' of the mapping must be a column's name, or a list of such names")
        elif columns:
            columns_by_field[field] = tuple(dict.fromkeys(columns))
    if problems:
        raise Refused(sorted(problems))
    return check_columns(Columns(columns_by_field))


def check_mapping(mapping: dict[Any, Any]) -> None:
    """Raise Refused if the mapping has a name that cannot be stored."""
    try:
        check_value(mapping, "the mapping")
    except BadRecord as broken:
        raise Refused([str(broken)]) from None


def columns_of_arguments(pairs: Iterable[str]) -> dict[str, list[str]]:
    """Return the mapping in `field=column` texts of a command line. Raise Refused."""
    by_field: dict[str, list[str]] = {}
    for pair in pairs:
        field, _equals, column = pair.partition("=")
        if field not in FIELDS or not column:
            raise Refused([f"--map {pair}: write --map FIELD=COLUMN; fields are: {', '.join(FIELDS)}"])
        by_field.setdefault(field, []).append(column)
    return by_field


def check_columns(columns: Columns) -> Columns:
    """Return the mapping if it is valid for any file. Raise Refused with all errors."""
    problems = [
        f"'{field}' can have one column, but has {len(names)}: {', '.join(names)}"
        for field, names in columns.by_field.items()
        if field not in SEVERAL and len(names) > 1
    ]
    times = Counter(column for names in columns.by_field.values() for column in names)
    problems += [f"column {echo(name)} is mapped twice" for name in sorted(times) if times[name] > 1]
    if not columns.column_of("prompt"):
        problems.append("no column is mapped to the prompt's text; choose one (in a command: --map prompt=COLUMN)")
    for field in filter(columns.column_of, ("system", "response_id")):
        if len(columns.all("response")) > 1:
            message = f"with several response columns, each column is a system, so '{field}' cannot have a column"
            problems.append(f"{message}; remove one of them")
    for field in filter(columns.column_of, ("response_id", "system", "response_metadata")):
        if not columns.column_of("response"):
            problems.append(f"'{field}' belongs to a response, but no column is mapped to the response's text")
    if columns.column_of("document_title") and not columns.column_of("document"):
        problems.append("'document_title' needs a column with the document's text")
    single = {name for field, names in columns.by_field.items() if field not in _WHOLE_LISTS for name in names}
    lists = sorted({name.split("[].")[0] for name in single if "[]." in name})
    if len(lists) > 1:
        message = f"columns of one list can be mapped, and these are of {len(lists)}: {', '.join(lists)}"
        problems.append(f"of prompts and responses only {message}")
    if problems:
        raise Refused(problems)
    return columns

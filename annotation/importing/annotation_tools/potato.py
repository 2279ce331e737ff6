"""Potato: the data file, and the annotations as JSON lines, CSV or TSV.

Potato writes annotations without the data, so both files are needed: an instance's id is the id of the response. Its
versions 1 write `annotated_instances` (`label_annotations`, columns `schema:::label`), its versions 2 export
`annotations` (`labels`, columns `schema.label`, spans as JSON in `schema._spans`).
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from ..input_files import FileReader
from ..json_fields import Fields
from ..problems import BadRecord, Problems, echo, read_each
from ..records import LeftOut
from ..rows import flat_row
from ..tabular_files import Row, read_rows
from .tasks import NO_VALUE, UNKNOWN, Label, Task, annotation, label_text, other_kind, rater_name, whole_number

INSTANCE = "instance_id"
BETWEEN, BETWEEN_OF_2 = ":::", "."  # schema and label in a table's column
SPANS, SPANS_OF_2 = "span_annotation", "_spans"
_TEXTS = ("text_box", "textbox", "text", "textarea")
_NUMBERS = ("slider", "number", "value")


def read_potato(file_reader: FileReader, problems: Problems) -> Iterator[Task | LeftOut]:
    """Yield the instances of one file: rows of the data file, or annotations of one person each. Invalid rows go to
    `problems`."""
    unknown: Counter[str] = Counter()
    format = "csv" if file_reader.source.bare_name.endswith(".tsv") else None
    rows = ((row.location, row) for row in read_rows(file_reader, problems, format=format, needed=()))
    yield from read_each(rows, problems, lambda _location, row: [_task(row, unknown)])


def _task(row: Row, unknown: Counter[str]) -> Task:
    if not isinstance(row.values, Mapping) or INSTANCE not in row.values:
        return Task(flat_row(row))
    record = Fields(row.values, "the row")
    instance = label_text(record.value[INSTANCE])
    person = record.value.get("user_id") or record.value.get("user")
    unknown[instance] += not person
    rater = rater_name(person, "potato", unknown[instance])
    labels = _labels_of_columns(record.value) if row.is_csv else _labels(record)
    return Task(Row(row.location, {}), [annotation(f"instance {instance}", rater, labels)], response_id=instance)


def _labels(record: Fields) -> Iterator[Label | str]:
    schemas = {**record.get("label_annotations", dict, {}), **record.get("labels", dict, {})}
    for schema, values in schemas.items():
        if isinstance(values, Mapping):
            for name, value in values.items():
                yield from _label(schema, name, value)
        elif values not in (None, [], ""):
            yield other_kind(UNKNOWN)
    yield from _spans(record.get("span_annotations", list, []))
    for schema, spans in record.get("spans", dict, {}).items():
        yield from _spans(spans, schema) if isinstance(spans, list) else [other_kind(UNKNOWN)]
    for name in ("links", "link_annotations", "events", "event_annotations"):
        links = record.value.get(name)
        yield from (other_kind(name) for _link in (links if isinstance(links, list | Mapping) else []))


def _spans(spans: list[Any], schema: str = "span") -> Iterator[Label | str]:
    for span in spans:
        fields = Fields(span, "a span")
        start, end = (whole_number(fields.value.get(key), key) for key in ("start", "end"))
        name = fields.text("annotation") or fields.text("name")
        quoted = fields.text("span") or fields.text("text")
        label = Label(fields.text("schema", schema), name, start=start, end=end, quoted=quoted)
        yield label if name.strip() else NO_VALUE


def _label(schema: str, name: str, value: Any) -> Iterator[Label]:
    """Yield the label of one entry: its name where it is chosen, its value where it is written or a number."""
    if value in (None, "", False, "False"):
        return
    if name in _TEXTS:
        yield Label(schema, str(value), is_text=True)
    else:
        yield Label(schema, label_text(value) if name in _NUMBERS else name)


def _labels_of_columns(values: Mapping[str, Any]) -> Iterator[Label | str]:
    between = BETWEEN if any(BETWEEN in column for column in values) else BETWEEN_OF_2
    for column, value in values.items():
        schema, is_label, name = column.partition(between)
        if not is_label or value in ("", "[]"):
            continue
        if schema == SPANS:
            raise BadRecord("spans are read from JSON Lines only; set output_annotation_format to jsonl")
        if between == BETWEEN_OF_2 and name == SPANS_OF_2:
            spans = None
            with suppress(ValueError, RecursionError):
                spans = json.loads(value)
            if not isinstance(spans, list):
                raise BadRecord(f"column {echo(column)} must have spans as a JSON list")
            yield from _spans(spans, schema)
        elif between == BETWEEN or not name.startswith("_"):  # `_room` and the like are about the annotation
            yield from _label(schema, name, value)

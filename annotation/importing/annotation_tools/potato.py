"""Potato: the data file, and `annotated_instances` as JSON lines, CSV or TSV.

Potato writes annotations without the data, so both files are needed: an instance's id is the id of the response.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from ..input_files import FileReader
from ..json_fields import Fields
from ..problems import BadRecord, Problems
from ..records import LeftOut
from ..rows import flat_rows
from ..tabular_files import Row, read_rows
from .tasks import Annotation, Label, Task, label_text, rater_name, whole_number

INSTANCE = "instance_id"
BETWEEN = ":::"  # schema and label in a table's column
SPANS = "span_annotation"
_TEXTS = ("text_box", "textbox", "text", "textarea")
_NUMBERS = ("slider", "number", "value")


def read_potato(file_reader: FileReader, problems: Problems) -> Iterator[Task | LeftOut]:
    """Yield the instances of one file: rows of the data file, or annotations of one person each. Invalid rows go to
    `problems`."""
    format, separator = ("csv", "\t") if file_reader.source.bare_name.endswith(".tsv") else (None, ",")
    for row in read_rows(file_reader, problems, format=format, needed=(), separator=separator):
        if not isinstance(row.values, Mapping) or INSTANCE not in row.values:
            yield from (Task(each) for each in flat_rows(row, problems))
            continue
        try:
            yield _task(row, Fields(row.values, _("the row")))
        except BadRecord as broken:
            problems.add(row.location, broken)


def _task(row: Row, record: Fields) -> Task:
    instance = label_text(record.value[INSTANCE])
    person = record.value.get("user_id") or record.value.get("user")
    labels = _labels_of_columns(record.value) if row.is_csv else _labels(record)
    annotation = Annotation(f"instance {instance}", rater_name(person, "potato"), tuple(labels))
    return Task(Row(row.location, {}), [annotation], response_id=instance)


def _labels(record: Fields) -> Iterator[Label]:
    for schema, values in record.get("label_annotations", dict, {}).items():
        for name, value in values.items() if isinstance(values, Mapping) else []:
            yield from _label(schema, name, value)
    for span in record.get("span_annotations", list, []):
        fields = Fields(span, _("a span"))
        start, end = (whole_number(fields.value.get(key), key) for key in ("start", "end"))
        name = fields.text("annotation") or fields.text("name")
        yield Label(fields.text("schema", "span"), name, start=start, end=end, quoted=fields.text("span"))


def _label(schema: str, name: str, value: Any) -> Iterator[Label]:
    """Yield the label of one entry: its name where it is chosen, its value where it is written or a number."""
    if value in (None, "", False):
        return
    if name in _TEXTS:
        yield Label(schema, str(value), is_text=True)
    else:
        yield Label(schema, label_text(value) if name in _NUMBERS else name)


def _labels_of_columns(values: Mapping[str, Any]) -> Iterator[Label]:
    for column, value in values.items():
        schema, between, name = column.partition(BETWEEN)
        if between and schema == SPANS and value not in ("", "[]"):
            raise BadRecord(_("spans are read from JSON Lines only; set output_annotation_format to jsonl"))
        if between and schema != SPANS:
            yield from _label(schema, name, value)

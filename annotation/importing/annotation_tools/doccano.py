"""doccano: JSON lines of a project, of all annotators together or in an archive with a file for each.

The text is labeled as a whole (`label`, `cats`) or at spans (`label`, `entities`). The annotator is the file's name.
Versions before 1.3 write `annotations` with the numbers of labels and annotators, or a line for each `username`.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any

from ..input_files import FileReader
from ..json_fields import THE_LINE, Fields
from ..json_stream import read_values
from ..problems import BadRecord, Problems, read_each
from ..records import LeftOut
from ..rows import flat_row
from ..tabular_files import Row
from .tasks import NO_VALUE, Annotation, Label, Task, annotation, label_text, other_kind, rater_name, whole_number

TEXT = "text"
LABEL = "label"  # the control of labels without a name of their own
_SUFFIXES = re.compile(r"(\.(jsonl|ndjson|json|gz))+$", re.IGNORECASE)  # a user name may have points
_LABELS = ("label", "labels", "cats", "entities", "sentences")
_OLD = "annotations"
_ANNOTATIONS = (*_LABELS, _OLD, "relations", "Comments", "username", "annotation_approver")


def read_doccano(file_reader: FileReader, problems: Problems) -> Iterator[Task | LeftOut]:
    """Yield the texts of one file with their labels. Invalid lines go to `problems`."""
    stem = _SUFFIXES.sub("", PurePath(file_reader.name.replace("\\", "/")).name)
    yield from read_each(
        read_values(file_reader, problems), problems, lambda location, value: [_task(location, value, stem)]
    )


def _task(location: str, value: Any, stem: str) -> Task:
    line = Fields(value, THE_LINE)
    if line.value.get("data") is not None:
        line.value.setdefault(TEXT, line.value.pop("data"))  # as versions 1.4 and 1.5 write it
    line.needed_text(TEXT)
    data = {name: each for name, each in line.value.items() if name not in _ANNOTATIONS}
    if "id" in data:
        data["id"] = str(data["id"])
    row = flat_row(Row(location, data))
    return Task(row, _old_annotations(line) if _OLD in line.value else _annotations(line, stem))


def _annotations(line: Fields, stem: str) -> list[Annotation]:
    """Return the labels by the annotator of the file, or of the line."""
    labels_or_reasons = [
        _label(LABEL if key == "labels" else key, each) for key in _LABELS for each in line.get(key, list, [])
    ]
    labels_or_reasons += [other_kind("relation") for _relation in line.get("relations", list, [])]
    comment = "\n".join(map(str, line.get("Comments", list, [])))
    if not (labels_or_reasons or comment or any(name in line.value for name in _LABELS)):
        return []
    rater = rater_name(line.value.get("username") or f"doccano-{stem}", "doccano")
    return [annotation(LABEL, rater, labels_or_reasons, comment=comment)]


def _old_annotations(line: Fields) -> list[Annotation]:
    """Return the labels of versions before 1.3, by annotator."""
    labels: dict[str, list[Label | str]] = {}
    for each in line.objects(_OLD, "annotation"):
        value = each.value if "label" in each.value else each.value.get("text")
        labels.setdefault(rater_name(each.value.get("user"), "doccano"), []).append(_label(LABEL, value))
    return [annotation(f"annotations of {person}", person, values) for person, values in labels.items()]


def _label(control: str, value: Any) -> Label | str:
    """Return a label: a text, a list of start, end and label, or an object with offsets; or the reason for which it is
    none. Raise BadRecord."""
    start, end, label = None, None, value
    if isinstance(value, list) and len(value) == 3:
        start, end, label = value
    elif isinstance(value, Mapping):
        start, end, label = value.get("start_offset"), value.get("end_offset"), value.get("label")
    if isinstance(label, list | bool | Mapping) or label is None:
        raise BadRecord("a label must be a text, or a list of start, end and label")
    if not label_text(label).strip():
        return NO_VALUE
    if label is value or (start is None and end is None):
        return Label(control, label_text(label))
    return Label(control, label_text(label), start=whole_number(start, "start"), end=whole_number(end, "end"))

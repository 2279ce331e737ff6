"""doccano: JSON lines of a project, of all annotators together or in an archive with a file for each.

The text is labeled as a whole (`label`, `cats`) or at spans (`label`, `entities`). The annotator is the file's name.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any

from django.utils.translation import gettext as _

from ..input_files import FileReader
from ..json_fields import THE_LINE, Fields
from ..json_stream import read_values
from ..problems import BadRecord, Problems
from ..records import LeftOut
from ..rows import flat_rows
from ..tabular_files import Row
from .tasks import Annotation, Label, Task, label_text, rater_name, whole_number

TEXT = "text"
LABEL = "label"  # the control of labels without a name of their own
_SUFFIXES = re.compile(r"(\.(jsonl|ndjson|json|gz))+$", re.IGNORECASE)  # a user name may have points
_ANNOTATIONS = ("label", "labels", "cats", "entities", "relations", "Comments")


def read_doccano(file_reader: FileReader, problems: Problems) -> Iterator[Task | LeftOut]:
    """Yield the texts of one file with their labels. Invalid lines go to `problems`."""
    stem = _SUFFIXES.sub("", PurePath(file_reader.name.replace("\\", "/")).name)
    rater = rater_name(f"doccano-{stem}", "doccano")
    for location, value in read_values(file_reader, problems):
        try:
            line = Fields(value, THE_LINE)
            line.needed_text(TEXT)
            data = {name: each for name, each in line.value.items() if name not in _ANNOTATIONS}
            if "id" in data:
                data["id"] = str(data["id"])
            [row] = list(flat_rows(Row(location, data), Problems()))
            labels = tuple(_labels(line))
            comment = "\n".join(map(str, line.get("Comments", list, [])))
        except BadRecord as broken:
            problems.add(location, broken)
        else:
            is_labeled = labels or any(name in line.value for name in ("label", "labels", "entities", "cats"))
            yield Task(row, [Annotation("label", rater, labels, comment=comment)] if is_labeled else [])


def _labels(line: Fields) -> Iterator[Label]:
    for key in ("label", "labels", "cats", "entities"):
        control = LABEL if key == "labels" else key
        for each in line.get(key, list, []):
            yield _label(control, each)


def _label(control: str, value: Any) -> Label:
    """Return a label: a text, a list of start, end and label, or an object with offsets. Raise BadRecord."""
    if isinstance(value, list) and len(value) == 3:
        return Label(
            control, label_text(value[2]), start=whole_number(value[0], "start"), end=whole_number(value[1], "end")
        )
    if isinstance(value, Mapping):
        start, end = (whole_number(value.get(name), name) for name in ("start_offset", "end_offset"))
        return Label(control, label_text(value.get("label")), start=start, end=end)
    if isinstance(value, list | bool) or value is None:
        raise BadRecord(_("a label must be a text, or a list of start, end and label"))
    return Label(control, label_text(value))

"""Label Studio: a project's export as JSON. A task has its data, annotations of people and predictions of models."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, pgettext_lazy

from ..input_files import FileReader
from ..json_fields import Fields, Named
from ..json_stream import read_values
from ..problems import BadRecord, Problems
from ..records import LeftOut
from ..rows import flat_rows
from ..tabular_files import Row
from .tasks import (
    GOLD,
    JUDGE,
    RATER,
    SKIPPED,
    Annotation,
    Label,
    Task,
    judge_name,
    label_text,
    rater_name,
    whole_number,
)

TOOL = "label-studio"
ONLY_ID = gettext_noop("prediction without its labels")
_VALUES = ("choices", "labels", "hypertextlabels", "paragraphlabels", "rating", "number", "taxonomy", "selected")
"""Keys of a result's value that hold its labels. `selected` is that of a pairwise comparison."""


def read_label_studio(file_reader: FileReader, problems: Problems) -> Iterator[Task | LeftOut]:
    """Yield the tasks of one file. Invalid ones go to `problems`; skipped annotations are left out, and
    predictions of which there is only the id, as the page *Export* of Label Studio writes them."""
    for location, value in read_values(file_reader, problems, nan_as_null=True):
        try:
            task = Fields(value, _("the task"))
            if "data" not in task.value:
                raise BadRecord(_("the task has no 'data'; export the project from Label Studio as JSON, not JSON-MIN"))
            row = next(flat_rows(Row(location, task.get("data", dict, {})), problems))
            sources = task.objects("annotations", pgettext_lazy("part of a file", "annotation"))
            skipped = [source for source in sources if source.value.get("was_cancelled")]
            annotations = [_annotation(source) for source in sources if source not in skipped]
            listed = task.get("predictions", list, [])
            ids = listed if all(isinstance(each, int) for each in listed) else []
            predictions = [] if ids else task.objects("predictions", pgettext_lazy("part of a file", "prediction"))
            annotations += [_prediction(source) for source in predictions if source.value.get("result")]
        except BadRecord as broken:
            problems.add(location, broken)
        else:
            yield from (LeftOut(location, SKIPPED) for _source in skipped)
            yield from (LeftOut(location, ONLY_ID) for _id in ids)
            yield Task(row, annotations)


def _annotation(source: Fields) -> Annotation:
    person = source.value.get("completed_by")
    person = (person.get("email") or person.get("id")) if isinstance(person, Mapping) else person
    lead_time = source.value.get("lead_time")
    return Annotation(
        name=f"annotation {source.value.get('id')}",
        rater=rater_name(person, TOOL),
        labels=_labels(source),
        role=GOLD if source.value.get("ground_truth") else RATER,
        seconds=float(lead_time) if isinstance(lead_time, int | float) and lead_time >= 0 else None,
        rated_at=source.text("created_at"),
    )


def _prediction(source: Fields) -> Annotation:
    name = f"prediction {source.value.get('id')}"
    return Annotation(name, judge_name(source.value.get("model_version")), _labels(source), role=JUDGE)


def _labels(source: Fields) -> tuple[Label, ...]:
    results = source.objects("result", pgettext_lazy("part of a file", "result"))
    return tuple(label for result in results if "value" in result.value for label in _labels_of(result))


def _labels_of(result: Fields) -> Iterator[Label]:
    value = Fields(result.value["value"], Named("value", result.label))
    label = Label(result.text("from_name"), "", about=result.text("to_name"))
    if value.value.get("start") is not None:
        label = _at_span(label, value.value)
    if result.value.get("type") == "textarea":
        yield replace(label, value="\n".join(_texts(value.value.get("text"))), is_text=True)
        return
    for key in _VALUES:
        yield from (replace(label, value=text) for text in _texts(value.value.get(key)))


def _at_span(label: Label, value: Mapping[str, Any]) -> Label:
    """Return the label with the place of its span; in a formatted text `start` and `end` are elements of the page."""
    offsets = value.get("globalOffsets")
    place = offsets if isinstance(offsets, Mapping) else value
    start, end = (whole_number(place.get(name), name) for name in ("start", "end"))
    quoted = value.get("text")
    return replace(label, start=start, end=end, quoted=quoted if isinstance(quoted, str) else "")


def _texts(value: Any) -> list[str]:
    """Return the labels in a value: one or a list; one of a taxonomy is a path."""
    values = [] if value is None else value if isinstance(value, list) else [value]
    return [" / ".join(map(str, each)) if isinstance(each, list) else label_text(each) for each in values]

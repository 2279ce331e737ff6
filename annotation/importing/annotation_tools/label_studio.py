"""Label Studio: a project's export as JSON. A task has its data, annotations of people and predictions of models."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from ..input_files import FileReader
from ..json_fields import Fields, named
from ..json_stream import read_values
from ..problems import BadRecord, Problems, echo, read_each
from ..records import LeftOut
from ..rows import flat_row
from ..tabular_files import Row
from .tasks import (
    GOLD,
    JUDGE,
    NO_RESULT,
    NO_VALUE,
    RATER,
    SKIPPED,
    Annotation,
    Label,
    Task,
    annotation,
    judge_name,
    label_text,
    other_kind,
    rater_name,
    whole_number,
)

TOOL = "label-studio"
ONLY_ID = "prediction without its labels"
_VALUES = ("choices", "labels", "hypertextlabels", "paragraphlabels", "rating", "number", "taxonomy", "selected")
"""Keys of a result's value that hold its labels. `selected` is that of a pairwise comparison."""
_KINDS = {*_VALUES, "pairwise", "textarea"}
"""Types of the results that are imported."""


def read_label_studio(file_reader: FileReader, problems: Problems) -> Iterator[Task | LeftOut]:
    """Yield the tasks of one file. Invalid ones go to `problems`; skipped annotations are left out, drafts, and
    predictions of which there is only the id, as the page *Export* of Label Studio writes them."""
    yield from read_each(read_values(file_reader, problems, nan_as_null=True), problems, _task)


def _task(location: str, value: Any) -> Iterator[Task | LeftOut]:
    task = Fields(value, "the task")
    if "data" not in task.value:
        raise BadRecord("the task has no 'data'; export the project from Label Studio as JSON, not JSON-MIN")
    row = flat_row(Row(location, task.get("data", dict, {})))
    key = "annotations" if task.value.get("annotations") is not None else "completions"  # before version 1
    sources = task.objects(key, "annotation")
    completed = [each for each in sources if not (each.value.get("was_cancelled") or each.value.get("skipped"))]
    left_out = [SKIPPED] * (len(sources) - len(completed) + len(task.get("drafts", list, [])))
    annotations: list[Annotation] = []
    unknown = 1
    for source in completed:
        person = source.value.get("completed_by")
        person = ((person.get("email") or person.get("id")) if isinstance(person, Mapping) else person) or None
        annotations.append(_annotation(source, rater_name(person, TOOL, unknown)))
        unknown += person is None  # the account was deleted
    predictions = task.get("predictions", list, [])
    if all(isinstance(each, int) for each in predictions):
        left_out += [ONLY_ID] * len(predictions)
        predictions = []
    for prediction in task.objects("predictions", "prediction") if predictions else []:
        if prediction.value.get("result"):
            rater = judge_name(prediction.value.get("model_version"))
            name = f"prediction {prediction.value.get('id')}"
            annotations.append(annotation(name, rater, _labels(prediction), role=JUDGE))
        else:
            left_out.append(NO_RESULT)
    yield from (LeftOut(location, reason) for reason in left_out)
    yield Task(row, annotations)


def _annotation(source: Fields, rater: str) -> Annotation:
    lead_time, at = source.value.get("lead_time"), source.value.get("created_at")
    return annotation(
        f"annotation {source.value.get('id')}",
        rater,
        _labels(source),
        role=GOLD if source.value.get("ground_truth") else RATER,
        seconds=float(lead_time) if isinstance(lead_time, int | float) and lead_time >= 0 else None,
        rated_at=_time(at) if isinstance(at, int | float) and not isinstance(at, bool) else source.text("created_at"),
    )


def _time(seconds: float) -> str:
    """Return a time that versions before 1 wrote as seconds. Raise BadRecord."""
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        raise BadRecord(f"'created_at' must be a time, but is {echo(seconds)}") from None


def _labels(source: Fields) -> Iterator[Label | str]:
    """Yield the labels of the results, and the reasons for which some results have none."""
    for result in source.objects("result", "result"):
        kind = result.value.get("type")
        if (isinstance(kind, str) and kind in _KINDS) or (kind is None and "value" in result.value):
            labels: list[Label | str] = [*_labels_of(result)]
            yield from labels or [NO_VALUE]
        else:
            yield other_kind(kind)


def _labels_of(result: Fields) -> Iterator[Label]:
    value = Fields(result.value.get("value") or {}, named("value", result.label))
    label = Label(result.text("from_name"), "", about=result.text("to_name"))
    if value.value.get("start") is not None:
        # In a formatted text `start` and `end` are elements of the page.
        offsets, quoted = value.value.get("globalOffsets"), value.value.get("text")
        place = offsets if isinstance(offsets, Mapping) else value.value
        start, end = (whole_number(place.get(name), name) for name in ("start", "end"))
        label = replace(label, start=start, end=end, quoted=quoted if isinstance(quoted, str) else "")
    if result.value.get("type") == "textarea":
        if written := "\n".join(_texts(value.value.get("text"))):
            yield replace(label, value=written, is_text=True)
        return
    for key in _VALUES:
        yield from (replace(label, value=text) for text in _texts(value.value.get(key)))


def _texts(value: Any) -> list[str]:
    """Return the labels in a value: one or a list; one of a taxonomy is a path."""
    values = [] if value is None else value if isinstance(value, list) else [value]
    texts = [" / ".join(map(str, each)) if isinstance(each, list) else label_text(each) for each in values]
    return [text for text in texts if text.strip()]

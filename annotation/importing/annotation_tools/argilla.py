"""Argilla: records as JSON (`to_json`, `to_list`), or flattened to columns (`to_datasets`, Parquet).

A record has fields, metadata, responses of people and suggestions of models, each by question. A question's value is a
label, a number, a text, a list of labels, or a list of spans.
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
from .tasks import (
    JUDGE,
    SKIPPED,
    Annotation,
    Label,
    Task,
    judge_name,
    label_text,
    rater_name,
    whole_number,
)

MAX_LABEL_LENGTH = 100  # characters; a longer value is a written text
_NOT_GIVEN = ("draft", "discarded")
_RESPONSES, _SUGGESTION = ".responses", ".suggestion"


def read_argilla(file_reader: FileReader, problems: Problems) -> Iterator[Task | LeftOut]:
    """Yield the records of one file. Invalid ones go to `problems`; drafts and discarded responses are left out."""
    for row in read_rows(file_reader, problems, format=None, needed=()):
        try:
            record = Fields(row.values, _("the record"))
            task, skipped = _task(row, _nested(record) if "fields" not in record.value else record)
        except BadRecord as broken:
            problems.add(row.location, broken)
        else:
            yield from (LeftOut(row.location, SKIPPED) for _n in range(skipped))
            if task:
                yield task


def _task(row: Row, record: Fields) -> tuple[Task, int]:
    data = {**record.get("metadata", dict, {}), **record.get("fields", dict, {})}
    if record.value.get("id") is not None:
        data.setdefault("id", str(record.value["id"]))
    labels: dict[str, list[Label]] = {}
    skipped: set[str] = set()
    for question, responses in record.get("responses", dict, {}).items():
        for response in responses or []:
            given = Fields(response, _("a response to %(question)s") % {"question": question})
            person = rater_name(given.value.get("user_id"), "argilla")
            if given.value.get("status") in _NOT_GIVEN:
                skipped.add(person)
            else:
                labels.setdefault(person, []).extend(_labels(question, given.value.get("value")))
    annotations = [Annotation(f"responses of {person}", person, tuple(each)) for person, each in labels.items()]
    [flat] = list(flat_rows(Row(row.location, data), Problems()))
    return Task(flat, [*annotations, *_suggestions(record)]), len(skipped)


def _suggestions(record: Fields) -> list[Annotation]:
    """Return the suggestions as annotations by their agents."""
    labels: dict[str, list[Label]] = {}
    for question, suggestion in record.get("suggestions", dict, {}).items():
        if isinstance(suggestion, Mapping) and suggestion.get("value") is not None:
            agent = judge_name(suggestion.get("agent"))
            labels.setdefault(agent, []).extend(_labels(question, suggestion["value"]))
    return [Annotation(f"suggestions of {agent}", agent, tuple(each), role=JUDGE) for agent, each in labels.items()]


def _labels(question: str, value: Any) -> Iterator[Label]:
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, Mapping) and "label" in each:
            start, end = (whole_number(each.get(name), name) for name in ("start", "end"))
            yield Label(question, label_text(each["label"]), start=start, end=end)
        elif isinstance(each, Mapping):
            raise BadRecord(_("rankings (question %(question)s) cannot be imported") % {"question": question})
        elif each is not None:
            text = label_text(each)
            yield Label(question, text, is_text=len(text) > MAX_LABEL_LENGTH or "\n" in text)


def _nested(record: Fields) -> Fields:
    """Return a flattened record with its responses and suggestions by question; its other columns are fields."""
    fields, responses, suggestions = {}, {}, {}
    for name, value in record.value.items():
        if name.endswith(_RESPONSES) and value is not None:
            users = record.get(f"{name}.users", list, [])
            status = record.get(f"{name}.status", list, [None] * len(users))
            given = zip(value, users, status, strict=False)
            responses[name.removesuffix(_RESPONSES)] = [
                {"value": each, "user_id": user, "status": state} for each, user, state in given
            ]
        elif name.endswith(_SUGGESTION):
            suggestions[name.removesuffix(_SUGGESTION)] = {
                "value": value,
                "agent": record.value.get(f"{name}.agent"),
            }
        elif (
            _RESPONSES not in name and _SUGGESTION not in name and name not in ("id", "status", "_server_id", "vectors")
        ):
            fields[name] = value
    nested = {"id": record.value.get("id"), "fields": fields, "responses": responses, "suggestions": suggestions}
    return Fields(nested, record.label)

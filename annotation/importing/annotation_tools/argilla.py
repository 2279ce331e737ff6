"""Argilla: records as JSON (`to_json`, `to_list`), or flattened to columns (`to_datasets`, Parquet).

A record has fields, metadata, responses of people and suggestions of models, each by question. A question's value is a
label, a number, a text, a list of labels, or a list of spans.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from ...jobs import Refused
from ..input_files import FileReader
from ..json_fields import Fields
from ..problems import BadRecord, Problems, echo, read_each
from ..records import LeftOut
from ..rows import flat_row
from ..tabular_files import Row, read_rows
from .tasks import (
    JUDGE,
    NO_VALUE,
    SKIPPED,
    UNKNOWN,
    Label,
    Task,
    annotation,
    judge_name,
    label_text,
    other_kind,
    rater_name,
    whole_number,
)

MAX_LABEL_LENGTH = 100  # characters; a longer value is a written text
_NOT_GIVEN = ("draft", "discarded")
_ABOUT_THE_RECORD = ("id", "status", "_server_id", "vectors")
_RESPONSES, _SUGGESTION = ".responses", ".suggestion"
_OF_VERSION_1 = (
    "this record is from Argilla 1, whose answers cannot be imported; copy the data set to Argilla 2 (its "
    "documentation has a guide to migration), and export it there"
)


def read_argilla(file_reader: FileReader, problems: Problems) -> Iterator[Task | LeftOut]:
    """Yield the records of one file. Invalid ones go to `problems`; drafts and discarded responses are left out.
    Raise Refused for records of Argilla 1."""
    rows = ((row.location, row) for row in read_rows(file_reader, problems, format=None, needed=()))
    yield from read_each(rows, problems, _task)


def _task(location: str, row: Row) -> Iterator[Task | LeftOut]:
    record = Fields(row.values, "the record")
    # Argilla 1 has answers in `annotation`, or in lists named like the questions.
    answers = [each for value in record.value.values() if isinstance(value, list) for each in value[:1]]
    if (
        {"annotation", "annotation_agent"} <= record.value.keys()
        or any(isinstance(each, Mapping) and {"user_id", "value", "status"} <= each.keys() for each in answers)
        or isinstance(record.value.get("responses"), list)
    ):
        raise Refused([f"{location}: {_OF_VERSION_1}"])
    is_nested = "fields" in record.value or isinstance(record.value.get("responses"), Mapping)
    record = record if is_nested else _nested(record)
    data = {**record.get("metadata", dict, {}), **record.get("fields", dict, {})}
    if record.value.get("id") is not None:
        data.setdefault("id", str(record.value["id"]))
    labels: dict[str, list[Label | str]] = {}
    skipped: set[str] = set()
    for question, responses in record.get("responses", dict, {}).items():
        unknown = 1
        if not isinstance(responses or [], list):
            raise BadRecord(f"the responses to {echo(question)} must be a list")
        for response in responses or []:
            answer = Fields(response, f"a response to {question}")
            person = rater_name(answer.value.get("user_id"), "argilla", unknown)
            unknown += answer.value.get("user_id") is None
            if answer.value.get("status") in _NOT_GIVEN:
                skipped.add(person)
            else:
                labels.setdefault(person, []).extend(_labels(question, answer.value.get("value")))
    flat = flat_row(Row(location, data))
    annotations = [annotation(f"responses of {person}", person, each) for person, each in labels.items()]
    suggested: dict[str, list[Label | str]] = {}
    for question, suggestion in record.get("suggestions", dict, {}).items():
        if isinstance(suggestion, Mapping) and suggestion.get("value") is not None:
            agent = judge_name(suggestion.get("agent"))
            suggested.setdefault(agent, []).extend(_labels(question, suggestion["value"]))
    annotations += [annotation(f"suggestions of {name}", name, each, role=JUDGE) for name, each in suggested.items()]
    yield from (LeftOut(location, SKIPPED) for _person in skipped)
    yield Task(flat, annotations)


def _labels(question: str, value: Any) -> Iterator[Label | str]:
    """Yield the labels of an answer, and the reasons for which parts of it are none."""
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, Mapping) and "label" in each:
            start, end = (whole_number(each.get(name), name) for name in ("start", "end"))
            yield Label(question, label_text(each["label"]), start=start, end=end)
        elif isinstance(each, Mapping):
            yield other_kind("ranking" if "rank" in each else UNKNOWN)
        elif each is not None:
            text = label_text(each)
            is_text = len(text) > MAX_LABEL_LENGTH or "\n" in text
            yield Label(question, text, is_text=is_text) if text.strip() else NO_VALUE


def _nested(record: Fields) -> Fields:
    """Return a flattened record with its responses and suggestions by question; its other columns are fields."""
    fields, responses, suggestions = {}, {}, {}
    for name, value in record.value.items():
        if name.endswith(_RESPONSES) and value is not None:
            values = record.get(name, list)
            users = record.get(f"{name}.users", list, [None] * len(values))
            status = record.get(f"{name}.status", list, [None] * len(values))
            if not len(values) == len(users) == len(status):
                raise BadRecord(f"'{name}' has {len(values)} answers of {len(users)} users; export the records again")
            columns = zip(values, users, status, strict=True)
            responses[name.removesuffix(_RESPONSES)] = [
                {"value": each, "user_id": user, "status": state} for each, user, state in columns
            ]
        elif name.endswith(_SUGGESTION):
            agent = record.value.get(f"{name}.agent")
            suggestions[name.removesuffix(_SUGGESTION)] = {"value": value, "agent": agent}
        elif _RESPONSES not in name and _SUGGESTION not in name and name not in _ABOUT_THE_RECORD:
            fields[name] = value
    nested = {"id": record.value.get("id"), "fields": fields, "responses": responses, "suggestions": suggestions}
    return Fields(nested, record.label)

"""Ratings as a Label Studio export: a task for each response, annotations of raters, predictions of judges.

Answers about a whole response are choices, those about sentences are labels of spans. `from_name` is the question's
key, `to_name` is `response`, and a label is the option's label.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from ..models import Project, Rating
from ..protocols import Protocol, Question
from .rated_responses import RatedResponse, RatedRow, json_list, rated_responses

TO_NAME = "response"  # the tag of the text
COMMENT = "comment"  # the control of the comments


def write_label_studio(project: Project, rows: Iterable[RatedRow]) -> Iterator[bytes]:
    """Yield the tasks as one JSON list."""
    protocol = project.protocol.definition
    responses = enumerate(rated_responses(project, rows), 1)
    return json_list(_task(number, rated, protocol) for number, rated in responses)


def _task(number: int, rated: RatedResponse, protocol: Protocol) -> dict[str, Any]:
    annotations, predictions = [], []
    for n, ((role, rater), rows) in enumerate(rated.ratings.items(), 1):
        results = [result for row in rows for result in _results(row, protocol)]
        if role == Rating.Role.JUDGE:
            predictions.append({"model_version": rater, "result": results})
            continue
        seconds = [row["seconds"] for row in rows if row["seconds"] is not None]
        at = min(row["rated_at"] for row in rows)
        annotations.append(
            {
                "id": n,
                "completed_by": {"email": rater},
                "result": results,
                "was_cancelled": False,
                "ground_truth": role == Rating.Role.GOLD,
                "created_at": _time(at),
                "lead_time": round(sum(seconds), 3) if seconds else None,
            }
        )
    data = {**rated.metadata, **rated.fields}
    return {"id": number, "data": data, "annotations": annotations, "predictions": predictions}


def _results(row: RatedRow, protocol: Protocol) -> Iterator[dict[str, Any]]:
    """Yield the results of one rating; those about a sentence share the id of its region."""
    region = f"{row['unit']}-{row['item']}"
    questions = {question.key: question for question in protocol.questions}
    for key, answer in row["answers"].items():
        yield _result(row, region, key, _value(row, questions[key], answer))
    if row["comment"]:
        yield _result(row, region, COMMENT, ("textarea", {"text": [row["comment"]]}))


def _value(row: RatedRow, question: Question, answer: str) -> tuple[str, dict[str, Any]]:
    """Return the type and the value of a result."""
    if not question.options:
        return "textarea", {"text": [answer]}
    label = next((option.label for option in question.options if option.key == answer), answer)
    is_span = row["unit"] != TO_NAME and not question.once
    return ("labels", {"labels": [label]}) if is_span else ("choices", {"choices": [label]})


def _result(row: RatedRow, region: str, key: str, typed: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    kind, value = typed
    span = {"start": row["start"], "end": row["end"], "text": row["text"]}
    if kind == "textarea":
        del span["text"]  # a text area's own text is under this key
    placed: dict[str, Any] = {**span, **value} if row["unit"] != TO_NAME and kind != "choices" else value
    return {"id": region, "from_name": key, "to_name": TO_NAME, "type": kind, "value": placed}


def _time(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")

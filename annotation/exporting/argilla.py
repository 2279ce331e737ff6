"""Ratings as Argilla records, as `dataset.records.to_list()` writes them: one for each rated item.

The response's text is a field; responses are the answers of raters, suggestions those of a judge. `user_id` is the user
name.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from ..models import Item, Project, Rating
from .rated_responses import RatedResponse, RatedRow, json_list, rated_responses


def write_argilla(project: Project, rows: Iterable[RatedRow]) -> Iterator[bytes]:
    """Yield the records as one JSON list."""
    return json_list(record for rated in rated_responses(project, rows) for record in _records(rated))


def _records(rated: RatedResponse) -> Iterator[dict[str, Any]]:
    items: dict[int, list[RatedRow]] = {}
    for rows in rated.ratings.values():
        for row in rows:
            items.setdefault(row["item"], []).append(row)
    for position in sorted(items):
        rows = items[position]
        fields = rated.fields
        key = fields["response_id"]
        if rows[0]["unit"] != Item.Unit.RESPONSE:  # a record about a sentence has its text, and no spans
            key = f"{key}#{position}"
            fields |= {"response": rows[0]["text"], "response_id": key}
        yield {
            "id": key,
            "fields": fields,
            "metadata": rated.metadata,
            "suggestions": _suggestions(rows),
            "responses": _responses(rows),
            "vectors": {},
            "status": "completed",
        }


def _responses(rows: Iterable[RatedRow]) -> dict[str, list[dict[str, Any]]]:
    answers: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        if row["role"] == Rating.Role.RATER:
            for question, value in row["answers"].items():
                answers.setdefault(question, []).append({"value": value, "user_id": row["rater"]})
    return answers


def _suggestions(rows: Iterable[RatedRow]) -> dict[str, dict[str, Any]]:
    """Return the answers of the first judge: Argilla has one suggestion for each question."""
    judged = next((row for row in rows if row["role"] == Rating.Role.JUDGE), None)
    if judged is None:
        return {}
    return {
        question: {"value": value, "score": None, "agent": judged["rater"]}
        for question, value in judged["answers"].items()
    }

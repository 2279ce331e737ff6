"""What a report says raters disagreed on most, as its page shows it: with a way to all ratings of each item."""

from typing import Any

from ...models import Item, Project
from ...reporting.text import figure_format
from ...reporting.text.naming import Names
from .measure_table import Report

SHOWN = 5  # of the list, before it is unfolded


def disputed(project: Project | None, report: Report, names: Names) -> dict[str, Any]:
    """The list in two parts, the worst first; `item` is the public id of an item that is still there, `prompt` the text
    that was asked. One query; none without a project, where nothing leads to the items.
    """
    found = report.get("disagreements", [])
    items = _items(project, found) if project else {}
    rows = [_row(row, names) | items.get(_place(row), {}) for row in found]
    return {"worst": rows[:SHOWN], "more": rows[SHOWN:]}


def _row(row: dict[str, Any], names: Names) -> dict[str, Any]:
    votes = [
        {"label": names.option(key), "sign": names.sign(key), "tone": names.tone(key), "n": n}
        for key, n in row["options"].items()
        if n
    ]
    return {
        "text": row["text"],
        "system": row["system"],
        "votes": votes,
        "others": figure_format.answers_to_others(row, names),
    }


def _place(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["response"], row["against"], row["unit"], row["item"]


def _items(project: Project, rows: list[dict[str, Any]]) -> dict[tuple[Any, ...], dict[str, Any]]:
    """What is known of the items of these rows, and of some beside them, by their places."""
    if not rows:
        return {}
    found = Item.objects.filter(
        response__dataset=project.dataset_id,
        response__key__in=[row["response"] for row in rows],
        position__in=[row["item"] for row in rows],
    )
    columns = ("response__key", "against__key", "unit", "position")
    known = found.values_list("public_id", "response__prompt__text", *columns)
    return {tuple(place): {"item": public_id, "prompt": prompt} for public_id, prompt, *place in known}

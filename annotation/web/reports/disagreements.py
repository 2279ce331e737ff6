"""What a report says raters disagreed on most, as its page shows it: with a way to all ratings of each item."""

from collections.abc import Sequence
from typing import Any

from ...models import Item, Project
from ...reporting.report import Disagreement, Report
from ...reporting.text import figure_format
from ...reporting.text.naming import Names

ItemKey = tuple[str, str | None, str, int]
"""Response, the other response of a pair, unit, position."""

SHOWN = 5  # of the list, before it is unfolded


def disputed(project: Project | None, report: Report, names: Names) -> dict[str, Any]:
    """The list in two parts, the worst first; `item` is the public id of an item that is still there, `prompt` the text
    that was asked. One query; none without a project, where nothing leads to the items.
    """
    disagreements = report.disagreements or ()
    items = _items(project, disagreements) if project else {}
    rows = [_row(row, names) | items.get(_item_key(row), {}) for row in disagreements]
    return {"worst": rows[:SHOWN], "more": rows[SHOWN:]}


def _row(row: Disagreement, names: Names) -> dict[str, Any]:
    votes = [
        {"label": names.option(key), "sign": names.sign(key), "tone": names.tone(key), "n": n}
        for key, n in row.options.items()
        if n
    ]
    return {
        "text": row.text,
        "system": row.system,
        "votes": votes,
        "others": figure_format.answers_to_others(row, names),
    }


def _item_key(row: Disagreement) -> ItemKey:
    return row.response, row.against, row.unit, row.item


def _items(project: Project, rows: Sequence[Disagreement]) -> dict[ItemKey, dict[str, Any]]:
    """What is known of the items of these rows, and of some beside them, by their places."""
    if not rows:
        return {}
    items = Item.objects.filter(
        response__dataset=project.dataset_id,
        response__key__in=[row.response for row in rows],
        position__in=[row.item for row in rows],
    )
    columns = ("response__key", "against__key", "unit", "position")
    rows_of_items = items.values_list("public_id", "response__prompt__text", *columns)
    return {
        (response, against, unit, position): {"item": public_id, "prompt": prompt}
        for public_id, prompt, response, against, unit, position in rows_of_items
    }

"""The most disputed items of a report, with links to all ratings of each item."""

from collections.abc import Sequence
from typing import TypeVar
from uuid import UUID

from ...models import Item, Project
from ...reporting.report import Report
from ...reporting.sections.agreement.figures import Disagreement
from ...reporting.sections.judge.figures import DifferingItem

Row = TypeVar("Row", bound=Disagreement | DifferingItem)
ItemKey = tuple[str, str | None, str, int]
"""Response, the other response of a pair, unit, position."""


def disputed(project: Project | None, report: Report) -> list[tuple[Disagreement, UUID | None, str]]:
    """Return the items, most disagreement first, each with its public id if it still exists and its prompt's text. One
    query; none without a project, as shared reports have no links.
    """
    return linked_items(project, report.disagreements or ())


def linked_items(project: Project | None, rows: Sequence[Row]) -> list[tuple[Row, UUID | None, str]]:
    """Return the same for rows that name an item by imported ids."""
    items = _items(project, rows) if project else {}
    return [(row, *items.get(_item_key(row), (None, ""))) for row in rows]


def _item_key(row: Disagreement | DifferingItem) -> ItemKey:
    return row.response, row.against, row.unit, row.item


def _items(project: Project, rows: Sequence[Disagreement | DifferingItem]) -> dict[ItemKey, tuple[UUID, str]]:
    """Return the public id and the prompt's text of the items of these rows, possibly with further items."""
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
        (response, against, unit, position): (public_id, prompt)
        for public_id, prompt, response, against, unit, position in rows_of_items
    }

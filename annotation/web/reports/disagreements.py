"""The most disputed items of a report, with links to all ratings of each item."""

from collections.abc import Sequence
from typing import TypeVar
from uuid import UUID

from ...models import Item, Project
from ...reporting.report import Report
from ...reporting.sections.agreement.figures import Disagreement
from ...reporting.sections.judge.figures import DifferingItem

Row = TypeVar("Row", bound=Disagreement | DifferingItem)


def disputed(project: Project | None, report: Report) -> list[tuple[Disagreement, UUID | None, str]]:
    """Return the items, most disagreement first, each with its public id if it still exists and its prompt's text. One
    query; none without a project, as shared reports have no links.
    """
    return linked_items(project, report.disagreements or ())


def linked_items(project: Project | None, rows: Sequence[Row]) -> list[tuple[Row, UUID | None, str]]:
    """Return the same for rows that name an item by imported ids."""
    if project is None or not rows:
        return [(row, None, "") for row in rows]
    # Items with another combination of these ids are read, too.
    items = Item.objects.filter(
        response__dataset=project.dataset_id,
        response__key__in=[row.response for row in rows],
        position__in=[row.item for row in rows],
    ).values_list("response__key", "against__key", "unit", "position", "public_id", "response__prompt__text")
    links: dict[tuple[str, str | None, str, int], tuple[UUID, str]] = {
        (response, against, unit, position): (public_id, prompt)
        for response, against, unit, position, public_id, prompt in items
    }
    return [(row, *links.get((row.response, row.against, row.unit, row.item), (None, ""))) for row in rows]

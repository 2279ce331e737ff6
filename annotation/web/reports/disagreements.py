"""The most disputed items of a report, with links to all ratings of each item."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from ...models import Item, Project
from ...reporting.report import Disagreement, Report
from ...reporting.text import figure_format
from ...reporting.text.names import Names

ItemKey = tuple[str, str | None, str, int]
"""Response, the other response of a pair, unit, position."""

SHOWN = 5  # of the list, before it is expanded


@dataclass(frozen=True)
class Vote:
    """How many raters chose an option."""

    label: str
    sign: str
    tone: str
    n: int


@dataclass(frozen=True)
class DisputedItem:
    """An item that raters disagree on. `item` is the public id if it still exists, `prompt` its text."""

    text: str
    system: str
    votes: list[Vote]
    others: str
    item: UUID | None
    prompt: str


@dataclass(frozen=True)
class DisputedItems:
    """The items in two parts, most disagreement first."""

    worst: list[DisputedItem]
    more: list[DisputedItem]


def disputed(project: Project | None, report: Report, names: Names) -> DisputedItems:
    """Return the items with most disagreement. One query; none without a project, as shared reports have no links."""
    disagreements = report.disagreements or ()
    items = _items(project, disagreements) if project else {}
    rows = [_row(row, names, *items.get(_item_key(row), (None, ""))) for row in disagreements]
    return DisputedItems(rows[:SHOWN], rows[SHOWN:])


def _row(row: Disagreement, names: Names, item: UUID | None, prompt: str) -> DisputedItem:
    votes = [Vote(names.option(key), names.sign(key), names.tone(key), n) for key, n in row.options.items() if n]
    return DisputedItem(row.text, row.system, votes, figure_format.answers_to_others(row, names), item, prompt)


def _item_key(row: Disagreement) -> ItemKey:
    return row.response, row.against, row.unit, row.item


def _items(project: Project, rows: Sequence[Disagreement]) -> dict[ItemKey, tuple[UUID, str]]:
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

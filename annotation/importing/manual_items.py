"""Manually split sentences and manually written facts, recreated when ratings of them are imported into a copy.

An export identifies an item by its position, with its kind, text, span in the response, and whether a person made it.
If the copy has no item at this position, it is recreated; sentences that overlap with it are retired, as in the
original project. This requires that they have no ratings in the copy: the text of a rating never changes. Items belong
to the response, so every project of the data set that rates them gets them.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..models import Bookmark, Item, Project, Rating, Response
from ..queue.reoffers import distribute_new_items
from ..queue.sampling import replace_in_samples
from ..site.database_clock import database_now
from .records import FACT, REFERENCE_FACT


@dataclass(frozen=True, slots=True)
class ItemDescription:
    """An item as described by a row: its response (for a pair also `against`), and its content if exported. `by_hand`
    is None if the row does not have it."""

    response: str
    against: str
    unit: str
    position: int
    kind: str
    start: int | None
    end: int | None
    text: str
    by_hand: bool | None

    @property
    def pair(self) -> tuple[str, str]:
        return self.response, self.against

    @property
    def is_of_an_old_export(self) -> bool:
        """Return whether the row comes from an old export without the column for manual items."""
        return self.by_hand is None and bool(self.kind and self.text)

    @property
    def can_be_made(self) -> bool:
        """Return whether a person made the item and the row has a sentence's span or a fact's text."""
        if not self.by_hand or self.against:
            return False
        if self.unit == Item.Unit.SENTENCE:
            return bool(self.kind and self.text) and self.start is not None and self.end is not None
        return self.unit == Item.Unit.FACT and self.kind in (FACT, REFERENCE_FACT) and bool(self.text)

    def overlaps(self, item: Item) -> bool:
        if self.start is None or self.end is None or item.start is None or item.end is None:
            return False
        return item.start < self.end and self.start < item.end


def recreate_items(project: Project, descriptions: Iterable[ItemDescription]) -> dict[tuple[str, int], str]:
    """Create the described items that the data set does not have and that fit it. Returns the reasons for the others,
    by response and position. Raises ProjectArchived or ProjectBusy."""
    by_response: dict[str, dict[int, ItemDescription]] = defaultdict(dict)
    for description in descriptions:
        by_response[description.response].setdefault(description.position, description)
    responses = project.dataset.responses.filter(key__in=by_response).order_by("pk").select_for_update(no_key=True)
    misfits: dict[tuple[str, int], str] = {}
    new_items: list[Item] = []
    retired: list[Item] = []
    for response in responses:
        described = by_response[response.key]
        unit = next(iter(described.values())).unit
        current_items = list(Item.objects.filter(response=response, against=None, unit=unit, retired_at=None))
        rated = set(Rating.objects.filter(item__in=current_items).values_list("item", flat=True))
        for position, description in sorted(described.items()):
            overlapped = [item for item in current_items if description.overlaps(item)]
            if problem := _misfit(description, response, [item for item in overlapped if item.pk in rated]):
                misfits[response.key, position] = problem
                continue
            retired += [item for item in overlapped if item not in retired]
            span = {"start": description.start, "end": description.end} if unit == Item.Unit.SENTENCE else {}
            content = {"kind": description.kind, "text": description.text, "splitter": Item.BY_HAND, **span}
            new_items.append(Item(response=response, unit=description.unit, position=position, **content))
    Item.objects.filter(pk__in=[item.pk for item in retired]).update(retired_at=database_now())
    Bookmark.objects.filter(item__in=retired).delete()
    Item.objects.bulk_create(new_items)
    replace_in_samples(retired, new_items)
    if new_items:
        distribute_new_items(project.dataset, {item.response_id for item in new_items}, new_items[0].unit, wait=False)
    return misfits


def _misfit(description: ItemDescription, response: Response, rated: Sequence[Item]) -> str:
    """Return why the item cannot be created; "" if it can."""
    if description.start is not None and response.text[description.start : description.end] != description.text:
        return (
            f"the boundaries of sentence {description.position} were edited, and its text is not at "
            f"{description.start} to {description.end} of this response; import the response that was rated"
        )
    if rated:
        return (
            f"sentence {description.position} was split from sentence {rated[0].position}, which has ratings here; "
            "import the ratings into a copy of the data set without ratings"
        )
    return ""

"""Items marked as likely free of claims: how many a project has, and whether its raters are asked about them.

The choice is made before the first rating: afterwards the rated items would depend on when they were rated.
"""

from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef

from ..models import Assignment, Item, Project, Sheet, Slot
from ..models.rated_items import is_rated
from ..queue.slots import add_slots, lock_slots
from ..site.database_clock import database_now


@dataclass(frozen=True)
class ClaimFreeCounts:
    """`items` whose kind is rated, and how many of them are marked, by reason in the order of `Item.ClaimFree`."""

    items: int
    by_reason: dict[str, int]

    @property
    def marked(self) -> int:
        return sum(self.by_reason.values())

    @property
    def labels(self) -> list[tuple[str, int]]:
        """The reasons in the reader's language, with their counts."""
        return [(str(Item.ClaimFree(reason).label), n) for reason, n in self.by_reason.items()]


def count_claim_free(project: Project) -> ClaimFreeCounts:
    """Return the counts of the project's items, whether it skips the marked ones or not."""
    on_a_sheet = Exists(Sheet.objects.filter(project=project, response=OuterRef("response"), against=None))
    items = Item.objects.filter(on_a_sheet, unit=project.protocol.definition.unit, rate=True, retired_at=None)
    counts = dict(items.order_by().values_list("claim_free").annotate(n=Count("pk")))
    by_reason = {reason: counts[reason] for reason in Item.ClaimFree.values if reason in counts}
    return ClaimFreeCounts(sum(counts.values()), by_reason)


def fit_slots_to_skipping(before: Project, project: Project) -> None:
    """After another choice, delete the slots of sheets on which nothing is rated any more, and add those that lack.

    The caller has locked the project, which has no ratings.
    """
    if before.skips_claim_free == project.skips_claim_free:
        return
    is_rated_on_sheet = Item.objects.filter(
        is_rated(project), response=OuterRef("sheet__response"), against=None, unit=project.protocol.definition.unit
    )
    slots = Slot.objects.filter(~Exists(is_rated_on_sheet), project=project, sheet__against=None)
    lock_slots(slots)
    Assignment.objects.filter(slot__in=slots).update(released_at=database_now())
    slots.delete()
    add_slots(project)

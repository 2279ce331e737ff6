"""Items marked as likely free of claims: how many a project has, and whether its raters are asked about them.

The choice is made before the first rating: afterwards the rated items would depend on when they were rated.
"""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, QuerySet

from ..audit import change_setting
from ..models import Assignment, Item, Project, Rating, Sheet, Slot, User
from ..models.rated_items import is_rated
from ..queue.errors import ProjectError
from ..queue.slots import add_slots, lock_open_project, lock_slots
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


def can_change_skipping(project: Project) -> bool:
    """Return whether nobody has rated in the project yet, by a person, a judge or an import."""
    return not Rating.objects.filter(project=project).exists()


@transaction.atomic
def set_skipping(project: Project, skips: bool, *, actor: User | None = None) -> Project:
    """Skip the items marked as likely free of claims, or rate all. Raises ProjectError after the first rating."""
    locked = lock_open_project(project)
    if locked.skips_claim_free == skips:
        return project
    if not can_change_skipping(locked):
        raise ProjectError(
            "this project already has ratings, so what is rated cannot change: create a new project for another choice"
        )
    change_setting(project, "skips_claim_free", skips, "set skips claim free", actor=actor)
    _delete_empty_slots(project)
    add_slots(project)
    return project


def _delete_empty_slots(project: Project) -> None:
    """Delete the slots of sheets on which nothing is rated any more, and release those that are leased."""
    slots = Slot.objects.filter(~Exists(_rated_on_sheet(project)), project=project, sheet__against=None)
    lock_slots(slots)
    Assignment.objects.filter(slot__in=slots).update(released_at=database_now())
    slots.delete()


def _rated_on_sheet(project: Project) -> QuerySet[Item]:
    unit = project.protocol.definition.unit
    return Item.objects.filter(is_rated(project), response=OuterRef("sheet__response"), against=None, unit=unit)

"""Set the purpose of sheets: work, training, qualification or hidden gold.

A sheet that is no longer work keeps its ratings, and those given as work count. It gets no more raters for the overlap:
from now on raters get it for its purpose, each in a slot outside the project's work.
"""

from collections.abc import Collection
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from ..audit import record
from ..i18n.unit_names import unit_words
from ..models import Assignment, Item, Project, Purpose, Rating, Sheet, Slot, User
from ..models.queue import NOT_WORK
from ..models.rated_items import is_rated
from ..queue.errors import ProjectError
from ..queue.leases import close_reoffers
from ..queue.slots import add_slots, lock_open_project
from ..site.database_clock import database_now
from ..webhooks import queue_finished_project
from .gold_comparison import has_checked_answer

ALL_ITEMS_GOLD = (Purpose.TRAINING, Purpose.QUALIFICATION)
"""Purposes that need a gold answer to every item."""


@dataclass(frozen=True)
class GoldCandidate:
    """A sheet: how many rated items it has, with a gold answer (`gold`), and with a reason for it (`reasons`)."""

    sheet: Sheet
    items: int
    gold: int
    reasons: int

    @property
    def is_whole(self) -> bool:
        return 0 < self.items == self.gold


def gold_candidates(project: Project) -> QuerySet[Sheet]:
    """Return the sheets that have a gold answer or another purpose than work; the latter first, in project order."""
    enough = has_checked_answer(project.protocol.definition)
    gold = Rating.objects.filter(enough, project=project, role=Rating.Role.GOLD, item__retired_at=None)
    on_sheet = gold.filter(
        Q(item__against=OuterRef("against")) | Q(item__against=None),  # a pair always has one, other units never
        item__response=OuterRef("response"),
    )
    has_gold = Q(Exists(on_sheet), response__in=gold.values("item__response"))  # few, so few sheets are looked at
    sheets = Sheet.objects.filter(has_gold | NOT_WORK, project=project)
    return sheets.order_by("purpose", "rank", "pk")  # work comes last in the alphabet


def count_gold(project: Project, sheets: Collection[Sheet]) -> list[GoldCandidate]:
    """Return the sheets with their counts of items and gold answers. Two queries."""
    unit = project.protocol.definition.unit
    items = Item.objects.filter(is_rated(project), response__in=[sheet.response_id for sheet in sheets], unit=unit)
    counts = items.order_by().values_list("response", "against").annotate(n=Count("pk"))
    item_counts = {(response, against): n for response, against, n in counts}
    enough = has_checked_answer(project.protocol.definition)
    gold = Rating.objects.filter(enough, project=project, role=Rating.Role.GOLD, item__in=items).order_by()
    answered = gold.values_list("item__response", "item__against").annotate(
        n=Count("item", distinct=True), reasons=Count("item", distinct=True, filter=~Q(comment=""))
    )
    gold_counts = {(response, against): (n, reasons) for response, against, n, reasons in answered}
    keys = [(sheet.response_id, sheet.against_id) for sheet in sheets]
    return [
        GoldCandidate(sheet, item_counts.get(key, 0), *gold_counts.get(key, (0, 0)))
        for sheet, key in zip(sheets, keys, strict=True)
    ]


@transaction.atomic
def set_purpose(project: Project, sheets: Collection[Sheet], purpose: str, *, actor: User | None = None) -> int:
    """Use `sheets` of the project for `purpose`, all or none. Return how many changed. Raises ProjectError."""
    locked = lock_open_project(project)
    # Sheets are locked before their slots (see `queue.slots`).
    rows = Sheet.objects.filter(project=locked, pk__in=[sheet.pk for sheet in sheets]).order_by("pk")
    rows = rows.select_related("response", "exclusion").defer("response__text")
    changing = [sheet for sheet in rows.select_for_update(of=("self",), no_key=True) if sheet.purpose != purpose]
    if excluded := [sheet.response.key for sheet in changing if hasattr(sheet, "exclusion")]:
        raise ProjectError(f"{excluded[0]} is excluded: include it again first")
    check_gold(locked, changing, purpose)
    removed = _delete_unfinished_slots(changing)
    Sheet.objects.filter(pk__in=[sheet.pk for sheet in changing]).update(purpose=purpose)
    if purpose == Purpose.WORK:
        add_slots(locked)
    for sheet in changing:
        target = f"response:{sheet.response.key}"
        record(actor, "set purpose", target, project=project, before=sheet.purpose, after=purpose)
    queue_finished_project(project, removed=removed)
    return len(changing)


def check_gold(project: Project, sheets: Collection[Sheet], purpose: str) -> None:
    """Raise ProjectError if one of these sheets has too few gold answers for the purpose."""
    for candidate in count_gold(project, sheets):
        if purpose in ALL_ITEMS_GOLD and not candidate.is_whole:
            missing = f"{candidate.items - candidate.gold} of {candidate.items}"
            raise ProjectError(
                f"{missing} {unit_words(project.protocol.definition.unit, 2)} of the response have no gold answer: for "
                f"{Purpose(purpose).label.lower()} each needs one"
            )
        if purpose == Purpose.GOLD and not candidate.gold:
            raise ProjectError("hidden gold needs a gold answer to at least one part of the response")


def _delete_unfinished_slots(sheets: Collection[Sheet]) -> int:
    """Delete slots that were never finished, and finish expired reoffers as before; return how many were deleted.
    Raises ProjectError while a rater holds a lease on one of them.
    """
    unfinished = Slot.objects.filter(sheet__in=[sheet.pk for sheet in sheets], finished_at=None)
    slots = list(unfinished.select_for_update(of=("self",)).select_related("holder__rater").order_by("pk"))
    now = database_now()
    if holders := sorted(
        {slot.holder.rater.username for slot in slots if slot.holder and slot.expires_at and slot.expires_at >= now}
    ):
        are = "is" if len(holders) == 1 else "are"
        raise ProjectError(
            f"{', '.join(holders)} {are} rating it now: wait until it is finished, or return it to the queue on the "
            "Responses page"
        )
    close_reoffers(Slot.objects.filter(pk__in=[slot.pk for slot in slots]))
    never_finished = [slot for slot in slots if slot.was_finished_at is None]
    expired = [slot.holder_id for slot in never_finished if slot.holder_id]
    Assignment.objects.filter(pk__in=expired).update(released_at=now)
    Slot.objects.filter(pk__in=[slot.pk for slot in never_finished]).delete()
    return len(never_finished)

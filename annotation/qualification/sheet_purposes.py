"""Setting responses aside for training, qualification or hidden gold, and taking them back into the work.

A response that is set aside keeps the ratings it has: those that were given as work count on. It gets no more raters
for the overlap; whoever gets it from now on gets it for its purpose, on a slot of their own that is no part of the
project's work.
"""

from collections.abc import Collection
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..audit import record
from ..i18n.unit_names import unit_words
from ..models import Assignment, Item, Project, Purpose, Rating, Sheet, Slot, User
from ..queue.errors import ProjectError
from ..queue.leases import close_reoffers
from ..queue.slots import add_slots, lock_project
from .gold_comparison import has_checked_answer

ALL_ITEMS_GOLD = (Purpose.TRAINING, Purpose.QUALIFICATION)
"""Purposes for which every item needs a gold answer."""


@dataclass(frozen=True)
class GoldCandidate:
    """A response with its rated items, those with a gold answer, and those whose gold answer has a reason."""

    sheet: Sheet
    items: int
    gold: int
    reasons: int

    @property
    def is_whole(self) -> bool:
        return 0 < self.items == self.gold


def gold_candidates(project: Project) -> QuerySet[Sheet]:
    """The sheets with a gold answer, and those that are set aside, in the project's order; those set aside first."""
    gold = Rating.objects.filter(
        Q(item__against=OuterRef("against")) | Q(item__against=None),  # a pair always has one, other units never
        has_checked_answer(project.protocol.definition), project=project, role=Rating.Role.GOLD,
        item__response=OuterRef("response"), item__retired_at=None,
    )  # fmt: skip
    found = Sheet.objects.filter(Exists(gold) | ~Q(purpose=Purpose.WORK), project=project)
    return found.order_by("purpose", "rank", "pk")  # work is last by the alphabet


def count_gold(project: Project, sheets: Collection[Sheet]) -> list[GoldCandidate]:
    """The sheets of a page with what there is of gold: two queries."""
    unit = project.protocol.definition.unit
    items = Item.objects.filter(
        response__in=[sheet.response_id for sheet in sheets], unit=unit, rate=True, retired_at=None
    )
    of = {(response, against): n for response, against, n in
          items.order_by().values_list("response", "against").annotate(n=Count("pk"))}  # fmt: skip
    enough = has_checked_answer(project.protocol.definition)
    gold = Rating.objects.filter(enough, project=project, role=Rating.Role.GOLD, item__in=items).order_by()
    counts = gold.values_list("item__response", "item__against").annotate(
        n=Count("item", distinct=True), reasons=Count("item", distinct=True, filter=~Q(comment=""))
    )
    golden = {(response, against): (n, reasons) for response, against, n, reasons in counts}
    return [
        GoldCandidate(sheet, of.get(_key(sheet), 0), *golden.get(_key(sheet), (0, 0)))
        for sheet in sheets
    ]  # fmt: skip


def _key(sheet: Sheet) -> tuple[int, int | None]:
    return sheet.response_id, sheet.against_id


@transaction.atomic
def set_purpose(project: Project, sheets: Collection[Sheet], purpose: str, *, actor: User | None = None) -> int:
    """Use `sheets` of the project for `purpose` from now on. Returns how many changed. Raises ProjectError; then none
    did."""
    locked = lock_project(project)
    if locked.archived_at:
        raise ProjectError(_("this project is archived: take it up again first"))
    changing = _locked_for_another(locked, sheets, purpose)
    check_gold(locked, changing, purpose)
    _empty_slots(changing)
    Sheet.objects.filter(pk__in=[sheet.pk for sheet in changing]).update(purpose=purpose)
    if purpose == Purpose.WORK:
        add_slots(locked)
    for sheet in changing:
        target = f"response:{sheet.response.key}"
        record(actor, "set purpose", target, project=project, before=sheet.purpose, after=purpose)
    return len(changing)


def _locked_for_another(project: Project, sheets: Collection[Sheet], purpose: str) -> list[Sheet]:
    """Those of `sheets` that are not for `purpose` yet, as they are now, locked before their slots (see `slots`)."""
    wanted = Sheet.objects.filter(project=project, pk__in=[sheet.pk for sheet in sheets]).order_by("pk")
    found = wanted.select_for_update(of=("self",), no_key=True).select_related("response").defer("response__text")
    return [sheet for sheet in found if sheet.purpose != purpose]


def check_gold(project: Project, sheets: Collection[Sheet], purpose: str) -> None:
    """Raises ProjectError where one of these sheets has too little gold for the purpose."""
    for found in count_gold(project, sheets):
        if purpose in ALL_ITEMS_GOLD and not found.is_whole:
            raise ProjectError(
                _(
                    "%(without)s of %(items)s %(units)s of the response have no gold answer: for %(purpose)s each "
                    "needs one"
                )
                % {
                    "without": found.items - found.gold,
                    "items": found.items,
                    "units": unit_words(project.protocol.definition.unit, 2),
                    "purpose": Purpose(purpose).label.lower(),
                }
            )
        if purpose == Purpose.GOLD and not found.gold:
            raise ProjectError(_("hidden gold needs a gold answer to at least one part of the response"))


def _empty_slots(sheets: Collection[Sheet]) -> None:
    """Slots on which nothing was finished go; who holds one is not sent away. What was offered again for long enough
    is finished as before. Raises ProjectError."""
    of = Slot.objects.filter(sheet__in=[sheet.pk for sheet in sheets], finished_at=None)
    slots = list(of.select_for_update(of=("self",)).select_related("holder__rater").order_by("pk"))
    now = timezone.now()
    if held := sorted({p.holder.rater.username for p in slots if p.holder and p.expires_at and p.expires_at >= now}):
        raise ProjectError(
            ngettext(
                "%(names)s is rating it just now: wait until it is finished, or free the lease on the page of "
                "responses",
                "%(names)s are rating it just now: wait until it is finished, or free the lease on the page of "
                "responses",
                len(held),
            )
            % {"names": ", ".join(held)}
        )
    close_reoffers(Slot.objects.filter(pk__in=[slot.pk for slot in slots]))
    never_finished = [slot for slot in slots if slot.was_finished_at is None]
    ran_out = [slot.holder_id for slot in never_finished if slot.holder_id]
    Assignment.objects.filter(pk__in=ran_out).update(released_at=now)
    Slot.objects.filter(pk__in=[slot.pk for slot in never_finished]).delete()

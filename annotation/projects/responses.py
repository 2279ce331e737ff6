"""A project's responses one by one, for leads: what state each is in, and who is or was at it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from ..models import Project, Purpose, Rating, Reservation, Sheet, Slot, System
from ..models.queue import NOT_WORK

State = Literal["", "free", "leased", "open", "finished", "reserved", "nothing", "aside"]
STATES: dict[State, str | Promise] = {
    "": gettext_lazy("All"),
    "open": gettext_lazy("Not finished"),
    "leased": gettext_lazy("Being rated"),
    "free": gettext_lazy("With a free place"),
    "finished": gettext_lazy("Finished"),
    "reserved": gettext_lazy("Kept for raters"),
    "nothing": gettext_lazy("Nothing to rate"),
    "aside": gettext_lazy("Set aside"),
}


@dataclass(frozen=True)
class ResponseFilter:
    """Which responses: words in prompt, document or imported id; a state; a rater's user name; a system's name."""

    words: str = ""
    state: State = ""
    rater: str = ""
    system: str = ""


@dataclass(frozen=True)
class ResponseRow:
    """One sheet with its slots in order, and those who have a part in it."""

    sheet: Sheet
    slots: list[Slot]
    kept_for: list[str]


def sheets_matching(project: Project, chosen: ResponseFilter) -> QuerySet[Sheet]:
    """In the project's order. Each word must occur somewhere."""
    sheets = Sheet.objects.filter(project=project).order_by("rank", "pk")
    for word in chosen.words.split():
        sheets = sheets.filter(
            Q(response__prompt__text__icontains=word)
            | Q(response__prompt__key__icontains=word)
            | Q(response__key__icontains=word)
            | Q(response__system__name__icontains=word)
            | Q(document__title__icontains=word)
        )
    if chosen.rater:
        held = Slot.objects.filter(sheet=OuterRef("pk"), holder__rater__username=chosen.rater)
        sheets = sheets.filter(Exists(held))
    if chosen.system:
        sheets = sheets.filter(response__system__name=chosen.system)
    return _in_state(sheets, chosen.state)


def _in_state(sheets: QuerySet[Sheet], state: State) -> QuerySet[Sheet]:
    slots = Slot.objects.filter(sheet=OuterRef("pk"), project__isnull=False)
    now = timezone.now()
    match state:
        case "free":
            return sheets.filter(
                Exists(slots.filter(Q(holder=None) | Q(finished_at=None, was_finished_at=None, expires_at__lt=now)))
            )
        case "leased":
            return sheets.filter(Exists(slots.filter(finished_at=None, expires_at__gte=now)))
        case "open":
            return sheets.filter(Exists(slots.filter(finished_at=None)))
        case "finished":
            return sheets.filter(Exists(slots), ~Exists(slots.filter(finished_at=None)))
        case "reserved":
            return sheets.filter(Exists(Reservation.objects.filter(sheet=OuterRef("pk"))))
        case "nothing":
            return sheets.filter(~Exists(slots), purpose=Purpose.WORK)
        case "aside":
            return sheets.filter(NOT_WORK)
    return sheets


def response_rows(sheets: Sequence[Sheet] | QuerySet[Sheet]) -> list[ResponseRow]:
    """The sheets of one page with what is shown of each: two queries. Slots have `given`, how many ratings their
    holders gave."""
    pks = [sheet.pk for sheet in sheets]
    given = Count("holder__ratings", filter=Q(holder__ratings__role=Rating.Role.RATER))
    slots = Slot.objects.select_related("holder__rater").annotate(given=given).order_by("k")
    slots = slots.filter(Q(project__isnull=False) | Q(holder__isnull=False))  # aside nothing waits to be taken
    found = (
        Sheet.objects.filter(pk__in=pks)
        .select_related("response__prompt", "response__system", "against__system", "document")
        .defer("document__sections", "response__text", "against__text")
        .prefetch_related(Prefetch("slots", slots))
        .annotate(kept_for=Coalesce(ArrayAgg("reservations__rater__username", filter=_KEPT, distinct=True), []))
    )
    by_pk = {sheet.pk: sheet for sheet in found}
    return [ResponseRow(by_pk[pk], list(by_pk[pk].slots.all()), by_pk[pk].kept_for) for pk in pks if pk in by_pk]


_KEPT = Q(reservations__rater__isnull=False)


def system_names(project: Project) -> list[str]:
    """The names of the systems whose responses are rated here."""
    names = System.objects.filter(responses__sheets__project=project).values_list("name", flat=True)
    return list(names.order_by("name").distinct())

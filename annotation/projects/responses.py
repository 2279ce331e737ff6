"""A project's responses one by one, for leads: the state of each, and its raters."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Count, Exists, F, Max, Min, OuterRef, Prefetch, Q, QuerySet, Subquery, TextField
from django.db.models.functions import Cast, Coalesce, Left
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from ..models import Bookmark, Item, Project, Purpose, RaterQuestion, Rating, Reservation, Sheet, Slot, System
from ..models.queue import NOT_WORK
from ..qualification.prefetch import is_prefetched

EXCERPT = 160  # characters of a response
State = Literal[
    "", "open", "leased", "prefetched", "free", "finished",
    "excluded", "flagged", "disputed", "reserved", "nothing", "aside",
]  # fmt: skip
STATES: dict[State, str | Promise] = {
    "": gettext_lazy("All"),
    "open": gettext_lazy("Not finished"),
    "leased": gettext_lazy("In progress"),
    "prefetched": gettext_lazy("Prefetched"),
    "free": gettext_lazy("With a free slot"),
    "finished": gettext_lazy("Finished"),
    "excluded": gettext_lazy("Excluded"),
    "flagged": gettext_lazy("Flagged by a rater"),
    "disputed": gettext_lazy("With disagreement"),
    "reserved": gettext_lazy("Assigned"),
    "nothing": gettext_lazy("Nothing to rate"),
    "aside": gettext_lazy("Training and checks"),
}


@dataclass(frozen=True)
class ResponseFilter:
    """Filter by words in prompt, response, document, system or imported id, by state, by a rater's user name and by a
    system's name.
    """

    words: str = ""
    state: State = ""
    rater: str = ""
    system: str = ""


@dataclass(frozen=True)
class ResponseRow:
    """One sheet with its slots in order, and the user names of the raters with a reservation. The sheet has `excerpt`,
    the beginning of the response.
    """

    sheet: Sheet
    slots: list[Slot]
    reserved_for: list[str]


def sheets_matching(project: Project, filters: ResponseFilter) -> QuerySet[Sheet]:
    """Return the matching sheets in the project's order. Each word must occur in one of the texts."""
    sheets = Sheet.objects.filter(project=project).order_by("rank", "pk")
    for word in filters.words.split():
        sheets = sheets.filter(
            Q(response__prompt__text__icontains=word)
            | Q(response__text__icontains=word)
            | Q(against__text__icontains=word)
            | Q(response__prompt__key__icontains=word)
            | Q(response__key__icontains=word)
            | Q(response__system__name__icontains=word)
            | Q(against__system__name__icontains=word)
            | Q(document__title__icontains=word)
        )
    if filters.rater:
        leased = Slot.objects.filter(sheet=OuterRef("pk"), holder__rater__username=filters.rater)
        sheets = sheets.filter(Exists(leased))
    if filters.system:
        is_of_system = Q(response__system__name=filters.system) | Q(against__system__name=filters.system)
        sheets = sheets.filter(is_of_system)
    return _in_state(project, sheets, filters.state)


def _in_state(project: Project, sheets: QuerySet[Sheet], state: State) -> QuerySet[Sheet]:
    slots = Slot.objects.filter(sheet=OuterRef("pk"), project__isnull=False)
    now = timezone.now()
    match state:
        case "free":
            return sheets.filter(
                Exists(slots.filter(Q(holder=None) | Q(finished_at=None, was_finished_at=None, expires_at__lt=now)))
            )
        case "leased":
            return sheets.filter(Exists(slots.filter(~is_prefetched(now), finished_at=None, expires_at__gte=now)))
        case "prefetched":
            return sheets.filter(Exists(slots.filter(is_prefetched(now))))
        case "open":
            return sheets.filter(Exists(slots.filter(finished_at=None)))
        case "finished":
            return sheets.filter(Exists(slots), ~Exists(slots.filter(finished_at=None)))
        case "excluded":
            return sheets.filter(exclusion__isnull=False)
        case "flagged":
            flags = Bookmark.objects.filter(FLAGGED, assignment__sheet=OuterRef("pk"))
            questions = RaterQuestion.objects.filter(_on_sheet("item__"), project=project, answered_at=None)
            return sheets.filter(Exists(flags) | Exists(questions))
        case "disputed":
            return sheets.filter(Exists(Item.objects.filter(_on_sheet(), pk__in=_disputed_items(project))))
        case "reserved":
            return sheets.filter(Exists(Reservation.objects.filter(sheet=OuterRef("pk"))))
        case "nothing":
            return sheets.filter(~Exists(slots), purpose=Purpose.WORK, exclusion=None)
        case "aside":
            return sheets.filter(NOT_WORK)
    return sheets


FLAGGED = Q(reason=Bookmark.Reason.UNSURE)
"""Condition on bookmarks: the rater has flagged the item for later."""


def _on_sheet(prefix: str = "") -> Q:
    """Return the condition that an item is on the outer sheet; `prefix` leads to the item."""
    is_same_pair = Q(**{f"{prefix}against": OuterRef("against")}) | Q(**{f"{prefix}against": None})
    return is_same_pair & Q(**{f"{prefix}response": OuterRef("response")})


def _disputed_items(project: Project) -> QuerySet:
    """Return a subquery of the items whose counted ratings differ; one pass over the covering index of the ratings."""
    counted = Rating.objects.filter(project=project, role=Rating.Role.RATER, counted=True).order_by()
    text = Cast("choices", TextField())
    return counted.values("item").annotate(low=Min(text), high=Max(text)).exclude(low=F("high")).values("item")


def response_rows(sheets: Sequence[Sheet] | QuerySet[Sheet]) -> list[ResponseRow]:
    """Return the rows of one page. Two queries. Slots have `ratings` and `flags`, how many items their holders have
    rated, and flagged for later, and `prefetched`: whether they are prefetched.
    """
    pks = [sheet.pk for sheet in sheets]
    ratings = Count("holder__ratings", filter=Q(holder__ratings__role=Rating.Role.RATER))
    flagged = Bookmark.objects.filter(FLAGGED, assignment=OuterRef("holder")).order_by().values("assignment")
    flags = Coalesce(Subquery(flagged.annotate(n=Count("pk")).values("n")), 0)
    slots = Slot.objects.select_related("holder__rater").order_by("k")
    slots = slots.annotate(ratings=ratings, flags=flags, prefetched=is_prefetched())
    slots = slots.filter(Q(project__isnull=False) | Q(holder__isnull=False))  # open slots outside the work are reused
    rows = (
        Sheet.objects.filter(pk__in=pks)
        .select_related("response__prompt", "response__system", "against__system", "document", "exclusion__excluded_by")
        .defer("document__sections", "response__text", "against__text")
        .prefetch_related(Prefetch("slots", slots))
        .annotate(
            reserved_for=Coalesce(
                ArrayAgg("reservations__rater__username", filter=_HAS_RESERVATION, distinct=True), []
            ),
            excerpt=Left("response__text", EXCERPT),
        )
    )
    by_pk = {sheet.pk: sheet for sheet in rows}
    return [ResponseRow(by_pk[pk], list(by_pk[pk].slots.all()), by_pk[pk].reserved_for) for pk in pks if pk in by_pk]


_HAS_RESERVATION = Q(reservations__rater__isnull=False)


def system_names(project: Project) -> list[str]:
    """Return the names of the systems whose responses are rated in the project."""
    sheets = Sheet.objects.filter(
        Q(response__system=OuterRef("pk")) | Q(against__system=OuterRef("pk")), project=project
    )
    names = System.objects.filter(Exists(sheets), dataset=project.dataset_id).values_list("name", flat=True)
    return list(names.order_by("name"))

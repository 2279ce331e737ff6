"""A project's responses one by one, for leads: the state of each, and its raters."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple
from uuid import UUID

import msgspec
from django.contrib.postgres.aggregates import ArrayAgg
from django.db import connection
from django.db.models import Count, Exists, F, Max, Min, OuterRef, Q, QuerySet, TextField
from django.db.models.functions import Cast, Coalesce, Left
from django.utils.functional import Promise

from ..models import Bookmark, Item, Project, Purpose, RaterQuestion, Rating, Reservation, Sheet, Slot, System, User
from ..models.queue import NOT_WORK
from ..qualification.prefetch import is_prefetched
from ..queue.open_work import IS_FREE, IS_LEASED
from ..site.database_clock import database_now

EXCERPT = 160  # characters of a response
State = Literal[
    "", "open", "leased", "prefetched", "free", "finished",
    "excluded", "flagged", "disputed", "reserved", "nothing", "aside",
]  # fmt: skip
STATES: dict[State, str | Promise] = {
    "": "All",
    "open": "Not finished",
    "leased": "In progress",
    "prefetched": "Prefetched",
    "free": "With a free slot",
    "finished": "Finished",
    "excluded": "Excluded",
    "flagged": "Flagged by a rater",
    "disputed": "With disagreement",
    "reserved": "Assigned",
    "nothing": "Nothing to rate",
    "aside": "Training and checks",
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


class Holder(NamedTuple):
    """A slot's assignment, as far as a list shows it."""

    public_id: UUID
    purpose: str
    rater: User

    def get_purpose_display(self) -> str:
        return str(Purpose(self.purpose).label)


class SlotRow(NamedTuple):
    """A slot of a list: `ratings` and `flags` are how many items its holder has rated, and flagged for later.

    A page of the API has 20,000 of them, and a Slot with its holder takes ten times as long to build.
    """

    pk: int
    expires_at: datetime | None
    finished_at: datetime | None
    is_expired: bool
    prefetched: bool
    holder: Holder | None
    ratings: int
    flags: int


@dataclass(frozen=True)
class ResponseRow:
    """One sheet with its slots in order, and the user names of the raters with a reservation. The sheet has `excerpt`,
    the beginning of the response.
    """

    sheet: Sheet
    slots: list[SlotRow]
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
    leased = Slot.objects.filter(IS_LEASED, project=project)
    match state:
        case "free":
            return sheets.filter(Exists(slots.filter(IS_FREE)))
        case "leased":
            return sheets.filter(pk__in=leased.exclude(pk__in=leased.filter(is_prefetched())).values("sheet"))
        case "prefetched":
            return sheets.filter(pk__in=leased.filter(is_prefetched()).values("sheet"))
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
            # One pass over the covering index of the ratings.
            counted = Rating.objects.filter(project=project, role=Rating.Role.RATER, counted=True).order_by()
            text = Cast("choices", TextField())
            items = counted.values("item").annotate(low=Min(text), high=Max(text)).exclude(low=F("high")).values("item")
            return sheets.filter(Exists(Item.objects.filter(_on_sheet(), pk__in=items)))
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


def response_rows(sheets: Sequence[Sheet] | QuerySet[Sheet]) -> list[ResponseRow]:
    """Return the rows of one page. Six queries."""
    pks = [sheet.pk for sheet in sheets]
    rows = (
        Sheet.objects.filter(pk__in=pks)
        .select_related("response__prompt", "response__system", "against__system", "document", "exclusion__excluded_by")
        .defer("document__sections", "document__metadata", "response__text", "response__metadata")
        .defer("against__text", "against__metadata", "response__prompt__annotations", "response__prompt__metadata")
        .annotate(
            reserved_for=Coalesce(
                ArrayAgg("reservations__rater__username", filter=_HAS_RESERVATION, distinct=True), []
            ),
            excerpt=Left("response__text", EXCERPT),
        )
    )
    by_pk, slots = {sheet.pk: sheet for sheet in rows}, _slots(pks)
    return [ResponseRow(by_pk[pk], slots.get(pk, []), by_pk[pk].reserved_for) for pk in pks if pk in by_pk]


def _slots(sheets: Sequence[int]) -> dict[int, list[SlotRow]]:
    """Return the slots of these sheets. As subqueries of the slots, the counts were asked once a slot, or joined to all
    ratings at once, for minutes.
    """
    with connection.cursor() as cursor:
        cursor.execute(_SLOTS, [list(sheets)])
        rows = msgspec.json.decode(cursor.fetchone()[0] or "[]", type=list[_Slot])
    ratings = _counts(Rating.objects.filter(role=Rating.Role.RATER, assignment__slot__sheet__in=sheets))
    flags = _counts(Bookmark.objects.filter(FLAGGED, assignment__slot__sheet__in=sheets))
    prefetched = set(Slot.objects.filter(is_prefetched(), sheet__in=sheets).values_list("pk", flat=True))
    raters, now = User.objects.in_bulk({held[-1] for *_slot, held in rows if held}), database_now()
    of_sheet: dict[int, list[SlotRow]] = defaultdict(list)
    for sheet, pk, expires_at, finished_at, held in rows:
        is_expired = finished_at is None and expires_at is not None and expires_at < now
        holder, counts = None, (0, 0)
        if held:
            assignment, public_id, purpose, rater = held
            holder = Holder(public_id, purpose, raters[rater])
            counts = ratings.get(assignment, 0), flags.get(assignment, 0)
        of_sheet[sheet].append(SlotRow(pk, expires_at, finished_at, is_expired, pk in prefetched, holder, *counts))
    return of_sheet


# One text of all rows: the driver takes longer for 20,000 rows of eight values than all the rest of the page.
_SLOTS = """
    SELECT json_agg(json_build_array(slot.sheet_id, slot.id, slot.expires_at, slot.finished_at,
        CASE WHEN held.id IS NOT NULL THEN json_build_array(held.id, held.public_id, held.purpose, held.rater_id) END
    ) ORDER BY slot.sheet_id, slot.k)::text
    FROM annotation_slot slot LEFT JOIN annotation_assignment held ON held.id = slot.holder_id
    WHERE slot.sheet_id = ANY(%s)
        AND (slot.project_id IS NOT NULL OR slot.holder_id IS NOT NULL) -- open slots outside the work are reused
"""
_Slot = tuple[int, int, datetime | None, datetime | None, tuple[int, UUID, str, int] | None]


def _counts(rows: QuerySet) -> dict[int | None, int]:
    return dict(rows.order_by().values_list("assignment").annotate(n=Count("pk")))


_HAS_RESERVATION = Q(reservations__rater__isnull=False)


def system_names(project: Project) -> list[str]:
    """Return the names of the systems whose responses are rated in the project."""
    sheets = Sheet.objects.filter(
        Q(response__system=OuterRef("pk")) | Q(against__system=OuterRef("pk")), project=project
    )
    names = System.objects.filter(Exists(sheets), dataset=project.dataset_id).values_list("name", flat=True)
    return list(names.order_by("name"))

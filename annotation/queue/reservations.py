"""Reserve sheets for named raters.

A selection names the responses: those of one system, of one document, with one value of a prompt's metadata, a number
of them sampled at random, reproducibly, or those that a lead selected in a list. While a sheet has reservations the
queue gives it to those raters only, and to them first. Several raters can have a reservation on a sheet, from one
request or several; ending one request's reservations leaves the others.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Literal

from django.contrib.postgres.aggregates import ArrayAgg
from django.db import connection, transaction
from django.db.models import BinaryField, Count, Exists, Func, OuterRef, QuerySet, Value
from django.db.models.functions import Concat

from ..audit import record
from ..models import AuditEvent, Membership, Notification, Project, Reservation, Sheet, Slot, User
from ..notifications import notify
from ..pseudonyms import shown_rater
from ..site.database_clock import database_now
from .errors import ProjectError
from .slots import lock_project, update_slot_ranks

SelectionKind = Literal["system", "document", "metadata", "random", "selected"]


@dataclass(frozen=True)
class Selection:
    """A selection of responses.

    `value` is the system's name, the document's id, or the value of the prompts' metadata `key` as text; for `random`,
    `n` responses are sampled with `seed`; for `selected`, `sheets` has their primary keys.
    """

    by: SelectionKind
    value: str = ""
    key: str = ""
    n: int = 0
    seed: int = 1
    sheets: Sequence[int] = ()

    @property
    def words(self) -> str:
        return {
            "system": f"responses of {self.value}",
            "document": f"responses about {self.value}",
            "metadata": f"prompts with {self.key}: {self.value}",
            "random": f"{self.n} at random (seed {self.seed})",
            "selected": f"{len(self.sheets)} selected {'response' if len(self.sheets) == 1 else 'responses'}",
        }[self.by]


@dataclass(frozen=True)
class ReservationPreview:
    """The result of a reservation before it is made.

    `shared`: selected responses on which others (`shared_with`) have reservations; `too_few`: fewer raters than the
    overlap could get each response, so some slots would stay open.
    """

    responses: int
    shared: int
    shared_with: list[str]
    too_few: bool


@dataclass(frozen=True)
class ReservationRequest:
    """The current reservations of one request: `words` describes the responses, `open` counts the unfinished ones."""

    made_at: datetime
    made_by: str
    words: str
    raters: list[str]
    responses: int
    open: int
    too_few: bool


def sheets_of(project: Project, selection: Selection) -> QuerySet[Sheet]:
    """Return the selected sheets with an open slot; a random selection takes only sheets without reservations."""
    is_open = Slot.objects.filter(sheet=OuterRef("pk"), project__isnull=False, finished_at=None)
    sheets = Sheet.objects.filter(Exists(is_open), project=project)
    if selection.by == "system":
        return sheets.filter(response__system__name=selection.value)
    if selection.by == "document":
        return sheets.filter(document__key=selection.value)
    if selection.by == "metadata":
        return sheets.filter(response__prompt__in=_prompts_with(project, selection))
    if selection.by == "selected":
        return sheets.filter(pk__in=selection.sheets)
    unreserved = sheets.filter(~Exists(Reservation.objects.filter(sheet=OuterRef("pk"))))
    # By a hash of seed and imported id, so that the sample is the same on every machine.
    text = Concat(Value(f"{selection.seed}:part:"), "response__key")
    digest = Func(text, template="sha256(convert_to(%(expressions)s, 'UTF8'))", output_field=BinaryField())
    return unreserved.filter(pk__in=list(unreserved.order_by(digest, "pk").values_list("pk", flat=True)[: selection.n]))


def _prompts_with(project: Project, selection: Selection) -> list[int]:
    """Return the ids of the prompts whose metadata has the value, alone or in a list."""
    sql = """
        SELECT prompt.id FROM annotation_prompt prompt
        CROSS JOIN LATERAL jsonb_path_query(prompt.metadata -> %s, 'lax $[*]') element(value)
        WHERE prompt.dataset_id = %s AND element.value #>> '{}' = %s
    """
    with connection.cursor() as cursor:
        cursor.execute(sql, [selection.key, project.dataset_id, selection.value])
        return [pk for (pk,) in cursor.fetchall()]


def preview_reservation(project: Project, raters: Collection[User], selection: Selection) -> ReservationPreview:
    """Return the effect of `reserve`, without changes."""
    sheets = sheets_of(project, selection)
    others = Reservation.objects.filter(sheet__in=sheets).exclude(rater__in=raters)
    shared = others.aggregate(n=Count("sheet", distinct=True), names=ArrayAgg("rater__username", distinct=True))
    return ReservationPreview(
        responses=sheets.count(),
        shared=shared["n"],
        shared_with=sorted(shared["names"] or []),
        too_few=len(raters) < project.overlap,
    )


_INSERT = """
    INSERT INTO annotation_reservation (project_id, made_by_id, made_at, sheet_id, rater_id)
    SELECT %s, %s, %s, sheet.id, rater.id
    FROM unnest(%s::bigint[]) sheet(id) CROSS JOIN unnest(%s::bigint[]) rater(id)
    ON CONFLICT (sheet_id, rater_id) DO NOTHING
    RETURNING rater_id
"""


@transaction.atomic
def reserve(project: Project, raters: Sequence[User], selection: Selection, *, actor: User | None = None) -> int:
    """Reserve the selected responses for `raters`. Return how many responses. Raises ProjectError.

    Leases of others on them stay; no other rater gets a new one.
    """
    if not raters:
        raise ProjectError("choose at least one rater")
    members = set(Membership.objects.filter(project=project, user__is_active=True).values_list("user", flat=True))
    if strangers := sorted(shown_rater(rater.username) for rater in raters if rater.pk not in members):
        raise ProjectError(f"{', '.join(strangers)}: not active in this project, so nothing can be assigned to them")
    lock_project(project)
    sheets = list(sheets_of(project, selection).values_list("pk", flat=True))
    if not sheets:
        raise ProjectError(f"there is no unfinished response to assign: {selection.words}")
    now = database_now()
    with connection.cursor() as cursor:
        cursor.execute(_INSERT, [project.pk, actor.pk if actor else None, now, sheets, [rater.pk for rater in raters]])
        reserved = Counter(rater for (rater,) in cursor.fetchall())
    update_slot_ranks(project)
    names = sorted(rater.username for rater in raters)
    after = {"selection": asdict(selection), "raters": names, "responses": len(sheets), "made_at": now.isoformat()}
    record(actor, "reserve", f"project:{project.slug}", project=project, after=after)
    for rater, count in sorted(reserved.items()):
        if actor is None or rater != actor.pk:
            notify([rater], Notification.Kind.ASSIGNED, project=project, count=count)
    return len(sheets)


@transaction.atomic
def end_reservation(project: Project, made_at: datetime, *, actor: User | None = None) -> int:
    """End the reservations made at `made_at`. Return how many responses they were on."""
    lock_project(project)
    rows = Reservation.objects.filter(project=project, made_at=made_at)
    responses = rows.values("sheet").distinct().count()
    rows.delete()
    update_slot_ranks(project)
    if responses:
        after = {"made_at": made_at.isoformat(), "responses": responses}
        record(actor, "end reservation", f"project:{project.slug}", project=project, after=after)
    return responses


def reservation_requests(project: Project) -> list[ReservationRequest]:
    """Return the current reservations by request, newest first. Four queries."""
    is_open = Slot.objects.filter(sheet=OuterRef("sheet"), project__isnull=False, finished_at=None)
    rows = (
        Reservation.objects.filter(project=project)
        .order_by("-made_at")
        .values("made_at", "made_by__username")
        .annotate(
            names=ArrayAgg("rater__username", distinct=True),
            responses=Count("sheet", distinct=True),
        )
    )
    open_counts = dict(
        Reservation.objects.filter(Exists(is_open), project=project)
        .order_by()
        .values_list("made_at")
        .annotate(n=Count("sheet", distinct=True))
    )
    events = AuditEvent.objects.filter(project=project, action="reserve").values_list("after", flat=True)
    descriptions = {after["made_at"]: Selection(**after["selection"]).words for after in events if after}
    active = set(
        Membership.objects.filter(project=project, user__is_active=True).values_list("user__username", flat=True)
    )
    return [
        ReservationRequest(
            made_at=row["made_at"],
            made_by=row["made_by__username"] or "",
            words=descriptions.get(row["made_at"].isoformat(), "selected responses"),
            raters=row["names"],
            responses=row["responses"],
            open=open_counts.get(row["made_at"], 0),
            too_few=len(active.intersection(row["names"])) < project.overlap,
        )
        for row in rows
    ]


@dataclass(frozen=True)
class SelectionChoices:
    """The values to select by, each with its number of responses: systems, documents (id, title), metadata pairs."""

    systems: list[tuple[str, int]]
    documents: list[tuple[str, str, int]]
    metadata: list[tuple[str, str, int]]


MAX_CHOICES = 500
MAX_VALUE_LENGTH = 80  # characters; longer metadata values are texts and not names


def selection_choices(project: Project) -> SelectionChoices:
    """Return the values to select by. Three queries; without long metadata texts and values of one prompt only."""
    sheets = Sheet.objects.filter(project=project).order_by()
    systems = sheets.values_list("response__system__name").annotate(n=Count("pk")).order_by("response__system__name")
    documents = sheets.filter(document__isnull=False).values_list("document__key", "document__title")
    sql = """
        SELECT pair.key, element.value #>> '{}', count(*)
        FROM annotation_sheet sheet
        JOIN annotation_response response ON response.id = sheet.response_id
        JOIN annotation_prompt prompt ON prompt.id = response.prompt_id
        CROSS JOIN LATERAL jsonb_each(prompt.metadata) pair
        CROSS JOIN LATERAL jsonb_path_query(pair.value, 'lax $[*]') element(value)
        WHERE sheet.project_id = %s AND jsonb_typeof(element.value) IN ('string', 'number', 'boolean')
            AND length(element.value #>> '{}') BETWEEN 1 AND %s
        GROUP BY 1, 2 HAVING count(DISTINCT prompt.id) > 1 ORDER BY 1, 2 LIMIT %s
    """
    with connection.cursor() as cursor:
        cursor.execute(sql, [project.pk, MAX_VALUE_LENGTH, MAX_CHOICES])
        metadata = cursor.fetchall()
    return SelectionChoices(
        list(systems),
        list(documents.annotate(n=Count("pk")).order_by("document__title")[:MAX_CHOICES]),
        metadata,
    )

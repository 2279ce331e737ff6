"""A part of the work for named raters.

Which responses a part has is said by a selection: of one system, of one document, with one value of a prompt's
metadata, or a number of them drawn at random, reproducibly. While a sheet has reservations the queue gives it to those
raters only, and to them first. A sheet may be kept for several raters, by one act or by several; undoing an act leaves
the others.
"""

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Literal

from django.contrib.postgres.aggregates import ArrayAgg
from django.db import connection, transaction
from django.db.models import BinaryField, Count, Exists, Func, OuterRef, QuerySet, Value
from django.db.models.functions import Concat
from django.utils import timezone
from django.utils.translation import gettext as _

from ..audit import record
from ..models import AuditEvent, Membership, Project, Reservation, Sheet, Slot, User
from .errors import ProjectError
from .slots import lock_project, update_slot_ranks

SelectionKind = Literal["system", "document", "metadata", "random"]


@dataclass(frozen=True)
class Selection:
    """Which responses: `value` is the system's name or the document's id; with `metadata` the value of the prompts'
    `key`, as text; with `random`, `n` of them, drawn by `seed`."""

    by: SelectionKind
    value: str = ""
    key: str = ""
    n: int = 0
    seed: int = 1

    @property
    def words(self) -> str:
        """The selection as people say it."""
        return {
            "system": _("responses of %(value)s") % {"value": self.value},
            "document": _("responses about %(value)s") % {"value": self.value},
            "metadata": _("prompts with %(key)s: %(value)s") % {"key": self.key, "value": self.value},
            "random": _("%(n)s at random (seed %(seed)s)") % {"n": self.n, "seed": self.seed},
        }[self.by]


@dataclass(frozen=True)
class ReservationPreview:
    """What a reservation would do: responses chosen, and how many of them somebody else has a part in already.

    `too_few`: the raters who could read each of them are fewer than the overlap, so some slots stay empty.
    """

    responses: int
    shared: int
    shared_with: list[str]
    too_few: bool


@dataclass(frozen=True)
class ReservedPart:
    """One act of reserving, as far as it stands: `words` say which responses, `open` is how many are not finished."""

    made_at: datetime
    made_by: str
    words: str
    raters: list[str]
    responses: int
    open: int
    too_few: bool


def sheets_of(project: Project, selection: Selection) -> QuerySet[Sheet]:
    """The sheets with an open slot that the selection means. At random, only such as nobody has a part in yet."""
    is_open = Slot.objects.filter(sheet=OuterRef("pk"), project__isnull=False, finished_at=None)
    sheets = Sheet.objects.filter(Exists(is_open), project=project)
    if selection.by == "system":
        return sheets.filter(response__system__name=selection.value)
    if selection.by == "document":
        return sheets.filter(document__key=selection.value)
    if selection.by == "metadata":
        return sheets.filter(response__prompt__in=_prompts_with(project, selection))
    kept = Reservation.objects.filter(sheet=OuterRef("pk"))
    return sheets.filter(~Exists(kept), pk__in=_drawn(sheets.filter(~Exists(kept)), selection))


def _prompts_with(project: Project, selection: Selection) -> list[int]:
    """Prompts whose metadata has the value, alone or in a list."""
    sql = """
        SELECT prompt.id FROM annotation_prompt prompt
        CROSS JOIN LATERAL jsonb_path_query(prompt.metadata -> %s, 'lax $[*]') given(one)
        WHERE prompt.dataset_id = %s AND given.one #>> '{}' = %s
    """
    with connection.cursor() as cursor:
        cursor.execute(sql, [selection.key, project.dataset_id, selection.value])
        return [pk for (pk,) in cursor.fetchall()]


def _drawn(sheets: QuerySet[Sheet], selection: Selection) -> list[int]:
    """The first `n` in the order of the SHA-256 of seed and imported id: the same on every machine."""
    text = Concat(Value(f"{selection.seed}:part:"), "response__key")
    draw = Func(text, template="sha256(convert_to(%(expressions)s, 'UTF8'))", output_field=BinaryField())
    return list(sheets.order_by(draw, "pk").values_list("pk", flat=True)[: selection.n])


def preview_reservation(project: Project, raters: Collection[User], selection: Selection) -> ReservationPreview:
    """What `reserve` would do. Nothing is changed."""
    sheets = sheets_of(project, selection)
    others = Reservation.objects.filter(sheet__in=sheets).exclude(rater__in=raters)
    shared = others.aggregate(n=Count("sheet", distinct=True), names=ArrayAgg("rater__username", distinct=True))
    return ReservationPreview(
        responses=sheets.count(),
        shared=shared["n"],
        shared_with=sorted(shared["names"] or []),
        too_few=len(raters) < project.overlap,
    )


_KEEP = """
    INSERT INTO annotation_reservation (project_id, made_by_id, made_at, sheet_id, rater_id)
    SELECT %s, %s, %s, sheet.id, rater.id
    FROM unnest(%s::bigint[]) sheet(id) CROSS JOIN unnest(%s::bigint[]) rater(id)
    ON CONFLICT (sheet_id, rater_id) DO NOTHING
"""


@transaction.atomic
def reserve(project: Project, raters: Sequence[User], selection: Selection, *, actor: User | None = None) -> int:
    """Keep the selected responses for `raters`. Returns how many responses. Raises ProjectError.

    Leases that others have on them run on; nobody new gets them.
    """
    _check(project, raters)
    lock_project(project)
    sheets = list(sheets_of(project, selection).values_list("pk", flat=True))
    if not sheets:
        raise ProjectError(_("there is no unfinished response to keep: %(words)s") % {"words": selection.words})
    now = timezone.now()
    with connection.cursor() as cursor:
        cursor.execute(_KEEP, [project.pk, actor.pk if actor else None, now, sheets, [rater.pk for rater in raters]])
    update_slot_ranks(project)
    names = sorted(rater.username for rater in raters)
    after = {"selection": asdict(selection), "raters": names, "responses": len(sheets), "made_at": now.isoformat()}
    record(actor, "reserve", f"project:{project.slug}", project=project, after=after)
    return len(sheets)


def _check(project: Project, raters: Sequence[User]) -> None:
    if not raters:
        raise ProjectError(_("choose at least one rater"))
    members = set(Membership.objects.filter(project=project, user__is_active=True).values_list("user", flat=True))
    if strangers := sorted(rater.username for rater in raters if rater.pk not in members):
        raise ProjectError(
            _("%(strangers)s: not active in this project, so nothing can be kept for them")
            % {"strangers": ", ".join(strangers)}
        )


@transaction.atomic
def end_reservation(project: Project, made_at: datetime, *, actor: User | None = None) -> int:
    """Undo what one act reserved, as far as it still stands. Returns how many responses."""
    lock_project(project)
    rows = Reservation.objects.filter(project=project, made_at=made_at)
    responses = rows.values("sheet").distinct().count()
    rows.delete()
    update_slot_ranks(project)
    if responses:
        after = {"made_at": made_at.isoformat(), "responses": responses}
        record(actor, "end reservation", f"project:{project.slug}", project=project, after=after)
    return responses


def reserved_parts(project: Project) -> list[ReservedPart]:
    """The acts of reserving that stand, the newest first: three queries."""
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
    open_ones = dict(
        Reservation.objects.filter(Exists(is_open), project=project)
        .order_by()
        .values_list("made_at")
        .annotate(n=Count("sheet", distinct=True))
    )
    said = _said(project)
    active = _active_members(project)
    return [
        ReservedPart(
            made_at=row["made_at"],
            made_by=row["made_by__username"] or "",
            words=said.get(row["made_at"].isoformat(), "chosen responses"),
            raters=row["names"],
            responses=row["responses"],
            open=open_ones.get(row["made_at"], 0),
            too_few=len(active.intersection(row["names"])) < project.overlap,
        )
        for row in rows
    ]


def _said(project: Project) -> dict[str, str]:
    """By the time of the act: which responses were meant. The audit says so."""
    acts = AuditEvent.objects.filter(project=project, action="reserve").values_list("after", flat=True)
    return {act["made_at"]: Selection(**act["selection"]).words for act in acts if act}


def _active_members(project: Project) -> set[str]:
    return set(
        Membership.objects.filter(project=project, user__is_active=True).values_list("user__username", flat=True)
    )


@dataclass(frozen=True)
class SelectionChoices:
    """What a selection can name, each with its number of responses: systems, documents (id, title), metadata pairs."""

    systems: list[tuple[str, int]]
    documents: list[tuple[str, str, int]]
    metadata: list[tuple[str, str, int]]


MOST_CHOICES = 500
SHORT = 80  # characters of a metadata value that still is a name and not a text


def selection_choices(project: Project) -> SelectionChoices:
    """Three queries; metadata values that are long texts or as many as the prompts are no choice."""
    sheets = Sheet.objects.filter(project=project).order_by()
    systems = sheets.values_list("response__system__name").annotate(n=Count("pk")).order_by("response__system__name")
    documents = sheets.filter(document__isnull=False).values_list("document__key", "document__title")
    sql = """
        SELECT pair.key, given.one #>> '{}', count(*)
        FROM annotation_sheet sheet
        JOIN annotation_response response ON response.id = sheet.response_id
        JOIN annotation_prompt prompt ON prompt.id = response.prompt_id
        CROSS JOIN LATERAL jsonb_each(prompt.metadata) pair
        CROSS JOIN LATERAL jsonb_path_query(pair.value, 'lax $[*]') given(one)
        WHERE sheet.project_id = %s AND jsonb_typeof(given.one) IN ('string', 'number', 'boolean')
            AND length(given.one #>> '{}') BETWEEN 1 AND %s
        GROUP BY 1, 2 HAVING count(DISTINCT prompt.id) > 1 ORDER BY 1, 2 LIMIT %s
    """
    with connection.cursor() as cursor:
        cursor.execute(sql, [project.pk, SHORT, MOST_CHOICES])
        metadata = cursor.fetchall()
    return SelectionChoices(
        list(systems),
        list(documents.annotate(n=Count("pk")).order_by("document__title")[:MOST_CHOICES]),
        metadata,
    )

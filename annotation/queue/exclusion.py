"""Exclude responses from a project, and include them again.

An excluded response gets no more work. Its answers stay stored, and neither they nor its adjudications count. Leases on
it end, finished slots leave the project's slots, and unfinished ones are deleted; including it makes this undone.

Lock order: the project, as in an import of ratings, then sheets, then slots, then ratings.
"""

from collections.abc import Collection
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from ..audit import record_each
from ..models import Assignment, Exclusion, Item, Project, Purpose, Rating, Sheet, Slot, User
from ..models.rated_items import is_rated
from ..webhooks import queue_finished_project
from .errors import ProjectError
from .leases import end_reoffers
from .reoffers import reoffer
from .slots import add_slots, lock_open_project, lock_slots, update_slot_ranks

REASON_LENGTH = 200


@dataclass(frozen=True)
class ExclusionEffect:
    """What excluding or including responses changes: `annotations` are finished passes of raters, `leases` unfinished
    ones, and `ratings` those that stop counting, or count again.
    """

    responses: int
    annotations: int
    leases: int
    ratings: int


def sheets_to_exclude(project: Project) -> QuerySet[Sheet]:
    """Return the sheets that can be excluded: not those for training or checks."""
    return Sheet.objects.filter(project=project, purpose=Purpose.WORK, exclusion=None)


def excluded_sheets(project: Project) -> QuerySet[Sheet]:
    return Sheet.objects.filter(project=project, exclusion__isnull=False)


def excluded_ratings(project: Project) -> QuerySet[Rating]:
    """Return the raters' ratings of excluded responses, without those of retired items or given outside the work."""
    return _uncounted(project).filter(is_excluded(project))


def _uncounted(project: Project) -> QuerySet[Rating]:
    own = Rating.objects.filter(project=project, role=Rating.Role.RATER, counted=False, item__retired_at=None)
    return own.filter(Q(assignment=None) | Q(assignment__purpose=Purpose.WORK))


def is_excluded(project: Project, prefix: str = "item__") -> Exists:
    """Return the condition that the response of the project's ratings is excluded; `prefix` leads to the response."""
    is_same_pair = Q(sheet__against=OuterRef(f"{prefix}against")) | Q(sheet__against=None)  # a project has one kind
    response = OuterRef(f"{prefix}response")
    return Exists(Exclusion.objects.filter(is_same_pair, project=project, sheet__response=response))


def count_by_reason(project: Project) -> dict[str, int]:
    """Return the number of `excluded_ratings` by the reason for the exclusion. One query."""
    sheet = "item__response__sheets"
    is_same_pair = Q(**{f"{sheet}__against": F("item__against")}) | Q(**{f"{sheet}__against": None})
    rows = _uncounted(project).filter(is_same_pair, **{f"{sheet}__exclusion__project": project})
    return dict(rows.order_by().values_list(f"{sheet}__exclusion__reason").annotate(n=Count("pk")))


def exclusion_effect(project: Project, sheets: Collection[int]) -> ExclusionEffect:
    """Return the effect of `exclude` on these sheets (primary keys), without changes. Four queries."""
    changing = list(sheets_to_exclude(project).filter(pk__in=sheets).values_list("pk", flat=True))
    slots = Slot.objects.filter(sheet__in=changing, project=project, holder__isnull=False)
    is_finished = Q(finished_at__isnull=False) | Q(was_finished_at__isnull=False)
    ratings = _ratings_on(project, changing).filter(counted=True)
    return ExclusionEffect(
        len(changing), slots.filter(is_finished).count(), slots.exclude(is_finished).count(), ratings.count()
    )


def inclusion_effect(project: Project, sheets: Collection[int]) -> ExclusionEffect:
    """Return the effect of `include` on these sheets (primary keys), without changes. Three queries."""
    changing = list(excluded_sheets(project).filter(pk__in=sheets).values_list("pk", flat=True))
    return ExclusionEffect(
        len(changing), _finished_slots(changing).count(), 0, _ratings_to_count(project, changing).count()
    )


@transaction.atomic
def exclude(project: Project, sheets: Collection[int], reason: str, *, actor: User | None = None) -> int:
    """Exclude these sheets (primary keys) for `reason`; return how many. Raises ProjectError.

    Sheets that are excluded already or used for training or checks stay as they are.
    """
    if not 0 < len(reason) <= REASON_LENGTH:
        raise ProjectError(f"enter a reason of at most {REASON_LENGTH} characters")
    lock_open_project(project)
    changing = _lock(sheets_to_exclude(project).filter(pk__in=sheets))
    slots = Slot.objects.filter(sheet__in=changing, project=project)
    lock_slots(slots)
    Exclusion.objects.bulk_create(
        Exclusion(sheet=sheet, project=project, reason=reason, excluded_by=actor) for sheet in changing
    )
    # One statement for all: the tally's rows are then changed in the order of their keys, which prevents deadlocks.
    _ratings_on(project, [sheet.pk for sheet in changing]).filter(counted=True).update(counted=False)
    end_reoffers(slots)
    removed, _by_model = slots.filter(finished_at=None).delete()
    slots.update(project=None)
    changes = [(_target(sheet), None, reason) for sheet in changing]
    record_each(actor, "exclude response", changes, project=project)
    queue_finished_project(project, removed=removed)
    return len(changing)


@transaction.atomic
def include(project: Project, sheets: Collection[int], *, actor: User | None = None) -> int:
    """Include these excluded sheets (primary keys) again; return how many. Raises ProjectError.

    Raters get a finished response again if it has items that they have not answered.
    """
    locked = lock_open_project(project)
    changing = _lock(excluded_sheets(project).filter(pk__in=sheets).select_related("exclusion"))
    keys = [sheet.pk for sheet in changing]
    slots = _finished_slots(keys)
    lock_slots(slots)
    counting = list(_ratings_to_count(project, keys).values_list("pk", flat=True))
    Exclusion.objects.filter(sheet__in=changing).delete()
    Rating.objects.filter(pk__in=counting).update(counted=True)
    slots.update(project=project)
    add_slots(locked)
    update_slot_ranks(locked)
    # Items that were changed while the sheet was excluded are open for a rater who had finished it.
    answers = Rating.objects.filter(
        item=OuterRef("pk"), project=project, rater=OuterRef(OuterRef("holder__rater")), role=Rating.Role.RATER
    )
    unanswered = Item.objects.filter(
        is_rated(project),
        ~Exists(answers),
        Q(against=OuterRef("sheet__against")) | Q(against=None),
        response=OuterRef("sheet__response"),
        unit=project.protocol.definition.unit,
    )
    finished = Slot.objects.filter(Exists(unanswered), sheet__in=keys, project=project, finished_at__isnull=False)
    reoffer(list(finished.order_by("pk")))
    changes = [(_target(sheet), sheet.exclusion.reason, None) for sheet in changing]
    record_each(actor, "include response", changes, project=project)
    return len(changing)


def _lock(sheets: QuerySet[Sheet]) -> list[Sheet]:
    """Return the sheets, locked before their slots (see `slots`), with their responses."""
    rows = sheets.select_related("response").defer("response__text").order_by("pk")
    return list(rows.select_for_update(of=("self",), no_key=True))


def _target(sheet: Sheet) -> str:
    return f"response:{sheet.response.key}"


def _ratings_on(project: Project, sheets: Collection[int]) -> QuerySet[Rating]:
    on_sheet = Sheet.objects.filter(
        Q(against=OuterRef("item__against")) | Q(against=None),  # in a project, all sheets have two responses or none
        pk__in=sheets,
        response=OuterRef("item__response"),
    )
    return Rating.objects.filter(Exists(on_sheet), project=project, role=Rating.Role.RATER)


def _ratings_to_count(project: Project, sheets: Collection[int]) -> QuerySet[Rating]:
    """Return the ratings on these sheets that count unless these are excluded: of finished work, and imported ones."""
    is_finished = Q(assignment__purpose=Purpose.WORK, assignment__finished_at__isnull=False)
    return _ratings_on(project, sheets).filter(is_finished | Q(assignment=None), item__retired_at=None)


def _finished_slots(sheets: Collection[int]) -> QuerySet[Slot]:
    finished = Assignment.objects.filter(purpose=Purpose.WORK, finished_at__isnull=False, sheet__in=sheets)
    return Slot.objects.filter(sheet__in=sheets, project=None, holder__in=finished)

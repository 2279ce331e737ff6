"""Offer finished responses to their raters again: for new items, or because the guidelines have changed.

Unlike in a reopened response, the answers still count, and a changed answer replaces the earlier one: work is not lost
because a lead asks for more. The slot stays the rater's. If the rater does nothing for two weeks, releases the response
or leaves, it is finished as before (`leases.close_reoffers`).
"""

from collections.abc import Collection, Sequence
from datetime import timedelta

from django.db import OperationalError, transaction
from django.db.models import F
from psycopg.errors import LockNotAvailable

from ..i18n.unit_names import unit_words
from ..models import Assignment, Dataset, Membership, Project, Slot
from ..site.database_clock import database_now
from .errors import ProjectArchived, ProjectBusy
from .leases import close_reoffers
from .slots import add_slots, lock_project, lock_slots

REOFFER_PERIOD = timedelta(days=14)


def reoffer(slots: Sequence[Slot]) -> list[Slot]:
    """Reoffer the finished `slots` whose rater is an active member; return these slots.

    The caller has locked `slots` in the order of their ids.
    """
    finished = [slot for slot in slots if slot.finished_at]
    holders = {a.pk: a for a in Assignment.objects.filter(pk__in=[slot.holder_id for slot in finished])}
    active = set(
        Membership.objects.filter(user__is_active=True, user__in=[a.rater_id for a in holders.values()]).values_list(
            "project", "user"
        )
    )
    reoffered = [
        slot for slot in finished if slot.holder_id and (slot.project_id, holders[slot.holder_id].rater_id) in active
    ]
    Slot.objects.filter(pk__in=[slot.pk for slot in reoffered]).update(
        finished_at=None, was_finished_at=F("finished_at"), expires_at=database_now() + REOFFER_PERIOD
    )
    Assignment.objects.filter(pk__in=[slot.holder_id for slot in reoffered]).update(finished_at=None)
    return reoffered


@transaction.atomic
def close_expired_reoffers() -> int:
    """Finish expired reoffers as before. Return how many."""
    expired = Slot.objects.filter(was_finished_at__isnull=False, expires_at__lt=database_now())
    lock_slots(expired)
    return close_reoffers(expired)


def distribute_new_items(
    dataset: Dataset, responses: Collection[int], unit: str, *, wait: bool = True
) -> dict[int, int]:
    """Give raters of every project that rates `unit` the new items of these responses (primary keys).

    Adds slots for sheets without items to rate before, and reoffers finished responses. Returns by project id how many.

    Raises ProjectArchived if an archived project has finished such a response, as it accepts no ratings. A caller that
    has locked a project sets `wait=False`, because waiting could deadlock; then ProjectBusy is raised instead.
    """
    reoffered = {}
    for project in dataset.projects.select_related("protocol").order_by("pk"):
        if project.protocol.definition.unit != unit:
            continue
        locked = lock_project(project) if wait else _lock_project_nowait(project)
        slots = Slot.objects.filter(project=locked, sheet__response__in=responses, sheet__against=None)
        locked_slots = list(slots.select_for_update(of=("self",)).order_by("pk"))
        if locked.archived_at and any(slot.finished_at for slot in locked_slots):
            raise ProjectArchived(
                f"project {locked.slug!r} is archived, and responses finished in it would get new "
                f"{unit_words(unit, 2)}: unarchive it "
                "first"
            )
        reoffered[locked.pk] = len(reoffer(locked_slots))
        add_slots(locked)
    return {pk: n for pk, n in reoffered.items() if n}


def _lock_project_nowait(project: Project) -> Project:
    try:
        return lock_project(project, nowait=True)
    except OperationalError as error:
        if not isinstance(error.__cause__, LockNotAvailable):
            raise
        raise ProjectBusy(
            f"project {project.slug!r} also rates these responses and is being changed now: try again later"
        ) from None

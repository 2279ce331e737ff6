"""Offering finished responses again, to those who finished them: for new items, or because the guidelines have changed.

Unlike a reopened response, what was answered goes on counting, a changed answer in the place of the earlier one:
nobody's work is lost because a lead asks for a little more. So nobody else gets the slot. Whoever does not look again
within two weeks, gives it back or leaves has finished the response as before (`leases.close_reoffers`).
"""

from collections.abc import Collection, Sequence
from datetime import timedelta

from django.db import OperationalError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _
from psycopg.errors import LockNotAvailable

from ..i18n.unit_names import unit_words
from ..models import Assignment, Dataset, Membership, Project, Slot
from .errors import ProjectArchived, ProjectBusy
from .leases import close_reoffers
from .slots import add_slots, lock_project, lock_slots

REOFFER_PERIOD = timedelta(days=14)


def reoffer(slots: Sequence[Slot]) -> list[Slot]:
    """Open those of the slots that are finished and whose rater is still there; returns these.

    The caller has locked the slots in the order of their ids, in its transaction.
    """
    finished = [slot for slot in slots if slot.finished_at]
    holders = {a.pk: a for a in Assignment.objects.filter(pk__in=[slot.holder_id for slot in finished])}
    there = set(
        Membership.objects.filter(user__is_active=True, user__in=[a.rater_id for a in holders.values()]).values_list(
            "project", "user"
        )
    )
    again = [p for p in finished if p.holder_id and (p.project_id, holders[p.holder_id].rater_id) in there]
    Slot.objects.filter(pk__in=[slot.pk for slot in again]).update(
        finished_at=None, was_finished_at=F("finished_at"), expires_at=timezone.now() + REOFFER_PERIOD
    )
    Assignment.objects.filter(pk__in=[slot.holder_id for slot in again]).update(finished_at=None)
    return again


@transaction.atomic
def close_expired_reoffers() -> int:
    """Take back what was offered for long enough. Returns how many responses."""
    lapsed = Slot.objects.filter(was_finished_at__isnull=False, expires_at__lt=timezone.now())
    lock_slots(lapsed)
    return close_reoffers(lapsed)


def distribute_new_items(
    dataset: Dataset, responses: Collection[int], unit: str, *, wait: bool = True
) -> dict[int, int]:
    """Let raters of every project that rates `unit` have the new items of these responses (primary keys): slots where
    there was nothing to rate, and finished responses again. Returns how many finished ones each project offers again,
    by the project's primary key.

    Raises ProjectArchived where an archived project has finished such a response, as nobody rates in it. Whoever has
    locked a project before does not `wait` for the others, as that might be in a circle: it raises ProjectBusy.
    """
    asked = {}
    for project in dataset.projects.select_related("protocol").order_by("pk"):
        if project.protocol.definition.unit != unit:
            continue
        locked = lock_project(project) if wait else _locked_at_once(project)
        slots = Slot.objects.filter(project=locked, sheet__response__in=responses, sheet__against=None)
        found = list(slots.select_for_update(of=("self",)).order_by("pk"))
        if locked.archived_at and any(slot.finished_at for slot in found):
            raise ProjectArchived(
                _(
                    "project %(slug)s is archived, and responses finished in it would get new %(items)s: unarchive it "
                    "first"
                )
                % {"slug": repr(locked.slug), "items": unit_words(unit, 2)}
            )
        asked[locked.pk] = len(reoffer(found))
        add_slots(locked)
    return {pk: n for pk, n in asked.items() if n}


def _locked_at_once(project: Project) -> Project:
    try:
        return lock_project(project, nowait=True)
    except OperationalError as error:
        if not isinstance(error.__cause__, LockNotAvailable):
            raise
        raise ProjectBusy(
            _("project %(slug)s rates these responses too and is being changed at this moment: try again in a while")
            % {"slug": repr(project.slug)}
        ) from None

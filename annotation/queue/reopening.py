"""Reopen a finished assignment. Only a lead can do it, and nothing else ends the state finished.

The answers stay, but do not count until the response is finished again. A rater who is still in the project gets a new
lease. If the rater has left, the slot is free for others, and the answers stay uncounted.
"""

from django.db import connection, transaction
from django.utils.translation import gettext as _

from ..audit import record
from ..models import Assignment, Membership, Rating, Slot, User
from ..models.queue import REOPENING
from .errors import ARCHIVED, NotFinished, ProjectArchived
from .leases import expiry
from .slots import free_slot


@transaction.atomic
def reopen(assignment: Assignment, *, actor: User | None = None) -> bool:
    """Reopen the finished assignment. Return whether its rater has it again (else the slot is free for others).

    Locks the slot before the ratings, as every save does. Raises NotFinished or ProjectArchived.
    """
    slot = (
        Slot.objects.select_for_update(of=("self",)).select_related("holder__project").filter(holder=assignment).first()
    )
    if slot is None or slot.holder is None or slot.finished_at is None:
        raise NotFinished(_("This response is not finished, so there is nothing to open again."))
    if slot.holder.project.archived_at:
        raise ProjectArchived(ARCHIVED)
    is_back = _is_active_member(assignment)
    Rating.objects.filter(assignment=assignment, counted=True).update(counted=False)
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL {REOPENING} = 'on'")
        Slot.objects.filter(pk=slot.pk).update(
            finished_at=None,
            holder=assignment,
            expires_at=expiry(),
        )
        if not is_back:
            free_slot(Slot.objects.get(pk=slot.pk))
        cursor.execute(f"SET LOCAL {REOPENING} = 'off'")
    Assignment.objects.filter(pk=assignment.pk).update(finished_at=None)
    assignment.finished_at = None
    after = {"rater": assignment.rater.username, "back with the rater": is_back}
    record(actor, "reopen", f"assignment:{assignment.public_id}", project=assignment.project, after=after)
    return is_back


def _is_active_member(assignment: Assignment) -> bool:
    return Membership.objects.filter(
        project=assignment.project_id, user=assignment.rater_id, user__is_active=True
    ).exists()

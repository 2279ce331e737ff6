"""Store notifications. Functions that change data call `notify` in their own transaction, next to `audit.record`."""

from collections.abc import Iterable

from django.db import connection

from ..models import Job, Membership, Notification, Project, RaterQuestion, User
from ..site.database_clock import database_now

_INSERT = """
    INSERT INTO annotation_notification
        (public_id, recipient_id, kind, project_id, question_id, job_id, rater_id, count, created_at)
    SELECT gen_random_uuid(), recipient.id, %s, %s, %s, %s, %s, %s, %s FROM unnest(%s::bigint[]) recipient(id)
    ON CONFLICT (recipient_id, kind, project_id, question_id, job_id, rater_id) WHERE read_at IS NULL
    DO UPDATE SET count = annotation_notification.count + EXCLUDED.count, created_at = EXCLUDED.created_at
"""


def notify(
    recipients: Iterable[int],
    kind: Notification.Kind,
    *,
    project: Project | None = None,
    question: RaterQuestion | None = None,
    job: Job | None = None,
    rater: User | None = None,
    count: int = 1,
) -> None:
    """Notify users (primary keys) of an event. One statement; a recipient's unread notification of the same counts it
    instead. Rows are locked in the order of their recipients, so that two events at once do not block each other.
    """
    users = sorted(set(recipients))
    if not users:
        return
    targets = [row.pk if row else None for row in (project, question, job, rater)]
    with connection.cursor() as cursor:
        cursor.execute(_INSERT, [kind, *targets, count, database_now(), users])


def leads_of(project: Project, *, actor: User | None = None) -> list[int]:
    """Return the active leads (primary keys) of the project other than `actor`, who knows what they did. One query."""
    leads = Membership.objects.filter(project=project, role=Membership.Role.LEAD, user__is_active=True)
    return list(leads.exclude(user=actor).values_list("user", flat=True))

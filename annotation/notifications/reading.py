"""The notifications that a person may read, and reading them."""

from django.db.models import Q, QuerySet

from ..access import projects_for, projects_led_by
from ..models import Notification, User
from ..site.database_clock import database_now

Kind = Notification.Kind
ALL = Q()
FOR_MEMBERS = [Kind.ASSIGNED, Kind.REOPENED, Kind.ADJUDICATED, Kind.ANSWERED]
FOR_LEADS = [Kind.ASKED, Kind.DISPUTED, Kind.ALERT, Kind.PAUSED, Kind.FAILED, Kind.TARGET, Kind.JOB]


def notifications_for(user: User) -> QuerySet[Notification]:
    """Return the user's notifications, without those about projects that they may no longer see."""
    own = Notification.objects.filter(recipient=user)
    if user.is_admin:
        return own
    as_member = Q(kind__in=FOR_MEMBERS, project__in=projects_for(user))
    as_lead = Q(kind__in=FOR_LEADS, project__in=projects_led_by(user))
    hidden = Q(kind=Kind.ADJUDICATED, project__shows_decisions=False)
    return own.filter(as_member & ~hidden | as_lead)


def unread(user: User) -> QuerySet[Notification]:
    """Return the user's unread notifications."""
    return notifications_for(user).filter(read_at=None)


def mark_read(user: User, condition: Q = ALL) -> int:
    """Mark the user's notifications as read that match. Return how many were unread.

    Pages call it that show what a notification leads to.
    """
    return Notification.objects.filter(condition, recipient=user, read_at=None).update(read_at=database_now())

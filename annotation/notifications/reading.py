"""The notifications that a person may read, and reading them."""

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import get_language

from ..access import projects_for, projects_led_by
from ..audit import record
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


@transaction.atomic
def set_mail(user: User, mail: User.Mail) -> None:
    """Mail the user's notifications off, at once or daily from now on, in the active language.

    What happened before mail was turned on is not mailed.
    """
    before = user.notification_mail
    if before == User.Mail.OFF:
        Notification.objects.filter(recipient=user, mailed_at=None).update(mailed_at=database_now())
    user.notification_mail, user.mail_language = mail, get_language() or ""
    user.save(update_fields=["notification_mail", "mail_language"])
    if before != mail:
        record(user, "set notification mail", f"user:{user.username}", before=before, after=mail)

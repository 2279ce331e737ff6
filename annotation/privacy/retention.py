"""Retention: delete personal data that is older than the site's limits. Run every hour by beat.

Uploads and exports are deleted after a week by tasks of their own (`importing.uploads`, `exporting.export_jobs`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.db.models import Exists, OuterRef

from ..accounts.sign_in_limits import delete_expired_counters
from ..audit import record
from ..models import IdempotentRequest, Job, Notification, WebhookDelivery
from ..site.database_clock import database_now
from ..site.ignored_triggers import ignored_triggers

ACTION = "apply retention"
"""The action of the audit event."""


@dataclass(frozen=True)
class Rule:
    """What `delete` deletes, returning how many, when it is older than `days`, a setting; 0 keeps it."""

    setting: str
    delete: Callable[[datetime], int]

    @property
    def days(self) -> int:
        """The limit of this site."""
        return int(getattr(settings, self.setting))


@transaction.atomic
def apply_retention() -> dict[str, int]:
    """Delete what is older than the limits. Return the numbers by rule, of those that deleted anything."""
    delete_expired_counters()
    now = database_now()
    IdempotentRequest.objects.filter(expires_at__lte=now).delete()
    deleted = {"expired sessions": _delete_expired_sessions(now)}
    for name, rule in RULES.items():
        if rule.days:
            deleted[name] = rule.delete(now - timedelta(days=rule.days))
    counts = {name: n for name, n in deleted.items() if n}
    if counts:
        record(None, ACTION, "site", after=counts)
    return counts


def _delete_expired_sessions(now: datetime) -> int:
    """Delete expired sessions, and their rows in the list of browsers, which have a network address."""
    expired = Session.objects.filter(expire_date__lt=now).delete()[0]
    session = Session.objects.filter(session_key=OuterRef("session_key"))
    return expired + UserSession.objects.filter(~Exists(session)).delete()[0]


def _delete_network_codes(before: datetime) -> int:
    with ignored_triggers("annotation.AuditEvent:audit_is_append_only"), connection.cursor() as cursor:
        cursor.execute("SELECT annotation_delete_network_codes(%s)", [before])
        return int(cursor.fetchone()[0])


def _delete_notifications(before: datetime) -> int:
    return Notification.objects.filter(created_at__lt=before).delete()[1].get(Notification._meta.label, 0)


def _delete_jobs(before: datetime) -> int:
    """Delete ended jobs, except those that have a stored file."""
    ended = Job.objects.filter(ended_at__lt=before, export=None)
    return ended.delete()[1].get(Job._meta.label, 0)


def _delete_deliveries(before: datetime) -> int:
    return WebhookDelivery.objects.filter(created_at__lt=before).delete()[0]


RULES = {
    "network codes": Rule("KEEP_NETWORK_CODES_DAYS", _delete_network_codes),
    "notifications": Rule("KEEP_NOTIFICATIONS_DAYS", _delete_notifications),
    "ended jobs": Rule("KEEP_JOBS_DAYS", _delete_jobs),
    "webhook deliveries": Rule("KEEP_DELIVERIES_DAYS", _delete_deliveries),
}
"""The rules, by what they delete."""

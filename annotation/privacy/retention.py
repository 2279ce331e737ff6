"""Retention: delete personal data that is older than the site's limits. Run every hour by beat.

Uploads and exports are deleted after a week by tasks of their own (`importing.uploads`, `exporting.export_jobs`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, QuerySet

from ..accounts.sign_in_limits import delete_expired_counters
from ..audit import record
from ..models import IdempotentRequest, Job, Notification, WebhookDelivery
from ..site.database_clock import database_now
from ..site.database_transactions import ignored_triggers

ACTION = "apply retention"
"""The action of the audit event."""


@dataclass(frozen=True)
class Rule:
    """What `delete` deletes, returning how many, when it is older than `days`, a setting; 0 keeps it."""

    setting: str
    delete: Callable[[datetime], int]

    @property
    def days(self) -> int:
        return int(getattr(settings, self.setting))


@transaction.atomic
def apply_retention() -> dict[str, int]:
    """Delete what is older than the limits. Return the numbers by rule, of those that deleted anything."""
    delete_expired_counters()
    now = database_now()
    IdempotentRequest.objects.filter(expires_at__lte=now).delete()
    # With their rows in the list of browsers, which have a network address.
    expired = Session.objects.filter(expire_date__lt=now).delete()[0]
    session = Session.objects.filter(session_key=OuterRef("session_key"))
    deleted = {"expired sessions": (expired + UserSession.objects.filter(~Exists(session)).delete()[0])}
    for name, rule in RULES.items():
        if rule.days:
            deleted[name] = rule.delete(now - timedelta(days=rule.days))
    counts = {name: n for name, n in deleted.items() if n}
    if counts:
        record(None, ACTION, "site", after=counts)
    return counts


def _delete_network_codes(before: datetime) -> int:
    with ignored_triggers("annotation.AuditEvent:audit_is_append_only"), connection.cursor() as cursor:
        cursor.execute("SELECT annotation_delete_network_codes(%s)", [before])
        return int(cursor.fetchone()[0])


def _delete(rows: QuerySet[Any]) -> int:
    """Delete the rows; return how many, without those of other tables that go with them."""
    return rows.delete()[1].get(rows.model._meta.label, 0)


RULES = {
    "network codes": Rule("KEEP_NETWORK_CODES_DAYS", _delete_network_codes),
    "notifications": Rule(
        "KEEP_NOTIFICATIONS_DAYS", lambda before: _delete(Notification.objects.filter(created_at__lt=before))
    ),
    "ended jobs": Rule("KEEP_JOBS_DAYS", lambda before: _delete(Job.objects.filter(ended_at__lt=before, export=None))),
    "webhook deliveries": Rule(
        "KEEP_DELIVERIES_DAYS", lambda before: _delete(WebhookDelivery.objects.filter(created_at__lt=before))
    ),
}
"""The rules, by what they delete."""

"""Retention: what is older than the limits is deleted, and nothing else."""

from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from annotation import jobs
from annotation.accounts.sign_ins import record_sign_in
from annotation.models import AuditEvent, Job, Notification, WebhookDelivery
from annotation.notifications import notify
from annotation.privacy.retention import apply_retention
from annotation.site.database_transactions import ignored_triggers
from annotation.webhooks.events import store_test
from annotation.webhooks.webhooks import create_webhook
from tests.cast import PASSWORD, person, study

pytestmark = pytest.mark.django_db


def days_ago(days: float):
    return timezone.now() - timedelta(days=days)


LIMITS = ("KEEP_NETWORK_CODES_DAYS", "KEEP_NOTIFICATIONS_DAYS", "KEEP_JOBS_DAYS")


@pytest.fixture
def old_and_new():
    """Two of each kind: 31 days old, and of today. The only way to an old event is one that triggers do not see."""
    project = study().project
    ravi = person("ravi")
    for kind in ("assigned", "reopened"):
        notify([ravi.pk], kind, project=project)
    Notification.objects.filter(kind="assigned").update(created_at=days_ago(31))
    for state, ended in (("done", 31), ("failed", 1), ("queued", None)):
        job = jobs.create("freeze_report", project=project, actor=ravi)
        Job.objects.filter(pk=job.pk).update(
            state=state, created_at=days_ago(31), ended_at=days_ago(ended) if ended else None
        )
    with ignored_triggers("annotation.AuditEvent:audit_is_append_only"):
        record_sign_in(ravi, "192.0.2.7")
        old = AuditEvent.objects.get(action="sign in")
        with connection.cursor() as cursor:
            cursor.execute("RESET ROLE")
            cursor.execute("UPDATE annotation_auditevent SET at = %s WHERE id = %s", [days_ago(31), old.pk])
            cursor.execute("SET ROLE factuary_site")
    record_sign_in(ravi, "192.0.2.7")
    return old


def test_deliveries_of_webhooks_are_deleted_after_thirty_days():
    webhook, _secret = create_webhook(study().project, "https://example.org/", ["job.failed"], actor=person("lena"))
    new, old = store_test(webhook), store_test(webhook)
    WebhookDelivery.objects.filter(pk=old.pk).update(created_at=days_ago(31))
    assert apply_retention() == {"webhook deliveries": 1}
    assert WebhookDelivery.objects.get() == new


def test_what_is_older_than_its_limit_is_deleted_and_a_limit_of_zero_keeps_everything(old_and_new, settings):
    for name in LIMITS:
        setattr(settings, name, 0)
    assert apply_retention() == {}
    assert not AuditEvent.objects.filter(action="apply retention").exists()
    for name in LIMITS:
        setattr(settings, name, 30)
    assert apply_retention() == {"network codes": 1, "notifications": 1, "ended jobs": 1}
    events = AuditEvent.objects.filter(action="sign in").order_by("at")
    assert [sorted(event.after) for event in events] == [[], ["from"]]
    assert Notification.objects.get().kind == "reopened"
    assert set(Job.objects.values_list("state", flat=True)) == {"failed", "queued"}
    assert AuditEvent.objects.get(action="apply retention").after["ended jobs"] == 1


def test_expired_sessions_and_their_network_addresses_are_deleted():
    person("ravi"), person("rosa")
    for name in ("ravi", "rosa"):
        Client().post("/accounts/login/", {"login": name, "password": PASSWORD})
    ended = UserSession.objects.get(user__username="ravi").session_key
    Session.objects.filter(session_key=ended).update(expire_date=days_ago(0.1))
    assert apply_retention() == {"expired sessions": 2}
    assert UserSession.objects.get().user.username == "rosa"


def test_the_function_of_the_database_refuses_codes_of_today():
    with pytest.raises(Exception, match="kept for a day"), transaction.atomic():
        connection.cursor().execute("SELECT annotation_delete_network_codes(now())")

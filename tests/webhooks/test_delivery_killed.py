"""Real workers: an event arrives soon after its transaction, and again under its id if the worker is killed."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor, wait
from datetime import timedelta

import pytest
from django.db import connection, transaction

from annotation.models import Webhook, WebhookDelivery
from annotation.site.database_clock import database_now
from annotation.webhooks import queue_event
from annotation.webhooks.delivery import send_due
from annotation.webhooks.events import CELERY_APP
from tasks.app import app
from tests.webhooks.receiver import receiver, subscribe

pytestmark = pytest.mark.django_db(transaction=True)
FROZEN = Webhook.Event.REPORT_FROZEN


@pytest.fixture
def local(june, settings, monkeypatch):
    """Start a receiver of frozen reports, whose host the site and its workers allow."""
    settings.WEBHOOK_ALLOWED_HOSTS = ["127.0.0.1"]
    monkeypatch.setenv("WEBHOOK_ALLOWED_HOSTS", "127.0.0.1")
    with receiver() as running:
        subscribe(june.project, running, FROZEN)
        yield running


def test_what_a_killed_worker_was_sending_is_sent_again_under_the_same_id(june, local, start_celery_worker, wait_until):
    assert app.main == CELERY_APP
    local.answers = [-60]  # the worker is killed while it waits for this answer
    worker = start_celery_worker()
    with transaction.atomic():
        queue_event(june.project, FROZEN, {"report": "r1"})
    wait_until(lambda: len(local.received) == 1)
    os.killpg(worker.pid, signal.SIGKILL)
    row = WebhookDelivery.objects.get()
    assert (row.status, row.attempts) == (WebhookDelivery.Status.WAITING, 1)
    assert timedelta(seconds=30) < row.next_attempt_at - database_now() <= timedelta(seconds=60)
    WebhookDelivery.objects.update(next_attempt_at=database_now())  # a minute later
    with transaction.atomic():
        queue_event(june.project, FROZEN, {"report": "r2"})
    assert send_due() == 2
    assert not WebhookDelivery.objects.exclude(status=WebhookDelivery.Status.DELIVERED).exists()
    ids = [str(pk) for pk in WebhookDelivery.objects.order_by("pk").values_list("public_id", flat=True)]
    assert sorted(local.ids) == sorted([ids[0], ids[0], ids[1]])
    assert sorted(message["data"]["report"] for message in local.messages()) == ["r1", "r1", "r2"]


def test_an_event_whose_transaction_is_rolled_back_is_not_sent(june, local):
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        queue_event(june.project, FROZEN, {"report": "r1"})
        raise ZeroDivisionError
    assert send_due() == 0
    assert local.received == []


def test_several_workers_at_once_send_each_event_once(june, local):
    with transaction.atomic():
        for n in range(20):
            queue_event(june.project, FROZEN, {"report": f"r{n}"})
    sent: list[int] = []

    def work() -> None:
        try:
            sent.append(send_due())
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        wait([threads.submit(work) for _ in range(4)])
    assert sum(sent) == len(local.ids) == len(set(local.ids)) == 20
    assert len(local.messages()) == 20

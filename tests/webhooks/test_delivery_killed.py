"""Real workers: an event arrives soon after its transaction, and again under its id if the worker is killed."""

import os
import signal
import threading
from datetime import timedelta

import pytest
from django.db import connection, transaction

from annotation.models import Webhook, WebhookDelivery
from annotation.site.database_clock import database_now
from annotation.webhooks import queue_event
from annotation.webhooks.delivery import send_due
from annotation.webhooks.events import CELERY_APP
from tasks.app import app
from tests.cast import study
from tests.webhooks.receiver import receiver, subscribe

pytestmark = pytest.mark.django_db(transaction=True)
FROZEN = Webhook.Event.REPORT_FROZEN


@pytest.fixture
def local(settings, monkeypatch):
    """Start a receiver whose host the site and its workers allow."""
    settings.WEBHOOK_ALLOWED_HOSTS = ["127.0.0.1"]
    monkeypatch.setenv("WEBHOOK_ALLOWED_HOSTS", "127.0.0.1")
    with receiver() as running:
        yield running


def test_a_killed_worker_is_followed_by_another_that_sends_under_the_same_id(local, start_celery_worker, wait_until):
    assert app.main == CELERY_APP
    june = study()
    subscribe(june.project, local, FROZEN)
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
    start_celery_worker()
    wait_until(lambda: not WebhookDelivery.objects.exclude(status=WebhookDelivery.Status.DELIVERED).exists())
    ids = [str(pk) for pk in WebhookDelivery.objects.order_by("pk").values_list("public_id", flat=True)]
    assert sorted(local.ids) == sorted([ids[0], ids[0], ids[1]])
    assert sorted(message["data"]["report"] for message in local.messages()) == ["r1", "r1", "r2"]


def test_an_event_whose_transaction_is_rolled_back_is_not_sent(local):
    june = study()
    subscribe(june.project, local, FROZEN)
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        queue_event(june.project, FROZEN, {"report": "r1"})
        raise ZeroDivisionError
    assert send_due() == 0
    assert local.received == []


def test_several_workers_at_once_send_each_event_once(local):
    june = study()
    subscribe(june.project, local, FROZEN)
    with transaction.atomic():
        for n in range(40):
            queue_event(june.project, FROZEN, {"report": f"r{n}"})
    sent: list[int] = []

    def work() -> None:
        try:
            sent.append(send_due())
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(sent) == len(local.ids) == len(set(local.ids)) == 40
    assert len(local.messages()) == 40

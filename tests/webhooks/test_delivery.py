"""Deliveries: signed, retried for a day under one id, and nothing for paused webhooks."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Webhook, WebhookDelivery
from annotation.webhooks import delivery, queue_event, sending
from annotation.webhooks.delivery import next_attempt, send_due
from annotation.webhooks.webhooks import change_webhook, delete_webhook, send_again, send_test
from tests.cast import Study, person
from tests.webhooks.receiver import receiver, subscribe

pytestmark = pytest.mark.django_db
Event, Status = Webhook.Event, WebhookDelivery.Status


@pytest.fixture
def local(settings, monkeypatch):
    """Start a receiver whose host the site allows. The first pause is longer than a test takes on a busy machine."""
    monkeypatch.setattr(delivery, "FIRST_RETRY", timedelta(minutes=1))
    settings.WEBHOOK_ALLOWED_HOSTS = ["127.0.0.1"]
    with receiver() as running:
        yield running


def hours_pass(hours: float) -> None:
    """Let so much time pass for what waits, which is what a test can do instead of waiting."""
    for row in WebhookDelivery.objects.all():
        for field in ("due_since", "next_attempt_at"):
            setattr(row, field, getattr(row, field) - timedelta(hours=hours))
        row.save()


def only() -> WebhookDelivery:
    return WebhookDelivery.objects.get()


@pytest.fixture
def webhook(june: Study, local) -> Webhook:
    """Return a webhook of failed jobs, one of which waits to be sent."""
    webhook = subscribe(june.project, local, Event.JOB_FAILED)
    queue_event(june.project, Event.JOB_FAILED, {"job": "j1"})
    return webhook


def test_an_event_arrives_once_signed_with_its_type_time_and_data(june, local, webhook, settings):
    queue_event(june.project, Event.REPORT_FROZEN, {"report": "r1"})  # not selected
    assert (send_due(), send_due()) == (1, 0)
    [message] = local.messages()
    row = only()
    assert message == {
        "type": "job.failed",
        "timestamp": row.created_at.isoformat(),
        "data": {"project": "june", "job": "j1", "url": f"{settings.SITE_URL}/projects/june/"},
    }
    assert local.ids == [str(row.public_id)]
    assert (row.status, row.attempts, row.last_status, row.last_error) == (Status.DELIVERED, 1, 204, "")
    send_again(row, actor=person("lena"))
    assert send_due() == 1
    assert local.ids == [str(row.public_id)] * 2
    headers, body = local.received[0]
    local.received[0] = headers, body.replace(b"j1", b"j2")
    with pytest.raises(AssertionError):
        local.messages()


def test_failures_are_retried_with_longer_pauses_under_the_same_id(local, webhook):
    local.answers = [500, 503, 302, 404, 200]
    pauses = []
    for status, problem in ((500, "status"), (503, "status"), (302, "redirect"), (404, "status")):
        assert send_due() == 1
        row = only()
        assert (row.status, row.last_status, row.last_error) == (Status.WAITING, status, problem)
        pauses.append((row.next_attempt_at - timezone.now()).total_seconds())
        assert send_due() == 0  # not due yet
        hours_pass(pauses[-1] / 3600 + 0.001)
    assert pauses == sorted(pauses)
    assert 30 < pauses[0] <= 60
    assert send_due() == 1
    assert (only().status, only().attempts) == (Status.DELIVERED, 5)
    assert local.ids == [str(only().public_id)] * 5
    assert len({str(message) for message in local.messages()}) == 1


def test_a_delivery_is_tried_for_a_day_and_then_given_up():
    """The pauses are as long as the time since the event: 5 s at least and four hours at most."""
    start = now = timezone.now()
    attempts, pauses = 1, []
    while (then := next_attempt(start, now)) is not None:
        pauses.append((then - now).total_seconds())
        now, attempts = then, attempts + 1
    assert pauses[:4] == [5, 5, 10, 20]
    assert max(pauses) == 4 * 3600
    assert timedelta(hours=24) <= now - start < timedelta(hours=28)
    assert attempts == 19


def test_it_is_given_up_after_a_day_and_can_be_sent_again_for_another(local, webhook):
    local.answers = [500, 500, 500]
    hours_pass(23.9)
    send_due()
    assert only().status == Status.WAITING
    hours_pass(4)
    send_due()
    assert only().status == Status.FAILED
    hours_pass(100)
    assert send_due() == 0
    send_again(only(), actor=person("lena"))
    send_due()
    assert only().status == Status.WAITING
    hours_pass(0.1)
    send_due()
    assert (only().status, only().attempts) == (Status.DELIVERED, 4)
    assert len(set(local.ids)) == 1


def test_a_receiver_that_is_too_slow_is_tried_again(local, webhook, monkeypatch):
    local.answers = [-30]
    with monkeypatch.context() as patched:
        patched.setattr(sending, "TIME_LIMIT", 1.0)
        send_due()
    assert (only().status, only().last_status, only().last_error) == (Status.WAITING, None, "timeout")
    hours_pass(0.1)
    send_due()
    assert only().status == Status.DELIVERED
    assert local.ids == [str(only().public_id)] * 2


def test_others_for_a_receiver_that_does_not_answer_wait_and_those_of_another_do_not(june, local):
    with receiver() as gone:
        subscribe(june.project, gone, Event.JOB_FAILED)
    for n in range(3):
        queue_event(june.project, Event.JOB_FAILED, {"job": f"j{n}"})
    subscribe(june.project, local, Event.REPORT_FROZEN)
    queue_event(june.project, Event.REPORT_FROZEN, {"report": "r1"})
    assert send_due() == 2  # one of the three, and the report
    assert len(local.messages()) == 1
    waiting = WebhookDelivery.objects.filter(status=Status.WAITING)
    assert sorted(waiting.values_list("attempts", "last_error")) == [(0, ""), (0, ""), (1, "unreachable")]


def test_a_refused_event_does_not_hold_up_the_others(june, local, webhook):
    for n in range(2):
        queue_event(june.project, Event.JOB_FAILED, {"job": f"another{n}"})
    local.answers = [500]
    assert send_due() == 3
    assert WebhookDelivery.objects.filter(status=Status.DELIVERED).count() == 2


def test_a_paused_or_deleted_webhook_is_sent_nothing_and_told_of_nothing(june, local, webhook):
    change_webhook(webhook, active=False, actor=person("lena"))
    queue_event(june.project, Event.JOB_FAILED, {"job": "while paused"})
    assert send_due() == 0 and local.received == []
    change_webhook(webhook, active=True, actor=person("lena"))
    send_test(webhook, actor=person("lena"))
    assert send_due() == 2
    assert [message["type"] for message in local.messages()] == ["job.failed", "webhook.test"]
    assert local.messages()[0]["data"]["job"] == "j1"
    queue_event(june.project, Event.JOB_FAILED, {"job": "j2"})
    delete_webhook(webhook, actor=person("lena"))
    assert send_due() == 0 and len(local.received) == 2


def test_a_host_that_is_no_longer_allowed_gets_nothing(local, webhook, settings):
    settings.WEBHOOK_ALLOWED_HOSTS = []
    send_due()
    Webhook.objects.update(url=local.url.replace("http:", "https:"))
    hours_pass(0.1)
    assert only().last_error == "url"
    send_due()
    assert (only().status, only().last_error) == (Status.WAITING, "address")
    assert local.received == []


def test_a_secret_of_another_site_is_named_as_the_problem(webhook, settings):
    settings.SECRET_KEY, old = "another key " * 5, settings.SECRET_KEY
    send_due()
    assert (only().status, only().last_error) == (Status.WAITING, "secret")
    settings.SECRET_KEY_FALLBACKS = [old]
    hours_pass(0.1)
    send_due()
    assert only().status == Status.DELIVERED


def test_a_rater_is_named_by_name_or_by_the_pseudonym_of_the_time_of_sending(june, local):
    subscribe(june.project, local, Event.RATER_PAUSED)
    ravi = june.people["ravi"]
    queue_event(june.project, Event.RATER_PAUSED, {}, rater=ravi)
    send_due()
    june.project.hides_raters = True
    june.project.save()
    send_again(only(), actor=person("lena"))
    send_due()
    named, hidden = (message["data"]["rater"] for message in local.messages())
    assert named == "ravi"
    assert hidden.startswith("rater-")
    assert all(b"ravi" not in body for _headers, body in local.received[1:])
    assert "ravi" not in str(only().payload)


def test_a_superseded_attempt_stores_nothing(webhook):
    """A worker that was held up for longer than its claim must not undo what a later attempt has stored."""
    late = delivery._claim()
    hours_pass(1)
    send_due()
    delivery._record(late, delivery.Outcome(500, WebhookDelivery.Problem.STATUS))
    assert (only().status, only().last_status, only().attempts) == (Status.DELIVERED, 204, 2)


def test_a_run_ends_in_time_and_the_rest_is_sent_by_the_next(june, local, webhook, monkeypatch):
    for n in range(2, 4):
        queue_event(june.project, Event.JOB_FAILED, {"job": f"j{n}"})
    monkeypatch.setattr(delivery, "RUN_SECONDS", 0.0)
    assert send_due() == 0
    monkeypatch.setattr(delivery, "RUN_SECONDS", 20.0)
    assert send_due() == 3
    assert [message["data"]["job"] for message in local.messages()] == ["j1", "j2", "j3"]

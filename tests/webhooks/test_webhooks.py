"""Creating, changing and deleting webhooks: what is refused, what is stored, what the audit has."""

import pytest

from annotation.models import AuditEvent, Webhook, WebhookDelivery
from annotation.privacy.erase import erase_person
from annotation.projects.deleting import delete_project
from annotation.webhooks import queue_event
from annotation.webhooks.webhooks import (
    MAX_WEBHOOKS,
    WebhookError,
    change_webhook,
    create_webhook,
    delete_webhook,
    send_again,
    send_test,
)
from tests.cast import person

pytestmark = pytest.mark.django_db
URL = "https://example.org/hook?key=in-the-address"
Event = Webhook.Event


@pytest.fixture
def webhook(june) -> Webhook:
    return create_webhook(june.project, f" {URL} ", ["job.failed", "report.frozen"], actor=person("lena"))[0]


def test_events_are_stored_in_their_order_the_secret_encrypted_and_a_limited_number_of_webhooks(june):
    _webhook, secret = create_webhook(june.project, URL, ["job.failed", "report.frozen"], actor=person("lena"))
    stored = Webhook.objects.get()
    assert (stored.url, stored.events, stored.active) == (URL, ["report.frozen", "job.failed"], True)
    assert secret.removeprefix("whsec_") not in str(vars(stored))
    assert create_webhook(june.project, URL, ["job.failed"], actor=person("lena"))[1] != secret
    for _ in range(MAX_WEBHOOKS - 2):
        create_webhook(june.project, URL, ["job.failed"], actor=person("lena"))
    with pytest.raises(WebhookError, match="at most 20"):
        create_webhook(june.project, URL, ["job.failed"], actor=person("lena"))


@pytest.mark.parametrize(
    ("url", "events", "field"),
    [
        ("https://10.0.0.1/", ["job.failed"], "url"),
        ("http://example.org/", ["job.failed"], "url"),
        (URL, [], "events"),
        (URL, ["job.failed", "webhook.test"], "events"),
    ],
)
def test_what_is_invalid_is_refused_and_nothing_stored(june, webhook, url, events, field):
    for change in (
        lambda: create_webhook(june.project, url, events, actor=person("lena")),
        lambda: change_webhook(webhook, url=url, events=events, actor=person("lena")),
    ):
        with pytest.raises(WebhookError) as error:
            change()
        assert error.value.field == field
    assert Webhook.objects.get().url == URL


def test_the_audit_has_each_change_without_secret_and_path(june, webhook):
    lena = person("lena")
    change_webhook(webhook, active=False, actor=lena)
    change_webhook(webhook, active=False, actor=lena)  # nothing changes
    change_webhook(webhook, url="https://example.org/other", actor=lena)
    webhook = change_webhook(webhook, active=True, events=["job.failed"], actor=lena)
    delivery = send_test(webhook, actor=lena)
    send_again(delivery, actor=lena)
    delete_webhook(webhook, actor=lena)
    events = AuditEvent.objects.filter(target__startswith="webhook:").order_by("pk")
    assert [event.action for event in events] == [
        "create webhook", "change webhook", "change webhook", "change webhook", "test webhook", "send webhook again",
        "delete webhook",
    ]  # fmt: skip
    assert {event.actor for event in events} == {lena}
    assert {event.project for event in events} == {june.project}
    texts = "".join(str((event.before, event.after)) for event in events)
    assert "example.org" in texts
    assert "whsec_" not in texts and "in-the-address" not in texts


def test_a_paused_webhook_sends_no_test_and_nothing_again(webhook):
    delivery = send_test(webhook, actor=person("lena"))
    paused = change_webhook(webhook, active=False, actor=person("lena"))
    delivery.webhook = paused
    for request in (
        lambda: send_test(paused, actor=person("lena")),
        lambda: send_again(delivery, actor=person("lena")),
    ):
        with pytest.raises(WebhookError, match="resume it first"):
            request()
    assert WebhookDelivery.objects.count() == 1


def test_erasing_a_person_deletes_deliveries_about_them_and_deleting_a_project_its_webhooks(june, webhook):
    for name in ("ravi", "rosa"):
        change_webhook(webhook, events=["rater.paused"], actor=person("lena"))
        queue_event(june.project, Event.RATER_PAUSED, {}, rater=june.people[name])
    erase_person(june.people["ravi"], actor=person("ada", admin=True))
    assert WebhookDelivery.objects.get().rater == june.people["rosa"]
    delete_project(june.project)
    assert not Webhook.objects.exists()
    assert not WebhookDelivery.objects.exists()

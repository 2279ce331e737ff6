"""The pages of webhooks: the secret is shown once, actions need the page's token, and raters see nothing."""

import re

import pytest
from django.test import Client

from annotation.models import Webhook, WebhookDelivery
from annotation.webhooks.webhooks import create_webhook, send_test
from tests.cast import Study, study

pytestmark = pytest.mark.django_db
SECTION = "/projects/june/settings/webhooks/"
PATH = "/projects/june/webhooks/"
NEW = {"url": "https://example.org/hook", "events": ["job.failed", "report.frozen"]}


def stored(june: Study) -> tuple[Webhook, str]:
    webhook, _secret = create_webhook(june.project, NEW["url"], NEW["events"], actor=june.people["lena"])
    return webhook, f"{PATH}{webhook.public_id}/"


def test_the_secret_is_on_the_page_after_creating_and_on_no_other(lena):
    for change, problem in [
        ({"url": "https://10.0.0.1/"}, "not public"),
        ({"url": "http://example.org/<script>"}, "must start with https://"),
        ({"events": []}, "This field is required"),
    ]:
        page = lena.post(PATH, NEW | change).content.decode()
        assert problem in page and "<script>" not in page
    assert not Webhook.objects.exists()
    page = lena.post(PATH, NEW).content.decode()
    assert page.count("whsec_") == 1
    assert "https://example.org/hook" in page
    webhook = Webhook.objects.get()
    for address in (SECTION, f"{PATH}{webhook.public_id}/"):
        assert "whsec_" not in lena.get(address).content.decode()
    assert webhook.events == ["report.frozen", "job.failed"]


def test_the_page_of_a_webhook_shows_how_each_delivery_ended_and_sends_one_again(lena, june):
    webhook, path = stored(june)
    delivery = send_test(webhook, actor=june.people["lena"])
    WebhookDelivery.objects.update(status="failed", attempts=19, last_status=503, last_error="status")
    page = lena.get(path).content.decode()
    assert re.search(r'<a [^>]*href="/projects/june/settings/"[^>]*aria-current="true"', page)
    study("july")
    assert lena.get(path.replace("june", "july")).status_code == 404
    for text in ("Given up", "HTTP 503", "answered with an error", "Test event", str(delivery.public_id)):
        assert text in page
    assert lena.post(f"{path}deliveries/{delivery.public_id}/send/").status_code == 302
    assert WebhookDelivery.objects.get().status == "waiting"


def test_a_webhook_is_tested_paused_resumed_and_deleted(lena, june):
    _webhook, path = stored(june)
    lena.post(f"{path}test/")
    assert WebhookDelivery.objects.get().event == "webhook.test"
    lena.post(f"{path}pause/", {"active": "off"})
    lena.get(path)  # shows the messages
    page = lena.get(path).content.decode()
    assert "Resume webhook" in page and "Send test event" not in page and "/send/" not in page
    assert "resume it first" in lena.post(f"{path}test/", follow=True).content.decode()
    lena.post(f"{path}pause/", {"active": "perhaps"})
    assert not Webhook.objects.get().active
    lena.post(f"{path}pause/", {"active": "on"})
    assert Webhook.objects.get().active
    lena.post(f"{path}delete/")
    assert not Webhook.objects.exists()


def test_without_the_token_of_the_page_nothing_is_changed(june):
    webhook, path = stored(june)
    delivery = send_test(webhook, actor=june.people["lena"])
    client = Client(enforce_csrf_checks=True)
    client.force_login(june.people["lena"])
    own = ("pause/", "test/", "delete/", f"deliveries/{delivery.public_id}/send/")
    for address in (PATH, *(path + action for action in own)):
        assert client.post(address, NEW | {"active": "off"}).status_code == 403
    assert Webhook.objects.get().active
    assert WebhookDelivery.objects.count() == 1

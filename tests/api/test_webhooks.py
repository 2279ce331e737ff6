"""Webhooks in the API: what a lead may do, and what is refused."""

import pytest

from annotation.models import Webhook, WebhookDelivery
from tests.api.clients import send
from tests.cast import study

pytestmark = pytest.mark.django_db
HOOKS = "projects/june/webhooks/"
NEW = {"url": "https://example.org/hook", "events": ["job.failed"]}


def test_a_lead_creates_changes_tests_and_deletes_a_webhook(lena):
    status, webhook = send(lena, "POST", HOOKS, NEW)
    secret, path = webhook.pop("secret"), f"{HOOKS}{webhook['id']}/"
    assert status == 201 and secret.startswith("whsec_") and webhook["active"] is True
    assert send(lena, "GET", HOOKS)[1]["results"] == [send(lena, "GET", path)[1]] == [webhook]
    changed = send(lena, "PATCH", path, {"events": ["rater.paused", "report.frozen"]})[1]
    assert changed == {**webhook, "events": ["report.frozen", "rater.paused"]}
    delivery = send(lena, "POST", f"{path}test/")[1]
    assert (delivery["event"], delivery["status"], delivery["attempts"]) == ("webhook.test", "waiting", 0)
    WebhookDelivery.objects.update(status="failed", attempts=19, last_error="timeout")
    [row] = send(lena, "GET", f"{path}deliveries/")[1]["results"]
    assert (row["id"], row["status"], row["next_attempt_at"]) == (delivery["id"], "failed", None)
    assert send(lena, "POST", f"{path}deliveries/{row['id']}/send/")[1]["status"] == "waiting"
    assert send(lena, "PATCH", path, {"active": False})[1]["active"] is False
    for action in ("test/", f"deliveries/{row['id']}/send/"):
        status, problem = send(lena, "POST", f"{path}{action}")
        assert (status, problem["detail"]) == (409, "The webhook is paused: resume it first.")
    assert send(lena, "DELETE", path)[0] == 200
    assert not Webhook.objects.exists()


def test_webhooks_of_another_project_do_not_exist_for_its_leads(lena):
    study("july")
    webhook = send(lena, "POST", HOOKS, NEW)[1]["id"]
    for method in ("GET", "DELETE"):
        assert send(lena, method, f"projects/july/webhooks/{webhook}/")[0] == 404
    assert Webhook.objects.exists()

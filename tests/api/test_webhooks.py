"""Webhooks in the API: what a lead may do, and what is refused."""

import pytest
from django.test import Client

from annotation.models import Webhook, WebhookDelivery
from tests.cast import Study, person, study

pytestmark = pytest.mark.django_db
PATH = "/api/v1/projects/june/webhooks/"
NEW = {"url": "https://example.org/hook", "events": ["job.failed"]}


@pytest.fixture
def june() -> Study:
    study("july", raters=("otto",))
    return study()


@pytest.fixture
def lena(june) -> Client:
    client = Client()
    client.force_login(june.people["lena"])
    return client


def test_a_lead_creates_changes_tests_and_deletes_a_webhook(lena):
    created = lena.post(PATH, NEW, content_type="application/json")
    assert created.status_code == 201
    webhook = created.json()
    secret, path = webhook.pop("secret"), f"{PATH}{webhook['id']}/"
    assert secret.startswith("whsec_")
    assert webhook["active"] is True
    assert lena.get(PATH).json()["results"] == [lena.get(path).json()] == [webhook]
    changed = lena.patch(path, {"events": ["rater.paused", "report.frozen"]}, content_type="application/json").json()
    assert changed == {**webhook, "events": ["report.frozen", "rater.paused"]}
    delivery = lena.post(f"{path}test/").json()
    assert (delivery["event"], delivery["status"], delivery["attempts"]) == ("webhook.test", "waiting", 0)
    WebhookDelivery.objects.update(status="failed", attempts=19, last_error="timeout")
    [row] = lena.get(f"{path}deliveries/").json()["results"]
    assert (row["id"], row["status"], row["next_attempt_at"]) == (delivery["id"], "failed", None)
    assert lena.post(f"{path}deliveries/{row['id']}/send/").json()["status"] == "waiting"
    assert lena.patch(path, {"active": False}, content_type="application/json").json()["active"] is False
    for action in ("test/", f"deliveries/{row['id']}/send/"):
        refused = lena.post(f"{path}{action}")
        assert (refused.status_code, refused.json()["detail"]) == (409, "The webhook is paused: resume it first.")
    assert lena.delete(path).status_code == 200
    assert not Webhook.objects.exists()


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"url": "http://example.org/"}, "url"),
        ({"url": "https://127.0.0.1/"}, "url"),
        ({"url": "https://[::ffff:10.0.0.1]/"}, "url"),
        ({"events": []}, "events"),
        ({"events": ["rating.saved"]}, "events"),
    ],
)
def test_what_is_invalid_is_named_and_nothing_stored(lena, change, field):
    answer = lena.post(PATH, NEW | change, content_type="application/json")
    assert answer.status_code == 400
    assert list(answer.json()["errors"]) == [field]
    assert not Webhook.objects.exists()


def test_webhooks_of_another_project_do_not_exist_for_its_leads(lena):
    webhook = lena.post(PATH, NEW, content_type="application/json").json()
    client = Client()
    client.force_login(person("lena"))
    assert client.get(f"/api/v1/projects/july/webhooks/{webhook['id']}/").status_code == 404
    assert client.delete(f"/api/v1/projects/july/webhooks/{webhook['id']}/").status_code == 404
    assert Webhook.objects.exists()


def test_raters_and_others_get_nothing(lena, june):
    webhook = lena.post(PATH, NEW, content_type="application/json").json()
    for user, status in (("ravi", 403), ("otto", 404)):
        client = Client()
        client.force_login(person(user))
        assert client.get(PATH).status_code == status
        assert client.patch(f"{PATH}{webhook['id']}/", {}, content_type="application/json").status_code == status
        assert client.get(f"{PATH}{webhook['id']}/deliveries/").status_code == status


def test_a_webhook_that_was_changed_in_the_meantime_is_not_overwritten(lena):
    path = f"{PATH}{lena.post(PATH, NEW, content_type='application/json').json()['id']}/"
    tag = lena.get(path)["ETag"]
    assert lena.get(path, headers={"If-None-Match": tag}).status_code == 304
    change = {"active": False}
    changed = lena.patch(path, change, content_type="application/json", headers={"If-Match": tag})
    assert changed.status_code == 200 and changed["ETag"] == lena.get(path)["ETag"] != tag
    refused = lena.patch(path, {"active": True}, content_type="application/json", headers={"If-Match": tag})
    assert refused.status_code == 412
    assert not Webhook.objects.get().active

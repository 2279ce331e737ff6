import pytest
from django.urls import reverse

from annotation.site import health

READY = {"status": "ok", "database": "ok", "broker": "ok", "disk": "ok"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("changed", "status", "differs"),
    [
        ({}, 200, {}),
        ({"CELERY_BROKER_URL": "redis://127.0.0.1:1/0"}, 200, {"status": "degraded", "broker": "no answer"}),
        ({"MAX_UPLOAD_MB": 10**12}, 200, {"status": "degraded", "disk": "almost full"}),
        ({}, 503, {"status": "down", "database": "no answer"}),
    ],
)
def test_a_site_is_ready_without_broker_or_disk_and_not_without_its_database(
    client, settings, monkeypatch, valkey, changed, status, differs
):
    for name, value in changed.items():
        setattr(settings, name, value)
    if status == 503:
        monkeypatch.setattr(health, "ask_database", lambda: 1 / 0)
    answer = client.get(reverse("health_ready"))
    assert (answer.status_code, answer.json()) == (status, READY | differs)


def test_the_process_lives_and_answers_a_signed_in_browser_without_the_database(client):
    """pytest-django refuses queries here, as a database that is down would."""
    client.cookies["factuary_session"] = "a-session"
    response = client.get(reverse("health_live"))
    assert response.status_code == 200
    assert "Cookie" not in response.headers.get("Vary", "")


def test_no_page_may_load_anything_from_elsewhere(client):
    policy = client.get(reverse("health_live")).headers["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "style-src 'self'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy

import pytest
from django.urls import reverse

from annotation.site import health

READY = {"status": "ok", "database": "ok", "broker": "ok", "disk": "ok"}


@pytest.mark.django_db
def test_a_site_whose_database_and_broker_answer_is_ready(client, valkey):
    answer = client.get(reverse("health_ready"))
    assert (answer.status_code, answer.json()) == (200, READY)


@pytest.mark.django_db
def test_a_site_without_its_broker_is_degraded(client, settings):
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"
    answer = client.get(reverse("health_ready"))
    expected = READY | {"status": "degraded", "broker": "no answer"}
    assert (answer.status_code, answer.json()) == (200, expected)


@pytest.mark.django_db
def test_a_site_whose_disk_is_almost_full_is_degraded(client, settings, valkey):
    settings.MAX_UPLOAD_MB = 10**12
    answer = client.get(reverse("health_ready"))
    assert (answer.status_code, answer.json()) == (200, READY | {"status": "degraded", "disk": "almost full"})


@pytest.mark.django_db
def test_a_site_without_its_database_is_not_ready_but_lives(client, monkeypatch, valkey):
    monkeypatch.setattr(health, "_ask_database", lambda: 1 / 0)
    answer = client.get(reverse("health_ready"))
    expected = READY | {"status": "down", "database": "no answer"}
    assert (answer.status_code, answer.json()) == (503, expected)
    assert client.get(reverse("health_live")).status_code == 200


def test_the_process_answers_a_signed_in_browser_without_the_database(client):
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

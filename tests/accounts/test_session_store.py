"""Sessions are loaded as by Django: not after their end, and not under another key."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from annotation.accounts.session_store import SessionStore
from tests.cast import person

pytestmark = pytest.mark.django_db


def test_a_session_is_loaded_until_it_expires_or_is_changed_outside() -> None:
    keys = []
    for changes in ({"expire_date": timezone.now() - timedelta(seconds=1)}, {"session_data": "forged"}):
        store = SessionStore()
        store["n"] = 3
        store.save()
        assert SessionStore(store.session_key)["n"] == 3
        Session.objects.filter(pk=store.session_key).update(**changes)
        keys.append(store.session_key)
    assert [SessionStore(key).load() for key in (*keys, "a key of nobody")] == [{}, {}, {}]
    expired = SessionStore(keys[0])
    expired.load()
    assert expired.session_key is None


@pytest.mark.parametrize(
    ("backend", "status"),
    [
        ("django.contrib.auth.backends.ModelBackend", 200),
        ("allauth.account.auth_backends.AuthenticationBackend", 200),
        ("another.Backend", 302),
    ],
)
def test_a_session_of_0_7_1_goes_on_and_one_of_an_unknown_backend_has_ended(
    client: Client, settings, backend: str, status: int
) -> None:
    assert SessionStore.__module__ == settings.SESSION_ENGINE
    client.force_login(person("lena"))
    session = client.session
    session["_auth_user_backend"] = backend
    session.save()
    assert client.get("/").status_code == status
    Session.objects.all().delete()
    assert client.get("/").status_code == 302

"""Sessions are loaded as by Django: not after their end, and not under another key."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from annotation.accounts.session_store import SessionStore
from tests.cast import person

pytestmark = pytest.mark.django_db


def test_a_session_is_loaded_until_it_expires() -> None:
    store = SessionStore()
    store["n"] = 3
    store.save()
    key = store.session_key
    assert SessionStore(key)["n"] == 3
    Session.objects.filter(pk=key).update(expire_date=timezone.now() - timedelta(seconds=1))
    expired = SessionStore(key)
    assert expired.load() == {}
    assert expired.session_key is None
    assert SessionStore("a key of nobody").load() == {}


def test_a_session_changed_outside_is_not_trusted() -> None:
    store = SessionStore()
    store["n"] = 3
    store.save()
    Session.objects.filter(pk=store.session_key).update(session_data="forged")
    assert SessionStore(store.session_key).load() == {}


@pytest.mark.parametrize(
    "backend",
    ["django.contrib.auth.backends.ModelBackend", "allauth.account.auth_backends.AuthenticationBackend"],
)
def test_a_session_of_0_7_1_goes_on(client: Client, backend: str) -> None:
    client.force_login(person("lena"))
    session = client.session
    session["_auth_user_backend"] = backend
    session.save()
    assert client.get("/").status_code == 200


def test_a_session_of_an_unknown_backend_has_ended(client: Client) -> None:
    client.force_login(person("lena"))
    session = client.session
    session["_auth_user_backend"] = "another.Backend"
    session.save()
    assert client.get("/").status_code == 302


def test_pages_use_the_store(client: Client, settings) -> None:
    assert SessionStore.__module__ == settings.SESSION_ENGINE
    client.force_login(person("lena"))
    assert client.get("/").status_code == 200
    Session.objects.all().delete()
    assert client.get("/").status_code == 302

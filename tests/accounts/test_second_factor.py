"""The second factor: who needs one, and how it is removed."""

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP
from django.core.management import call_command
from django.db import connection
from django.test import Client

from annotation.accounts.second_factor import has_second_factor, must_add_second_factor
from annotation.models import AuditEvent
from tests.cast import PASSWORD, person, study

pytestmark = pytest.mark.django_db


def test_leads_and_admins_need_one_and_raters_do_not(settings):
    june = study()
    people = [june.people["lena"], person("ada", admin=True), june.people["ravi"]]
    assert [must_add_second_factor(user) for user in people] == [False] * 3
    settings.REQUIRE_SECOND_FACTOR = True
    assert [must_add_second_factor(user) for user in people] == [True, True, False]
    TOTP.activate(june.people["lena"], "secret")
    assert not must_add_second_factor(june.people["lena"])


def test_secrets_are_encrypted_and_useless_under_another_key(settings):
    lena = person("lena")
    secret = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
    TOTP.activate(lena, secret)
    with connection.cursor() as cursor:
        cursor.execute("SELECT data::text FROM mfa_authenticator")
        assert secret not in cursor.fetchone()[0]
    settings.SECRET_KEY = "another " * 10
    stored = Authenticator.objects.get()
    assert not stored.wrap().validate_code("000000")
    assert has_second_factor(lena)  # an admin removes it


def test_an_admin_removes_a_lost_factor_on_the_page_and_by_command(capsys):
    lena = person("lena")
    TOTP.activate(lena, "secret")
    client, ada = Client(), person("ada", admin=True)
    assert client.login(username="ada", password=PASSWORD)
    assert "Remove second factor" in client.get("/people/").content.decode()
    client.post("/people/lena/second-factor/remove/")
    assert not has_second_factor(lena)
    assert AuditEvent.objects.get(action="remove second factor").actor == ada
    TOTP.activate(lena, "secret")
    for state in ("removed", "there is none"):
        call_command("remove_second_factor", "lena")
        assert f"second factor of lena: {state}" in capsys.readouterr().err

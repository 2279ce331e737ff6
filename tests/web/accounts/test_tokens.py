"""The pages of API tokens."""

import re

import pytest
from rest_framework.test import APIClient

from annotation.accounts.tokens import create_token
from annotation.models import ApiToken, AuditEvent
from tests.cast import person, study
from tests.web.pages import confirm_identity, html_of, text_of

pytestmark = pytest.mark.django_db


def test_a_token_is_shown_once_and_works(ravi):
    assert "API tokens" in text_of(ravi.get("/account/"))
    confirm_identity(ravi)
    wanted = {"name": "nightly export", "scope": "read", "project": "", "days": "30"}
    page = html_of(ravi.post("/account/tokens/", wanted))
    key = re.search(r'<code id="secret">([^<]+)</code>', page)[1]
    assert APIClient(HTTP_AUTHORIZATION=f"Token {key}").get("/api/v1/projects/june/guidelines/").status_code == 204
    later = text_of(ravi.get("/account/tokens/"))
    assert "nightly export" in later and "Read only" in later and key[:12] in later and key not in later
    assert AuditEvent.objects.get(action="create token").actor == person("ravi")


def test_only_own_projects_are_offered(ravi):
    july = study("july", raters=("rosa",))
    page = html_of(ravi.get("/account/tokens/"))
    assert "Study june" in page and "Study july" not in page
    confirm_identity(ravi)
    refused = ravi.post("/account/tokens/", {"scope": "full", "project": july.project.pk, "days": "never"})
    assert refused.status_code == 200 and not ApiToken.objects.exists()


def test_the_owner_revokes_a_token_and_another_rater_does_not(client):
    _, token = create_token(person("ravi"))
    address = f"/account/tokens/{token.prefix}/revoke/"
    client.force_login(person("rosa"))
    assert client.post(address).status_code == 404
    client.force_login(person("ravi"))
    page = text_of(client.post(address, follow=True))
    assert f"The token {token.prefix} is revoked." in page and "Your tokens appear here" in page


def test_an_admin_sees_and_revokes_the_tokens_of_a_person(client):
    _, token = create_token(person("ravi"), name="nightly export")
    client.force_login(person("lena"))
    assert client.get("/people/ravi/tokens/").status_code == 403
    client.force_login(person("ada", admin=True))
    assert "1 API token" in text_of(client.get("/people/"))
    page = html_of(client.get("/people/ravi/tokens/"))
    assert "nightly export" in page and "Create a token" not in page
    assert "No tokens." in text_of(client.post(f"/account/tokens/{token.prefix}/revoke/", follow=True))
    assert AuditEvent.objects.get(action="revoke token").target == "user:ravi"

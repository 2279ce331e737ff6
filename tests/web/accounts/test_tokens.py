"""The pages of API tokens."""

import re

import pytest
from rest_framework.test import APIClient

from annotation.accounts.tokens import create_token
from annotation.models import ApiToken, AuditEvent
from tests.cast import person, signed_in, study
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


def test_the_owner_and_admins_revoke_a_token_and_another_rater_does_not(ada, lena, ravi):
    tokens = [create_token(person("ravi"), name=name)[1] for name in ("nightly export", "another")]
    addresses = [f"/account/tokens/{token.prefix}/revoke/" for token in tokens]
    assert signed_in("rosa").post(addresses[0]).status_code == 404
    assert lena.get("/people/ravi/tokens/").status_code == 403
    assert "2 API tokens" in text_of(ada.get("/people/"))
    page = html_of(ada.get("/people/ravi/tokens/"))
    assert "nightly export" in page and "Create a token" not in page
    page = text_of(ravi.post(addresses[0], follow=True))
    assert f"The token {tokens[0].prefix} is revoked." in page
    assert "No tokens." in text_of(ada.post(addresses[1], follow=True))
    assert set(AuditEvent.objects.filter(action="revoke token").values_list("target", "actor__username")) == {
        ("user:ravi", "ravi"),
        ("user:ravi", "ada"),
    }
    assert "Your tokens appear here" in text_of(ravi.get("/account/tokens/"))

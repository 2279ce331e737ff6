"""Accounts of people, by a program of an admin."""

import pytest
from django.test import Client

from annotation.accounts.tokens import create_token
from annotation.models import ApiToken, AuditEvent, User
from tests.api.clients import send
from tests.cast import give_token, person

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("june")]


def test_an_account_is_created_with_its_link_listed_closed_and_opened(ada):
    status, nora = send(ada, "POST", "people/", {"username": "nora", "email": "nora@example.org"})
    assert status == 201 and (nora["active"], nora["admin"], nora["tokens"]) == (True, False, 0)
    link = nora.pop("link").removeprefix("http://testserver")
    assert Client().get(link[link.index("/accounts/") :], follow=True).status_code == 200
    assert send(ada, "GET", "people/?find=NORA")[1]["results"] == [nora]
    assert {row["username"] for row in send(ada, "GET", "people/?active=true")[1]["results"]} >= {"ada", "nora", "rosa"}
    rosa = send(ada, "GET", "people/rosa/")[1]
    assert rosa["projects"] == [{"project": "june", "role": "rater"}]
    assert send(ada, "PATCH", "people/nora/", {"active": False}) == (200, {**nora, "active": False})
    assert send(ada, "PATCH", "people/nora/", {"active": True}) == (200, nora)
    actions = AuditEvent.objects.filter(target="user:nora").order_by("pk").values_list("action", flat=True)
    assert list(actions) == ["create user", "close account", "open account"]


def test_an_admin_closes_no_account_of_their_own(ada):
    status, problem = send(ada, "PATCH", "people/ada/", {"active": False})
    assert status == 400 and problem["errors"]["username"]
    assert User.objects.get(username="ada").is_active


def test_tokens_of_a_person_are_listed_and_revoked(ada):
    _key, token = create_token(person("rosa"), name="export")
    [row] = send(ada, "GET", "people/rosa/tokens/")[1]["tokens"]
    assert (row["prefix"], row["name"]) == (token.prefix, "export") and "key" not in row
    assert send(ada, "DELETE", f"people/ravi/tokens/{token.prefix}/")[0] == 404
    assert send(ada, "DELETE", f"people/rosa/tokens/{token.prefix}/") == (200, {})
    assert send(ada, "GET", "people/rosa/tokens/")[1] == {"tokens": []}
    assert send(ada, "DELETE", f"people/rosa/tokens/{token.prefix}/")[0] == 404


def test_a_limited_token_gets_no_rights_beyond_its_own(ada):
    give_token(person("ada"), "admin-only")
    ApiToken.objects.filter(user__username="ada").update(scope=ApiToken.Scope.ADMIN)
    assert send(ada, "POST", "people/", {"username": "nora", "admin": True})[0] == 403
    assert send(ada, "POST", "people/rosa/link/")[0] == 403
    assert send(ada, "POST", "people/", {"username": "nora"})[0] == 201
    ApiToken.objects.filter(user__username="ada").update(scope=ApiToken.Scope.LEAD)
    assert send(ada, "GET", "people/")[0] == 403
    ApiToken.objects.filter(user__username="ada").update(scope=ApiToken.Scope.FULL)
    status, made = send(ada, "POST", "people/rosa/link/")
    assert status == 201 and "/accounts/password/reset/key/" in made["link"]
    assert send(ada, "POST", "people/", {"username": "nina", "admin": True})[1]["admin"] is True

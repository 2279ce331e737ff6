"""The routes of a user's own API tokens."""

import pytest
from rest_framework.test import APIClient

from annotation.accounts.tokens import create_token
from annotation.models import AuditEvent
from annotation.qualification.next_work import take_next
from tests.cast import person, study

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/tokens/"


def program(key: str) -> APIClient:
    return APIClient(HTTP_AUTHORIZATION=f"Token {key}")


def test_a_token_is_created_listed_used_and_revoked(ravi) -> None:
    wanted = {"name": "export", "scope": "read", "project": "june", "days": 30}
    created = ravi.post(ADDRESS, wanted, format="json")
    assert created.status_code == 201
    token = created.json()
    key = token.pop("key")
    assert key.startswith(f"{token['prefix']}_")
    assert (token["name"], token["scope"], token["project"], token["validity"]) == ("export", "read", "june", "valid")
    assert token["expires_at"] and token["last_used_at"] is None
    assert ravi.get(ADDRESS).json()["tokens"][0] == token
    assert program(key).get("/api/v1/projects/june/guidelines/").status_code == 204
    assert ravi.delete(f"{ADDRESS}{token['prefix']}/").status_code == 200
    assert program(key).get("/api/v1/projects/june/guidelines/").status_code == 401
    assert [left["prefix"] for left in ravi.get(ADDRESS).json()["tokens"]] == ["ravi-key"]
    assert ravi.delete(f"{ADDRESS}{token['prefix']}/").status_code == 404
    assert AuditEvent.objects.get(action="revoke token").actor == person("ravi")


def test_nobody_sees_or_revokes_the_tokens_of_others(ravi) -> None:
    _, token = create_token(person("lena"))
    assert [own["prefix"] for own in ravi.get(ADDRESS).json()["tokens"]] == ["ravi-key"]
    assert ravi.delete(f"{ADDRESS}{token.prefix}/").status_code == 404
    token.refresh_from_db()
    assert token.revoked_at is None


@pytest.mark.parametrize(("limits", "status"), [({}, 201), ({"days": 1}, 403), ({"scope": "rate"}, 403)])
def test_a_token_with_limits_creates_no_token(limits, status) -> None:
    key, _ = create_token(person("ravi"), **limits)
    assert program(key).post(ADDRESS, {}, format="json").status_code == status


def test_a_token_of_one_project_opens_no_other(june) -> None:
    july, ravi = study("july"), person("ravi")
    own, other = (take_next(each.project, ravi) for each in (june, july))
    key, _ = create_token(ravi, project=june.project)
    for address, status in (
        ("projects/june/guidelines/", 204), ("projects/july/guidelines/", 404), ("projects/", 403),
        (f"assignments/{own.public_id}/beside/", 200), (f"assignments/{other.public_id}/beside/", 404),
        (f"documents/{july.responses[0].prompt.document.public_id}/", 404),
    ):  # fmt: skip
        assert program(key).get(f"/api/v1/{address}").status_code == status, address

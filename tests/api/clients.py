"""Programs that use the API in tests."""

import json
from functools import cache
from typing import Any
from uuid import uuid4

from drf_spectacular.generators import SchemaGenerator
from rest_framework.test import APIClient

from annotation.models import User
from tests.cast import give_token, person


def program_of(user: User) -> APIClient:
    """Return a client with a token of the person."""
    key = f"{user.username}-key"
    if not user.api_tokens.exists():
        give_token(user, key)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {key}")
    return client


def program(name: str, *, admin: bool = False) -> APIClient:
    return program_of(person(name, admin=admin))


def take(client: APIClient, slug: str = "june") -> dict:
    response = client.post(f"/api/v1/projects/{slug}/assignments/")
    assert response.status_code == 200
    return response.json()


def put(client: APIClient, work: dict, n: int, answers: dict, base: int = 0, key: str | None = None, **more):
    item = work["items"][n]["id"]
    body = {"answers": answers, "base_version": base, **more}
    headers = {"Idempotency-Key": key or str(uuid4())}
    url = f"/api/v1/assignments/{work['id']}/items/{item}/"
    return client.put(url, json.dumps(body), content_type="application/json", headers=headers)


def send(client: APIClient, method: str, address: str, body: Any = None, **headers: str) -> tuple[int, Any]:
    """Return status and JSON of a request under /api/v1/."""
    text = "" if body is None else json.dumps(body)
    content_type = "application/json" if text else ""
    answer = client.generic(method, f"/api/v1/{address}", text, content_type=content_type, headers=headers)
    return answer.status_code, json.loads(answer.content) if answer.content else None


@cache
def api_schema() -> dict[str, Any]:
    return SchemaGenerator().get_schema(request=None, public=True)

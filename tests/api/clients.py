"""Programs that use the API in tests."""

import json
from typing import Any

from rest_framework.test import APIClient

from tests.cast import give_token, person


def program(name: str, *, admin: bool = False) -> APIClient:
    """Return a client with a token of the person."""
    user, key = person(name, admin=admin), f"{name}-key"
    if not user.api_tokens.exists():
        give_token(user, key)
    return APIClient(HTTP_AUTHORIZATION=f"Token {key}")


def send(client: APIClient, method: str, address: str, body: Any = None, **headers: str) -> tuple[int, Any]:
    """Return status and JSON of a request under /api/v1/."""
    text = "" if body is None else json.dumps(body)
    content_type = "application/json" if text else ""
    answer = client.generic(method, f"/api/v1/{address}", text, content_type=content_type, headers=headers)
    return answer.status_code, json.loads(answer.content) if answer.content else None

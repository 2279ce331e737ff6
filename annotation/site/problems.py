"""Errors of the API in the form of RFC 9457 (problem details), with `errors` by field."""

from http import HTTPStatus
from typing import Any

from django.http import JsonResponse

MEDIA_TYPE = "application/problem+json"
KIND = "urn:problem-type:factuary:"
"""The start of `type` for errors that their status alone does not tell apart; docs/api.md lists them."""


def problem(status: int, detail: str, *, kind: str = "", **members: Any) -> dict[str, Any]:
    """Return the body of an error. `members` are further ones, such as `errors`."""
    title = HTTPStatus(status).phrase
    known = {"type": f"{KIND}{kind}" if kind else "about:blank", "title": title, "status": status, "detail": detail}
    return {**known, "errors": {}, **members}


def problem_response(status: int, detail: str, *, kind: str = "", **members: Any) -> JsonResponse:
    """Return an error outside of the views of the API, such as of a middleware."""
    return JsonResponse(problem(status, detail, kind=kind, **members), status=status, content_type=MEDIA_TYPE)

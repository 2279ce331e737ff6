"""Descriptions of responses and errors that all routes share."""

from typing import Any

from drf_spectacular.utils import OpenApiResponse

from .error_serializers import ErrorSerializer

DONE = OpenApiResponse({"type": "object", "additionalProperties": False}, description="Done: an empty object.")
_ERROR = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}}
_ALL_ERRORS = {
    "401": "Neither a token nor a session.",
    "429": "Too many requests with the user's tokens in a minute; `Retry-After` has the seconds to wait.",
}
_CHANGE_ERRORS = {"403": "Not allowed, or a session without its CSRF token."}
_BODY_ERRORS = {
    "400": "The body is invalid.",
    "413": "The body is too long.",
    "415": "The body is not JSON.",
}
_DESCRIPTIONS = {
    "200": "Done.",
    "201": "Created.",
    "202": "Accepted; a job does the work.",
    "204": "None exists, or none is left.",
    "403": "A member without the right.",
    "404": "It does not exist, or the caller has no access to it.",
    "409": "A conflict; the body contains the stored or unfinished data.",
    "410": "The lease expired and another rater has the slot, or it was returned. The answers are kept.",
    "422": "The idempotency key was used with another body.",
    "423": "The project is archived, or the rater is paused in it. The answers are kept.",
    "503": "Several reports are being computed; `Retry-After` has the seconds to wait.",
    "429": "Too many at once, or in a minute; `Retry-After` has the seconds to wait.",
} | _BODY_ERRORS
_EMPTY_DESCRIPTIONS = ("", "No response body")


def errors(*codes: int) -> dict[int, type[ErrorSerializer]]:
    """Return the error responses of a route, for `extend_schema`."""
    return dict.fromkeys(codes, ErrorSerializer)


def describe_responses(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add common errors to every operation and describe all responses (a postprocessing hook of drf-spectacular)."""
    for path in result["paths"].values():
        for method, operation in path.items():
            for code, description in _errors(method, operation).items():
                operation["responses"].setdefault(code, {**_ERROR, "description": description})
            for code, response in operation["responses"].items():
                if response["description"] in _EMPTY_DESCRIPTIONS:
                    response["description"] = _DESCRIPTIONS[code]
            operation["responses"] = dict(sorted(operation["responses"].items()))
    return result


def _errors(method: str, operation: dict[str, Any]) -> dict[str, str]:
    errors = dict(_ALL_ERRORS)
    if method != "get":
        errors |= _CHANGE_ERRORS
    if "requestBody" in operation:
        errors |= _BODY_ERRORS
    return errors

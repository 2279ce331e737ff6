"""What every route can answer beside its own results, said once for the whole schema."""

from typing import Any

from drf_spectacular.utils import OpenApiResponse

DONE = OpenApiResponse({"type": "object", "additionalProperties": False}, description="Done: an empty object.")
_ERROR = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}}
_COMMON = {"401": "Neither a token nor a session."}
_OF_CHANGES = {"403": "Not allowed, or a session without its CSRF token."}
_OF_BODIES = {
    "400": "The body cannot be taken as it is.",
    "413": "The body is too long.",
    "415": "The body is not JSON.",
}
_MEANINGS = {
    "200": "Done.",
    "201": "Made.",
    "202": "Taken; a job does it.",
    "204": "There is none, or none is left.",
    "403": "A member without the right.",
    "404": "No such thing, or not the caller's to know of.",
    "409": "Something else was first; the body says what is stored, or still open.",
    "410": "The lease ran out and somebody else took the place, or it was given back. The answers are kept.",
    "422": "The idempotency key came before with another body.",
    "423": "The project is archived, or the rater is paused in it. The answers are kept.",
} | _OF_BODIES
_SAYS_NOTHING = ("", "No response body")


def say_what_any_route_answers(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add errors that do not come from views to the schema (a hook of drf-spectacular); describe all responses."""
    for path in result["paths"].values():
        for method, operation in path.items():
            for code, why in _errors(method, operation).items():
                operation["responses"].setdefault(code, {**_ERROR, "description": why})
            for code, response in operation["responses"].items():
                if response["description"] in _SAYS_NOTHING:
                    response["description"] = _MEANINGS[code]
            operation["responses"] = dict(sorted(operation["responses"].items()))
    return result


def _errors(method: str, operation: dict[str, Any]) -> dict[str, str]:
    errors = dict(_COMMON)
    if method != "get":
        errors |= _OF_CHANGES
    if "requestBody" in operation:
        errors |= _OF_BODIES
    return errors

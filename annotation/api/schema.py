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


def say_what_any_route_answers(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """A hook of drf-spectacular: errors that do not come from the views are added to all that can have them."""
    for path in result["paths"].values():
        for method, operation in path.items():
            for code, why in _errors(method, operation).items():
                operation["responses"].setdefault(code, {**_ERROR, "description": why})
            operation["responses"] = dict(sorted(operation["responses"].items()))
    return result


def _errors(method: str, operation: dict[str, Any]) -> dict[str, str]:
    errors = dict(_COMMON)
    if method != "get":
        errors |= _OF_CHANGES
    if "requestBody" in operation:
        errors |= _OF_BODIES
    return errors

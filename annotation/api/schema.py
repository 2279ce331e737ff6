"""The OpenAPI schema: what views and errors have in common is described once, from the attributes of their classes."""

from collections.abc import Iterator
from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers

from ..site.problems import MEDIA_TYPE
from .idempotency import HEADER, KEY_LENGTH


class ErrorSerializer(serializers.Serializer[object]):
    """An error. `type` is `about:blank` where the status says all; docs/api.md lists the others."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the fields, with those of a class that has more. `errors`, an attribute of every serializer, cannot be
        declared as a field.
        """
        lines = serializers.ListField(child=serializers.CharField())
        return {
            "type": serializers.CharField(),
            "title": serializers.CharField(help_text="The name of the status."),
            "status": serializers.IntegerField(),
            "detail": serializers.CharField(),
            "errors": serializers.DictField(child=lines, help_text="Messages by field."),
            **super().get_fields(),
        }


DONE = OpenApiResponse({"type": "object", "additionalProperties": False}, description="Done: an empty object.")
ETAG = OpenApiParameter(
    "ETag", str, OpenApiParameter.HEADER, response=[200, 201], description="Identifies what is stored."
)
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match", str, OpenApiParameter.HEADER, description="An ETag: 304 if nothing has changed since."
)
IF_MATCH = OpenApiParameter(
    "If-Match", str, OpenApiParameter.HEADER, description="The ETag that was read: 412 if it was changed since."
)
PAGES = OpenApiParameter(
    "Link",
    str,
    OpenApiParameter.HEADER,
    response=[200],
    description="The pages before and after (`prev`, `next`), where they exist.",
)


def errors(*codes: int) -> dict[int, type[ErrorSerializer]]:
    """Return the error responses of a route, for `extend_schema`."""
    return dict.fromkeys(codes, ErrorSerializer)


class OperationSchema(AutoSchema):
    """Describes what follows from the class of a view (`views`): its query, its tags, and whom it refuses."""

    view: Any

    def get_override_parameters(self) -> list[Any]:
        parameters: list[Any] = []
        if self.method == "GET" and self.view.query_serializer:
            parameters.append(self.view.query_serializer)
        if self.view.is_tagged and self.method != "DELETE":
            parameters += [IF_NONE_MATCH if self.method == "GET" else IF_MATCH, ETAG]
        return parameters

    def get_response_serializers(self) -> Any:
        return {200: DONE} if self.method == "DELETE" else super().get_response_serializers()

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        for code in map(str, self._refusals()):
            answer = None if code == "304" else ErrorSerializer
            bodies.setdefault(code, self._get_response_for_code(answer, code, direction=direction))
        return bodies

    def _refusals(self) -> Iterator[int]:
        yield from self.view.further_errors
        if "{" in self.path:
            yield 404
        if self.method in self.view.for_admins or getattr(self.view, "needs", "") == "lead":
            yield 403
        if self.view.is_tagged and self.method != "DELETE":
            yield 304 if self.method == "GET" else 412


_KEY = {
    "name": HEADER,
    "in": "header",
    "required": False,
    "description": "A new key for each change; the same key for each time that it is sent.",
    "schema": {"type": "string", "maxLength": KEY_LENGTH},
}
_KEY_PARAMETER = {"$ref": "#/components/parameters/IdempotencyKey"}
_LINK = {"description": "The pages before and after (`prev`, `next`), where they exist.", "schema": {"type": "string"}}
_ERROR_SCHEMA = {"$ref": "#/components/schemas/Error"}
_ERROR = {"content": {MEDIA_TYPE: {"schema": _ERROR_SCHEMA}}}
_ALL_ERRORS = {
    "400": "The query or the body is invalid.",
    "401": "Neither a token nor a session.",
    "429": "Too many requests with the user's tokens in a minute; `Retry-After` has the seconds to wait.",
}
_CHANGE_ERRORS = {
    "403": "Not allowed, or a session without its CSRF token.",
    "409": "Another request with the same key has not ended; `Retry-After` has the seconds to wait.",
    "422": "The idempotency key was used with another request.",
}
_BODY_ERRORS = {"413": "The body is too long.", "415": "The body is not JSON."}
_DESCRIPTIONS = {
    **_ALL_ERRORS,
    **_BODY_ERRORS,
    "200": "Done.",
    "201": "Created.",
    "202": "Accepted; a job does the work.",
    "204": "None exists, or none is left.",
    "403": "A member without the right.",
    "404": "It does not exist, or the caller has no access to it.",
    "304": "Nothing has changed since.",
    "409": "A conflict; the body says which.",
    "410": "The lease expired and another rater has the slot, or it was returned. The answers are kept.",
    "412": "It was changed since: read it again.",
    "422": "The idempotency key was used with another request.",
    "423": "The project is archived, or the rater is paused in it. The answers are kept.",
    "503": "Several reports are being computed; `Retry-After` has the seconds to wait.",
    "429": "Too many at once, or in a minute; `Retry-After` has the seconds to wait.",
}
_EMPTY_DESCRIPTIONS = ("", "No response body")


def describe_responses(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add common parameters and errors to every operation and describe all responses (a postprocessing hook of
    drf-spectacular). Errors that operations have in common are described once and referred to.
    """
    result["components"]["parameters"] = {"IdempotencyKey": _KEY}
    shared = result["components"].setdefault("responses", {})
    operations = [each for path in result["paths"].values() for each in path.items()]
    for method, operation in operations:
        responses, common = operation["responses"], dict(_ALL_ERRORS)
        if any(parameter.get("name") == "fields" for parameter in operation.get("parameters", [])):
            _describe_list(responses["200"], result["components"]["schemas"])
        if method != "get":
            operation.setdefault("parameters", []).append(_KEY_PARAMETER)
            common |= _CHANGE_ERRORS
        if "requestBody" in operation:
            common |= _BODY_ERRORS
        for code, description in common.items():
            responses.setdefault(code, {**_ERROR, "description": description})
        if method != "get":  # the error about the idempotency key, beside the conflict of the operation
            for content in responses["409"]["content"].values():
                if content["schema"] != _ERROR_SCHEMA:
                    content["schema"] = {"anyOf": [content["schema"], _ERROR_SCHEMA]}
        for code, response in sorted(responses.items()):
            if response["description"] in _EMPTY_DESCRIPTIONS:
                response["description"] = _DESCRIPTIONS[code]
            if code >= "400" and "application/json" in response["content"]:
                response["content"] = {MEDIA_TYPE: response["content"].pop("application/json")}
            del responses[code]
            is_common = code >= "400" and shared.setdefault(f"Error{code}", response) == response
            responses[code] = {"$ref": f"#/components/responses/Error{code}"} if is_common else response
    return result


def _describe_list(response: dict[str, Any], schemas: dict[str, Any]) -> None:
    """Describe the links of a list, and its rows with all fields or with those that the request names."""
    response.setdefault("headers", {})["Link"] = _LINK
    page = schemas[response["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]]
    rows = page["properties"]["results"]
    if "$ref" in rows["items"]:
        name = rows["items"]["$ref"].rpartition("/")[2]
        part = {key: value for key, value in schemas[name].items() if key != "required"}
        schemas[f"PartOf{name}"] = {**part, "description": f"The fields of {name} that the request names."}
        rows["items"] = {"anyOf": [rows["items"], {"$ref": f"#/components/schemas/PartOf{name}"}]}

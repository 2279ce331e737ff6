"""Parse requests: validated parameters, and bodies of JSON in UTF-8 with limits on size and depth."""

import io
from collections.abc import Mapping
from functools import cache
from typing import Any

from rest_framework import status
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import JSONParser
from rest_framework.serializers import Serializer

MAX_BODY_SIZE = 1_000_000  # bytes
DEEPEST = 30


class TooLarge(APIException):
    """The body is longer than any answer can be."""

    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_detail = f"The body has more than {MAX_BODY_SIZE:,} bytes."


class BoundedJSONParser(JSONParser):
    """A JSON parser that limits the size, and answers deep nesting with 400."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        """Return the parsed body. Raises TooLarge or ParseError."""
        body = stream.read(MAX_BODY_SIZE + 1)
        if len(body) > MAX_BODY_SIZE:
            raise TooLarge
        try:
            data = super().parse(io.BytesIO(body), media_type, {"encoding": "utf-8"})
        except RecursionError:
            raise ParseError("The JSON is nested too deeply.") from None
        if _is_deeper(data, DEEPEST):
            raise ParseError(f"The JSON is nested more than {DEEPEST} levels deep.")
        return data


def _is_deeper(data: Any, levels: int) -> bool:
    """Return whether the data is nested deeper than the limit, level by level: recursion would fail on such data."""
    level = [data]
    for _ in range(levels):
        level = [inner for outer in level for inner in _inside(outer)]
    return any(isinstance(value, dict | list) for value in level)


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def validate(serializer_class: type[Serializer[Any]], data: object) -> dict[str, Any]:
    """Return the validated parameters or body of a request. Raises ValidationError."""
    validated: dict[str, Any] = _serializer(serializer_class).run_validation(data)
    return validated


@cache
def _serializer(serializer_class: type[Serializer[Any]]) -> Serializer[Any]:
    """Return one serializer for all requests: a new one copies all its fields, and `run_validation` stores nothing."""
    return serializer_class()

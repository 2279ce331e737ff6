"""The base classes and number types of the parts of a report."""

import json
from collections.abc import Mapping
from typing import Annotated, Self

import msgspec
from msgspec import Meta, Struct

Count = Annotated[int, Meta(extra_json_schema={"minimum": 0})]
RankNumber = Annotated[int, Meta(extra_json_schema={"minimum": 1})]
Fraction = Annotated[float, Meta(extra_json_schema={"minimum": 0, "maximum": 1})]
IntervalMethod = Annotated[str, Meta(extra_json_schema={"enum": ["bca", "korn-graubard", "none"]})]


class Part(Struct, frozen=True, omit_defaults=True):
    """Base of all parts of a report: immutable; a field that has its default is absent in the JSON."""


class JsonDocument(Part, frozen=True):
    """A whole file in JSON."""

    @classmethod
    def from_dict(cls, values: Mapping[str, object]) -> Self:
        """Convert a decoded JSON object, as a JSONField returns it."""
        return msgspec.convert(values, cls)

    def to_dict(self) -> dict[str, object]:
        """Return the document as objects that JSON has, keys in the order of the fields."""
        values: dict[str, object] = msgspec.to_builtins(self)
        return values

    def to_json(self) -> bytes:
        """Encode as UTF-8, keys in the order of the fields, floats in the shortest form that reads back the same."""
        return (json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=1) + "\n").encode()

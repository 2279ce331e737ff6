"""What serializers have in common: rows of the database, people as the caller may see them, and typed results."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar

import msgspec
from django.db import models
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from ..models import User
from ..pseudonyms import shown_username
from ..reporting.parts import Part

Serializer = TypeVar("Serializer", bound=serializers.BaseSerializer[Any])


class ShownPerson(serializers.CharField):
    """A person by user name, or by the pseudonym where the name is hidden."""

    def to_representation(self, value: Any) -> str:
        """Return what the caller may see of the user `value`."""
        return shown_username(value)


# No docstring: subclasses without one would have it in the schema.
class RowSerializer(serializers.ModelSerializer[Any]):
    # A row as it is shown, and never read from a request. `id` is the public id where the model has one, and a person
    # is a `ShownPerson`.

    def build_field(self, field_name: str, info: Any, model_class: Any, nested_depth: int) -> Any:
        if field_name == "public_id":
            return serializers.UUIDField, {}
        if field_name in info.forward_relations and info.forward_relations[field_name].related_model is User:
            return ShownPerson, {"allow_null": model_class._meta.get_field(field_name).null}
        if isinstance(info.fields.get(field_name), models.JSONField):
            return serializers.DictField, {"allow_null": info.fields[field_name].null}
        return super().build_field(field_name, info, model_class, nested_depth)

    def get_extra_kwargs(self) -> dict[str, Any]:
        options = super().get_extra_kwargs()
        if hasattr(self.Meta.model, "public_id"):
            options["id"] = {"source": "public_id", **options.get("id", {})}
        return options

    def get_fields(self) -> dict[str, Any]:
        fields = super().get_fields()
        for name, field in fields.items():
            if name not in self._declared_fields:  # the bounds of a column are none of the answer
                field.read_only, field.required, field.validators = False, True, []
                if isinstance(field, (serializers.IntegerField, serializers.FloatField)):
                    field.max_value = field.min_value = None
        return fields


class PartSerializer(serializers.Serializer[object]):
    """The place of a typed class of results in the schema. Its objects are sent as their own bytes."""

    part: type[Part]


def examples(requests: Mapping[str, object]) -> Callable[[type[Serializer]], type[Serializer]]:
    """Return the decorator of a serializer that gives the schema example requests, by name."""
    named = [OpenApiExample(name, body, request_only=True) for name, body in requests.items()]
    return extend_schema_serializer(examples=named)


class OptionalText(serializers.CharField):
    """A text that may be missing or empty."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"allow_blank": True, "default": "", **options})


@cache
def part(part_class: type[Part], name: str = "") -> type[PartSerializer]:
    """Return the serializer of a class, for the declarations of views; its component has the class's name or this."""
    return type(f"{name or part_class.__name__}Serializer", (PartSerializer,), {"part": part_class})


class PartSchema(OpenApiSerializerExtension):
    """Registers the classes of results as components of the schema."""

    target_class = PartSerializer
    match_subclasses = True

    def map_serializer(self, auto_schema: AutoSchema, direction: str) -> dict[str, Any]:
        """Return the schema of the class; those of the classes in it are registered."""
        part_class = self.target.part
        _, components = msgspec.json.schema_components([part_class], ref_template="#/components/schemas/{name}")
        root: dict[str, Any] = _openapi(components.pop(part_class.__name__))
        for name, schema in components.items():
            component = ResolvedComponent(name, ResolvedComponent.SCHEMA, _openapi(schema), object=name)
            auto_schema.registry.register_on_missing(component)
        return root


def _openapi(schema: Any) -> Any:
    """Convert JSON Schema 2020-12 to the dialect of OpenAPI 3.0, which has neither `null` nor tuples."""
    if isinstance(schema, list):
        return [_openapi(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    keys = [key for key in ("type", "description", *schema) if key in schema and key not in ("title", "default")]
    values = {key: _openapi(schema[key]) for key in keys if schema[key] != []}
    if values.get("type") == "number":
        values["format"] = "double"
    if isinstance(items := values.pop("prefixItems", None), list):
        values["items"] = items[0]
    if isinstance(options := values.pop("anyOf", None), list):
        options = [option for option in options if option != {"type": "null"}]
        [option] = options
        is_absent = "default" in schema  # a field that is null in the class is absent in the JSON
        reference = {"allOf": [option]} if isinstance(option, dict) and "$ref" in option else option
        values |= option if is_absent else {**reference, "nullable": True}
    return values

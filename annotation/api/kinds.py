"""What a JSON value may be, in words: the parts of an OpenAPI schema as a reader of the reference meets them."""

import json
from dataclasses import dataclass
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

Schema = dict[str, Any]
NOTHING = "00000000-0000-0000-0000-000000000000"


@dataclass(frozen=True)
class Field:
    """A named value: what it may be (`kind`), within which `limits`, and whether it has to be there."""

    name: str
    kind: SafeString
    limits: str
    is_required: bool
    about: str


def fields_of(schema: Schema, shapes: dict[str, Schema]) -> list[Field]:
    """The properties of an object, those that have to be there first; none of anything else."""
    required = schema.get("required", [])
    named = [field_of(name, inner, shapes, name in required) for name, inner in schema.get("properties", {}).items()]
    return sorted(named, key=lambda field: not field.is_required)


def field_of(name: str, schema: Schema, shapes: dict[str, Schema], is_required: bool) -> Field:
    """One of them."""
    about = schema.get("description", "")
    return Field(name, kind_of(schema, shapes), limits_of(schema), is_required, about)


def kind_of(schema: Schema, shapes: dict[str, Schema]) -> SafeString:
    """`string`, *list of* Passage (a link to it), *one of* `raw`, `adjudicated`: as HTML."""
    kind = _not_null(schema, shapes)
    return format_html(_("{} or {}"), kind, _code("null")) if schema.get("nullable") else kind


def _not_null(schema: Schema, shapes: dict[str, Schema]) -> SafeString:
    name = _shape_of(schema)
    target = shapes[name] if name else schema
    inner = target.get("additionalProperties")
    if "enum" in target:
        return format_html(_("one of {}"), format_html_join(", ", "{}", ([_code(each)] for each in target["enum"])))
    if name:
        return format_html('<a href="#shape-{0}">{0}</a>', name)
    if "items" in schema:
        return format_html(_("list of {}"), kind_of(schema["items"], shapes))
    if inner is False:
        return format_html(_("empty {}"), _code("object"))
    if inner:
        return format_html(_("{} by name"), kind_of(inner, shapes))
    kind = schema.get("format") if schema.get("format") not in (None, "double") else schema.get("type")
    return _code(kind) if kind else format_html(_("anything"))


def _shape_of(schema: Schema) -> str | None:
    """The name that a schema only refers to."""
    of_all = schema.get("allOf", [])
    target = of_all[0] if len(of_all) == 1 else schema
    return target["$ref"].rpartition("/")[2] if "$ref" in target else None


def _code(word: str) -> SafeString:
    return format_html("<code>{}</code>", word)


def limits_of(schema: Schema) -> str:
    """How long, how much, and what it is when it is left out."""
    said = []
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        said.append(_("%(low)s to %(high)s") % {"low": low, "high": high})
    elif low is not None:
        said.append(_("at least %(low)s") % {"low": low})
    if "maxLength" in schema:
        said.append(_("at most %(n)s characters") % {"n": schema["maxLength"]})
    if "maxItems" in schema:
        said.append(_("at most %(n)s of them") % {"n": schema["maxItems"]})
    if schema.get("default") not in (None, ""):
        said.append(_("%(value)s if left out") % {"value": json.dumps(schema["default"])})
    return ", ".join(said)


def sample_of(schema: Schema, shapes: dict[str, Schema]) -> Any:
    """The smallest value that the schema allows, to show its form."""
    name = _shape_of(schema)
    if name:
        return sample_of(shapes[name], shapes)
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            required = schema.get("required") or list(schema.get("properties", {}))[:1]
            return {each: sample_of(schema["properties"][each], shapes) for each in required}
        case "array":
            return [sample_of(schema["items"], shapes)]
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return True
    return NOTHING if schema.get("format") == "uuid" else "…"

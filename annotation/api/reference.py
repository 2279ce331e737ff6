"""The schema as a page to read: every call with its parameters, its body, its answers and an example. No script."""

import json
import re
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Any

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from .kinds import Field, Schema, field_of, fields_of, kind_of, sample_of


@dataclass(frozen=True)
class Parameter:
    """What stands in the address, behind its question mark or in a header (`place`: path, query, header)."""

    place: str
    field: Field


@dataclass(frozen=True)
class Answer:
    """A status that a call can have, when it has it, and what comes with it."""

    status: str
    about: str
    kind: SafeString | None


@dataclass(frozen=True)
class Call:
    """One method of one address."""

    group: str
    anchor: str
    method: str
    path: str
    about: str
    parameters: list[Parameter]
    body: SafeString | None
    fields: list[Field]
    answers: list[Answer]
    example: str


@dataclass(frozen=True)
class Shape:
    """An object that calls send or get, by its name in the schema."""

    name: str
    about: str
    fields: list[Field]


class Reference(APIView):
    """The page. A program's token opens it as well as a session; who has neither is led to the login."""

    permission_classes = [AllowAny]  # who is nobody in particular is led on, where a program is told 401

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        """Calls by group, then the objects they name."""
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        groups = [(group, list(calls)) for group, calls in groupby(all_calls(), key=lambda call: call.group)]
        read = {"groups": groups, "shapes": all_shapes(), "site": settings.SITE_URL}
        return render(request._request, "api/docs.html", read)


@cache
def the_schema() -> Schema:
    """What /api/v1/schema/ says; it is the same until the program is another."""
    return SchemaGenerator().get_schema(request=None, public=True)


def all_shapes() -> list[Shape]:
    """Every object of the schema; a list of words is shown where it is used."""
    named = the_schema()["components"]["schemas"]
    return [
        Shape(name, schema.get("description", ""), fields_of(schema, named))
        for name, schema in named.items()
        if "enum" not in schema
    ]


def all_calls() -> list[Call]:
    """Every call, in the order of the schema; those of a group (its first tag) follow each other."""
    paths = the_schema()["paths"]
    return [_call(path, method, said) for path, methods in paths.items() for method, said in methods.items()]


def _call(path: str, method: str, said: dict[str, Any]) -> Call:
    named = the_schema()["components"]["schemas"]
    body = _content(said.get("requestBody", {}))
    schema = body.get("schema")
    name = schema["$ref"].rpartition("/")[2] if schema else ""
    return Call(
        group=said["tags"][0],
        anchor=said["operationId"],
        method=method.upper(),
        path=path,
        about=said["description"],
        parameters=[_parameter(each, named) for each in said.get("parameters", [])],
        body=kind_of(schema, named) if schema else None,
        fields=fields_of(named[name], named) if schema else [],
        answers=[_answer(status, each, named) for status, each in said["responses"].items()],
        example=_example(path, method.upper(), _sample(body, named) if schema else None),
    )


def _content(said: dict[str, Any]) -> dict[str, Any]:
    return said.get("content", {}).get("application/json", {})


def _parameter(said: dict[str, Any], named: dict[str, Schema]) -> Parameter:
    described = said["schema"] | {"description": said.get("description", "")}
    return Parameter(said["in"], field_of(said["name"], described, named, said.get("required", False)))


def _answer(status: str, said: dict[str, Any], named: dict[str, Schema]) -> Answer:
    schema = _content(said).get("schema")
    return Answer(status, said["description"], kind_of(schema, named) if schema else None)


def _sample(body: dict[str, Any], named: dict[str, Schema]) -> Any:
    """The last of the schema's own examples, which has the most in it; else the smallest body that is allowed."""
    *_, last = body.get("examples", {}).values() or [None]
    return last["value"] if last else sample_of(body["schema"], named)


def _example(path: str, method: str, body: Any) -> str:
    """The call for a shell; what stands in braces in the address is a variable there."""
    address = settings.SITE_URL + re.sub(r"{(\w+)}", lambda found: f"${found[1].upper()}", path)
    lines = [f'curl -X {method} "{address}"', '-H "Authorization: Token $KEY"']
    if body is not None:
        sent = json.dumps(body, ensure_ascii=False, indent=2)
        lines += ['-H "Content-Type: application/json"', f"-d '{sent}'"]
    return " \\\n  ".join(lines)

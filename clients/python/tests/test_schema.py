"""The client against the API's schema: the requests that its methods send, and the answers that they read."""

import inspect
import json
import re
import types
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx2
import pytest
from factuary import Client
from factuary.jobs import Job
from factuary.judges import Judges
from factuary.resources import RecordWithMethods, Resource, Rows
from generate_records import add_record, read_schema


class Site:
    """Answers each request with an example that the schema allows, if the schema allows the request."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self.paths, self.components = schema["paths"], schema["components"]["schemas"]
        self.requests: list[str] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        operation = self.operation_of(request)
        self.requests.append(f"{request.method} {request.url}")
        parameters = {each["name"] for each in operation.get("parameters", ()) if each.get("in") == "query"}
        assert set(request.url.params) <= parameters, f"{request.url}: parameters {parameters}"
        content = operation.get("requestBody", {}).get("content", {})
        if request.headers.get("Content-Type", "").startswith("application/json"):
            body, schema = set(json.loads(request.content)), self.resolve(content["application/json"]["schema"])
            assert set(schema.get("required", ())) <= body <= set(schema["properties"]), f"{request.url}: {body}"
        elif request.content:
            names = {name.decode() for name in re.findall(rb' name="(\w+)"', request.content)}
            schema = self.resolve(content["multipart/form-data"]["schema"])
            assert set(schema.get("required", ())) <= names <= set(schema["properties"]), f"{request.url}: {names}"
        status, answer = next((int(code), each) for code, each in operation["responses"].items() if code[0] == "2")
        schema = answer.get("content", {}).get("application/json", {}).get("schema")
        if schema is None:
            return httpx2.Response(status, content=b"bytes")
        return httpx2.Response(status, json=self.example(schema))

    def operation_of(self, request: httpx2.Request) -> Mapping[str, Any]:
        """Return the operation of a request: that of the path with the fewest placeholders."""
        method, templates = request.method.lower(), sorted(self.paths, key=lambda path: path.count("{"))
        for template in templates:
            pattern = re.sub(r"\{\w+\}", "[^/]+", template)
            if re.fullmatch(pattern, request.url.path) and method in self.paths[template]:
                return self.paths[template][method]
        raise AssertionError(f"the schema has no {request.method} {request.url.path}")

    def resolve(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a schema without references at its top."""
        if "$ref" in schema:
            return self.resolve(self.components[schema["$ref"].rpartition("/")[2]])
        choices = schema.get("allOf") or schema.get("oneOf") or schema.get("anyOf")
        return self.resolve(choices[0]) if choices else schema

    def example(self, schema: Mapping[str, Any]) -> Any:
        """Return a value that the schema allows; the job of an example is done."""
        schema = self.resolve(schema)
        if "enum" in schema:
            return "done" if "done" in schema["enum"] else schema["enum"][0]
        match schema.get("type"):
            case "object":
                values = {name: self.example(each) for name, each in schema.get("properties", {}).items()}
                return values | ({"next": None} if "next" in values else {})
            case "array":
                return [self.example(schema["items"])]
            case "string":
                return "2026-11-01T00:00:00Z" if schema.get("format") == "date-time" else "2026-11-01"
            case "integer" | "number":
                return 1
            case "boolean":
                return True
        return {}


@pytest.fixture(scope="module")
def schema() -> Mapping[str, Any]:
    return read_schema(None)


OTHER_VALUES: dict[str, dict[str, Any]] = {
    "Client.request": {"method": "GET", "path": "formats/", "query": None, "json": None},
    "Client.create_judge": {"rule": "numbers"},
    "Dataset.create_generator": {"temperature": 0.5},
    "Project.change": {"based_on": None, "title": "June", "archived": True},
    "Project.plan": {"half_width": 0.03, "prompts": 50},
    "Reports.freeze": {"seed": 1, "systems": ["a"], "judge": "j"},
    "Reports.live": {"seed": 1, "systems": ["a", "b"], "metadata": ["k=v"]},
}
"""Of parameters whose type does not say what they take."""
WITHOUT_REQUESTS = {"Client.close", "Report.estimates", "Report.to_pandas", "Report.with_judge"}


def values_of(method: Any, file: Path) -> dict[str, Any]:
    """Return a value of each parameter and option of a method, by its type."""
    values = dict(OTHER_VALUES.get(method.__qualname__, {}))
    kinds = typing.get_type_hints(method)
    for name, parameter in list(inspect.signature(method).parameters.items())[1:]:
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD:
            values[name] = values[name] if name in values else value_of(kinds[name], file)
        elif options := typing.get_args(kinds[name]):
            for option, kind in typing.get_type_hints(options[0]).items():
                values[option] = value_of(kind, file)
    return values


def value_of(kind: Any, file: Path) -> Any:
    choices = typing.get_args(kind) if type(kind) is types.UnionType else (kind,)
    for choice, value in ((Path, file), (str, "2026-11-01"), (bool, True), (int, 1), (float, 1.5), (Any, "a")):
        if choice in choices:
            return value
    if typing.get_origin(choices[0]) is Mapping:
        return {"a": value_of(typing.get_args(choices[0])[1], file)}
    return [value_of(typing.get_args(choices[0])[0], file)]


def test_each_method_sends_what_the_schema_allows_and_reads_what_it_answers(schema: Any, tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("{}\n", encoding="utf-8")
    answers = Site(schema)
    with Client("https://s", "key", transport=httpx2.MockTransport(answers)) as site:
        dataset, project = site.datasets.get("d"), site.projects.get("p")
        resources = [
            *(site, site.people, site.datasets, dataset, dataset.generator("g"), site.projects, project),
            *(project.members, project.webhooks, project.exports, project.exports.get("e"), project.review),
            *(project.judges, project.metrics, project.reports, project.reports.get("r")),
        ]
        assert {type(resource) for resource in resources} >= {*Resource.__subclasses__()} - {RecordWithMethods}
        for resource in resources:
            for name, method in inspect.getmembers(type(resource), inspect.isfunction):
                is_public = not name.startswith("_") or name == "__iter__"
                if is_public and method.__qualname__ not in WITHOUT_REQUESTS:
                    before = len(answers.requests)
                    result = method(resource, **values_of(method, file))
                    if isinstance(result, Rows) or hasattr(result, "__next__"):
                        assert next(iter(result)) is not None, method
                    assert len(answers.requests) > before, method
                    assert not isinstance(result, Job) or result.state().id


def test_an_option_that_is_not_there_is_refused(tmp_path: Path) -> None:
    site = Client("https://s", "key", transport=httpx2.MockTransport(lambda request: httpx2.Response(500)))
    with pytest.raises(TypeError, match="no option 'budget'; there are limit, budget_usd"):
        Judges(site._connection, "projects/p/").run("j", budget=5)
    for resource in (site.datasets, site.projects):
        with pytest.raises(TypeError, match="no option 'titel'"):
            resource.load("s", tmp_path / "rows.jsonl", format="rows", titel="Rows")


def test_a_record_has_the_types_of_its_component() -> None:
    component = {
        "description": "A line.",
        "required": ["at", "parts", "kind", "other"],
        "properties": {
            "at": {"type": "string", "format": "date-time", "nullable": True},
            "parts": {"type": "array", "items": {"$ref": "#/components/schemas/Part"}, "description": "In order."},
            "kind": {"allOf": [{"$ref": "#/components/schemas/KindEnum"}]},
            "counts": {"type": "object", "additionalProperties": {"type": "integer"}},
            "other": {"nullable": True},
        },
    }
    part = {"properties": {"length": {"type": "number"}}, "required": ["length"]}
    components = {"Job": component, "Part": part, "KindEnum": {"type": "string", "enum": ["a", "b"]}}
    blocks: dict[str, str] = {}
    add_record("Job", components, blocks)
    assert list(blocks) == ["Part", "Job"]
    assert blocks["Job"].splitlines()[1:] == [
        "class Job:",
        '    """A line."""',
        "",
        "    at: datetime | None",
        "    parts: tuple[Part, ...]",
        '    """In order."""',
        "    kind: str",
        "    counts: Mapping[str, int] | None = None",
        "    other: Any",
    ]

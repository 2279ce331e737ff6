"""The client against the API's schema: the fields of records, and the requests that its methods send.

The schema is that of the same checkout.
"""

import dataclasses
import importlib
import inspect
import json
import os
import pkgutil
import re
import subprocess
import sys
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import factuary
import httpx2
import pytest
import yaml
from factuary import Client, datasets, generation, judges, members, metrics, people, projects, reports, review, webhooks
from factuary.jobs import Job
from factuary.records import Rows, fields_of

OTHER_NAMES = {
    "Comparison": "ReportComparison", "Contents": "DatasetContents", "Decision": "VerdictRating",
    "Design": "PlannedDesign", "Document": "DocumentRow", "Figures": "PlannerFigures", "FrozenReport": "FrozenRow",
    "ImportedScores": "MetricScoreCounts", "JobState": "Job", "Judge": "ProjectJudge", "JudgeVersion": "SiteJudge",
    "Link": "NewLinkAddress", "NewPerson": "PersonWithLink", "NewWebhook": "CreatedWebhook", "Progress": "JobProgress",
    "Project": "ProjectRow", "ProjectProgress": "Progress", "Prompt": "PromptRow", "Proportion": "ComparedProportion",
    "Question": "InboxQuestion", "Response": "ResponseRow", "ReviewedItem": "ContestedItem", "Settings": "Project",
}  # fmt: skip
"""The components of the records whose component has another name."""
OF_CLIENT = {reports.Estimate, reports.Report}
"""Records that the client makes itself. The JSON of a report has a schema of its own, which the tour reads."""


@cache
def schema_of_site() -> dict[str, Any]:
    command = [sys.executable, "manage.py", "spectacular"]
    environment = {**os.environ, "FACTUARY_RUN_AS": "nothing"}
    written = subprocess.run(command, cwd=Path(__file__).parents[3], env=environment, capture_output=True, check=True)
    return yaml.load(written.stdout, yaml.CSafeLoader)


def component_of_site(name: str) -> dict[str, Any]:
    return schema_of_site()["components"]["schemas"][name]


def package_members(wanted: Callable[[Any], bool]) -> list[Any]:
    names = [name for _, name, _ in pkgutil.iter_modules(factuary.__path__)]
    modules = [importlib.import_module(f"factuary.{name}") for name in names]
    return [
        member
        for module in modules
        for _, member in inspect.getmembers(module, wanted)
        if member.__module__ == module.__name__
    ]


def is_record(member: Any) -> bool:
    is_of_command = getattr(member, "__module__", "") == "factuary.command"
    return inspect.isclass(member) and dataclasses.is_dataclass(member) and not is_of_command


RECORDS = {
    record: OTHER_NAMES.get(record.__name__, record.__name__)
    for record in package_members(is_record)
    if record not in OF_CLIENT
}


@pytest.mark.parametrize(("record", "component"), RECORDS.items(), ids=str)
def test_a_record_has_the_fields_of_its_component(record: type, component: str) -> None:
    properties = component_of_site(component)["properties"]
    fields = fields_of(record)
    missing = set(properties) - set(fields)
    assert set(fields) <= set(properties) and (not missing or record is projects.Settings)
    required = component_of_site(component).get("required", ())
    for name, kind in fields.items():
        may_be_missing = name not in required and types.NoneType in typing.get_args(kind)
        schema = properties[name] | {"nullable": True} if may_be_missing else properties[name]
        assert accepts(kind, schema), f"{name}: {kind} for {schema}"


def accepts(kind: Any, schema: Mapping[str, Any]) -> bool:
    """Return whether a field of this type takes every value that the schema allows."""
    if "allOf" in schema:
        return accepts(kind, {**schema["allOf"][0], "nullable": schema.get("nullable", False)})
    if "oneOf" in schema:
        return all(accepts(kind, each) for each in schema["oneOf"])
    if kind is Any:
        return "type" not in schema
    if schema.get("nullable"):
        return types.NoneType in typing.get_args(kind) and accepts(
            next(each for each in typing.get_args(kind) if each is not types.NoneType), schema | {"nullable": False}
        )
    if "$ref" in schema:
        target = schema["$ref"].rpartition("/")[2]
        component = component_of_site(target)
        return RECORDS.get(kind) == target or ("enum" in component and accepts(kind, component))
    match schema.get("type"):
        case None:
            return schema.get("enum") in ([""], [None])
        case "array":
            return typing.get_origin(kind) is tuple and accepts(typing.get_args(kind)[0], schema["items"])
        case "object":
            return typing.get_origin(kind) is typing.get_origin(Mapping[str, Any])
        case "string":
            is_date = schema.get("format") == "date-time" or kind is datetime
            return kind is (datetime if is_date else str)
    return kind is {"integer": int, "number": float, "boolean": bool}[schema["type"]]


class Site:
    """Answers each request with an example that the schema allows, if the schema allows the request."""

    def __init__(self) -> None:
        self.requests: list[str] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        path, operation = operation_of(request.method, request.url.path)
        self.requests.append(f"{request.method} {path}")
        parameters = {each["name"] for each in operation.get("parameters", ()) if each.get("in") == "query"}
        assert set(request.url.params) <= parameters, f"{request.url}: parameters {parameters}"
        content = operation.get("requestBody", {}).get("content", {})
        if request.headers.get("Content-Type", "").startswith("application/json"):
            check_body(request, content["application/json"]["schema"])
        elif request.content:
            names = set(re.findall(rb' name="(\w+)"', request.content))
            properties = resolve(content["multipart/form-data"]["schema"])["properties"]
            assert {name.decode() for name in names} <= set(properties)
        status, answer = next((int(code), each) for code, each in operation["responses"].items() if code[0] == "2")
        schema = answer.get("content", {}).get("application/json", {}).get("schema")
        if schema is None:
            return httpx2.Response(status, content=b"bytes")
        return httpx2.Response(status, json=example(schema))


def operation_of(method: str, path: str) -> tuple[str, dict[str, Any]]:
    """Return the operation of a request: that of the path with the fewest placeholders."""
    templates = [
        template
        for template, methods in schema_of_site()["paths"].items()
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path) and method.lower() in methods
    ]
    assert templates, f"the schema has no {method} {path}"
    template = min(templates, key=lambda each: each.count("{"))
    return template, schema_of_site()["paths"][template][method.lower()]


def check_body(request: httpx2.Request, schema: Mapping[str, Any]) -> None:
    body, schema = json.loads(request.content), resolve(schema)
    assert set(body) <= set(schema["properties"]), f"{request.url}: {body}"
    assert set(schema.get("required", ())) <= set(body), f"{request.url}: {body}"


def resolve(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a schema without references at its top."""
    if "$ref" in schema:
        return resolve(component_of_site(schema["$ref"].rpartition("/")[2]))
    for name in ("allOf", "oneOf", "anyOf"):
        if name in schema:
            return resolve(schema[name][0])
    return schema


def example(schema: Mapping[str, Any]) -> Any:
    """Return a value that the schema allows; the job of an example is done."""
    schema = resolve(schema)
    if "enum" in schema:
        return "done" if "done" in schema["enum"] else schema["enum"][0]
    match schema.get("type"):
        case "object":
            values = {name: example(each) for name, each in schema.get("properties", {}).items()}
            return values | ({"next": None} if "next" in values else {})
        case "array":
            return [example(schema["items"])]
        case "string":
            return "2026-11-01T00:00:00Z" if schema.get("format") == "date-time" else "2026-11-01"
        case "integer" | "number":
            return 1
        case "boolean":
            return True
    return {}


Call = tuple[Any, str, tuple[Any, ...], dict[str, Any]]


def each_call(site: Client, file: Path) -> Iterable[Call]:
    """Yield each public method of the client that sends requests, and the values for a call of it."""
    dataset, project = site.datasets.get("d"), site.projects.get("p")
    report, export = project.reports.get("r"), project.exports.get("e")
    generator = dataset.generator("g")
    lists = [site.people, site.datasets, site.projects, project.members, project.webhooks, project.exports]
    lists += [project.judges, project.reports]
    for resource, names in (
        *((each, "__iter__") for each in lists),
        (site, "protocols judges generation_templates tokens"),
        (site.datasets, "formats"),
        (dataset, "contents documents imports generators delete"),
        (generator, "count_tokens runs"),
        (project, "progress settings guidelines guideline_versions hours pay_rates raters plans delete"),
        (export, "content delete"),
        (project.review, "gold"),
        (project.metrics, "results compute"),
        (report, "rebuild links"),
    ):
        yield from ((resource, name, (), {}) for name in names.split())
    for resource, names, value in (
        (site, "revoke_token", "t"),
        (site.people, "get password_link tokens", "m"),
        (site.datasets, "get", "d"),
        (dataset, "generator", "g"),
        (site.projects, "get", "p"),
        (project, "set_plan", "a = 1"),
        (project.members, "get remove", "m"),
        (project.webhooks, "delete test deliveries", "w"),
        (project.exports, "get", "e"),
        (project.review, "item withdraw remove_gold", "i"),
        (project.judges, "runs delete_requests fact_qa", "j"),
        (project.reports, "get", "r"),
        (report, "file", "csv"),
        (report, "revoke", "l"),
    ):
        yield from ((resource, name, (value,), {}) for name in names.split())
    yield from calls_with_choices(site, file, dataset, project, generator)
    yield (export, "save", (file.parent / "saved",), {})
    yield (report, "save", (file.parent / "report.csv",), {})
    yield (report, "compare", (report,), {})
    yield (report, "share", ("note",), {"with_names": True})


def calls_with_choices(site: Client, file: Path, dataset: Any, project: Any, generator: Any) -> list[Call]:
    answers = {"accuracy": "accurate"}
    budget = {"budget_usd": 1.5, "budget_tokens": 9, "retry_failed": True}
    return [
        (site, "protocol", ("p", "1"), {}),
        (site, "store_protocol", ("slug = 1",), {}),
        (site, "create_judge", ("j",), {"rule": "numbers"}),
        (site, "save_generation_template", ("t", "$prompt"), {"context": "none"}),
        (site, "create_token", ("t",), {"scope": "read", "project": "p", "days": 3}),
        (site, "jobs", (), {"state": "open", "kind": "export"}),
        (site, "audit", (), {"project": "p", "actor": "a", "action": "b", "target": "c"}),
        (site, "request", ("GET", "formats/"), {}),
        (site.people, "find", ("maria",), {"active": True}),
        (site.people, "create", ("m",), {"email": "m@example.org"}),
        (site.people, "change", ("m",), {"active": False}),
        (site.people, "rename", ("m", "maria"), {}),
        (site.people, "revoke_token", ("m", "t"), {}),
        (site.datasets, "load", ("d", file), {"format": "rows", "sample": 3, "columns": {"prompt": "q"}}),
        (site.datasets, "dry_run", ("d", [file, file]), {"format": "rows"}),
        (dataset, "prompts", (), {"document": "k"}),
        (dataset, "responses", (), {"system": "s", "prompt": "k"}),
        (dataset, "add_responses", (file,), {"system": "s", "dry_run": True}),
        (dataset, "create_generator", ("s",), {"base_url": "https://m", "model": "m", "temperature": 0.5}),
        (generator, "run", (), {"limit": 3, **budget}),
        (generator, "results", (), {"state": "failed"}),
        (site.projects, "load", ("p", file), {"format": "argilla", "labels": {"a.b": ["c"]}, "annotators": {"x": "y"}}),
        (site.projects, "dry_run", ("p", [file]), {"format": "argilla", "protocol": "q", "columns": {"prompt": "c"}}),
        (site.projects, "list", (), {"dataset": "d", "archived": False}),
        (site.projects, "create", ("p",), {"dataset": dataset, "protocol": "q", "sample_size": 3}),
        (project, "ratings", (), {"role": "rater", "rater": "r", "system": "s", "response": "k", "counted": True}),
        (project, "responses", (), {"state": "open", "rater": "r", "system": "s", "words": "w"}),
        (project, "change_responses", ("exclude", [1]), {"reason": "r"}),
        (project, "change", (), {"title": "t", "based_on": project.settings(), "archived": True}),
        (project, "questions", ("all",), {}),
        (project, "answer", ("q", "text"), {"published": True}),
        (project, "change_boundaries", ("q", "split", ["a", "b"]), {}),
        (project, "reoffer", ("q", "o"), {"dry_run": True}),
        (project, "publish_guidelines", ("text",), {"examples": {"q": {"o": "t"}}, "note": "n"}),
        (project, "set_pay_rate", ("18.50", "EUR", "2026-11-23"), {"rater": "m"}),
        (project, "plan", ("m",), {"system": "s", "unit": "prompt", "half_width": 0.03, "prompts": 50}),
        (project, "jobs", (), {"state": "open", "kind": "export"}),
        (project.members, "add", ("m",), {"role": "lead"}),
        (project.members, "replace", ("m", "n"), {}),
        (project.members, "invite", ({"m": "m@example.org"},), {"role": "lead"}),
        (project.webhooks, "create", ("https://r", ["job.failed"]), {}),
        (project.webhooks, "change", ("w",), {"url": "https://r", "events": ["job.failed"], "active": False}),
        (project.webhooks, "send_again", ("w", "d"), {}),
        (project.exports, "create", ("ratings",), {"format": "csv", "report": "r", "with_names": True}),
        (project.review, "items", ("all",), {"system": "s"}),
        (project.review, "adjudicate", ("i", answers, "reason"), {}),
        (project.review, "set_gold", ("i", answers), {"reason": "r"}),
        (project.judges, "run", ("j",), {"limit": 1, **budget}),
        (project.judges, "estimate", ("j",), {"limit": 3}),
        (project.judges, "verdicts", ("j",), {"state": "failed", "option": "accurate"}),
        (project.judges, "requests", ("j",), {"run": 1, "state": "failed"}),
        (project.judges, "tuning_items", ("j", 1), {}),
        (project.judges, "plan", ("j",), {"further": 50, "system": "s"}),
        (project.judges, "comparison", ("j", 1), {}),
        (project.metrics, "scores", (), {"metric": "bleurt", "response": "r", "source": "imported"}),
        (project.metrics, "import_scores", (file,), {"replace": True, "dry_run": True}),
        (project.reports, "freeze", (), {"seed": 1, "systems": ["a"], "judge": "j"}),
        (project.reports, "live", (), {"seed": 1, "systems": ["a", "b"], "metadata": ["k=v"]}),
    ]


RESOURCES = (
    *(Client, datasets.Datasets, datasets.Dataset, projects.Projects, projects.Project, projects.Exports),
    *(projects.Export, members.Members, review.Review, judges.Judges, reports.Reports, reports.Report),
    *(metrics.Metrics, people.People, webhooks.Webhooks, generation.Generator),
)
WITHOUT_REQUESTS = {"close", "estimates", "to_pandas", "with_judge"}


def test_each_method_sends_what_the_schema_allows_and_reads_what_it_answers(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text("{}\n", encoding="utf-8")
    answers = Site()
    called = set()
    with Client("https://s", "key", transport=httpx2.MockTransport(answers)) as site:
        for resource, name, positional, named in each_call(site, file):
            before = len(answers.requests)
            result = getattr(resource, name)(*positional, **named)
            if isinstance(result, Rows) or inspect.isgenerator(result) or name == "__iter__":
                assert next(iter(result)) is not None, (resource, name)
            assert len(answers.requests) > before, (resource, name)
            if isinstance(result, Job):
                assert result.state().id
            called.add((type(resource), name))
    methods = {
        (resource, name)
        for resource in RESOURCES
        for name, member in inspect.getmembers(resource, inspect.isfunction)
        if (not name.startswith("_") or name == "__iter__") and name not in WITHOUT_REQUESTS
    }
    assert methods == called

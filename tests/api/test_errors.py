"""Requests that are refused name the field that is wrong, and nothing is stored."""

from typing import Any

import pytest

from annotation.models import ApiToken, AuditEvent, Generator, Job, Judge, Project, User, Webhook
from tests.api.clients import program, send
from tests.cast import newest_version, person, study
from tests.judging.judges import rule_judge

pytestmark = pytest.mark.django_db
LEFT_OUT = object()
PAY = {"amount": "10", "currency": "EUR", "starts_on": "2026-11-23"}
PROJECT = {"slug": "august", "dataset": "june-data", "protocol": "article-accuracy"}
HOOK = {"url": "https://example.org/hook", "events": ["job.failed"]}
MODEL = {"base_url": "https://models.example.org/v1", "model": "large-1"}
REFUSED: list[tuple[str, str, dict[str, Any], dict[str, list[Any]]]] = [
    # who, request, what would be accepted, and values of its fields that are not
    ("ravi", "POST tokens/", {}, {"days": [0], "scope": ["write"], "project": ["july"]}),
    ("lena", "POST projects/june/pay-rates/", PAY, {
        "currency": ["euro"], "amount": ["-1"], "starts_on": ["soon"], "rater": ["otto"],
    }),
    ("lena", "POST projects/june/judge-runs/", {"judge": "rule"}, {
        "judge": [LEFT_OUT, "nobody"], "limit": [0], "budget_usd": ["nan"], "budget_tokens": [0],
    }),
    ("lena", "POST projects/june/webhooks/", HOOK, {
        "url": ["http://example.org/", "https://127.0.0.1/", "https://[::ffff:10.0.0.1]/"],
        "events": [[], ["rating.saved"]],
    }),
    ("lena", "PATCH projects/june/", {"suggestions": False}, {
        "title": [""], "overlap": [101], "target_half_width": [0.9], "verdict_visibility": ["after"],
        "shown_judge": ["nobody"],
    }),
    ("ada", "POST projects/", PROJECT, {
        "slug": ["june", "new", "a b"], "dataset": ["nothing"], "protocol": ["nothing"], "overlap": [0],
        "sampling_judge": ["nobody"],
    }),
    ("ada", "POST people/", {"username": "nora"}, {"username": [LEFT_OUT, "rosa", "no ra"], "email": ["nora"]}),
    ("ada", "POST judges/", MODEL | {"name": "strict"}, {
        "temperature": ["nan"], "samples": [0], "template": ["a\0b"], "name": [""],
    }),
    ("ada", "POST datasets/june-data/generators/", MODEL | {"system": "model-a"}, {
        "base_url": ["ftp://models"], "key_env": ["SECRET_KEY"], "template": ["none-such"], "temperature": [9],
        "system": [""],
    }),
]  # fmt: skip
AT_ANOTHER_FIELD = [
    ("lena", "POST projects/june/judge-runs/", {"judge": "rule", "budget_usd": 1}, "judge"),
    ("lena", "POST projects/june/judge-runs/", {"judge": "rule", "budget_tokens": 1}, "judge"),
    ("ada", "POST projects/", PROJECT | {"sampling_design": "uniform"}, "body"),
    ("ada", "POST projects/", PROJECT | {"protocol": "pairwise-preference"}, "body"),
    ("ada", "POST judges/", MODEL | {"name": "strict", "rule": "numbers"}, "judge"),
    ("ada", "POST judges/", MODEL | {"name": "strict", "base_url": "ftp://models.example.org"}, "base_url"),
    ("ada", "POST judges/", MODEL | {"name": "strict", "key_env": "DATABASE_URL"}, "judge"),
    ("ada", "POST judges/", MODEL | {"name": "strict", "samples": 3}, "judge"),
    ("ada", "POST judges/", MODEL | {"name": "not a name"}, "name"),
    ("ada", "POST datasets/june-data/generators/", MODEL | {"system": "a", "input_price": "1"}, "output_price"),
]
CASES = [
    (who, request, {name: given for name, given in (body | {field: value}).items() if given is not LEFT_OUT}, field)
    for who, request, body, wrong in REFUSED
    for field, values in wrong.items()
    for value in values
]


@pytest.fixture(scope="module")
def site(module_rows):
    study("june")
    study("july", raters=("rosa",))
    newest_version("pairwise-preference")  # stored, so that no request stores it
    person("otto")
    rule_judge()
    return {"lena": program("lena"), "ravi": program("ravi"), "ada": program("ada", admin=True)}


def stored() -> list[Any]:
    """Return what these requests could change; each change of another table would be in the audit."""
    models = (ApiToken, AuditEvent, Generator, Job, Judge, User, Webhook)
    return [*Project.objects.order_by("pk").values(), *(model.objects.count() for model in models)]


@pytest.mark.parametrize(("who", "request_line", "body", "field"), [*CASES, *AT_ANOTHER_FIELD])
def test_input_that_is_refused_is_named_by_field_and_nothing_is_stored(site, who, request_line, body, field):
    before = stored()
    status, problem = send(site[who], *request_line.split(), body)
    assert (status, list(problem["errors"])) == (400, [field])
    assert stored() == before

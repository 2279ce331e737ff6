"""Routes, methods and required fields of the last release are still there."""

from copy import deepcopy

import pytest

from scripts.released_interface import RELEASED, gone
from tests.api.clients import api_schema

RELEASE = RELEASED.read_text(encoding="utf-8")


def test_nothing_that_programs_rely_on_is_gone():
    assert gone(api_schema(), RELEASE) == []


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        (lambda paths, _: paths["/api/v1/audit/"].pop("get"), "GET /api/v1/audit/ is gone"),
        (lambda _, schemas: schemas["Export"]["required"].remove("id"), "Export: id is gone"),
        (lambda _, schemas: schemas["QuestionText"].update(required=["x"]), "!QuestionText: x is required now"),
    ],
)
def test_each_kind_of_difference_is_named(change, difference):
    schema = deepcopy(api_schema())
    change(schema["paths"], schema["components"]["schemas"])
    assert gone(schema, RELEASE) == [difference]

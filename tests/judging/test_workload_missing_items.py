"""The items that a judge has not rated are found in one pass, right after an import and a run."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.db.models import QuerySet

from annotation import importing
from annotation.judging.judges import create_judge
from annotation.judging.run import run_judge
from annotation.judging.workload import missing_items
from annotation.model_calls.runs import RunLimits
from annotation.models import Dataset, Item, Judge
from annotation.projects.create import create_project
from tests.cast import article_accuracy
from tests.importing.files import lines, prompt

pytestmark = pytest.mark.django_db  # in one transaction, which autovacuum does not see
RESPONSES = 400


@pytest.fixture
def project(tmp_path):
    """Import responses with three sentences each and return a project with them."""
    responses = [
        {"system": f"s{n}", "text": f"Terns fly {n} times. Gulls do not. They walk."} for n in range(RESPONSES)
    ]
    importing.load_dataset("jsonl", [lines(tmp_path / "data.jsonl", [prompt(responses=responses)])], "large")
    return create_project("large", Dataset.objects.get(), article_accuracy())


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for child in plan.get("Plans", []):
        yield from nodes(child)


def plan_of(query: QuerySet) -> list[dict[str, Any]]:
    """Execute the query and return the nodes of its plan."""
    return list(nodes(json.loads(query.explain(format="json", analyze=True))[0]["Plan"]))


def test_statistics_know_the_imported_items(project):
    [*_, scan] = plan_of(Item.objects.filter(unit="sentence"))
    assert scan["Actual Rows"] == 3 * RESPONSES
    assert scan["Plan Rows"] == pytest.approx(3 * RESPONSES, rel=0.1)
    [found] = plan_of(Item.objects.filter(response=Item.objects.first().response_id))[-1:]
    assert "Index" in found["Node Type"]


def test_missing_items_are_found_without_reading_all_verdicts_for_each(project):
    judge, _ = create_judge(Judge(name="always", rule=Judge.Rule.ALWAYS_ACCURATE))
    assert run_judge(judge, project, RunLimits(limit=1_100)).missing == 3 * RESPONSES - 1_100
    plan = plan_of(missing_items(judge, project))
    compared = sum(node.get("Rows Removed by Join Filter", 0) * node["Actual Loops"] for node in plan)
    assert compared <= 2 * RESPONSES * 3

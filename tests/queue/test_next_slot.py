"""The search for the next slot reads few rows by index in a large project, whatever the history of the rater."""

from itertools import product
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from annotation.models import Assignment, Response, Sheet, Slot
from annotation.queue import next_slot
from tests.cast import Study, document, study
from tests.database_plans import nodes

pytestmark = pytest.mark.django_db
SHEETS = 1_500
FINISHED = 1_000
PER_DOCUMENT = 10
MOST_ROWS = 60
GROWING = {"annotation_slot", "annotation_sheet", "annotation_assignment"}


@pytest.fixture
def large() -> Study:
    """Return a project of SHEETS responses, the first FINISHED of which Ravi and Rosa have finished; Tom is new."""
    june = study(raters=("ravi", "rosa", "tom"))
    first, project = june.responses[0], june.project
    responses = Response.objects.bulk_create(
        Response(dataset=first.dataset, prompt=first.prompt, system=first.system, key=f"r{n}", text=f"Text {n}.")
        for n in range(SHEETS)
    )
    documents = [document(first.dataset, f"long-{n}") for n in range(SHEETS // PER_DOCUMENT)]
    sheets = Sheet.objects.bulk_create(
        Sheet(project=project, response=response, document=documents[n // PER_DOCUMENT], rank=1_000_000 + n)
        for n, response in enumerate(responses)
    )
    now = timezone.now()
    done = Assignment.objects.bulk_create(
        Assignment(sheet=sheet, project=project, rater=june.people[name], taken_at=now, finished_at=now)
        for sheet in sheets[:FINISHED]
        for name in ("ravi", "rosa")
    )
    Slot.objects.bulk_create(
        [slot(a.sheet, n % 2 + 1, holder=a, expires_at=now, finished_at=now) for n, a in enumerate(done)]
        + [slot(sheet, k) for sheet in sheets[FINISHED:] for k in (1, 2)]
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE annotation_slot, annotation_sheet, annotation_assignment, annotation_response")
    return june


def slot(sheet: Sheet, k: int, **fields: Any) -> Slot:
    """Return a slot of `sheet`, not stored."""
    return Slot(sheet=sheet, k=k, project=sheet.project, document=sheet.document, rank=sheet.rank, **fields)


def test_search_reads_few_rows_by_index(large):
    for name, statement in product(("ravi", "tom"), (next_slot._SQL, next_slot._SQL_UNLOCKED)):
        with connection.cursor() as cursor:
            values = [large.project.pk, large.people[name].pk, timezone.now()]
            cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}", values)
            plan = list(nodes(cursor.fetchone()[0][0]["Plan"]))
        assert not {node["Relation Name"] for node in plan if node["Node Type"] == "Seq Scan"} & GROWING
        read = [node["Actual Rows"] * node["Actual Loops"] + node.get("Rows Removed by Filter", 0) for node in plan]
        assert 0 < sum(read) <= MOST_ROWS

"""Counts of a data set's contents."""

from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Count, Q, QuerySet

from ..models import Dataset, Document, Item, Prompt, Response, System

UNPLACED = Count("pk", filter=Q(start=None))


@dataclass(frozen=True)
class KindCount:
    """Items of one unit and kind, and whether they are rated; `unplaced` have no position in the text."""

    unit: str
    kind: str
    rate: bool
    n: int
    unplaced: int


@dataclass(frozen=True)
class Contents:
    """Totals of one data set; `systems` have `.n` responses each."""

    documents: int
    prompts: int
    responses: int
    systems: list[System]
    kinds: list[KindCount]

    @property
    def items(self) -> int:
        """Return the number of all items, rated or only shown."""
        return sum(kind.n for kind in self.kinds)

    @property
    def rated(self) -> int:
        """Return the number of rated items."""
        return sum(kind.n for kind in self.kinds if kind.rate)


@dataclass(frozen=True)
class Breakdown:
    """A metadata key of the prompts, by which reports break down every figure."""

    key: str
    values: int
    prompts: int


_BREAKDOWNS = """
    SELECT pair.key, count(DISTINCT single.value), count(DISTINCT prompt.id)
    FROM annotation_prompt prompt
    CROSS JOIN LATERAL jsonb_each(prompt.metadata) pair
    CROSS JOIN LATERAL jsonb_array_elements(
        CASE jsonb_typeof(pair.value) WHEN 'array' THEN pair.value ELSE jsonb_build_array(pair.value) END
    ) single
    WHERE prompt.dataset_id = %s
    GROUP BY pair.key ORDER BY pair.key
"""


def breakdowns_of(dataset: Dataset) -> list[Breakdown]:
    """Return the metadata keys, each with its numbers of values and of prompts."""
    with connection.cursor() as cursor:
        cursor.execute(_BREAKDOWNS, [dataset.pk])
        return [Breakdown(*row) for row in cursor.fetchall()]


def contents_of(dataset: Dataset) -> Contents:
    """Return the counts in five queries, whatever the size."""
    kinds = (
        Item.objects.filter(response__dataset=dataset, retired_at=None).order_by().values_list("unit", "kind", "rate")
    )
    return Contents(
        documents=dataset.documents.count(),
        prompts=dataset.prompts.count(),
        responses=dataset.responses.count(),
        systems=list(dataset.systems.annotate(n=Count("responses")).order_by("name")),
        kinds=[
            KindCount(*row) for row in kinds.annotate(n=Count("pk"), unplaced=UNPLACED).order_by("-rate", "-n", "kind")
        ],
    )


def with_totals(datasets: QuerySet[Dataset]) -> list[dict[str, Any]]:
    """Return data sets with their numbers of documents, prompts, responses and projects, in five queries."""
    rows = list(datasets)
    numbers = {
        name: dict(model.objects.filter(dataset__in=rows).order_by().values_list("dataset").annotate(n=Count("pk")))
        for name, model in (("documents", Document), ("prompts", Prompt), ("responses", Response))
    }
    projects = dict(
        Dataset.objects.filter(pk__in=[d.pk for d in rows]).values_list("pk").annotate(n=Count("projects")).order_by()
    )
    return [
        {"dataset": d, "projects": projects[d.pk], **{name: by.get(d.pk, 0) for name, by in numbers.items()}}
        for d in rows
    ]

"""The generators of a data set and their runs, with what came of them and what it cost."""

from decimal import Decimal

from django.db.models import Count, F, OuterRef, QuerySet, Subquery, Sum, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from ..model_calls.run_lock import LockHeld
from ..model_calls.runs import with_totals
from ..models import Dataset, GenerationCall, GenerationResult, GenerationRun, Generator, Prompt
from .run import LOCK_PREFIX


def generators_of(dataset: Dataset) -> QuerySet[Generator]:
    """Return the generators of the data set with `stored`, `failed` and `missing` (numbers of prompts), and `cost`
    (USD).
    """
    results = GenerationResult.objects.filter(generator=OuterRef("pk"))
    prompts = Prompt.objects.filter(dataset=OuterRef("dataset"))
    calls = GenerationCall.objects.filter(run__generator=OuterRef("pk")).order_by().values("run__generator")
    return (
        Generator.objects.filter(dataset=dataset)
        .select_related("dataset", "template", "created_by")
        .annotate(
            stored=_number(results.filter(state=GenerationResult.State.STORED), "generator"),
            failed=_number(results.filter(state=GenerationResult.State.FAILED), "generator"),
            missing=_number(prompts, "dataset") - F("stored") - F("failed"),
            cost=Coalesce(Subquery(calls.annotate(total=Sum("cost")).values("total")), Decimal(0)),
        )
    )


def runs_of(generator: Generator) -> QuerySet[GenerationRun]:
    """Return the runs, the newest first, with `stored`, `failed`, `requests`, `tokens` and `cost`.

    `failed` does not count prompts that a later run has answered. `end` is `ended`, or `stopped` for a run whose
    process was killed and that no job continues.
    """
    results = GenerationResult.objects.filter(run=OuterRef("pk"))
    runs = GenerationRun.objects.filter(generator=generator).select_related("generator", "job", "started_by")
    lock = LockHeld(Value(LOCK_PREFIX), F("generator_id"))
    return with_totals(runs, GenerationCall.objects.all(), lock).annotate(
        stored=_number(results.filter(state=GenerationResult.State.STORED), "run"),
        failed=_number(results.filter(state=GenerationResult.State.FAILED), "run"),
    )


def _number(rows: QuerySet[GenerationResult] | QuerySet[Prompt], group: str) -> Combinable:
    return Coalesce(Subquery(rows.order_by().values(group).annotate(n=Count("pk")).values("n")), 0)

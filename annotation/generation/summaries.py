"""The generators of a data set and their runs, with what came of them and what it cost."""

from decimal import Decimal

from django.db.models import Case, Count, F, OuterRef, Q, QuerySet, Subquery, Sum, Value, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from ..model_calls.calls import TOKENS
from ..model_calls.run_lock import LockHeld
from ..models import Dataset, GenerationCall, GenerationResult, GenerationRun, Generator, Job, Prompt
from .run import LOCK_PREFIX


def generators_of(dataset: Dataset) -> QuerySet[Generator]:
    """Return the generators of the data set with `stored`, `failed` and `missing` (numbers of prompts), and `cost`
    (USD).
    """
    results = GenerationResult.objects.filter(generator=OuterRef("pk"))
    prompts = Prompt.objects.filter(dataset=OuterRef("dataset"))
    calls = GenerationCall.objects.filter(run__generator=OuterRef("pk"))
    return (
        Generator.objects.filter(dataset=dataset)
        .select_related("dataset", "template", "created_by")
        .annotate(
            stored=_number(results.filter(state=GenerationResult.State.STORED), "generator"),
            failed=_number(results.filter(state=GenerationResult.State.FAILED), "generator"),
            missing=_number(prompts, "dataset") - F("stored") - F("failed"),
            cost=_sum(calls, "run__generator"),
        )
    )


def runs_of(generator: Generator) -> QuerySet[GenerationRun]:
    """Return the runs, the newest first, with `stored`, `failed`, `requests`, `tokens` and `cost`.

    `failed` does not count prompts that a later run has answered. `end` is `ended`, or `stopped` for a run whose
    process was killed and that no job continues.
    """
    results = GenerationResult.objects.filter(run=OuterRef("pk"))
    calls = GenerationCall.objects.filter(run=OuterRef("pk"))
    goes_on = Q(job__state__in=Job.OPEN) | Q(LockHeld(Value(LOCK_PREFIX), F("generator_id")))
    return (
        GenerationRun.objects.filter(generator=generator)
        .select_related("generator", "job", "started_by")
        .annotate(
            end=Case(
                When(~Q(ended=""), then=F("ended")),
                When(goes_on, then=Value("")),
                default=Value(GenerationRun.Ended.STOPPED.value),
            ),
            stored=_number(results.filter(state=GenerationResult.State.STORED), "run"),
            failed=_number(results.filter(state=GenerationResult.State.FAILED), "run"),
            requests=_number(calls, "run"),
            tokens=Coalesce(Subquery(calls.order_by().values("run").annotate(total=TOKENS).values("total")), 0),
            cost=_sum(calls, "run"),
        )
    )


def _number(rows: QuerySet[GenerationResult] | QuerySet[Prompt] | QuerySet[GenerationCall], group: str) -> Combinable:
    return Coalesce(Subquery(rows.order_by().values(group).annotate(n=Count("pk")).values("n")), 0)


def _sum(calls: QuerySet[GenerationCall], group: str) -> Combinable:
    sums = calls.order_by().values(group).annotate(total=Sum("cost")).values("total")
    return Coalesce(Subquery(sums), Decimal(0))

"""What a judge works on in a project: items, or with Fact-QA responses. One process at a time does."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager

from django.db.models import Exists, OuterRef, Q, QuerySet

from ..model_calls.errors import RunBusy
from ..model_calls.request_groups import RequestGroup
from ..model_calls.run_lock import hold_lock
from ..models import FactScore, Item, Judge, JudgeRun, Project, Rating, Response, Sheet, Verdict
from ..models.rated_items import is_rateable
from .fact_requests import iter_fact_requests
from .item_requests import iter_item_requests

LOCK_PREFIX = "factuary.judging:"


def judged_items(project: Project) -> QuerySet[Item]:
    """Return the items that each judge of the project rates: those that can be rated, drawn or not, in responses that
    are not excluded.
    """
    same_pair = Q(against=OuterRef("against")) | Q(against=None)  # a project has one kind
    sheets = Sheet.objects.filter(same_pair, project=project, response=OuterRef("response"), exclusion=None)
    unit = project.protocol.definition.unit
    return Item.objects.filter(is_rateable(project), Exists(sheets), response__dataset=project.dataset_id, unit=unit)


def judged_kinds(project: Project) -> set[str]:
    """Return the kinds of these items."""
    return set(judged_items(project).order_by().values_list("kind", flat=True).distinct())


def missing_items(judge: Judge, project: Project, *, retry_failed: bool = False) -> QuerySet[Item]:
    """Return the items without a verdict of this judge, and without its rating, which may have been imported.

    `retry_failed`: those whose verdict failed, too.
    """
    verdicts = Verdict.objects.filter(judge=judge, project=project, item=OuterRef("pk"))
    if retry_failed:
        verdicts = verdicts.exclude(state=Verdict.State.FAILED)
    own = Rating.objects.filter(project=project, item=OuterRef("pk"), rater=judge.user_id, role=Rating.Role.JUDGE)
    items = judged_items(project).filter(~Exists(verdicts), ~Exists(own))
    return items.order_by("response__prompt__document", "response", "against", "start", "position")


def scored_responses(project: Project) -> QuerySet[Response]:
    """Return the responses that Fact-QA scores: all of the data set that are not blank or excluded in the project."""
    excluded = Sheet.objects.filter(project=project, response=OuterRef("pk"), exclusion__isnull=False)
    has_items = Exists(Item.objects.filter(response=OuterRef("pk")))  # requests are stored with the first item
    return Response.objects.filter(has_items, ~Exists(excluded), dataset=project.dataset_id).exclude(text="")


def judged_rows(judge: Judge, project: Project) -> QuerySet[Item] | QuerySet[Response]:
    """Return the items, or with Fact-QA the responses, that the judge works on."""
    return scored_responses(project) if judge.fact_qa else judged_items(project)


def missing_rows(judge: Judge, project: Project, *, retry_failed: bool = False) -> QuerySet[Item] | QuerySet[Response]:
    """Return those without a result of this judge, ordered by document. `retry_failed`: those that failed, too."""
    if not judge.fact_qa:
        return missing_items(judge, project, retry_failed=retry_failed)
    scores = FactScore.objects.filter(judge=judge, project=project, response=OuterRef("pk"))
    if retry_failed:
        scores = scores.exclude(state=FactScore.State.FAILED)
    return scored_responses(project).filter(~Exists(scores)).order_by("prompt__document", "prompt", "pk")


def rows_to_rate(run: JudgeRun, *, retry_failed: bool) -> list[int]:
    """Return what a run has to rate (primary keys), up to what its limit still allows: `missing_rows` without those
    that failed anew before it was killed.
    """
    rows = missing_rows(run.judge, run.project, retry_failed=retry_failed)
    rows = rows.exclude(**{"fact_scores__run" if run.judge.fact_qa else "verdicts__run": run})
    most = None if run.limit is None else max(run.limit - count_results(run), 0)
    return list(rows.values_list("pk", flat=True)[:most])


def count_results(run: JudgeRun) -> int:
    """Return how many items or responses the run has stored a result for."""
    results = FactScore.objects if run.judge.fact_qa else Verdict.objects
    return results.filter(run=run).count()


def iter_request_groups(run: JudgeRun, rows: Sequence[int]) -> Iterator[RequestGroup]:
    """Yield the groups of requests about these items or responses (primary keys)."""
    return iter_fact_requests(run, rows) if run.judge.fact_qa else iter_item_requests(run, rows)


def busy_error(judge: Judge) -> RunBusy:
    """Return the error of a second run at the same time."""
    return RunBusy(f"judge {judge.label} is rating this project now; wait until it ends")


def lock_name(judge: Judge, project: Project) -> str:
    """Return the name of the lock, whose hash is its key."""
    return f"{LOCK_PREFIX}{judge.pk}:{project.pk}"


def run_lock(judge: Judge, project: Project, *, wait: float = 0.0) -> AbstractContextManager[None]:
    """Hold the lock. Raises RunBusy if another process still holds it after `wait` seconds."""
    return hold_lock(lock_name(judge, project), busy_error(judge), wait=wait)

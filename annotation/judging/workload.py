"""What a judge works on in a project: items, or with Fact-QA responses."""

from collections.abc import Iterator, Sequence

from django.db.models import QuerySet

from ..model_calls.request_groups import RequestGroup
from ..models import FactScore, Item, Judge, JudgeCall, JudgeRun, Project, Response, Verdict
from .calls import calls_of
from .fact_requests import iter_fact_requests
from .fact_scores import missing_responses, scored_responses
from .item_requests import iter_item_requests
from .judged_items import judged_items, missing_items


def judged_rows(judge: Judge, project: Project) -> QuerySet[Item] | QuerySet[Response]:
    """Return the items, or with Fact-QA the responses, that the judge works on."""
    return scored_responses(project) if judge.fact_qa else judged_items(project)


def missing_rows(judge: Judge, project: Project, *, retry_failed: bool = False) -> QuerySet[Item] | QuerySet[Response]:
    """Return those without a result of this judge, ordered by document. `retry_failed`: those that failed, too."""
    find_missing = missing_responses if judge.fact_qa else missing_items
    return find_missing(judge, project, retry_failed=retry_failed)


def rows_to_rate(run: JudgeRun, *, retry_failed: bool) -> QuerySet[Item] | QuerySet[Response]:
    """Return the rows that a run has to rate: `missing_rows` without those that failed anew before it was killed."""
    rows = missing_rows(run.judge, run.project, retry_failed=retry_failed)
    return rows.exclude(**{"fact_scores__run" if run.judge.fact_qa else "verdicts__run": run})


def iter_request_groups(run: JudgeRun, rows: Sequence[int]) -> Iterator[RequestGroup]:
    """Yield the groups of requests about these items or responses (primary keys)."""
    return iter_fact_requests(run, rows) if run.judge.fact_qa else iter_item_requests(run, rows)


def count_results(run: JudgeRun) -> int:
    """Return how many items or responses the run has stored a result for."""
    results = FactScore.objects if run.judge.fact_qa else Verdict.objects
    return results.filter(run=run).count()


def calls_about(judge: Judge, project: Project, rows: Sequence[int]) -> QuerySet[JudgeCall]:
    """Return the requests of the judge in the project about these items or responses (primary keys)."""
    calls = calls_of(judge, project)
    return calls.filter(item__response__in=rows) if judge.fact_qa else calls.filter(item__in=rows)

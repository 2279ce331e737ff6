"""Let a judge rate what is missing in a project, from a command or a job."""

from ..jobs import Progress, Refused
from ..model_calls.calls import CallCounts, mark_lost
from ..model_calls.errors import ModelError
from ..model_calls.keys import key_of
from ..model_calls.request_groups import ResultCounts
from ..model_calls.run_lock import WAIT_FOR_LOCK
from ..model_calls.runs import RunLimits, RunResult, end_by_counts, end_on_error, result_of, send_requests, start_run
from ..models import FactScore, Job, Judge, JudgeRun, Project, Rating, User, Verdict
from ..projects.archiving import require_not_archived
from ..queue.errors import ProjectArchived
from ..retrieval import passage_ranking
from ..site.database_transactions import analyze_after
from .calls import calls_of, reusable_calls
from .fact_requests import fail_unscorable
from .judges import uses_passages
from .rules import run_rule
from .workload import count_results, iter_request_groups, judged_rows, missing_rows, rows_to_rate, run_lock

RUN_JUDGE = "run_judge"
"""The kind of the job."""


def run_judge(
    judge: Judge,
    project: Project,
    limits: RunLimits | None = None,
    *,
    actor: User | None = None,
    job: Job | None = None,
    progress: Progress | None = None,
) -> RunResult[JudgeRun]:
    """Rate the items of `project` (with Fact-QA its responses) that have no verdict of `judge`. Raises ModelError,
    ProjectArchived.

    A run that was killed is continued by the next one: what was stored stays.
    """
    limits, progress = limits or RunLimits(), progress or Progress()
    run = new_run(judge, project, limits, actor=actor, job=job)
    key = key_of(judge)
    with run_lock(judge, project, wait=WAIT_FOR_LOCK if job else 0.0):
        mark_lost(calls_of(judge, project))
        run = start_run(run, action="run judge", target=f"judge:{judge.label}", project=project)
        _analyze_results(run)
        rows = rows_to_rate(run, retry_failed=limits.retry_failed)
        with end_on_error(run):
            if judge.rule:
                results, calls = run_rule(run, rows, progress), CallCounts()
            else:
                unscorable = fail_unscorable(run, rows) if judge.fact_qa else ResultCounts()
                groups, total = iter_request_groups(run, rows), len(rows) - unscorable.failed
                reusable = reusable_calls(run, reuses_earlier=not limits.retry_failed)
                results, calls = send_requests(run, key, groups, total, reusable=reusable, progress=progress)
                results += unscorable
        _analyze_results(run)
        missing = missing_rows(judge, project).count()
        end_by_counts(run, calls, missing)
    return result_of(run, results, judged_rows(judge, project).count(), missing, calls)


def new_run(
    judge: Judge,
    project: Project,
    limits: RunLimits,
    *,
    actor: User | None = None,
    job: Job | None = None,
    is_estimate: bool = False,
) -> JudgeRun:
    """Return a run that is not stored yet. Raises ModelError for limits that it cannot have, and ProjectArchived."""
    require_not_archived(project, "This project is archived. Unarchive it to let a judge rate in it.")
    if limits.budget_tokens is not None and judge.rule:
        raise ModelError("a rule uses no tokens: omit the budget of tokens", "budget_tokens")
    accepted = JudgeRun.objects.filter(judge=judge).exclude(response_format="").first()
    run = JudgeRun(
        judge=judge,
        project=project,
        job=job,
        is_estimate=is_estimate,
        passage_ranking=passage_ranking.VERSION if uses_passages(judge) else None,
        response_format=accepted.response_format if accepted else "",
        started_by=actor,
    )
    return limits.set_on(run)


def result_json(result: RunResult[JudgeRun]) -> dict[str, object]:
    """Return what the command prints, and the job stores."""
    return {"judge": result.run.judge.label, "items": result.total, **result.as_json()}


def run_judge_job(job: Job, progress: Progress) -> dict[str, object]:
    """Run a job of kind `run_judge`, with `judge` and those of RunLimits in its params. Raises Refused."""
    assert job.project
    judge = Judge.objects.select_related("user").get(pk=job.params["judge"])
    limits = RunLimits.from_params(job.params)
    try:
        return result_json(run_judge(judge, job.project, limits, actor=job.started_by, job=job, progress=progress))
    except (ModelError, ProjectArchived) as error:
        raise Refused([str(error)]) from None


def _analyze_results(run: JudgeRun) -> None:
    """Let PostgreSQL know how many results the run has: it would search all of them for each item that is missing."""
    analyze_after(count_results(run), FactScore if run.judge.fact_qa else Verdict, Rating)

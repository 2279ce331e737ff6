"""Start the jobs in which a judge rates, or that estimate what that costs, for a person."""

from django.db import transaction

from annotation import jobs
from annotation.judging import estimate, run
from annotation.judging.project_judges import open_jobs
from annotation.judging.workload import busy_error
from annotation.model_calls.runs import RunLimits
from annotation.models import Job, Judge, Project, User
from tasks.jobs import enqueue


def start_judge_run(judge: Judge, project: Project, limits: RunLimits, *, actor: User) -> Job:
    """Return the new job that lets the judge rate what is missing. Raises ModelError, ProjectArchived."""
    run.new_run(judge, project, limits)
    return _start(run.RUN_JUDGE, judge, project, limits.as_params(), actor)


def start_judge_estimate(judge: Judge, project: Project, *, limit: int | None = None, actor: User) -> Job:
    """Return the new job that estimates such a run. Raises ModelError, ProjectArchived."""
    run.new_run(judge, project, RunLimits(limit=limit))
    return _start(estimate.ESTIMATE_JUDGE_RUN, judge, project, {"limit": limit}, actor)


@transaction.atomic
def _start(kind: str, judge: Judge, project: Project, params: dict[str, object], actor: User) -> Job:
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)  # of two requests at once, the second is refused
    if open_jobs(project).filter(params__judge=judge.pk).exists():
        raise busy_error(judge)
    job = jobs.create(kind, project=project, params={"judge": judge.pk, **params}, actor=actor)
    enqueue(job)
    return job

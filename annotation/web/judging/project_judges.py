"""The judges of a project, for its leads: progress and cost, estimates, runs and their jobs."""

from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from tasks.judging import start_judge_estimate, start_judge_run

from ... import jobs
from ...access import job_for, project_for
from ...i18n.unit_names import job_name
from ...judging.judges import find_judge
from ...judging.project_judges import JOB_KINDS, project_judges, runs_of
from ...model_calls.errors import ModelError
from ...models import Job, Judge, Project
from ...queue.errors import ProjectArchived
from ..accounts.fields import sentence
from ..authentication import Request
from ..jobs import job_context, open_or_failed
from .forms import RunForm

RUNS_SHOWN = 25


@require_http_methods(["GET", "HEAD", "POST"])
def judges(request: Request, slug: str) -> HttpResponse:
    """Show judges and runs. A post starts a run, or an estimate (`action=estimate`)."""
    project = project_for(request.user, slug, needs="lead")
    shown_jobs = _shown_jobs(project)
    rows = project_judges(project)
    form = RunForm(request.POST or None, rows=rows, initial={"judge": request.GET.get("judge")})
    if request.method == "POST" and form.is_valid():
        limits = form.limits()
        try:
            judge = find_judge(form.cleaned_data["judge"])
            if request.POST.get("action") == "estimate":
                start_judge_estimate(judge, project, limit=limits.limit, actor=request.user)
            else:
                start_judge_run(judge, project, limits, actor=request.user)
            return redirect("project_judges", slug)
        except ModelError as error:
            form.add_model_error(error)
        except ProjectArchived as error:
            messages.error(request, str(error))
            return redirect("project_judges", slug)
    page = Paginator(runs_of(project), RUNS_SHOWN).get_page(request.GET.get("page"))
    judges = {row.judge.pk: row.judge for row in rows}
    for run in page:
        run.judge = judges.get(run.judge_id, run.judge)
    context = {
        "project": project,
        "rows": rows,
        "form": form,
        "can_run": not project.archived_at and any(not row.problem for row in rows),
        "jobs": shown_jobs,
        "page": page,
    }
    return render(request, "judging/project_judges.html", context)


def _shown_jobs(project: Project) -> list[dict[str, object]]:
    """Return the open jobs, and the newest one if it has failed."""
    listed = open_or_failed(Job.objects.filter(project=project, kind__in=JOB_KINDS).select_related("report"))
    judges = Judge.objects.in_bulk([job.params["judge"] for job in listed])
    return [
        job_context(job)
        | {
            "words": f"{job_name(job.kind)}: {judges[job.params['judge']].label}",
            "problems": [sentence(problem) for problem in job.problems],
        }
        for job in listed
    ]


@require_POST
def cancel(request: Request, slug: str, public_id: UUID) -> HttpResponse:
    """Cancel an open run or estimate: verdicts that are stored stay."""
    project = project_for(request.user, slug, needs="lead")
    job = job_for(request.user, public_id)
    if job.project != project or job.kind not in JOB_KINDS:
        raise Http404("There is no such job.")
    if jobs.cancel(job, actor=request.user):
        messages.success(request, "Canceled. Verdicts that are stored stay.")
    else:
        messages.info(request, "The job had ended already.")
    return redirect("project_judges", slug)

"""The home page: for raters the next step, for leads projects that need attention, for admins the whole site."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tasks.jobs import enqueue

from .. import protocols
from ..access import projects_led_by, require_admin
from ..i18n.unit_names import job_name
from ..importing import uploads
from ..importing.sample_project import SLUG, create_sample_job, sample_project
from ..models import Dataset, Job, Membership, Project, ProtocolVersion, User
from ..projects.overview import ProjectState, project_states, rater_work, recently_failed
from ..pseudonyms import as_seen_by
from ..qualification.rules import stopped_raters
from ..reviewing.rater_questions import count_new_answers, count_questions
from .authentication import Request
from .projects.attention import Notice, notices_of_state

DATASETS_SHOWN = 5


@dataclass(frozen=True)
class FirstStep:
    """A step of an admin to the first rating: its name, what it is about, and the button that leads to it. `icon`: a
    name of lucide. The sample counts as none of the steps.
    """

    is_done: bool
    name: str
    text: str
    action: str
    url: str
    icon: str
    is_required: bool = True


@require_safe
def home(request: Request) -> HttpResponse:
    """Show the projects that the person rates in or leads and, for admins, the site's data."""
    user = request.user
    states = project_states(projects_led_by(user).filter(archived_at=None))
    archived = list(projects_led_by(user).filter(archived_at__isnull=False).order_by("-archived_at"))
    context = _rater_context(user) | _lead_context(user, states) | {"archived_projects": archived}
    if user.is_admin:
        context |= _admin_context([*(state.project for state in states), *archived])
    return render(request, "home.html", context)


@require_POST
def import_sample(request: Request) -> HttpResponse:
    """Start the job that imports the sample, for admins; its page follows it, and leads to the project."""
    require_admin(request.user)
    if project := sample_project():
        return redirect("project", project.slug)
    job, is_new = create_sample_job(request.user)
    if is_new:
        enqueue(job)
    return redirect("job", job.public_id)


def _rater_context(user: User) -> dict[str, Any]:
    """Return the projects to rate in: for leads only those in which they have begun, and none that are archived."""
    all_works = [w for w in rater_work(user) if w.role == Membership.Role.RATER or w.finished or w.begun]
    # Begun responses before new ones, and work before none: the first project has the page's main button.
    works = sorted(
        (work for work in all_works if not work.project.archived_at),
        key=lambda work: (not work.begun or work.gate == "paused", not work.remaining),
    )
    answers = count_new_answers(user, [work.project for work in works]) if works else {}
    return {
        "rater_projects": [(work, answers.get(work.project.pk, 0)) for work in works],
        "archived_rater_projects": [work for work in all_works if work.project.archived_at],
        "ratings": sum(work.ratings for work in works),
        "ratings_today": sum(work.ratings_today for work in works),
        "finished": sum(work.finished for work in works),
        "finished_today": sum(work.finished_today for work in works),
    }


def _lead_context(user: User, states: list[ProjectState]) -> dict[str, Any]:
    projects = [state.project for state in states]
    counts = count_questions(projects) if projects else {}
    questions = {pk: count.open for pk, count in counts.items()}
    stopped = stopped_raters(projects) if projects else {}

    def notices_of(state: ProjectState) -> list[Notice]:
        key = state.project.pk
        with as_seen_by(user, state.project):
            return notices_of_state(state, user, questions.get(key, 0), stopped.get(key, []))

    return {
        "project_states": [(state, notices_of(state)) for state in states],
        "failed_jobs": recently_failed(projects)[:5] if projects else [],
    }


def _admin_context(projects: list[Project]) -> dict[str, Any]:
    """Return what admins see besides; `projects`: all of the site."""
    counts = User.objects.filter(is_active=True).aggregate(
        active_accounts=Count("pk"), raters=Count("pk", filter=Q(is_superuser=False))
    )
    counts |= Dataset.objects.aggregate(datasets_count=Count("pk"), own_datasets=Count("pk", filter=~Q(slug=SLUG)))
    steps = _first_steps(projects, has_data=counts["own_datasets"] > 0)
    return counts | {
        "first_steps": steps,
        "next_step": next((step for step in steps if step.is_required and not step.is_done), None),
        "sample_project": next((project for project in projects if project.slug == SLUG), None),
        "datasets": Dataset.objects.order_by("-created_at", "-pk")[:DATASETS_SHOWN],
        "jobs": [
            (
                job,
                f"{job_name(job.kind)}: {subject}" if subject else job_name(job.kind),
                reverse("import_job" if job.kind in uploads.KINDS else "job", args=[job.public_id]),
            )
            for job in Job.objects.filter(state__in=Job.OPEN).select_related("project")
            for subject in [job.project.title if job.project else job.params.get("title", job.params.get("slug", ""))]
        ],
    }


def _first_steps(projects: list[Project], *, has_data: bool) -> list[FirstStep]:
    has_project = any(project.slug != SLUG for project in projects)
    return [
        FirstStep(
            has_data,
            _("Import data set"),
            _(
                "Prompts with their articles and the systems’ responses, from your own files. A check shows what would "
                "be imported before anything is stored."
            ),
            _("Import your files"),
            reverse("import_dataset"),
            "upload",
        ),
        FirstStep(
            has_project or ProtocolVersion.objects.exclude(slug__in=protocols.builtin()).exists(),
            _("Choose a protocol"),
            _("The questions for raters. %(n)s protocols come with Factuary, and you can write your own.")
            % {"n": len(protocols.builtin())},
            _("View protocols"),
            reverse("protocols"),
            "list-checks",
            is_required=False,  # protocols come with the program
        ),
        FirstStep(
            has_project,
            _("Create a project"),
            _("A data set, a protocol and the overlap (raters per response). Its page has a checklist."),
            _("New project"),
            reverse("new_project"),
            "plus",
        ),
        FirstStep(
            Membership.objects.filter(role=Membership.Role.RATER).exclude(project__slug=SLUG).exists(),
            _("Add raters"),
            _("Create their accounts, send each person the link to set a password, and add them to the project."),
            _("Add people"),
            reverse("people"),
            "user-plus",
        ),
    ]

"""The home page: for raters the next step, for leads projects that need attention, for admins the whole site."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from .. import protocols
from ..access import projects_led_by, require_admin
from ..models import Dataset, Job, Membership, Project, ProtocolVersion, User
from ..projects.overview import ProjectState, RaterWork, project_states, rater_work, recently_failed
from ..qualification.rules import stopped_raters
from ..quickstart.sample_project import SLUG, load_sample
from ..reviewing.rater_questions import count_new_answers, count_questions
from .authentication import Request

DATASETS_SHOWN = 5


@dataclass(frozen=True)
class FirstSteps:
    """The steps of an admin to the first rating; the sample counts as none of them."""

    has_data: bool
    has_protocol: bool
    has_project: bool
    has_raters: bool

    @property
    def are_done(self) -> bool:
        return self.has_data and self.has_project and self.has_raters

    @property
    def next_step(self) -> str:
        """Return the name of the first step that is not done; a protocol comes with the program."""
        if not self.has_data:
            return "data"
        return "raters" if self.has_project else "project"


@require_safe
def home(request: Request) -> HttpResponse:
    """Show the projects that the person rates in or leads and, for admins, the site's data."""
    user = request.user
    states = project_states(projects_led_by(user).filter(archived_at=None))
    archived = list(projects_led_by(user).filter(archived_at__isnull=False).order_by("-archived_at"))
    context = _rater_context(user) | _lead_context(states) | {"archived_projects": archived}
    if user.is_admin:
        context |= _admin_context([*(state.project for state in states), *archived])
    return render(request, "home.html", context)


@require_POST
def load_sample_project(request: Request) -> HttpResponse:
    """Load the sample, for admins, and show its project."""
    require_admin(request.user)
    project = load_sample(request.user)
    report = format_html('<a href="{}">{}</a>', reverse("report", args=[project.slug]), _("Open the report"))
    words = _("The sample is loaded: responses of three systems, rated by three raters who cannot sign in.")
    messages.success(request, format_html("{} {}", words, report))
    return redirect("project", project.slug)


def _rater_context(user: User) -> dict[str, Any]:
    """Return the projects to rate in: for leads only those in which they have begun, and none that are archived."""
    all_works = [w for w in rater_work(user) if w.role == Membership.Role.RATER or w.finished or w.begun]
    works = sorted((work for work in all_works if not work.project.archived_at), key=_sort_by_urgency)
    answers = count_new_answers(user, [work.project for work in works]) if works else {}
    return {
        "rater_projects": [(work, answers.get(work.project.pk, 0)) for work in works],
        "archived_rater_projects": [work for work in all_works if work.project.archived_at],
        "ratings": sum(work.ratings for work in works),
        "ratings_today": sum(work.ratings_today for work in works),
        "finished": sum(work.finished for work in works),
        "finished_today": sum(work.finished_today for work in works),
    }


def _sort_by_urgency(work: RaterWork) -> tuple[bool, bool]:
    """Sort begun responses before new ones, and work before none: the first project has the page's main button."""
    return not work.begun or work.gate == "paused", not work.remaining


def _lead_context(states: list[ProjectState]) -> dict[str, Any]:
    inbox_counts = count_questions([state.project for state in states]) if states else {}
    stopped = stopped_raters([state.project for state in states])
    return {
        "project_states": [
            (state, stopped.get(state.project.pk, []), inbox_counts.get(state.project.pk)) for state in states
        ],
        "failed_jobs": recently_failed([state.project for state in states])[:5] if states else [],
    }


def _admin_context(projects: list[Project]) -> dict[str, Any]:
    """Return what admins see besides; `projects`: all of the site."""
    counts = User.objects.filter(is_active=True).aggregate(
        active_accounts=Count("pk"), raters=Count("pk", filter=Q(is_superuser=False))
    )
    open_jobs = Job.objects.filter(state__in=[Job.State.QUEUED, Job.State.RUNNING]).select_related("project")
    counts |= Dataset.objects.aggregate(datasets_count=Count("pk"), own_datasets=Count("pk", filter=~Q(slug=SLUG)))
    has_project = any(project.slug != SLUG for project in projects)
    return counts | {
        "first_steps": FirstSteps(
            has_data=counts["own_datasets"] > 0,
            has_protocol=has_project or ProtocolVersion.objects.exclude(slug__in=protocols.builtin()).exists(),
            has_project=has_project,
            has_raters=Membership.objects.filter(role=Membership.Role.RATER).exclude(project__slug=SLUG).exists(),
        ),
        "sample_project": next((project for project in projects if project.slug == SLUG), None),
        "datasets": Dataset.objects.order_by("-created_at", "-pk")[:DATASETS_SHOWN],
        "jobs": open_jobs,
    }

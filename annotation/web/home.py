"""The home page: for raters the next step, for leads projects that need attention, for admins the whole site."""

from typing import Any

from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ..access import projects_led_by
from ..models import Dataset, Job, Membership, User
from ..projects.overview import RaterWork, project_states, rater_work, recently_failed
from ..qualification.rules import stopped_raters
from ..reviewing.rater_questions import count_new_answers, count_questions
from .authentication import Request

DATASETS_SHOWN = 5


@require_safe
def home(request: Request) -> HttpResponse:
    """Show the projects that the person rates in or leads and, for admins, the site's data."""
    user = request.user
    return render(request, "home.html", _rater_context(user) | _lead_context(user) | _admin_context(user))


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


def _lead_context(user: User) -> dict[str, Any]:
    led = projects_led_by(user)
    states = project_states(led.filter(archived_at=None))
    inbox_counts = count_questions([state.project for state in states]) if states else {}
    stopped = stopped_raters([state.project for state in states])
    archived = list(led.filter(archived_at__isnull=False).order_by("-archived_at"))
    return {
        "project_states": [
            (state, stopped.get(state.project.pk, []), inbox_counts.get(state.project.pk)) for state in states
        ],
        "archived_projects": archived,
        "failed_jobs": recently_failed([state.project for state in states])[:5] if states else [],
    }


def _admin_context(user: User) -> dict[str, Any]:
    if not user.is_admin:
        return {}
    counts = User.objects.filter(is_active=True).aggregate(
        active_accounts=Count("pk"), raters=Count("pk", filter=Q(is_superuser=False))
    )
    open_jobs = Job.objects.filter(state__in=[Job.State.QUEUED, Job.State.RUNNING]).select_related("project")
    return counts | {
        "datasets": Dataset.objects.order_by("-created_at", "-pk")[:DATASETS_SHOWN],
        "datasets_count": Dataset.objects.count(),
        "jobs": open_jobs,
        "has_raters": Membership.objects.filter(role=Membership.Role.RATER).exists(),
    }

"""A project's first page: its state for leads, their own work for raters."""

from collections.abc import Sequence
from dataclasses import astuple, replace
from operator import attrgetter
from typing import Any

from django.core.cache import cache
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import activate
from django.views.decorators.http import require_safe

from ...access import project_for
from ...accounts.names import DisplayNames
from ...i18n.english import ENGLISH
from ...models import Membership, Project, Purpose, User
from ...models.queue import NOT_WORK
from ...projects.checklist import project_checklist
from ...projects.claim_free import count_claim_free
from ...projects.overview import rater_work
from ...projects.pace import Pace, project_pace
from ...projects.progress import SlotCounts, slot_counts
from ...pseudonyms import active, in_shown_order
from ...queue.open_work import ImportedCounts, count_imported_ratings
from ..accounts.fields import raters_of
from ..authentication import Request
from ..language import for_raters
from ..rating.own_responses import rater_overview
from .attention import awaited_notices, notices, notices_from_ratings
from .checklist import checklist_lines
from .precision import precision_context
from .trends import project_trend

CACHE_TIME = 3600  # seconds


@for_raters
@require_safe
def overview(request: Request, slug: str) -> HttpResponse:
    """Show leads the project's state and what needs them, and raters their own work."""
    user = request.user
    selected = project_for(user, slug)
    if selected.role == Membership.Role.LEAD:
        activate(ENGLISH)
        return render(request, "projects/overview.html", _lead_context(selected, user))
    [work] = rater_work(user, selected)
    context = {
        "project": selected,
        "work": work,
        "protocol": selected.protocol.translated,
        "has_training": selected.sheets.filter(NOT_WORK, purpose=Purpose.TRAINING).exists(),
    }
    return render(request, "projects/project_rater.html", context | rater_overview(selected, user))


def _lead_context(project: Project, user: User) -> dict[str, Any]:
    progress, pace, raters = _state(project)
    checklist = project_checklist(project, progress, raters, ratings=pace.ratings)
    return {
        "project": project,
        "protocol": project.protocol.translated,
        "progress": progress,
        "pace": pace,
        "raters": raters,
        "imported": _imported(project, pace.ratings),
        "notices": [*notices(project, progress, pace, raters), *awaited_notices(project)],
        "checklist": checklist,
        "claim_free": None if checklist.has_started else count_claim_free(project),
        "checklist_lines": checklist_lines(project, checklist, user, raters),
    }


def _state(project: Project) -> tuple[SlotCounts, Pace, int]:
    """Return what changes while raters work. Counts come from slots and the tally, not from ratings."""
    progress = slot_counts(project)
    pace = project_pace(project, progress.slots - progress.done)
    if active():
        display_name = DisplayNames()
        raters = [replace(rater, name=display_name(rater.username)) for rater in pace.raters]
        pace = replace(pace, raters=in_shown_order(raters, attrgetter("name")))
    return progress, pace, raters_of(project).count()


def _imported(project: Project, ratings: int) -> ImportedCounts:
    """Return counts of imported ratings; cached until the number of all `ratings` changes, at most an hour."""
    imported: Sequence[int] | None = cache.get_or_set(
        f"imported:{project.pk}:{ratings}", lambda: astuple(count_imported_ratings(project)), CACHE_TIME
    )
    return ImportedCounts(*imported or (0, 0))


@require_safe
def live_parts(request: Request, slug: str) -> HttpResponse:
    """Return the parts of the lead's page that are refreshed regularly."""
    project = project_for(request.user, slug, needs="lead")
    progress, pace, _raters = _state(project)
    return render(
        request, "projects/_live_parts.html", {"project": project, "progress": progress, "pace": pace}
    )  # fmt: skip


@require_safe
def late_parts(request: Request, slug: str) -> HttpResponse:
    """Return what the lead's page fetches after it has loaded: precision, agreement, and all that needs a lead."""
    project = project_for(request.user, slug, needs="lead")
    context = {"project": project, "trend": project_trend(project), **precision_context(project)}
    context["notices"] = [*notices(project, *_state(project)), *notices_from_ratings(project)]
    return render(request, "projects/_late_parts.html", context)

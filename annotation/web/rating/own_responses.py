"""The responses that a rater has rated in a project: search, filters, and why something was changed or decided."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ...access import project_for
from ...models import Assignment, Notification, Project, User
from ...notifications import mark_read
from ...projects.hours import personal_pace, weeks_of_work
from ...projects.own_responses import LeadsChange, OwnFilter, changes_by_leads, own_assignments, states_for
from ...projects.pay_rates import paid_weeks
from ...rating.bookmarks import bookmarks_of
from ...reviewing.adjudication_replies import RaterDecision, decided_ratings, rater_decisions
from ...reviewing.rater_questions import mark_read as mark_answers_read
from ...reviewing.rater_questions import questions_of
from ..authentication import Request

PAGE_SIZE = 25


@dataclass(frozen=True)
class OwnResponse:
    """A response of the list. `is_held`: the rater can open it; `is_reoffered`: it is finished and open again."""

    assignment: Assignment
    changes: list[LeadsChange]
    decisions: list[RaterDecision]

    @property
    def is_held(self) -> bool:
        return hasattr(self.assignment, "slot")

    @property
    def is_reoffered(self) -> bool:
        return self.is_held and self.assignment.slot.was_finished_at is not None

    @property
    def differing(self) -> int:
        return sum(not decision.is_same for decision in self.decisions)


@require_safe
def own_responses(request: Request, slug: str) -> HttpResponse:
    """Show the responses that the reader has rated in this project."""
    project = project_for(request.user, slug, needs="rater")
    mark_read(request.user, Q(kind=Notification.Kind.REOPENED, project=project))
    states = states_for(project)
    state = request.GET.get("state", "")
    words = request.GET.get("words", "").replace("\x00", "").strip()[:200]
    filters = OwnFilter(words, state if state in states else "")
    page = Paginator(own_assignments(project, request.user, filters), PAGE_SIZE).get_page(request.GET.get("page"))
    assignments = list(page)
    changes = changes_by_leads(project, assignments)
    decisions = defaultdict(list)
    ratings = list(decided_ratings(project, request.user).filter(assignment__in=assignments))
    for decision in rater_decisions(project, request.user, ratings) if ratings else []:
        decisions[decision.assignment].append(decision)
    context = {
        "project": project,
        "filters": filters,
        "is_filtered": filters != OwnFilter(),
        "states": states.items(),
        "page": page,
        "rows": [
            OwnResponse(assignment, changes.get(assignment.pk, []), decisions[assignment.public_id])
            for assignment in assignments
        ],
    }
    return render(request, "rating/own_responses.html", context)


SHOWN = 20


@require_safe
def pace(request: Request, slug: str) -> HttpResponse:
    project = project_for(request.user, slug)
    return render(request, "rating/_own_pace.html", {"project": project, "pace": personal_pace(request.user, project)})


def rater_overview(project: Project, rater: User) -> dict[str, Any]:
    """Return pace, questions and bookmarks for projects/project_rater.html, and mark the answers as seen."""
    questions = list(questions_of(rater, project)[:SHOWN])
    mark_answers_read(rater, project, [question.public_id for question in questions])
    return {
        "pace": personal_pace(rater, project),
        "weeks": paid_weeks(weeks_of_work(project, rater), rates=[]),
        "rater_questions": questions,
        "bookmarks": bookmarks_of(rater, project)[:SHOWN],
    }

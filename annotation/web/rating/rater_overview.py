"""A rater's own pace (also in the drawer of the workspace), questions to the leads, and bookmarks."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ...access import project_for
from ...models import Project, User
from ...projects.hours import personal_pace, weeks_of_work
from ...projects.pay_rates import paid_weeks
from ...rating.bookmarks import bookmarks_of
from ...reviewing.rater_questions import mark_read, questions_of
from ..authentication import Request

SHOWN = 20


@require_safe
def pace(request: Request, slug: str) -> HttpResponse:
    """Return the part with the rater's pace."""
    project = project_for(request.user, slug)
    return render(request, "rating/_own_pace.html", {"project": project, "pace": personal_pace(request.user, project)})


def rater_overview(project: Project, rater: User) -> dict[str, Any]:
    """Return pace, questions and bookmarks for projects/project_rater.html, and mark the answers as seen."""
    questions = list(questions_of(rater, project)[:SHOWN])
    mark_read(rater, project, [question.public_id for question in questions])
    return {
        "pace": personal_pace(rater, project),
        "weeks": paid_weeks(weeks_of_work(project, rater), rates=[]),
        "rater_questions": questions,
        "bookmarks": bookmarks_of(rater, project)[:SHOWN],
    }

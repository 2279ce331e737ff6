"""What a rater finds beside the work: the own pace (in a drawer of the workspace too), questions asked, the pile."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from ...access import project_for
from ...models import Project, User
from ...projects.rater_pace import personal_pace
from ...rating.bookmarks import bookmarks_of
from ...reviewing.rater_questions import asked_by, mark_seen
from ..authentication import Request

SHOWN = 20


@login_required
@require_safe
def pace(request: Request, slug: str) -> HttpResponse:
    """The panel by itself."""
    project = project_for(request.user, slug)
    return render(request, "rating/_own_pace.html", {"project": project, "own": personal_pace(request.user, project)})


def beside_of(project: Project, rater: User) -> dict[str, Any]:
    """For templates/projects/_rater_beside.html. The answers shown there are read from then on."""
    questions = list(asked_by(rater, project)[:SHOWN])
    mark_seen(rater, project, [question.public_id for question in questions])
    return {"own": personal_pace(rater, project), "asked": questions, "unsure": bookmarks_of(rater, project)[:SHOWN]}


urlpatterns = [path("projects/<slug:slug>/pace/", pace, name="own_pace")]

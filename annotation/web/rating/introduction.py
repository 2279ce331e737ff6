"""The page before a rater's first work in a project: introduction, worked example, and a practice item."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from ...access import project_for
from ...projects.guidelines import current_guidelines
from ...projects.overview import rater_work
from ..authentication import Request
from .worked_examples import practice_of, worked_items


@require_http_methods(["GET", "HEAD", "POST"])
def introduction(request: Request, slug: str) -> HttpResponse:
    """Show the page; a post compares the answers to the practice item. Nothing is stored."""
    project = project_for(request.user, slug)
    protocol = project.protocol.translated
    work = next(iter(rater_work(request.user, project)), None)
    context = {
        "project": project,
        "protocol": protocol,
        "worked_items": worked_items(protocol),
        "practice": practice_of(protocol, request.POST),
        "is_checked": request.method == "POST",
        "guidelines": current_guidelines(project),
        "work": work,
    }
    return render(request, "rating/introduction.html", context)

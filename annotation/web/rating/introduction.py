"""The page before a rater's first work in a project: introduction, worked example, and a practice item."""

from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from ...access import project_for
from ...models import Assignment, Membership
from ...projects.guidelines import current_guidelines
from ...qualification.gates import WORK_OR_GOLD
from ..authentication import Request
from .worked_examples import practice_of, worked_items


@require_http_methods(["GET", "HEAD", "POST"])
def introduction(request: Request, slug: str) -> HttpResponse:
    """Show the page; a post compares the answers to the practice item. Nothing is stored."""
    project = project_for(request.user, slug)
    protocol = project.protocol.translated
    work = Assignment.objects.filter(project=project, rater=request.user).aggregate(
        is_unfinished=Count("pk", filter=Q(slot__isnull=False, finished_at=None)),
        has_rated=Count("pk", filter=Q(finished_at__isnull=False, purpose__in=WORK_OR_GOLD)),
    )
    context = {
        "project": project,
        "protocol": protocol,
        "worked_items": worked_items(protocol),
        "practice": practice_of(protocol, request.POST),
        "is_checked": request.method == "POST",
        "guidelines": current_guidelines(project),
        "is_member": Membership.objects.filter(project=project, user=request.user).exists(),
    }
    return render(request, "rating/introduction.html", context | work)

"""A project's responses one by one: their raters, reopening finished ones, freeing leases."""

from dataclasses import replace
from operator import itemgetter
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_POST, require_safe

from ...access import project_for
from ...accounts.names import DisplayNames
from ...models import Assignment
from ...projects.responses import STATES, ResponseFilter, response_rows, sheets_matching, system_names
from ...pseudonyms import in_shown_order, shown_rater
from ...queue.errors import AlreadyFinished, NotFinished, ProjectError
from ...queue.exclusion import REASON_LENGTH
from ...queue.leases import release
from ...queue.reopening import reopen
from ..accounts.fields import sentence
from ..authentication import Request
from .response_changes import back_to_responses, response_filter, with_usernames

SHOWN = 25


@require_safe
def responses(request: Request, slug: str) -> HttpResponse:
    """Show the responses page by page, filtered by words, state, rater and system."""
    project = project_for(request.user, slug, needs="lead")
    filters, display_name = response_filter(request.GET), DisplayNames()
    usernames = project.assignments.values_list("rater__username", flat=True).order_by("rater__username").distinct()
    page = Paginator(sheets_matching(project, with_usernames(filters)), SHOWN).get_page(request.GET.get("page"))
    context = {
        "project": project,
        "filters": filters,
        "is_filtered": filters != ResponseFilter(),
        "states": STATES.items(),
        "systems": system_names(project),
        "raters": in_shown_order(((shown_rater(name), display_name(name)) for name in usernames), itemgetter(0)),
        "page": page,
        "reason_length": REASON_LENGTH,
        "rows": [
            replace(row, reserved_for=in_shown_order(map(display_name, row.reserved_for), str))
            for row in response_rows(list(page))
        ],
    }
    return render(request, "projects/responses.html", context)


@require_POST
def reopen_response(request: Request, slug: str, public_id: UUID) -> HttpResponse:
    assignment = _assignment(request, slug, public_id)
    try:
        reason = request.POST.get("reason", "").replace("\x00", "").strip()[:REASON_LENGTH]
        is_back = reopen(assignment, reason=reason, actor=request.user)
    except (NotFinished, ProjectError) as error:
        messages.error(request, sentence(error))
    else:
        rater = assignment.rater
        where = f" for {rater}" if is_back else f": {rater} has left, so it is back in the queue"
        note = "Its answers are kept and do not count until it is finished."
        messages.success(request, f"The response is reopened{where}. {note}")
    return back_to_responses(request, slug)


@require_POST
def free_response(request: Request, slug: str, public_id: UUID) -> HttpResponse:
    """Free the lease that a rater has on a response."""
    assignment = _assignment(request, slug, public_id)
    try:
        is_free = release(assignment, actor=request.user)
    except AlreadyFinished as error:
        messages.error(request, str(error))
    else:
        rater = assignment.rater
        messages.success(
            request,
            f"The response is back in the queue. {rater}’s answers are kept, and count only if {rater} continues and "
            "finishes it."
            if is_free
            else f"The response is finished again, as before it was offered again. {rater}’s answers count.",
        )
    return back_to_responses(request, slug)


def _assignment(request: Request, slug: str, public_id: UUID) -> Assignment:
    project = project_for(request.user, slug, needs="lead")
    return get_object_or_404(
        Assignment.objects.select_related("rater", "project"), project=project, public_id=public_id
    )

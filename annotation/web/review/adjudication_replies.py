"""The decisions about a rater's answers, the rater's reply to each, and the replies for leads."""

from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from ...access import project_for
from ...models import Item, Notification, Project
from ...notifications import mark_read
from ...queue.errors import ProjectArchived
from ...rating.submit import NotAllowed
from ...reviewing.adjudication_replies import (
    MAX_COMMENT_LENGTH,
    RepliedAlready,
    add_reply,
    count_disputes,
    decided_ratings,
    rater_decisions,
    replies_of,
    swapped_replies,
)
from ...reviewing.disagreements import options_of
from ...reviewing.lead_ratings import NoSuchItem, ReviewedMeanwhile
from ..authentication import Request
from ..language import for_raters
from .anonymity import Anonymity

PAGE_SIZE = 25


@for_raters
@require_safe
def adjudications(request: Request, slug: str) -> HttpResponse:
    """Show the rater's own answers that were adjudicated. 404 where the project does not show decisions."""
    project = _project(request, slug)
    mark_read(request.user, Q(kind=Notification.Kind.ADJUDICATED, project=project))
    page = Paginator(decided_ratings(project, request.user), PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "project": project,
        "page": page,
        "rows": rater_decisions(project, request.user, list(page.object_list)),
        "unit": project.protocol.definition.unit,
        "max_length": MAX_COMMENT_LENGTH,
    }
    return render(request, "review/adjudications.html", context)


@for_raters
@require_POST
def reply_to(request: Request, slug: str, item_id: UUID) -> HttpResponse:
    """Agree or dispute (`reply`), with a `comment`; `seen` identifies the decision that was shown."""
    project = _project(request, slug)
    item = get_object_or_404(Item, public_id=item_id)
    if (choice := request.POST.get("reply", "")) not in ("agree", "dispute"):
        messages.error(request, _("Choose whether you agree or dispute it."))
        return redirect("adjudications", project.slug)
    comment, expected_version = request.POST.get("comment", "").replace("\r\n", "\n"), request.POST.get("seen", "")
    try:
        add_reply(
            project, request.user, item, agrees=choice == "agree", comment=comment, expected_version=expected_version
        )
    except NoSuchItem as error:
        raise Http404(str(error)) from None
    except NotAllowed as error:
        messages.error(request, error.errors["comment"][0])
    except ReviewedMeanwhile:
        messages.error(request, _("The adjudication has changed in the meantime. Review it before you reply."))
    except (ProjectArchived, RepliedAlready) as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("Thank you. The project leads see your reply."))
    return redirect("adjudications", project.slug)


@require_safe
def replies(request: Request, slug: str) -> HttpResponse:
    """Show leads the raters' replies to decisions, disputes first."""
    project = project_for(request.user, slug, needs="lead")
    mark_read(request.user, Q(kind=Notification.Kind.DISPUTED, project=project))
    protocol, anonymity = project.protocol.translated, Anonymity(request, project)
    page = Paginator(replies_of(project), PAGE_SIZE).get_page(request.GET.get("page"))
    rows = [
        (reply, anonymity.rater(reply.rater), options_of(protocol, reply.answers), options_of(protocol, reply.decided))
        for reply in page.object_list
    ]
    context = {
        "project": project,
        "anonymity": anonymity,
        "page": page,
        "rows": rows,
        "swapped_replies": swapped_replies(project, list(page.object_list)),
        "unit": protocol.unit,
        "disputes": count_disputes(project),
    }
    return render(request, "review/adjudication_replies.html", context)


def _project(request: Request, slug: str) -> Project:
    project = project_for(request.user, slug, needs="rater")
    if not project.shows_decisions:
        raise Http404("This project does not show adjudications.")
    return project

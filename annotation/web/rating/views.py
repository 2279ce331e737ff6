"""The rater's pages: taking work, the workspace, and the page without remaining work."""

from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ...access import assignment_for, project_for
from ...models import Assignment, Exclusion, Item, Project, Rating, Sheet, User
from ...projects.overview import next_project
from ...projects.own_responses import reopening_of
from ...qualification.gates import WORK_OR_GOLD, BlockedByGate
from ...qualification.next_work import take_next
from ...queue.sheets import fetch_texts
from ...rating.rater_view import answered_items, record_question_language, responses_as_seen
from ...rating.shown_verdicts import attach_verdicts
from ...reviewing.side_panel import panel_contents
from ...site.database_clock import database_now
from ..authentication import Request
from .claim_sources import sources_of
from .gates import gate_page
from .service_worker import FILES, MODULES, files_version
from .sheet_html import reference_of, responses_of, sections_of
from .worked_examples import worked_items

MAX_DETAILED_QUESTIONS = 3  # more questions take a line each, with the definitions nearby


@require_safe
def rate(request: Request, slug: str) -> HttpResponse:
    """Continue unfinished work, or take the next. Two requests at once get the same work."""
    with transaction.atomic():
        project = project_for(request.user, slug, needs="rater", lock=True)
        try:
            assignment = take_next(project, request.user)
        except BlockedByGate as blocked:
            return gate_page(request, blocked.status)
    if assignment is None:
        # Hidden gold included: a rater must not see which responses are excluded.
        finished = Assignment.objects.filter(
            project=project, rater=request.user, finished_at__isnull=False, purpose__in=WORK_OR_GOLD
        )
        own = Rating.objects.filter(project=project, rater=request.user, role=Rating.Role.RATER)
        imported, own_ratings = own.filter(assignment=None, counted=True), own.filter(assignment__in=finished)
        context = {
            "project": project,
            "next_project": next_project(request.user, project),
            "has_responses": project.sheets.exists(),
            "finished": finished.count(),
            "ratings": imported.count() + own_ratings.count(),
        }
        return render(request, "rating/nothing_left.html", context)
    return redirect("assignment", assignment.public_id)


@require_safe
def workspace(request: Request, public_id: UUID) -> HttpResponse:
    """Show the page in which a response is rated. Finished work can be viewed and corrected there."""
    assignment = assignment_for(request.user, public_id)
    if assignment.project.archived_at or not _is_held(assignment):
        exclusion = Exclusion.objects.filter(sheet=assignment.sheet_id).first()
        context = {"project": assignment.project, "exclusion": exclusion}
        return render(request, "rating/not_yours.html", context, status=410)
    record_question_language(assignment)
    fetch_texts(assignment, with_article=True)
    return render(request, "rating/workspace.html", _context(assignment))


@require_safe
def preview(request: Request, slug: str, sheet: int) -> HttpResponse:
    """Show leads the workspace as raters see it: no lease is taken, and answers are not saved."""
    project = project_for(request.user, slug, needs="lead")
    sheets = Sheet.objects.select_related("response__prompt", "against", "document").filter(project=project)
    assignment = Assignment(sheet=get_object_or_404(sheets, pk=sheet), project=project, rater_id=0)
    context = preview_of(assignment, request.user)
    return render(request, "rating/workspace.html", context | {"back_url": reverse("project_responses", args=[slug])})


def preview_of(assignment: Assignment, reader: User) -> dict[str, Any]:
    """Return the workspace's context for an assignment that is not stored; answers are not saved."""
    context = _context(assignment)
    context["work"] |= {"preview": True, "rater": f"preview-{reader.pk}"}
    return context | {"preview": True}


@require_safe
def confirm_release(request: Request, slug: str) -> HttpResponse:
    """Confirm that a response was returned, and redirect to the home page."""
    project_for(request.user, slug)
    messages.success(
        request,
        _("The response is back in the queue. Your answers are kept, and count if you continue it and finish it."),
    )
    return redirect("home")


@require_safe
def sheet(request: Request, public_id: UUID) -> HttpResponse:
    """Return the parts of the workspace that differ in another response, to replace them in the page.

    `?article=`, once or several times, names the articles that the page has; these are not sent again.
    """
    assignment = assignment_for(request.user, public_id)
    if assignment.project.archived_at or not _is_held(assignment):
        return HttpResponse(status=410)
    if assignment.purpose not in WORK_OR_GOLD:
        return redirect("assignment", public_id)  # pages of training have more parts
    record_question_language(assignment)
    fetch_texts(assignment, with_article=True)
    context = _context(assignment)
    context["same_article"] = context["work"]["article"] in request.GET.getlist("article")
    return render(request, "rating/_sheet.html", context)


def _is_held(assignment: Assignment) -> bool:
    return getattr(assignment, "slot", None) is not None


def _context(assignment: Assignment) -> dict[str, Any]:
    sheet, protocol = assignment.sheet, assignment.project.protocol.translated
    items = answered_items(assignment)
    attach_verdicts(assignment, items)
    document = None if protocol.shows_reference else sheet.document
    sources = None if sheet.document else sources_of(sheet.response, items)
    # The rater's responses of the same appearance: work and hidden gold, or those of the same training.
    purposes = WORK_OR_GOLD if assignment.purpose in WORK_OR_GOLD else (assignment.purpose,)
    own = Assignment.objects.filter(project=assignment.project_id, rater=assignment.rater_id)
    alike = own.filter(purpose__in=purposes)
    earlier = alike.filter(finished_at__lt=assignment.finished_at or database_now())
    previous = earlier.order_by("-finished_at").values_list("public_id", flat=True).first()
    work = {
        "id": str(assignment.public_id),
        "rater": assignment.rater_id,
        "project": assignment.project.slug,
        "finished": assignment.finished_at is not None,
        "document": str(document.public_id) if document else "none",
        # Responses share an article; evidence belongs to one response.
        "article": str(document.public_id) if document else f"evidence-{assignment.public_id}" if sources else "none",
        "suggestions": assignment.project.suggestions,
        "before": reverse("assignment", args=[previous]) if previous else None,
        "reopening": _reopening(assignment, items),
        "then": "" if assignment.purpose in WORK_OR_GOLD else reverse("start_gate", args=[assignment.project.slug]),
        "protocol": assignment.project.protocol.translated.as_json(),
        "items": [
            {
                "id": str(item.public_id),
                "position": item.position,
                "kind": item.kind,
                "claim_free": item.get_claim_free_display(),
                "answers": item.answers,
                "version": item.version or 0,
                "evidence": item.evidence or [],
                "suggestions": item.suggestions or "",
                "comment": item.comment or "",
                "seconds": item.seconds or 0,
                "verdict": asdict(item.verdict) if hasattr(item, "verdict") else None,
            }
            for item in items
            if item.rate
        ],
    }
    design, unit = assignment.project.sampling_design, assignment.project.protocol.definition.unit
    in_hand = Q(slot__isnull=False, taken_at__lt=assignment.taken_at or database_now())
    others = alike.exclude(pk=assignment.pk).filter(Q(finished_at__isnull=False) | in_hand)
    return {
        "assignment": assignment,
        "project": assignment.project,
        "protocol": protocol,
        "worked_items": worked_items(protocol),
        "is_long": len(protocol.questions) > MAX_DETAILED_QUESTIONS,
        "prompt": sheet.response.prompt,
        "document": document,
        "sections": sections_of(document),
        "sources": sources,
        "responses": responses_of(responses_as_seen(assignment), items, reference_of(protocol, sheet.response.prompt)),
        "item_count": sum(item.rate for item in items),
        # A sample of single items leaves items in a response that are read only.
        "asks_sample": design not in ("", Project.SamplingDesign.RESPONSES)
        and unit not in (Item.Unit.RESPONSE, Item.Unit.PAIR),
        "number": others.count() + 1,
        "modules": MODULES,
        "offline_files": {"files": FILES, "version": files_version()},
        "work": work,
        "side_panel": panel_contents(assignment, items),
    }


def _reopening(assignment: Assignment, items: list[Any]) -> str:
    """Return a notice of who reopened the unfinished assignment. No query unless all items have answers, as they then
    do.
    """
    is_complete = assignment.pk and not assignment.finished_at and all(item.answers for item in items if item.rate)
    change = reopening_of(assignment) if is_complete else None
    if not change:
        return ""
    notice = _(
        "%(lead)s reopened this response on %(at)s. Check your answers and finish it again; until then they do not "
        "count."
    ) % {
        "lead": change.lead or _("A lead"),
        "at": date_format(timezone.localtime(change.changed_at), _("j F Y, H:i")),
    }
    return " ".join([notice, _("Reason:"), change.reason]) if change.reason else notice

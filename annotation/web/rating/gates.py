"""Training and qualification of a rater: the pages before and after them, and feedback on each answer."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from ...access import assignment_for, project_for
from ...models import Attempt, Purpose, Rating
from ...models.rated_items import is_rated
from ...qualification.attempts import AttemptRefused, begin_attempt, compare_attempt
from ...qualification.gates import QualificationStatus, qualification_status
from ...qualification.gold_comparison import compare_with_gold, gold_answers
from ...queue.sheets import items_of
from ..authentication import Request


def gate_page(request: HttpRequest, status: QualificationStatus) -> HttpResponse:
    """Show the gate before the rater's work, or the reason why there is no work."""
    training = _last_ended(status.attempts_for(Purpose.TRAINING))
    attempt = _last_ended(status.attempts_for(Purpose.QUALIFICATION))
    context = {
        "project": status.project,
        "gate": status.gate,
        "status": status,
        "reason": status.pause_reason,
        "training": training,
        "attempt": attempt,
        "trained_since": bool(
            training and attempt and training.ended_at and attempt.ended_at and training.ended_at > attempt.ended_at
        ),
        "pass_mark": round(100 * status.project.pass_mark),
        "unit": status.project.protocol.definition.unit,
    }
    return render(request, "rating/gate.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def start(request: Request, slug: str) -> HttpResponse:
    """Show the result of the last training or qualification, or redirect to work. A post begins or resumes one."""
    if request.method == "POST":
        return _begin(request, slug)
    project = project_for(request.user, slug, needs="rater")
    status = qualification_status(project, request.user)
    ended = [attempt for attempt in status.attempts if attempt.ended_at] if status else []
    if status is None or status.open_attempt or status.gate or not ended:
        return redirect("rate", project.slug)
    attempt = max(ended, key=lambda each: each.ended_at or each.started_at)
    context = {"project": project, "attempt": attempt, "unit": project.protocol.definition.unit}
    return render(request, "rating/gate_result.html", context)


def _begin(request: Request, slug: str) -> HttpResponse:
    purpose = request.POST.get("purpose", "")
    try:
        with transaction.atomic():
            project = project_for(request.user, slug, needs="rater", lock=True)
            if purpose not in (Purpose.TRAINING, Purpose.QUALIFICATION):
                raise AttemptRefused("There is nothing of that name to begin.")
            begin_attempt(project, request.user, purpose)
    except AttemptRefused as error:
        messages.error(request, str(error))
        return redirect("project", slug)
    return redirect("rate", slug)


@require_safe
def training(request: Request, slug: str) -> HttpResponse:
    """Show the feedback on the rater's last training, and the form that begins another."""
    project = project_for(request.user, slug, needs="rater")
    status = qualification_status(project, request.user)
    if status is None or not (status.training or status.attempts_for(Purpose.TRAINING)):
        raise Http404("There is no training in this project.")
    attempts = status.attempts_for(Purpose.TRAINING)
    under_way = next((attempt for attempt in attempts if attempt.ended_at is None), None)
    attempt = _last_ended(attempts)
    context: dict[str, Any] = {
        "project": project,
        "status": status,
        "under_way": under_way,
        "attempt": attempt,
        "ended_attempts": [attempt for attempt in attempts if attempt.ended_at],
        "feedback_by_item": compare_attempt(project, attempt) if attempt and not under_way else [],
        "unit": project.protocol.definition.unit,
    }
    return render(request, "rating/training.html", context)


@require_safe
def feedback(request: Request, public_id: UUID, item_id: UUID) -> HttpResponse:
    """Show the gold answer and its reason next to an answer saved in training; in training only."""
    assignment = assignment_for(request.user, public_id)
    if assignment.purpose != Purpose.TRAINING:
        raise Http404("There is feedback in training only.")
    protocol = assignment.project.protocol.translated
    items = items_of(assignment.sheet, protocol.unit).filter(is_rated(assignment.project))
    item = get_object_or_404(items, public_id=item_id)
    rating = get_object_or_404(Rating, assignment=assignment, item=item, role=Rating.Role.RATER)
    gold = gold_answers(assignment.project, [item.pk]).get(item.pk)
    context = {
        "number": list(items.values_list("pk", flat=True)).index(item.pk) + 1,  # in the order of the text
        "unit": protocol.unit,
        "feedback": compare_with_gold(protocol, item, rating.answers, gold, public_id) if gold else None,
    }
    return render(request, "rating/_training_feedback.html", context)


def _last_ended(attempts: list[Attempt]) -> Attempt | None:
    return next((attempt for attempt in reversed(attempts) if attempt.ended_at), None)

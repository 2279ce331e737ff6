"""The leads' inbox: raters' questions and reports about items, with forms to answer and to correct boundaries."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from ...access import project_for
from ...i18n.unit_names import unit_words
from ...models import Assignment, Notification, Project, RaterQuestion, Rating, Sheet
from ...notifications import mark_read
from ...rating.rater_view import responses_as_seen
from ...rating.submit import NotAllowed
from ...reviewing.rater_questions import (
    MAX_TEXT_LENGTH,
    STATES,
    NoSuchRaterQuestion,
    answer_question,
    change_question_boundaries,
    count_questions,
    inbox,
    question_for,
)
from ...reviewing.sentence_boundaries import (
    BoundaryChange,
    BoundaryChangeRefused,
    change_refusal,
    neighbors,
    replacement_items,
)
from ..authentication import Request
from ..rating.sheet_html import responses_of

SHOWN = 25
WORDS = {
    "open": "Open",
    "answered": "Answered",
    "splits": "Boundary errors",
    "all": "All",
}


@require_safe
def inbox_list(request: Request, slug: str) -> HttpResponse:
    """Show the list; `?show=` is one of STATES."""
    project = project_for(request.user, slug, needs="lead")
    mark_read(request.user, Q(kind=Notification.Kind.ASKED, project=project))
    show = request.GET.get("show", "open")
    show = show if show in STATES else "open"
    context = {
        "project": project,
        "show": show,
        "tabs": WORDS.items(),
        "inbox_counts": count_questions([project]).get(project.pk),
        "page": Paginator(inbox(project, show), SHOWN).get_page(request.GET.get("page")),
    }
    return render(request, "projects/inbox.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def rater_question(request: Request, slug: str, public_id: UUID) -> HttpResponse:
    """Show a question: its sentence in the response, the answer, the form that changes boundaries. A post answers."""
    project = project_for(request.user, slug, needs="lead")
    question = _question(project, public_id)
    if request.method != "POST":
        return render(request, "projects/rater_question.html", _context(project, question))
    text, is_published = request.POST.get("answer", ""), bool(request.POST.get("published"))
    try:
        answer_question(project, public_id, text, is_published=is_published, actor=request.user)
    except NotAllowed as refused:
        context = _context(project, question) | {"errors": refused.errors, "answer_text": text}
        return render(request, "projects/rater_question.html", context, status=400)
    if is_published:
        messages.success(request, "Answered. Every rater sees it now.")
    else:
        messages.success(request, f"Answered. {question.asker} sees it beside the sentence.")
    return redirect("inbox", project.slug)


@require_POST
def change_boundaries(request: Request, slug: str, public_id: UUID) -> HttpResponse:
    """Change the boundaries: `how` is `split` (`parts`, a line each), `before` or `after` (merge with that one)."""
    project = project_for(request.user, slug, needs="lead")
    question = _question(project, public_id)
    try:
        how, parts = request.POST.get("how", ""), request.POST.get("parts", "").splitlines()
        done = change_question_boundaries(project, question, how, parts, actor=request.user)
    except BoundaryChangeRefused as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _result_message(done, project))
    return redirect("rater_question", project.slug, public_id)


def _result_message(done: BoundaryChange, project: Project) -> str:
    unit, new = project.protocol.definition.unit, len(done.new_items)
    changed = (
        f"The two {unit_words(unit, 2)} are merged" if len(done.retired) > 1 else f"The {unit_words(unit)} is {new} now"
    )
    counts = (
        f"{done.ratings} earlier rating no longer counts"
        if done.ratings == 1
        else f"{done.ratings} earlier ratings no longer count"
    )
    again = (
        f"{done.asked_again} rater who had finished the response gets it again"
        if done.asked_again == 1
        else f"{done.asked_again} raters who had finished the response get it again"
    )
    gold = " Each new one has the earlier gold answer: check it again." if done.gold else ""
    return f"{changed}. {counts}; {again}, for the new {'one' if new == 1 else 'ones'} only.{gold}"


def _question(project: Project, public_id: UUID) -> RaterQuestion:
    try:
        return question_for(project, public_id)
    except NoSuchRaterQuestion as error:
        raise Http404(str(error)) from None


def _context(project: Project, question: RaterQuestion) -> dict[str, Any]:
    item = question.item
    current_items = replacement_items(item) if item.retired_at else [item]
    refusal = change_refusal(item)
    before, after = (None, None) if item.retired_at or refusal else neighbors(item)
    about = {"sheet__response": item.response_id, "sheet__against": item.against_id}
    assignments = Assignment.objects.select_related("sheet__response", "sheet__against", "project__protocol")
    if assignment := assignments.filter(project=project, rater=question.asker_id, **about).first():
        responses = responses_as_seen(assignment)  # of a pair, in the order in which the asker sees them
    else:
        responses = [response for response in (item.response, item.against) if response]
    return {
        "project": project,
        "unit": project.protocol.definition.unit,
        "question": question,
        "answer_text": question.answer,
        "responses": responses_of(responses, current_items),
        "current_items": current_items,
        "refusal": refusal,
        "before": before,
        "after": after,
        "item_text": " ".join(item.text.split()),
        "counted_ratings": Rating.objects.filter(project=project, item=item, counted=True).count(),
        "sheet": Sheet.objects.filter(project=project, response=item.response_id, against=item.against_id).first(),
        "other_questions": inbox(project, "all").filter(item=item).exclude(pk=question.pk),
        "max_length": MAX_TEXT_LENGTH,
    }

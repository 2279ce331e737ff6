"""One item under review: its page, the lead's decision, and its gold answer."""

import json
from collections.abc import Callable, Mapping
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import Truncator
from django.views.decorators.http import require_http_methods, require_POST

from ...access import project_for
from ...models import Item, Project, Rating
from ...models.rated_items import rated_among
from ...queue.errors import ProjectArchived
from ...rating.evidence import Passage, paragraph_texts, parse_evidence
from ...rating.shown_verdicts import record_items_shown
from ...rating.submit import NotAllowed
from ...reviewing.adjudication import adjudicate, withdraw
from ...reviewing.adjudication_replies import replies_of
from ...reviewing.disagreements import neighbors, options_of, rows_of
from ...reviewing.gold import make_adjudication_gold, remove_gold, set_gold
from ...reviewing.lead_ratings import NoSuchItem, ReviewedMeanwhile, item_for_review, review_questions, version_token
from ..authentication import Request
from ..rating.claim_sources import sources_of
from ..rating.sheet_html import reference_of, responses_of, sections_of
from .anonymity import Anonymity, set_visibility
from .filters import read_query
from .item_context import item_ratings, majority
from .rating_comparison import compare_ratings

ANSWER = "answers."  # begins the names of the form's fields, as of the columns of a CSV
SHOWN_TEXT = 90
NAMES_SWITCHES = (("show_names", True), ("hide_names", False))


@require_http_methods(["GET", "HEAD", "POST"])
def review_item(request: Request, slug: str, public_id: UUID) -> HttpResponse:
    """Show an item with its ratings; a post stores a decision and redirects to the next item. With `show_names` or
    `hide_names`, `raters` or `systems`, a post decides nothing and keeps the form.
    """
    project = project_for(request.user, slug, needs="lead")
    item = _item(project, public_id)
    if request.method != "POST":
        return _item_page(request, project, item)
    if asked_for := [(name, visible) for name, visible in NAMES_SWITCHES if name in request.POST]:
        for name, visible in asked_for:
            set_visibility(request, request.POST[name], visible)
        answers, reason = _answers(request), _posted_text(request, "reason")
        return _item_page(request, project, item, answers, reason, evidence=_evidence(request))
    return _decide(request, project, item)


@require_POST
def review_withdraw(request: Request, slug: str, public_id: UUID) -> HttpResponse:
    """Withdraw the current adjudication."""
    project = project_for(request.user, slug, needs="lead")
    item = _item(project, public_id)

    def action() -> str:
        stands = withdraw(project, item, request.user, expected_version=request.POST.get("seen", ""))
        if stands:
            return f"The adjudication is withdrawn. The earlier one by {stands.rater} applies again."
        return "The adjudication is withdrawn."

    return _run(request, project, item, action)


@require_POST
def review_gold(request: Request, slug: str, public_id: UUID) -> HttpResponse:
    """Make the form's answers gold and redirect to the next item, or with `from=adjudication` those of the current
    adjudication and redirect to the item."""
    project = project_for(request.user, slug, needs="lead")
    item = _item(project, public_id)
    is_from_form = request.POST.get("from") != "adjudication"

    def action() -> str:
        if not is_from_form:
            rating = make_adjudication_gold(project, item, request.user, expected_version=request.POST.get("seen", ""))
        else:
            expected_version = request.POST.get("seen_gold", "")
            rating = set_gold(
                project,
                item,
                _answers(request),
                request.user,
                _posted_text(request, "reason"),
                expected_version=expected_version,
            )
        return f"Gold answer: {_answer_labels(project, rating)}. “{Truncator(item.text).chars(SHOWN_TEXT)}”"

    return _run(request, project, item, action, next_address=_next_address if is_from_form else _address)


@require_POST
def review_gold_remove(request: Request, slug: str, public_id: UUID) -> HttpResponse:
    """Remove the gold answer."""
    project = project_for(request.user, slug, needs="lead")
    item = _item(project, public_id)

    def action() -> str:
        remove_gold(project, item, request.user, expected_version=request.POST.get("seen_gold", ""))
        return "The gold answer is removed."

    return _run(request, project, item, action)


def _item(project: Project, public_id: UUID) -> Item:
    try:
        return item_for_review(project, public_id)
    except NoSuchItem as error:
        raise Http404(str(error)) from None


def _decide(request: Request, project: Project, item: Item) -> HttpResponse:
    answers, reason, evidence = _answers(request), _posted_text(request, "reason"), _evidence(request) or []
    if "majority" in request.POST:
        row = rows_of(project, [item.pk])[0]
        if vote := majority(row.votes, row.raters):
            answers = dict(vote.choices)
            message = f"Agrees with the majority: {vote.n} of {row.raters} raters."
            reason = reason.strip() or message
    try:
        version = request.POST.get("seen", "")
        rating = adjudicate(project, item, answers, reason, request.user, expected_version=version, evidence=evidence)
    except NotAllowed as refused:
        return _item_page(request, project, item, answers, reason, refused.errors, evidence=evidence, status=400)
    except ReviewedMeanwhile:
        return _item_page(request, project, item, answers, reason, evidence=evidence, has_conflict=True, status=409)
    except ProjectArchived as error:
        messages.error(request, str(error))
        return redirect(_address(request, project, item))
    messages.success(
        request, (f"Adjudicated: {_answer_labels(project, rating)}. “{Truncator(item.text).chars(SHOWN_TEXT)}”")
    )
    return redirect(_next_address(request, project, item))


def _next_address(request: Request, project: Project, item: Item) -> str:
    """Return the address of the next item of the list, or of the list after its last."""
    query = read_query(request, project, Anonymity(request, project))
    after = neighbors(project, query.selection, item).after
    if after:
        return reverse("review_item", args=[project.slug, after.public_id]) + query.querystring
    return reverse("review", args=[project.slug]) + query.querystring


def _run(
    request: Request,
    project: Project,
    item: Item,
    action: Callable[[], str],
    next_address: Callable[[Request, Project, Item], str] | None = None,
) -> HttpResponse:
    """Run the action. Redirect to `next_address` (default: the item) with its message, or show the item with errors."""
    try:
        messages.success(request, action())
        return redirect((next_address or _address)(request, project, item))
    except NotAllowed as refused:
        words = refused.errors.pop("note", None)
        errors = refused.errors | ({"reason": words} if words else {})
        answers, reason = _answers(request), _posted_text(request, "reason")
        return _item_page(request, project, item, answers, reason, errors, evidence=_evidence(request), status=400)
    except ReviewedMeanwhile:
        return _item_page(
            request,
            project,
            item,
            _answers(request) or None,
            evidence=_evidence(request),
            has_conflict=True,
            status=409,
        )
    except ProjectArchived as error:
        messages.error(request, str(error))
    return redirect(_address(request, project, item))


def _address(request: Request, project: Project, item: Item) -> str:
    querystring = read_query(request, project, Anonymity(request, project)).querystring
    return reverse("review_item", args=[project.slug, item.public_id]) + querystring


def _answers(request: Request) -> dict[str, str]:
    return {name.removeprefix(ANSWER): _posted_text(request, name) for name in request.POST if name.startswith(ANSWER)}


def _evidence(request: Request) -> list[Passage] | None:
    """Return the passages of the form, None where the request does not send the field or sends other JSON."""
    try:
        return parse_evidence(request.POST["evidence"])
    except (KeyError, ValueError):
        return None


def _posted_text(request: Request, name: str) -> str:
    """Return a field of the form with LF line ends; browsers send CR LF."""
    return request.POST.get(name, "").replace("\r\n", "\n")


def _item_page(
    request: Request,
    project: Project,
    item: Item,
    answers: Mapping[str, str] | None = None,
    reason: str | None = None,
    errors: dict[str, list[str]] | None = None,
    *,
    evidence: list[Passage] | None = None,
    has_conflict: bool = False,
    status: int = 200,
) -> HttpResponse:
    """Render the page, with the posted form if there is one."""
    anonymity = Anonymity(request, project)
    query = read_query(request, project, anonymity)
    row = rows_of(project, [item.pk])[0]
    decided, prompt = row.adjudication, item.response.prompt
    own = decided if decided and decided.rater_id == request.user.pk else None
    if answers is None:
        answers = dict(own.answers) if own else {}
    if reason is None:
        reason = own.comment if own else ""
    if evidence is None:
        evidence = own.evidence if own else []
    protocol, paragraphs = review_questions(project, item), paragraph_texts(prompt.document)
    ratings = item_ratings(project, item, anonymity, paragraphs)
    shows_judges = anonymity.shows_judges or own is not None
    if ratings.judges and shows_judges:
        record_items_shown(request.user, [item])
    errors = errors or {}
    keys = {question.key for question in protocol.questions} | {"reason"}
    context = {
        "project": project,
        "protocol": protocol,
        "item": item,
        "row": row,
        "is_asked": bool(rated_among(project, [item])),
        "prompt": prompt,
        "document": prompt.document,
        "sections": sections_of(prompt.document),
        "responses": responses_of([item.response, item.against], [item], reference_of(protocol, prompt)),
        "sources": sources_of(item.response, [item]),
        "anonymity": anonymity,
        "query": query,
        "neighbors": neighbors(project, query.selection, item),
        "item_ratings": ratings,
        "shows_judges": shows_judges,
        "comparison": compare_ratings(ratings.raters, project.protocol.translated, paragraphs, anonymity),
        "evidence_json": json.dumps(evidence),
        "replies": [(reply, anonymity.rater(reply.rater)) for reply in replies_of(project).filter(item=item)],
        "majority": majority(row.votes, row.raters),
        "questions": [(q, str(answers.get(q.key, "")), errors.get(q.key, [])) for q in protocol.questions],
        "reason": reason,
        "reason_errors": errors.get("reason", []),
        "errors": [line for key, lines in errors.items() if key not in keys for line in lines],
        "has_conflict": has_conflict,
        "is_own_decision": own is not None,
        "can_decide": not project.archived_at,
        "decision_token": version_token(decided),
        "gold_token": version_token(row.gold),
        "protocol_json": protocol.as_json(),
    }
    return render(request, "review/item.html", context, status=status)


def _answer_labels(project: Project, verdict: Rating) -> str:
    options = options_of(project.protocol.translated, verdict.answers)
    return ", ".join(option.label for option in options) or "saved"

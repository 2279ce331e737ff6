"""The verdicts of a judge in a project, for leads: each with its requests and answers, which admins can delete."""

from collections import Counter
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from ...access import project_for, require_admin
from ...audit import record_download
from ...judging.calls import calls_about_item, calls_of, delete_calls, export_calls
from ...judging.tuning import export_tuning, tuned_items
from ...judging.verdicts import (
    ALL,
    DIFFERS,
    FAILED,
    NOT_FOUND,
    RATED,
    verdict_options,
    verdicts_of,
)
from ...model_calls.errors import ModelError
from ...models import Judge, JudgeRun, Project, Verdict
from ...protocols import Protocol
from ...rating.shown_verdicts import record_all_shown, record_items_shown
from ...reviewing.disagreements import options_of
from ..accounts.fields import sentence
from ..authentication import Request
from . import fact_scores
from .calls import CALLS_SHOWN, call_context

VERDICTS_SHOWN = 20
FILTERS = {
    ALL: "All",
    RATED: "Rated",
    FAILED: "Failed",
    NOT_FOUND: "Quote not found",
    DIFFERS: "Differs from people",
}
"""`?state=` -> label."""


@require_safe
def verdicts(request: Request, slug: str, name: str, version: int) -> HttpResponse:
    """List the verdicts (with Fact-QA the scores of responses), of all runs or of `?run=`, filtered by `?state=` and
    `?option=`.
    """
    project = project_for(request.user, slug, needs="lead")
    judge, run = _judge(name, version), request.GET.get("run", "")
    number = int(run) if run.isdecimal() and len(run) < 18 else 0
    selected = get_object_or_404(JudgeRun, project=project, judge=judge, pk=number) if run else None
    if judge.fact_qa:
        return fact_scores.scores(request, project, judge, selected)
    state, option, protocol = request.GET.get("state", ""), request.GET.get("option", ""), project.protocol.translated
    options = verdict_options(protocol)
    labels = {each.key: each.label for question in protocol.checked_questions for each in question.options}
    listed = verdicts_of(
        judge,
        project,
        state=state if state in FILTERS else ALL,
        option=option if option in options else "",
        run=selected,
    )
    page = Paginator(listed.select_related("item__response__prompt", "rating", "run"), VERDICTS_SHOWN).get_page(
        request.GET.get("page")
    )
    record_items_shown(request.user, [verdict.item for verdict in page if verdict.rating])
    context = {
        "project": project,
        "judge": judge,
        "run": selected,
        "filters": FILTERS,
        "state": state,
        "options": {key: labels[key] for key in options},
        "option": option,
        "page": page,
        "rows": [_row(verdict, protocol) for verdict in page],
        "has_requests": calls_of(judge, project).exists(),
        "is_comparable": Verdict.objects.filter(judge=judge, project=project, state=Verdict.State.RATED).exists(),
        "tuned": tuned_items(judge, project).count(),
    }
    return render(request, "judging/verdicts.html", context)


def _judge(name: str, version: int) -> Judge:
    return get_object_or_404(Judge, name=name, version=version)


def _row(verdict: Verdict, protocol: Protocol) -> dict[str, object]:
    """Return the verdict with its options. `votes`: the options of each answer and how many samples gave it, the most
    frequent first; no options: invalid.
    """
    votes = Counter(options_of(protocol, vote) if vote else () for vote in verdict.votes)
    return {
        "verdict": verdict,
        "options": options_of(protocol, verdict.rating.answers) if verdict.rating else (),
        "votes": votes.most_common(),
    }


@require_safe
def requests(request: Request, slug: str, name: str, version: int, public_id: UUID) -> HttpResponse:
    """Show the verdict about an item, and the requests and answers that it is made of."""
    project = project_for(request.user, slug, needs="lead")
    judge = _judge(name, version)
    listed = verdicts_of(judge, project).select_related("item__response__prompt", "rating", "run")
    verdict = get_object_or_404(listed, item__public_id=public_id)
    record_items_shown(request.user, [verdict.item])
    page = Paginator(calls_about_item(verdict.item, judge, project), CALLS_SHOWN).get_page(request.GET.get("page"))
    context = {
        "project": project,
        "judge": judge,
        "row": _row(verdict, project.protocol.translated),
        "page": page,
        "calls": [call_context(call) for call in page],
    }
    return render(request, "judging/requests.html", context)


@require_safe
def download(request: Request, slug: str, name: str, version: int) -> StreamingHttpResponse:
    """Stream all requests with their answers as JSON lines, like the command export_judge_calls."""
    project = project_for(request.user, slug, needs="lead")
    judge = _judge(name, version)
    filename = f"requests-{judge.label}.jsonl"
    record_all_shown(request.user, project)
    record_download(request.user, f"judge:{judge.label}", project=project, name=filename, with_names=False)
    response = StreamingHttpResponse(export_calls(judge, project), content_type="application/jsonl")
    response["Content-Disposition"] = f'attachment; filename="{filename}"'
    return response


@require_safe
def tuning_file(request: Request, slug: str, name: str, version: int) -> StreamingHttpResponse:
    """Stream the items of the project's data set that tuned a version, as `create_judge --tuned-on` reads them."""
    project = project_for(request.user, slug, needs="lead")
    judge = _judge(name, version)
    filename = f"tuned-{judge.label}.jsonl"
    record_download(request.user, f"judge:{judge.label}", project=project, name=filename, with_names=False)
    response = StreamingHttpResponse(export_tuning(judge, project), content_type="application/jsonl")
    response["Content-Disposition"] = f'attachment; filename="{filename}"'
    return response


@require_POST
def delete(request: Request, slug: str, name: str, version: int) -> HttpResponse:
    """Delete the stored requests with their answers, for admins. Verdicts, ratings and costs stay."""
    require_admin(request.user)
    project: Project = project_for(request.user, slug, needs="lead")
    try:
        deleted = delete_calls(_judge(name, version), project, actor=request.user)
    except ModelError as error:
        messages.error(request, sentence(error))
    else:
        messages.success(request, f"Requests deleted: {deleted}. Verdicts, ratings and costs stay.")
    return redirect("judge_verdicts", slug, name, version)

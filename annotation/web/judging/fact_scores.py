"""The Fact-QA scores of a judge in a project, for leads: each response with its facts and its requests."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from ...access import project_for
from ...audit import record_download
from ...exporting.fact_scores import FORMATS, export_fact_scores
from ...judging.calls import calls_about_response, calls_of
from ...judging.fact_requests import PRECISION
from ...judging.fact_scores import ALL, FAILED, LOW, SCORED, fact_scores_of
from ...judging.tuning import tuned_items
from ...models import FactScore, Judge, JudgeRun, Project
from ...rating.shown_verdicts import record_all_shown, record_shown
from ..authentication import Request
from .calls import CALLS_SHOWN, call_context

SCORES_SHOWN = 50
FILTERS = {
    ALL: "All",
    SCORED: "Scored",
    FAILED: "Failed",
    LOW: "F1 below 0.5",
}
"""`?state=` -> label."""


@dataclass(frozen=True)
class FactList:
    """The facts of an answer that a judge listed, each with whether it is supported, and their numbers.

    `is_reference`: of the reference answer. Numbers are None where no answer could be read.
    """

    is_reference: bool
    supported: float | None
    total: float | None
    facts: Sequence[tuple[str, bool]]


def scores(request: Request, project: Project, judge: Judge, run: JudgeRun | None) -> HttpResponse:
    """List the responses with their facts, of all runs or of one, filtered by `?state=`."""
    state = request.GET.get("state", "")
    listed = fact_scores_of(judge, project, state=state if state in FILTERS else ALL, run=run)
    page = Paginator(listed.select_related("response__prompt", "response__system"), SCORES_SHOWN).get_page(
        request.GET.get("page")
    )
    record_shown(request.user, [(score.response_id, None) for score in page])
    context = {
        "project": project,
        "judge": judge,
        "run": run,
        "filters": FILTERS,
        "state": state,
        "page": page,
        "rows": [(score, fact_lists(score)) for score in page],
        "has_requests": calls_of(judge, project).exists(),
        "tuned": tuned_items(judge, project).count(),
    }
    return render(request, "judging/fact_scores.html", context)


def fact_lists(score: FactScore) -> list[FactList]:
    """Return what the judge found in the response, and in the reference answer if it was asked about that."""
    return [
        FactList(part == "recall", counts.get("supported"), counts.get("facts"), counts.get("list", ()))
        for part in ("precision", "recall")
        if part in score.counts
        for counts in [score.counts[part] or {}]
    ]


@require_safe
def requests(request: Request, slug: str, name: str, version: int, public_id: UUID) -> HttpResponse:
    """Show the score of a response, and the requests and answers that it is made of."""
    project, judge = _project_and_judge(request, slug, name, version)
    listed = fact_scores_of(judge, project).select_related("response__prompt", "response__system")
    score = get_object_or_404(listed, response__public_id=public_id)
    record_shown(request.user, [(score.response_id, None)])
    stored = calls_about_response(score.response, judge, project)
    page = Paginator(stored, CALLS_SHOWN).get_page(request.GET.get("page"))
    context = {
        "project": project,
        "judge": judge,
        "score": score,
        "lists": fact_lists(score),
        "page": page,
        "calls": [
            {
                **call_context(call),
                "about": "Facts of the response" if call.sample == PRECISION else "Facts of the reference answer",
            }
            for call in page
        ],
    }
    return render(request, "judging/fact_requests.html", context)


@require_safe
def download(request: Request, slug: str, name: str, version: int, format: str) -> StreamingHttpResponse:
    """Stream the scores as CSV or JSON lines."""
    project, judge = _project_and_judge(request, slug, name, version)
    if format not in FORMATS:
        raise Http404("There is no such format: choose csv or jsonl.")
    filename = f"fact-qa-{judge.label}.{format}"
    record_all_shown(request.user, project)
    record_download(request.user, f"judge:{judge.label}", project=project, name=filename, with_names=False)
    response = StreamingHttpResponse(export_fact_scores(project, judge, format), content_type=FORMATS[format][0])
    response["Content-Disposition"] = f'attachment; filename="{filename}"'
    return response


def _project_and_judge(request: Request, slug: str, name: str, version: int) -> tuple[Project, Judge]:
    """Return the project of a lead, and the judge if it has Fact-QA."""
    project = project_for(request.user, slug, needs="lead")
    return project, get_object_or_404(Judge.objects.exclude(fact_qa=""), name=name, version=version)

"""Pages of a judge in a project: its comparison with people on the items that both rated, and its Fact-QA figures."""

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from ...access import project_for
from ...audit import record_download
from ...exporting.fact_scores import FORMATS
from ...exporting.judge_card import EXCLUDED, judge_card, weights_sentence
from ...models import Judge, Project
from ...rating.shown_verdicts import record_keys_shown
from ...reporting.cache import cached
from ...reporting.choices import AUTO
from ...reporting.data.judge_answers import judges_of
from ...reporting.live import cached_comparison
from ...reporting.sections.fact_qa.figures import FactQAReport, fact_qa_report
from ...reporting.sections.fact_qa.tables import fact_qa_sentence, not_scored, tables_of
from ...reporting.sections.judge.tables import shown_parts
from ...reporting.sections.judge.text import LEFT_OUT, judge_use
from ...reporting.text.names import Names
from ..authentication import Request
from .agreement import linked_items
from .sections import reliability

CARD_FORMATS = {"md": "text/markdown; charset=utf-8", "json": "application/json"}
"""Format of a file about a judge -> content type."""


@require_safe
def judge_comparison(request: Request, slug: str, name: str, version: int) -> HttpResponse:
    project, judge = _project_and_judge(request, slug, name, version)
    comparison = cached_comparison(project, judge)
    record_keys_shown(request.user, project, [(row.response, row.against) for row in comparison.differing_items])
    names = Names(project.protocol.definition)
    context = {
        "project": project,
        "judge": judge,
        "formats": list(CARD_FORMATS),
        "comparison": comparison,
        "names": names,
        "use": judge_use(comparison, names),
        "sections": shown_parts(comparison, names),
        "reliability": reliability(comparison.calibration),
        "left_out": [(n, LEFT_OUT[reason]) for reason, n in comparison.left_out.items()],
        "excluded": [(comparison.excluded[reason], text) for reason, text in EXCLUDED.items()],
        "notes": [*comparison.notes, *weights_sentence(comparison, names)],
        "differing": linked_items(project, comparison.differing_items),
    }
    return render(request, "reports/judge_comparison.html", context)


@require_safe
def card(request: Request, slug: str, name: str, version: int, format: str) -> HttpResponse:
    """Send the judge card as Markdown, or all figures as JSON, as the command compare_judge writes them."""
    project, judge = _project_and_judge(request, slug, name, version)
    if format not in CARD_FORMATS:
        raise Http404("There is no such format: choose md or json.")
    comparison = cached_comparison(project, judge)
    record_keys_shown(request.user, project, [(row.response, row.against) for row in comparison.differing_items])
    is_card = format == "md"
    text = judge_card(comparison, project.protocol.definition) if is_card else comparison.to_json()
    filename = f"judge-{judge.label}.{format}"
    record_download(request.user, f"judge:{judge.label}", project=project, name=filename, with_names=False)
    response = HttpResponse(text, content_type=CARD_FORMATS[format])
    response["Content-Disposition"] = f'attachment; filename="{filename}"'
    return response


def _project_and_judge(request: Request, slug: str, name: str, version: int) -> tuple[Project, Judge]:
    project = project_for(request.user, slug, needs="lead")
    judge = judges_of(project).filter(name=name, version=version).first()
    if judge is None:
        raise Http404("No judge of this name has rated in this project.")
    return project, judge


@require_safe
def judge_fact_qa(request: Request, slug: str, name: str, version: int) -> HttpResponse:
    """Show precision, recall and F1 by system, source class and question type, and their correlation with people's."""
    project = project_for(request.user, slug, needs="lead")
    judge = get_object_or_404(Judge.objects.exclude(fact_qa=""), name=name, version=version)
    part = cached(project, f"fact qa {judge.pk} {AUTO}", FactQAReport, lambda: fact_qa_report(project, judge))
    names = Names(project.protocol.definition)
    context = {
        "project": project,
        "judge": judge,
        "part": part,
        "sentence": fact_qa_sentence(part),
        "not_scored": not_scored(part),
        "parts": [table for table in tables_of([part], names) if table.is_for_people],
        "formats": list(FORMATS),
    }
    return render(request, "reports/judge_fact_qa.html", context)

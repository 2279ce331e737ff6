"""The page of a judge's Fact-QA figures in a project."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from ...access import project_for
from ...exporting.fact_scores import FORMATS
from ...models import Judge
from ...reporting.cache import cached
from ...reporting.choices import AUTO
from ...reporting.judge_reports import fact_qa_report
from ...reporting.sections.fact_qa.figures import FactQAReport
from ...reporting.sections.fact_qa.tables import tables_of
from ...reporting.sections.fact_qa.text import fact_qa_sentence, not_scored
from ...reporting.text.names import Names
from ..authentication import Request


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

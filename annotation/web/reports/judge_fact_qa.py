"""The page of a judge's Fact-QA figures in a project."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from ...access import project_for
from ...exporting.fact_scores import FORMATS
from ...models import Judge
from ...reporting.cache import cached
from ...reporting.choices import AUTO
from ...reporting.fact_qa_report import fact_qa_report
from ...reporting.report import FactQAReport
from ..authentication import Request
from .fact_qa import judge_section


@require_safe
def judge_fact_qa(request: Request, slug: str, name: str, version: int) -> HttpResponse:
    """Show precision, recall and F1 by system, source class and question type, and their correlation with people's."""
    project = project_for(request.user, slug, needs="lead")
    judge = get_object_or_404(Judge.objects.exclude(fact_qa=""), name=name, version=version)
    part = cached(project, f"fact qa {judge.pk} {AUTO}", FactQAReport, lambda: fact_qa_report(project, judge))
    context = {"project": project, "judge": judge, "section": judge_section(part), "formats": list(FORMATS)}
    return render(request, "reports/judge_fact_qa.html", context)

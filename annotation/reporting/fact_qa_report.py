"""Fact-QA scores of a project by question type and source class, beside people's scores of precision and recall."""

from dataclasses import replace

from ..models import Judge, Project
from ..site.database_snapshot import one_snapshot
from .build import build_from_tally
from .choices import DEFAULT, Choices
from .compute.fact_qa import fact_qa_figures
from .data.fact_scores import read_fact_scores
from .report_parts.fact_qa import FactQAReport


def fact_qa_report(project: Project, judge: Judge, choices: Choices = DEFAULT) -> FactQAReport:
    """Return the scores of a judge with Fact-QA in the project. Of `choices`: systems, metadata, sampling unit,
    resamples, seed.
    """
    with one_snapshot():
        scores = read_fact_scores(project, judge, choices)
        rated = build_from_tally(project, replace(choices, resamples=0))
    return fact_qa_figures(scores, rated, choices)

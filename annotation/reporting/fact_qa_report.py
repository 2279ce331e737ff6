"""Fact-QA scores of a project by question type and source class, beside people's scores of precision and recall."""

from dataclasses import replace

from ..models import Judge, Project
from ..site.database_snapshot import one_snapshot
from .build import build_from_tally
from .choices import DEFAULT, Choices
from .data.groups import cells_of
from .data.judge_answers import ratings_verdict_shown
from .data.report_input import read_report_input
from .data.response_scores import read_fact_scores
from .sections.fact_qa.figures import FactQAReport, fact_qa_figures, without_verdict_shown


def fact_qa_report(project: Project, judge: Judge, choices: Choices = DEFAULT) -> FactQAReport:
    """Return the scores of a judge with Fact-QA in the project. Of `choices`: systems, metadata, sampling unit,
    resamples, seed.
    """
    with one_snapshot():
        scores = read_fact_scores(project, judge, choices)
        rated = build_from_tally(project, replace(choices, resamples=0))
        if verdict_shown := ratings_verdict_shown(project):
            table = read_report_input(project, choices).table
            rated = without_verdict_shown(rated, table, cells_of(project.protocol.definition, table), verdict_shown)
    return fact_qa_figures(scores, rated, choices)

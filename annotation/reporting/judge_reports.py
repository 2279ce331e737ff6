"""What pages and the API have of one judge in a project: its comparison with people, and its Fact-QA scores."""

from dataclasses import replace

from ..models import Judge, Project
from ..site.database_snapshot import one_snapshot
from .build import build_from_tally
from .cache import cached
from .choices import DEFAULT, Choices
from .data.comparable import ratings_verdict_shown
from .data.fact_scores import read_fact_scores
from .data.groups import cells_of
from .data.report_input import read_report_input
from .sections.fact_qa.figures import FactQAReport, fact_qa_figures, without_verdict_shown
from .sections.judge.comparison import compare_judge
from .sections.judge.figures import JudgeComparison


def cached_comparison(project: Project, judge: Judge, choices: Choices = DEFAULT) -> JudgeComparison:
    """Return `compare_judge`, computed once for the same data and choices. Raises TooManyComputationsError."""
    name = f"judge comparison {judge.pk} {choices.as_query()}"
    return cached(project, name, JudgeComparison, lambda: compare_judge(project, judge, choices))


def fact_qa_report(project: Project, judge: Judge, choices: Choices = DEFAULT) -> FactQAReport:
    """Return the scores of a judge with Fact-QA by question type and source class, beside people's. Of `choices`:
    systems, metadata, sampling unit, resamples, seed.
    """
    with one_snapshot():
        scores = read_fact_scores(project, judge, choices)
        rated = build_from_tally(project, replace(choices, resamples=0))
        if verdict_shown := ratings_verdict_shown(project):
            table = read_report_input(project, choices).table
            rated = without_verdict_shown(rated, table, cells_of(project.protocol.definition, table), verdict_shown)
    return fact_qa_figures(scores, rated, choices)

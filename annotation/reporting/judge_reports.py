"""What pages and the API have of one judge in a project: its comparison with people, and its Fact-QA scores."""

from ..models import Judge, Project
from ..site.database_transactions import one_snapshot
from .cache import cached
from .choices import DEFAULT, Choices
from .data.judge_answers import ratings_verdict_shown
from .data.response_scores import read_fact_scores
from .data.study import read_counts, read_study
from .sections.fact_qa.figures import FactQAReport, fact_qa_figures
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
        read = read_study if ratings_verdict_shown(project) else read_counts
        study = read(project, choices.from_the_tally())
        _ = study.verdict_shown  # read in the snapshot
    return fact_qa_figures(scores, study)

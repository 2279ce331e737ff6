"""Fact-QA scores of a project by question type and source class, beside people's scores of precision and recall."""

from ..models import Judge, Project
from ..site.database_snapshot import one_snapshot
from .choices import DEFAULT, Choices
from .data.comparable import ratings_verdict_shown
from .data.fact_scores import read_fact_scores
from .data.study import read_counts, read_study
from .sections.fact_qa.figures import FactQAReport, fact_qa_figures


def fact_qa_report(project: Project, judge: Judge, choices: Choices = DEFAULT) -> FactQAReport:
    """Return the scores of a judge with Fact-QA in the project. Of `choices`: systems, metadata, sampling unit,
    resamples, seed.
    """
    with one_snapshot():
        scores = read_fact_scores(project, judge, choices)
        read = read_study if ratings_verdict_shown(project) else read_counts
        study = read(project, choices.from_the_tally())
        _ = study.verdict_shown  # read in the snapshot
    return fact_qa_figures(scores, study)

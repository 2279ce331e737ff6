"""Automatic metrics of a project: their means, the preferences that they predict, their correlation with people."""

from dataclasses import replace

from ..models import Project
from ..site.database_snapshot import one_snapshot
from ..stats.bootstrap import FixedResamples, Resamples, stored
from .choices import DEFAULT, Choices
from .compute.cells import LEVEL, cells_of
from .compute.metrics import (
    human_figures,
    metric_correlations,
    metric_means,
    metric_predictions,
    preference_question,
    question_similarities,
)
from .data.metric_scores import read_metric_scores, read_questions
from .data.report_input import read_counts
from .data.responses import Responses
from .report_parts.method import ReportMethod
from .report_parts.metrics import MetricReport

SCHEMA = "factuary-metrics/1"


def metric_report(project: Project, choices: Choices = DEFAULT) -> MetricReport:
    """Return the figures of all stored metrics, and the similarity of the questions about one document.

    Of `choices`: metadata, sampling unit, resamples, seed.

    Means are over all responses of the data set that are not excluded, the other figures over the rated ones.
    """
    choices = Choices(choices.seed, choices.resamples, choices.cluster, metadata=choices.metadata)
    with one_snapshot():
        scores = read_metric_scores(project, choices)
        responses = Responses.number(scores.responses, choices.cluster)
        ratings, _ = read_counts(project, replace(choices, cluster=responses.cluster))
        questions = read_questions(project, choices)
    protocol = project.protocol.definition
    of_ratings = _resamples(ratings.responses, choices)
    question = preference_question(protocol)
    predictions, ties = metric_predictions(scores, ratings, question, of_ratings) if question else ([], 0)
    figures = {} if protocol.unit == "pair" else human_figures(ratings, cells_of(protocol, ratings))
    return MetricReport(
        schema=SCHEMA,
        method=ReportMethod(LEVEL, responses.cluster, choices.resamples, choices.seed),
        metrics=scores.metrics,
        responses=len(scores.responses),
        ties=ties,
        means=metric_means(scores, responses, _resamples(responses, choices)),
        predictions=predictions,
        correlations=metric_correlations(scores, ratings, figures, of_ratings),
        similarity=question_similarities(questions, choices.resamples, choices.seed),
    )


def _resamples(responses: Responses, choices: Choices) -> Resamples | FixedResamples | None:
    has_any = responses.clusters and choices.resamples
    return stored(Resamples(responses.clusters, choices.resamples, choices.seed)) if has_any else None

"""Fact-QA scores of a project's responses, by groups of prompts, and their correlation with people's scores."""

from collections.abc import Callable, Collection, Sequence
from typing import Annotated

import numpy as np
from msgspec import Meta

from ....models import FactScore, Judge, Project
from ....site.database_transactions import one_snapshot
from ....stats.bootstrap import Resamples
from ....stats.correlation import f1_of, fisher_bounds, pearson
from ....stats.means import clustered_mean
from ...choices import DEFAULT, Choices
from ...data.groups import LEVEL
from ...data.judge_answers import ratings_verdict_shown
from ...data.response_scores import QUESTION_TYPES, SOURCE_CLASSES, TUNED, FactScores, ResponseScore, read_fact_scores
from ...data.responses import Responses
from ...data.study import Study, read_counts, read_study
from ...parts import Count, Fields, JsonDocument, MeanEstimate, Part, ReportMethod
from ..means.figures import response_rows

SCHEMA = "factuary-fact-qa/1"
FIGURES = ("precision", "recall", "f1")
HUMAN_PRECISION, HUMAN_RECALL = "human_precision", "human_recall"
"""Means of a protocol that are people's scores."""


class FactMeans(Part, frozen=True):
    """The means over the responses of a group; `value` names the group, null: all responses."""

    value: str | None
    responses: Count
    precision: MeanEstimate
    recall: MeanEstimate
    f1: MeanEstimate


class HumanCorrelation(Part, frozen=True):
    """Pearson's r of a Fact-QA figure with the same figure of people, with bounds by Fisher's z."""

    figure: Annotated[str, Meta(extra_json_schema={"enum": ["precision", "recall", "f1"]})]
    n: Count
    pearson: float | None
    low: float | None
    high: float | None


class FactQAReport(JsonDocument, frozen=True):
    """The scores of one judge in a project. Undefined figures are null. `sha256`: of all scores."""

    schema: str
    judge: str
    mode: Annotated[str, Meta(extra_json_schema={"enum": ["published", "strict"]})]
    fact_source: Annotated[str, Meta(extra_json_schema={"enum": ["reference", "document"]})]
    sha256: str
    method: ReportMethod
    responses: Count
    scored: Count
    failed: Count
    missing: Count
    unreadable: Annotated[int, Meta(description="Answers that could not be read and count 0.")]
    cost_usd: float | None
    overall: FactMeans
    systems: Sequence[FactMeans]
    source_classes: Sequence[FactMeans]
    question_types: Sequence[FactMeans]
    correlations: Sequence[HumanCorrelation]
    precision_only: Annotated[bool, Meta(description="Whether nothing was asked about reference answers.")] = False
    tuned: Annotated[Count, Meta(description="Scored responses that are in no figure: they tuned the prompt.")] = 0

    @property
    def name(self) -> str:
        return self.judge.partition("@")[0]

    @property
    def version(self) -> int:
        return int(self.judge.partition("@")[2])

    @property
    def is_compared(self) -> bool:
        """Whether people have scored responses that the judge has scored."""
        return any(row.n for row in self.correlations)


def fact_qa_fields(study: Study) -> Fields:
    return {"fact_qa": [fact_qa_figures(scores, study) for scores in study.fact_scores] or None}


def fact_qa_figures(scores: FactScores, study: Study) -> FactQAReport:
    """Return the figures of a judge. The ratings of the study have the sampling unit, if there are any."""
    judge, scored, choices, rated = scores.judge, scores.scored, study.choices, study.ratings.responses
    responses = Responses.number([row.response for row in scored], rated.cluster if rated.rated else choices.cluster)
    clusters = responses.cluster_of[responses.prompt_of]
    has_resamples = scored and choices.resamples
    resamples = Resamples(responses.clusters, choices.resamples, choices.seed) if has_resamples else None

    def means(value: str | None, numbers: Sequence[int]) -> FactMeans:
        """Return the means over the scored rows with these numbers."""
        estimates = []
        for figure in FIGURES:
            values = np.array([getattr(scored[number], figure) for number in numbers], dtype=np.float64)
            mean = clustered_mean(values, clusters[list(numbers)], resamples=resamples, level=LEVEL, bounded=True)
            estimates.append(MeanEstimate(mean.value, mean.n, mean.low, mean.high, mean.method))
        return FactMeans(value, len(numbers), *estimates)

    def groups(value_of: Callable[[ResponseScore], str | None], order: Collection[str] = ()) -> list[FactMeans]:
        """Return the means by the value that each row has: in this order, then others sorted."""
        numbers: dict[str, list[int]] = {value: [] for value in order}
        for number, row in enumerate(scored):
            if (value := value_of(row)) is not None:
                numbers.setdefault(value, []).append(number)
        values = [*order, *sorted(numbers.keys() - set(order))]
        return [means(value, numbers[value]) for value in values if numbers[value]]

    costs = [row.cost for row in scores.rows if row.cost is not None]
    return FactQAReport(
        schema=SCHEMA,
        judge=judge.label,
        mode=judge.fact_qa,
        fact_source=judge.fact_source,
        sha256=scores.sha256,
        method=ReportMethod(LEVEL, responses.cluster, choices.resamples, choices.seed),
        responses=len(scores.rows),
        scored=len(scored),
        failed=scores.count(FactScore.State.FAILED),
        missing=scores.count(""),
        unreadable=sum(row.unreadable for row in scores.rows if row.state != TUNED),
        cost_usd=sum(costs) if costs else None,
        overall=means(None, range(len(scored))),
        systems=groups(lambda row: row.response.system),
        source_classes=groups(lambda row: row.source_class, SOURCE_CLASSES),
        question_types=groups(lambda row: row.question_type, QUESTION_TYPES),
        correlations=_correlations(scored, study),
        precision_only=judge.precision_only,
        tuned=scores.count(TUNED),
    )


def _correlations(scored: Sequence[ResponseScore], study: Study) -> list[HumanCorrelation]:
    """Return the correlation of each figure over the responses that people scored before verdicts were shown; without
    pairs under protocols in which they score none.
    """
    is_shown = np.isin(study.ratings.rating_id, study.verdict_shown)
    unbiased = study.of(study.ratings.keep_rows(~is_shown)) if is_shown.any() else study
    people: dict[str, dict[str, float | None]] = {}
    for row in response_rows(unbiased):
        if {HUMAN_PRECISION, HUMAN_RECALL} <= set(row.means):
            precision, recall = row.means[HUMAN_PRECISION], row.means[HUMAN_RECALL]
            people[row.response] = {"precision": precision, "recall": recall, "f1": f1_of(precision, recall)}
    correlations = []
    for figure in FIGURES:
        pairs = [(getattr(row, figure), people.get(row.response.key, {}).get(figure)) for row in scored]
        defined = [(value, other) for value, other in pairs if value is not None and other is not None]
        r = pearson(*zip(*defined, strict=True)) if defined else None
        correlations.append(HumanCorrelation(figure, len(defined), r, *fisher_bounds(r, len(defined), LEVEL)))
    return correlations


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

"""Fact-QA scores of a project's responses, by groups of prompts, and their correlation with people's scores."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from msgspec import Meta

from ....models import FactScore
from ....stats.bootstrap import Resamples
from ....stats.correlation import f1_of, fisher_bounds, pearson
from ....stats.means import clustered_mean
from ...choices import Choices
from ...data.arrays import Indices
from ...data.fact_scores import QUESTION_TYPES, SOURCE_CLASSES, TUNED, FactScores, ResponseScore
from ...data.groups import LEVEL
from ...data.responses import Responses
from ...data.study import Study
from ...parts import Count, Fields, JsonDocument, MeanEstimate, Part, ReportMethod
from ..means.figures import response_rows


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
        """The judge's name, without its version."""
        return self.judge.partition("@")[0]

    @property
    def version(self) -> int:
        """The number of the judge's version."""
        return int(self.judge.partition("@")[2])

    @property
    def is_compared(self) -> bool:
        """Whether people have scored responses that the judge has scored."""
        return any(row.n for row in self.correlations)


SCHEMA = "factuary-fact-qa/1"

FIGURES = ("precision", "recall", "f1")
HUMAN_PRECISION, HUMAN_RECALL = "human_precision", "human_recall"
"""Means of a protocol that are people's scores."""
PeopleScores = Mapping[str, Mapping[str, float | None]]
"""Response (imported id) -> figure -> people's score."""


def fact_qa_fields(study: Study) -> Fields:
    """Return the figures of the newest version of each judge with scores."""
    return {"fact_qa": [fact_qa_figures(scores, study) for scores in study.fact_scores] or None}


def fact_qa_figures(scores: FactScores, study: Study) -> FactQAReport:
    """Return the figures of a judge. The ratings of the study have the sampling unit, if there are any."""
    judge, scored, choices, responses = scores.judge, scores.scored, study.choices, study.ratings.responses
    means = _Means.from_rows(scored, responses.cluster if responses.rated else choices.cluster, choices)
    costs = [row.cost for row in scores.rows if row.cost is not None]
    people = _people_scores(study)
    return FactQAReport(
        schema=SCHEMA,
        judge=judge.label,
        mode=judge.fact_qa,
        fact_source=judge.fact_source,
        sha256=scores.sha256,
        method=ReportMethod(LEVEL, means.responses.cluster, choices.resamples, choices.seed),
        responses=len(scores.rows),
        scored=len(scored),
        failed=scores.count(FactScore.State.FAILED),
        missing=scores.count(""),
        unreadable=sum(row.unreadable for row in scores.rows if row.state != TUNED),
        cost_usd=sum(costs) if costs else None,
        overall=means.of_rows(None, range(len(scored))),
        systems=means.groups(lambda row: row.response.system),
        source_classes=means.groups(lambda row: row.source_class, SOURCE_CLASSES),
        question_types=means.groups(lambda row: row.question_type, QUESTION_TYPES),
        correlations=[_correlation(figure, scored, people) for figure in FIGURES],
        precision_only=judge.precision_only,
        tuned=scores.count(TUNED),
    )


@dataclass(frozen=True)
class _Means:
    """The means of groups of scored rows, which are in the order of `responses`, whose clusters they have."""

    rows: Sequence[ResponseScore]
    responses: Responses
    clusters: Indices
    resamples: Resamples | None

    @classmethod
    def from_rows(cls, rows: Sequence[ResponseScore], cluster: str, choices: Choices) -> "_Means":
        responses = Responses.number([row.response for row in rows], cluster)
        clusters = responses.cluster_of[responses.prompt_of] if rows else responses.prompt_of
        has_resamples = rows and choices.resamples
        resamples = Resamples(responses.clusters, choices.resamples, choices.seed) if has_resamples else None
        return cls(rows, responses, clusters, resamples)

    def of_rows(self, name: str | None, selected: Sequence[int]) -> FactMeans:
        """Return the means over the rows with these numbers."""
        return FactMeans(name, len(selected), *(self._mean(figure, selected) for figure in FIGURES))

    def _mean(self, figure: str, selected: Sequence[int]) -> MeanEstimate:
        values = [getattr(self.rows[number], figure) for number in selected]
        numbers = [float("nan") if value is None else value for value in values]
        mean = clustered_mean(
            numbers, self.clusters[list(selected)], resamples=self.resamples, level=LEVEL, bounded=True
        )
        return MeanEstimate(mean.value, mean.n, mean.low, mean.high, mean.method)

    def groups(self, name_of: Callable[[ResponseScore], str | None], names: Collection[str] = ()) -> list[FactMeans]:
        """Return the means by the name that each row has: these in their order, then others sorted."""
        numbers: dict[str, list[int]] = {name: [] for name in names}
        for number, row in enumerate(self.rows):
            if (name := name_of(row)) is not None:
                numbers.setdefault(name, []).append(number)
        order = [*names, *sorted(numbers.keys() - set(names))]
        return [self.of_rows(name, numbers[name]) for name in order if numbers[name]]


def _people_scores(study: Study) -> PeopleScores:
    """Return the scores that people gave each response before verdicts were shown; {} under protocols without them."""
    is_shown = np.isin(study.ratings.rating_id, study.verdict_shown)
    if is_shown.any():
        study = study.of(study.ratings.keep_rows(~is_shown))
    scores = {}
    for row in response_rows(study):
        if {HUMAN_PRECISION, HUMAN_RECALL} <= set(row.means):
            precision, recall = row.means[HUMAN_PRECISION], row.means[HUMAN_RECALL]
            scores[row.response] = {"precision": precision, "recall": recall, "f1": f1_of(precision, recall)}
    return scores


def _correlation(figure: str, rows: Iterable[ResponseScore], people: PeopleScores) -> HumanCorrelation:
    pairs = [(getattr(row, figure), people.get(row.response.key, {}).get(figure)) for row in rows]
    defined = [(value, other) for value, other in pairs if value is not None and other is not None]
    r = pearson(*zip(*defined, strict=True)) if defined else None
    low, high = fisher_bounds(r, len(defined), LEVEL)
    return HumanCorrelation(figure, len(defined), r, low, high)

"""Fact-QA scores of a project's responses, by groups of prompts, and their correlation with people's scores."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import msgspec
import numpy as np
from msgspec import Meta

from ....models import FactScore
from ....stats.bootstrap import Resamples
from ....stats.correlation import f1_of, fisher_bounds, pearson
from ....stats.means import clustered_mean
from ...choices import Choices
from ...data.arrays import Indices
from ...data.groups import LEVEL, Cells
from ...data.response_scores import QUESTION_TYPES, SOURCE_CLASSES, TUNED, FactScores, ResponseScore
from ...data.responses import Responses
from ...data.table import RatingTable
from ...parts import Count, JsonDocument, MeanEstimate, Part, ReportMethod
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
if TYPE_CHECKING:
    from ...report import Report

FIGURES = ("precision", "recall", "f1")
HUMAN_PRECISION, HUMAN_RECALL = "human_precision", "human_recall"
"""Means of a protocol that are people's scores."""
PeopleScores = Mapping[str, Mapping[str, float | None]]
"""Response (imported id) -> figure -> people's score."""


def without_verdict_shown(
    rated: "Report", ratings: RatingTable, cells: Cells, verdict_shown: Sequence[int]
) -> "Report":
    """Return the report with the means of responses from the ratings except these (primary keys), which were given or
    changed after verdicts were shown.
    """
    is_shown = np.isin(ratings.rating_id, verdict_shown)
    if rated.responses is None or not is_shown.any():
        return rated
    return msgspec.structs.replace(rated, responses=response_rows(ratings.keep_rows(~is_shown), cells))


def fact_qa_figures(scores: FactScores, rated: "Report", choices: Choices) -> FactQAReport:
    """Return the figures of a judge. `rated`: the report of people's ratings under the same choices, which has the
    sampling unit if there are any, `without_verdict_shown`. Of `choices`: sampling unit else, resamples, seed.
    """
    judge, scored = scores.judge, scores.scored
    means = _Means.from_rows(scored, rated.method.cluster if rated.data.responses else choices.cluster, choices)
    costs = [row.cost for row in scores.rows if row.cost is not None]
    people = _people_scores(rated)
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


def _people_scores(rated: "Report") -> PeopleScores:
    """Return the scores that people gave each response. Empty under protocols without them."""
    scores = {}
    for row in rated.responses or ():
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

"""Fact-QA scores of a project's responses, by groups of prompts, and their correlation with people's scores."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from .base import Count, JsonDocument, Part
from .estimates import MeanEstimate
from .method import ReportMethod


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

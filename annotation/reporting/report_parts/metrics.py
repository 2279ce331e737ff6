"""Automatic metrics of a project's responses beside what people said about them."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from .base import Count, JsonDocument, Part
from .estimates import Coefficient, MeanEstimate, Proportion
from .method import ReportMethod


class MetricMean(Part, frozen=True, kw_only=True):
    """The mean of a metric over the responses of a system, to prompts with a value of a metadata key, or both."""

    metric: str
    system: str | None = None
    key: str | None = None
    value: str | None = None
    mean: MeanEstimate


class MetricPrediction(Part, frozen=True, kw_only=True):
    """The share of people's preferences that a metric predicts: the preferred response has the higher value.

    Ties of people are excluded; so are `undecided` preferences, where the metric has equal values or lacks one.
    """

    metric: str
    key: str | None = None
    value: str | None = None
    predicted: Proportion
    undecided: Count


class MetricCorrelation(Part, frozen=True, kw_only=True):
    """The rank correlation of a metric with a human measure or mean, over `n` responses or the means of `n` systems."""

    metric: str
    figure: Annotated[str, Meta(description="Key of a measure, or of a mean over responses, of the protocol.")]
    over: Annotated[str, Meta(extra_json_schema={"enum": ["responses", "systems"]})]
    n: Count
    spearman: Coefficient
    kendall_tau_b: Coefficient


class MetricsAgainstPeople(Part, frozen=True, kw_only=True):
    """What the scores of metrics of the report's responses say about its ratings. Undefined figures are null."""

    sha256: Annotated[str, Meta(description="Of the scores of these responses.")]
    metrics: Sequence[str]
    ties: Annotated[int, Meta(description="People's preferences that were ties; 0 where no pairs are compared.")]
    predictions: Annotated[Sequence[MetricPrediction], Meta(description="Where pairs are compared; of all prompts.")]
    correlations: Annotated[
        Sequence[MetricCorrelation],
        Meta(description="Where no pairs are compared. With intervals in frozen reports only."),
    ]


class DocumentSimilarity(Part, frozen=True):
    """The mean ROUGE-L (F1) of each two questions about a document, named by its imported id."""

    document: str
    questions: Count
    rouge_l: float


class QuestionSimilarity(Part, frozen=True, kw_only=True):
    """How similar the questions about one document are."""

    mean: Annotated[MeanEstimate, Meta(description="Over documents with two questions or more; `n` is their number.")]
    pairs: Count
    documents: Sequence[DocumentSimilarity]


class MetricReport(JsonDocument, frozen=True):
    """What the stored scores of metrics say about a project. Undefined figures are null."""

    schema: str
    method: ReportMethod
    metrics: Annotated[Sequence[str], Meta(description="In the order of the tables: computed ones, then imported.")]
    responses: Annotated[int, Meta(description="Of the project's data set, except excluded ones.")]
    ties: Annotated[int, Meta(description="People's preferences that were ties; 0 where no pairs are compared.")]
    means: Sequence[MetricMean]
    predictions: Sequence[MetricPrediction]
    correlations: Sequence[MetricCorrelation]
    similarity: Annotated[
        QuestionSimilarity | None,
        Meta(
            description="Where a document of the data set has two questions or more, and no more than a million pairs."
        ),
    ] = None

    def means_of(self, system: str | None = None, key: str | None = None) -> list[MetricMean]:
        """Return the means of a system (None: of all), by the values of a metadata key or of all prompts."""
        return [mean for mean in self.means if mean.system == system and mean.key == key]

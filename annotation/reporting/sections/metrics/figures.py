"""Automatic metrics of a project's responses beside what people said about them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from ....metrics.question_similarity import question_similarity
from ....models import Project
from ....protocols import Protocol, Question
from ....protocols.pair_options import FIRST, SECOND, asks_for_side
from ....site.database_snapshot import one_snapshot
from ....stats.bootstrap import FixedResamples, Resamples, stored
from ....stats.correlation_intervals import RANK_NAMES, correlations_with_each
from ....stats.correlation_intervals import Coefficient as CoefficientEstimate
from ....stats.interval_choice import headlines
from ....stats.means import clustered_mean
from ....stats.system_correlations import system_correlations
from ...choices import DEFAULT, Choices
from ...data.arrays import Indices, Mask, indices
from ...data.groups import LEVEL, Cells, cells_of
from ...data.report_input import read_counts
from ...data.response_scores import MetricScores, read_metric_scores, read_questions
from ...data.responses import Responses
from ...data.table import RatingTable
from ...parts import Coefficient, Count, JsonDocument, MeanEstimate, Part, Proportion, ReportMethod
from ..means.figures import response_rows


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


Floats = NDArray[np.float64]
MAX_VALUES = 30
"""Metadata with more values than this, such as a title, divides into no groups."""
MAX_PAIRS = 1_000_000
"""Pairs of questions that are compared, in some seconds; with more of them there is no similarity of questions."""


@dataclass(frozen=True)
class Group:
    """The responses of a system, of a value of a metadata key, of both, or all; `used` has shape (responses,)."""

    used: Mask
    system: str | None = None
    key: str | None = None
    value: str | None = None


def groups_of(responses: Responses) -> Iterator[Group]:
    """Yield all responses, those by system, by value of each metadata key, and by both."""
    everything = np.ones(len(responses), dtype=bool)
    of_systems = [Group(responses.system_of == n, name) for n, name in enumerate(responses.systems)]
    divided = [Group(everything), *of_systems] if len(of_systems) > 1 else [Group(everything)]
    yield from divided
    for key, by_prompt in responses.values.items():
        values = sorted({value for values in by_prompt for value in values})
        for value in values if len(values) <= MAX_VALUES else ():
            has_value = np.array([value in values for values in by_prompt], dtype=bool)[responses.prompt_of]
            yield from (Group(group.used & has_value, group.system, key, value) for group in divided)


def metric_means(
    scores: MetricScores, responses: Responses, resamples: Resamples | FixedResamples | None
) -> list[MetricMean]:
    """Return the means of each metric over the groups in which it has a value; `responses` are those of the scores."""
    cluster = responses.cluster_of[responses.prompt_of] if len(responses) else indices([])
    values = {metric: _by_response(scores, metric, responses) for metric in scores.metrics}
    rows = []
    for group in groups_of(responses):
        for metric, numbers in values.items():
            mean = clustered_mean(numbers[group.used], cluster[group.used], resamples=resamples, level=LEVEL)
            if mean.n:
                estimate = MeanEstimate(mean.value, mean.n, mean.low, mean.high, mean.method)
                rows.append(
                    MetricMean(metric=metric, system=group.system, key=group.key, value=group.value, mean=estimate)
                )
    return rows


def _by_response(scores: MetricScores, metric: str, responses: Responses) -> Floats:
    return np.array([scores.value(metric, response.key) for response in responses.rated], dtype=np.float64)


def preference_question(protocol: Protocol) -> Question | None:
    """Return the question which of two responses is better; None for protocols without one."""
    question = protocol.first_measured_question
    return question if protocol.unit == "pair" and asks_for_side(question) else None


def metric_predictions(
    scores: MetricScores, ratings: RatingTable, question: Question, resamples: Resamples | FixedResamples | None
) -> tuple[list[MetricPrediction], int]:
    """Return for each metric and group of prompts the share of preferences that it predicts, and the number of ties."""
    responses = ratings.responses
    side_of = {FIRST: 1, SECOND: -1}
    sides = indices(side_of.get(answers.get(question.key, ""), 0) for answers in ratings.answer_sets)
    is_tie = np.array([question.key in answers for answers in ratings.answer_sets], dtype=bool) & (sides == 0)
    side = sides[ratings.answer] if len(ratings.answer) else ratings.answer
    ties = int(ratings.n[is_tie[ratings.answer]].sum()) if len(ratings.answer) else 0
    cluster = responses.cluster_of[responses.prompt_of[ratings.response]] if len(responses) else indices([])
    whole = [group for group in groups_of(responses) if group.system is None]
    named, counts = [], []
    for metric in scores.metrics:
        better = _better_side(scores, metric, responses)[ratings.response]
        for group in whole:
            preferred = (side != 0) & group.used[ratings.response]
            decided = preferred & (better != 0)
            n = _by_cluster(cluster[decided], ratings.n[decided], responses.clusters)
            hits = decided & (better == side)
            named.append((metric, group, int(ratings.n[preferred & ~decided].sum())))
            counts.append((_by_cluster(cluster[hits], ratings.n[hits], responses.clusters), n))
    if not counts:
        return [], ties
    estimates = headlines(*(np.stack(part) for part in zip(*counts, strict=True)), resamples=resamples, level=LEVEL)
    rows = [
        MetricPrediction(
            metric=metric,
            key=group.key,
            value=group.value,
            predicted=Proportion(p.value, p.k, p.n, p.low, p.high, p.method),
            undecided=undecided,
        )
        for (metric, group, undecided), p in zip(named, estimates, strict=True)
        if p.n or undecided
    ]
    return rows, ties


def _better_side(scores: MetricScores, metric: str, responses: Responses) -> Indices:
    """Return 1 where the metric says that the first response of a pair is better, -1 the second, 0 without a word."""
    pairs = ((each.key, each.against or "") for each in responses.rated)
    differences = np.array([scores.difference(metric, *pair) for pair in pairs], dtype=np.float64)
    return np.nan_to_num(np.sign(differences)).astype(np.int64)


def _by_cluster(cluster: Indices, n: Indices, clusters: int) -> Indices:
    return np.bincount(cluster, weights=n, minlength=clusters).astype(np.int64)


def human_figures(ratings: RatingTable, cells: Cells) -> Mapping[str, Floats]:
    """Return each response's own share under every measure and its value in every mean, shape (responses,)."""
    size, counts = len(ratings.responses), ratings.counts
    figures = {}
    for measure in cells.protocol.measures:
        hits, among = (_sums(counts.response, counts.n * mask[counts.answer], size) for mask in cells.masks(measure))
        with np.errstate(invalid="ignore"):  # 0/0 is NaN: the response has no such rating
            figures[measure.key] = hits / among
    rows = response_rows(ratings, cells)
    number = {response.key: n for n, response in enumerate(ratings.responses.rated)}
    for mean in cells.protocol.means:
        figures[mean.key] = np.full(size, np.nan)
        for row in rows:
            if (value := row.means[mean.key]) is not None:
                figures[mean.key][number[row.response]] = value
    return figures


def _sums(response: Indices, n: Indices, size: int) -> Floats:
    return np.bincount(response, weights=n, minlength=size).astype(np.float64)


def metric_correlations(
    scores: MetricScores,
    ratings: RatingTable,
    figures: Mapping[str, Floats],
    resamples: Resamples | FixedResamples | None,
) -> list[MetricCorrelation]:
    """Return the correlations of every metric with every human figure, over responses and over systems."""
    responses = ratings.responses
    cluster = responses.cluster_of[responses.prompt_of] if len(responses) else indices([])
    rows = []
    for metric in scores.metrics:
        x = _by_response(scores, metric, responses)
        has_pair = {figure: np.isfinite(x) & np.isfinite(y) for figure, y in figures.items()}
        of_responses: dict[str, Mapping[str, CoefficientEstimate]] = {}
        for same in _with_same(has_pair):
            used, ys = has_pair[same[0]], np.stack([figures[figure] for figure in same])
            estimates = correlations_with_each(
                x[used], ys[:, used], cluster[used], resamples=resamples, level=LEVEL, names=RANK_NAMES
            )
            of_responses |= dict(zip(same, estimates, strict=True))
        for figure, y in figures.items():
            used = has_pair[figure]
            if not used.any():
                continue
            system = responses.system_of[used]
            of_systems = system_correlations(x[used], y[used], system, cluster[used], resamples=resamples, level=LEVEL)
            rows.append(_correlation(metric, figure, "responses", int(used.sum()), of_responses[figure]))
            rows.append(_correlation(metric, figure, "systems", len(np.unique(system)), of_systems))
    return rows


def _with_same(has_pair: Mapping[str, Mask]) -> list[list[str]]:
    """Return the figures that have values for the same responses, at least one: they are computed together."""
    figures: dict[bytes, list[str]] = {}
    for figure, used in has_pair.items():
        if used.any():
            figures.setdefault(used.tobytes(), []).append(figure)
    return list(figures.values())


def _correlation(
    metric: str, figure: str, over: str, n: int, estimates: Mapping[str, CoefficientEstimate]
) -> MetricCorrelation:
    rho, tau = (
        Coefficient(each.value, each.low, each.high, each.method)
        for each in (estimates["spearman"], estimates["kendall_tau_b"])
    )
    return MetricCorrelation(metric=metric, figure=figure, over=over, n=n, spearman=rho, kendall_tau_b=tau)


def metrics_against_people(
    scores: MetricScores, ratings: RatingTable, cells: Cells, choices: Choices, *, slow: bool
) -> MetricsAgainstPeople | None:
    """Return what the scores say about the ratings of a report; None without scores.

    Without `slow` there are no intervals of correlations, which take seconds for each metric and figure.
    """
    if not scores.metrics or not len(ratings.responses):
        return None
    has_resamples = ratings.responses.clusters and choices.resamples
    drawn = Resamples(ratings.responses.clusters, choices.resamples, choices.seed) if has_resamples else None
    resamples = stored(drawn) if drawn and slow else drawn
    question = preference_question(cells.protocol)
    predictions, ties = metric_predictions(scores, ratings, question, resamples) if question else ([], 0)
    figures = {} if cells.protocol.unit == "pair" else human_figures(ratings, cells)
    return MetricsAgainstPeople(
        sha256=scores.sha256,
        metrics=scores.metrics,
        ties=ties,
        predictions=[row for row in predictions if row.key is None],
        correlations=metric_correlations(scores, ratings, figures, resamples if slow else None),
    )


def question_similarities(
    questions: Mapping[str, Sequence[str]], resamples: int, seed: int
) -> QuestionSimilarity | None:
    """Return how similar the questions about each document are: the documents are the clusters of the mean.

    None if no document has two questions, or there are more than MAX_PAIRS pairs.
    """
    several = {document: texts for document, texts in questions.items() if len(texts) > 1}
    pairs = sum(len(texts) * (len(texts) - 1) // 2 for texts in several.values())
    if not several or pairs > MAX_PAIRS:
        return None
    values = {document: question_similarity(texts) or 0.0 for document, texts in several.items()}
    drawn = Resamples(len(values), resamples, seed) if resamples else None
    mean = clustered_mean(list(values.values()), range(len(values)), resamples=drawn, level=LEVEL, bounded=True)
    return QuestionSimilarity(
        mean=MeanEstimate(mean.value, mean.n, mean.low, mean.high, mean.method),
        pairs=pairs,
        documents=[DocumentSimilarity(name, len(several[name]), value) for name, value in values.items()],
    )


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

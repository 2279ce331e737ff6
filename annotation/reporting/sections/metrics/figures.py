"""Automatic metrics of a project's responses beside what people said about them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from ....metrics.question_similarity import question_similarity
from ....models import Project
from ....protocols import Question
from ....protocols.pair_options import FIRST, SECOND, asks_for_side
from ....site.database_transactions import one_snapshot
from ....stats.bootstrap import FixedResamples, Resamples, stored
from ....stats.correlation_intervals import RANK_NAMES, correlations_with_each
from ....stats.interval_choice import headlines
from ....stats.intervals import BoundedFigure
from ....stats.means import MeanOf, clustered_mean
from ....stats.system_correlations import system_correlations
from ...choices import DEFAULT, Choices
from ...data.arrays import Indices, Mask, indices
from ...data.groups import LEVEL
from ...data.response_scores import MetricScores, read_metric_scores, read_questions
from ...data.responses import Responses
from ...data.study import Study, read_counts
from ...data.table import RatingTable
from ...parts import Coefficient, Count, Fields, JsonDocument, MeanEstimate, Part, Proportion, ReportMethod
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


Floats = NDArray[np.float64]
SCHEMA = "factuary-metrics/1"
MAX_VALUES = 30
"""Metadata with more values than this, such as a title, divides into no groups."""
MAX_PAIRS = 1_000_000
"""Pairs of questions that are compared, in some seconds; with more of them there is no similarity of questions."""


def metrics_fields(study: Study) -> Fields:
    """Return what the scores say about the ratings of a report; None without scores.

    In live reports there are no intervals of correlations, which take seconds for each metric and figure.
    """
    scores = study.metric_scores
    if not scores.metrics or not len(study.ratings.responses):
        return {"metrics": None}
    predictions, ties, correlations = _against_people(study, scores)
    part = MetricsAgainstPeople(
        sha256=scores.sha256,
        metrics=scores.metrics,
        ties=ties,
        predictions=[row for row in predictions if row.key is None],
        correlations=correlations,
    )
    return {"metrics": part}


def metric_report(project: Project, choices: Choices = DEFAULT) -> MetricReport:
    """Return the figures of all stored metrics, and the similarity of the questions about one document.

    Of `choices`: metadata, sampling unit, resamples, seed.

    Means are over all responses of the data set that are not excluded, the other figures over the rated ones.
    """
    choices = Choices(choices.seed, choices.resamples, choices.cluster, metadata=choices.metadata)
    with one_snapshot():
        scores = read_metric_scores(project, choices)
        responses = Responses.number(scores.responses, choices.cluster)
        study = replace(read_counts(project, replace(choices, cluster=responses.cluster)), is_slow=True)
        questions = read_questions(project, choices)
    predictions, ties, correlations = _against_people(study, scores)
    return MetricReport(
        schema=SCHEMA,
        method=ReportMethod(LEVEL, responses.cluster, choices.resamples, choices.seed),
        metrics=scores.metrics,
        responses=len(scores.responses),
        ties=ties,
        means=_means(scores, responses, _resamples(responses, choices, is_stored=True)),
        predictions=predictions,
        correlations=correlations,
        similarity=question_similarities(questions, choices.resamples, choices.seed),
    )


def _resamples(responses: Responses, choices: Choices, *, is_stored: bool) -> Resamples | FixedResamples | None:
    if not responses.clusters or not choices.resamples:
        return None
    resamples = Resamples(responses.clusters, choices.resamples, choices.seed)
    return stored(resamples) if is_stored else resamples


def _against_people(study: Study, scores: MetricScores) -> tuple[list[MetricPrediction], int, list[MetricCorrelation]]:
    """Return predicted preferences and the number of ties, where the question is which of two responses is better, and
    the correlations with people's figures, where no pairs are compared.
    """
    protocol, ratings = study.protocol, study.ratings
    resamples = _resamples(ratings.responses, study.choices, is_stored=study.is_slow)
    if protocol.unit != "pair":
        figures = _human_figures(study)
        return [], 0, _correlations(scores, ratings.responses, figures, resamples if study.is_slow else None)
    question = protocol.first_measured_question
    if not asks_for_side(question):
        return [], 0, []
    return *_predictions(scores, ratings, question, resamples), []


def _predictions(
    scores: MetricScores, ratings: RatingTable, question: Question, resamples: Resamples | FixedResamples | None
) -> tuple[list[MetricPrediction], int]:
    """Return for each metric and group of prompts the share of preferences that it predicts, and the number of ties."""
    responses, n = ratings.responses, ratings.n
    side_of = {FIRST: 1, SECOND: -1}
    sides = indices(side_of.get(answers.get(question.key, ""), 0) for answers in ratings.answer_sets)
    is_answered = np.array([question.key in answers for answers in ratings.answer_sets], dtype=bool)
    ties, side = int(n[(is_answered & (sides == 0))[ratings.answer]].sum()), sides[ratings.answer]
    cluster = responses.cluster_of[responses.prompt_of[ratings.response]]

    def by_cluster(used: Mask) -> Indices:
        return np.bincount(cluster[used], n[used], responses.clusters).astype(np.int64)

    groups = [group for group in _groups(responses) if group.system is None]
    counted, undecided, hits, decided = list[tuple[str, Group]](), list[int](), list[Indices](), list[Indices]()
    for metric in scores.metrics:
        differences = [scores.difference(metric, pair.key, pair.against or "") for pair in responses.rated]
        better = np.nan_to_num(np.sign(np.array(differences, dtype=np.float64)))[ratings.response]
        for group in groups:
            is_preference = (side != 0) & group.used[ratings.response]
            counted.append((metric, group))
            undecided.append(int(n[is_preference & (better == 0)].sum()))
            hits.append(by_cluster(is_preference & (better == side)))
            decided.append(by_cluster(is_preference & (better != 0)))
    if not counted:
        return [], ties
    estimates = headlines(np.stack(hits), np.stack(decided), resamples=resamples, level=LEVEL)
    rows = [
        MetricPrediction(
            metric=metric,
            key=group.key,
            value=group.value,
            predicted=Proportion(p.value, p.k, p.n, p.low, p.high, p.method),
            undecided=without,
        )
        for (metric, group), without, p in zip(counted, undecided, estimates, strict=True)
        if p.n or without
    ]
    return rows, ties


def _human_figures(study: Study) -> dict[str, Floats]:
    """Return each response's own share under every measure and its value in every mean, shape (responses,)."""
    responses, counts = study.ratings.responses, study.ratings.counts
    size, figures = len(responses), {}
    for measure in study.protocol.measures:
        hits, among = (
            np.bincount(counts.response, counts.n * mask[counts.answer], size) for mask in study.cells.masks(measure)
        )
        with np.errstate(invalid="ignore"):  # 0/0 is NaN: the response has no such rating
            figures[measure.key] = hits / among
    number = {response.key: n for n, response in enumerate(responses.rated)}
    figures |= {mean.key: np.full(size, np.nan) for mean in study.protocol.means}
    for row in response_rows(study):
        for key, value in row.means.items():
            if value is not None:
                figures[key][number[row.response]] = value
    return figures


def _correlations(
    scores: MetricScores,
    responses: Responses,
    figures: Mapping[str, Floats],
    resamples: Resamples | FixedResamples | None,
) -> list[MetricCorrelation]:
    """Return the correlations of every metric with every human figure, over responses and over systems."""
    cluster = responses.cluster_of[responses.prompt_of]
    rows = []
    for metric in scores.metrics:
        x = _by_response(scores, metric, responses)
        has_pair = {figure: np.isfinite(x) & np.isfinite(y) for figure, y in figures.items()}
        same_responses: dict[bytes, list[str]] = {}  # figures over the same responses are computed together
        for figure, used in has_pair.items():
            if used.any():
                same_responses.setdefault(used.tobytes(), []).append(figure)
        of_responses: dict[str, Mapping[str, BoundedFigure]] = {}
        for same in same_responses.values():
            used, ys = has_pair[same[0]], np.stack([figures[figure] for figure in same])
            estimates = correlations_with_each(
                x[used], ys[:, used], cluster[used], resamples=resamples, level=LEVEL, names=RANK_NAMES
            )
            of_responses |= dict(zip(same, estimates, strict=True))
        for figure in (figure for figure in figures if figure in of_responses):
            used, y = has_pair[figure], figures[figure]
            system = responses.system_of[used]
            of_systems = system_correlations(x[used], y[used], system, cluster[used], resamples=resamples, level=LEVEL)
            for over, n, coefficients in (
                ("responses", int(used.sum()), of_responses[figure]),
                ("systems", len(np.unique(system)), of_systems),
            ):
                rho, tau = (
                    Coefficient(each.value, each.low, each.high, each.method)
                    for each in (coefficients["spearman"], coefficients["kendall_tau_b"])
                )
                rows.append(
                    MetricCorrelation(metric=metric, figure=figure, over=over, n=n, spearman=rho, kendall_tau_b=tau)
                )
    return rows


def _means(
    scores: MetricScores, responses: Responses, resamples: Resamples | FixedResamples | None
) -> list[MetricMean]:
    cluster = responses.cluster_of[responses.prompt_of]
    values = {metric: _by_response(scores, metric, responses) for metric in scores.metrics}
    means = []
    for group in _groups(responses):
        about = {"system": group.system, "key": group.key, "value": group.value}
        for metric, numbers in values.items():
            mean = clustered_mean(numbers[group.used], cluster[group.used], resamples=resamples, level=LEVEL)
            if mean.n:
                means.append(MetricMean(metric=metric, **about, mean=_estimate(mean)))
    return means


def _by_response(scores: MetricScores, metric: str, responses: Responses) -> Floats:
    return np.array([scores.value(metric, response.key) for response in responses.rated], dtype=np.float64)


def _estimate(mean: MeanOf) -> MeanEstimate:
    return MeanEstimate(mean.value, mean.n, mean.low, mean.high, mean.method)


@dataclass(frozen=True)
class Group:
    """The responses of a system, of a value of a metadata key, of both, or all; `used` has shape (responses,)."""

    used: Mask
    system: str | None = None
    key: str | None = None
    value: str | None = None


def _groups(responses: Responses) -> Iterator[Group]:
    by_system = [Group(np.ones(len(responses), dtype=bool))]
    if len(responses.systems) > 1:
        by_system += [Group(responses.system_of == n, name) for n, name in enumerate(responses.systems)]
    yield from by_system
    for key, by_prompt in responses.values.items():
        values = sorted({value for values in by_prompt for value in values})
        for value in values if len(values) <= MAX_VALUES else ():
            has_value = np.array([value in values for values in by_prompt], dtype=bool)[responses.prompt_of]
            yield from (Group(group.used & has_value, group.system, key, value) for group in by_system)


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
    documents = [DocumentSimilarity(name, len(several[name]), value) for name, value in values.items()]
    return QuestionSimilarity(mean=_estimate(mean), pairs=pairs, documents=documents)

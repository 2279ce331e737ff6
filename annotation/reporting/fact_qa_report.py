"""Fact-QA scores of a project by question type and source class, beside people's scores of precision and recall."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from ..judging.fact_scores import missing_responses, scored_responses
from ..models import FactScore, Judge, Project
from ..site.database_snapshot import one_snapshot
from ..stats.bootstrap import Resamples
from ..stats.correlation import f1_of, fisher_bounds, pearson
from ..stats.means import clustered_mean
from .build import build_from_tally
from .choices import DEFAULT, Choices
from .compute.cells import LEVEL
from .data.arrays import Indices
from .data.responses import RatedPrompt, RatedResponse, Responses
from .report import MeanEstimate, ReportMethod
from .report_parts.fact_qa import FactMeans, FactQAReport, HumanCorrelation

SCHEMA = "factuary-fact-qa/1"
FIGURES = ("precision", "recall", "f1")
HUMAN_PRECISION, HUMAN_RECALL = "human_precision", "human_recall"
"""Means of a protocol that are people's scores."""
QUESTION_TYPE = "question_type"
SOURCE_CLASSES = {
    "explicit": ("yes/no", "single factual", "multi factual"),
    "implicit": ("single reasoning", "multi reasoning", "summarization"),
    "insufficient": ("no answer",),
}
"""Whether the syllabus says the answer (SyllabusQA, Fernandez et al. 2024) -> question types."""
Values = tuple[float | None, ...]


@dataclass(frozen=True)
class _Scores:
    """Precision, recall and F1 of the scored responses, in the order of `responses`, whose clusters they have."""

    responses: Responses
    clusters: Indices
    values: dict[str, Values]
    resamples: Resamples | None

    def means(self, name: str | None, selected: Sequence[int]) -> FactMeans:
        """Return the means over the responses with these numbers."""
        return FactMeans(name, len(selected), *(self._mean(self.values[figure], selected) for figure in FIGURES))

    def _mean(self, values: Values, selected: Sequence[int]) -> MeanEstimate:
        numbers = [float("nan") if (value := values[number]) is None else value for number in selected]
        mean = clustered_mean(numbers, self.clusters[list(selected)], resamples=self.resamples, level=LEVEL)
        return MeanEstimate(mean.value, mean.n, mean.low, mean.high, mean.method)

    def groups(self, name_of: Callable[[RatedResponse], str | None], names: Iterable[str] = ()) -> list[FactMeans]:
        """Return the means by the name that each response has: in this order, or sorted."""
        rated = self.responses.rated
        numbers: dict[str, list[int]] = {name: [] for name in names}
        for number, response in enumerate(rated):
            if (name := name_of(response)) is not None:
                numbers.setdefault(name, []).append(number)
        order = list(names) or sorted(numbers)
        return [self.means(name, numbers[name]) for name in order if numbers[name]]


def fact_qa_report(project: Project, judge: Judge, choices: Choices = DEFAULT) -> FactQAReport:
    """Return the scores of a judge with Fact-QA in the project. Of `choices`: sampling unit, resamples, seed."""
    with one_snapshot():
        rows = list(
            FactScore.objects.filter(judge=judge, project=project)
            .select_related("response__prompt__document", "response__system")
            .defer("response__prompt__document__sections", "response__text")
        )
        human = _human_scores(project)
        counts = scored_responses(project).count(), missing_responses(judge, project).count()
    scored = [row for row in rows if row.state == FactScore.State.SCORED]
    scores = _scores(scored, choices)
    costs = [row.cost for row in rows if row.cost is not None]
    return FactQAReport(
        schema=SCHEMA,
        judge=judge.label,
        mode=judge.fact_qa,
        fact_source=judge.fact_source,
        method=ReportMethod(LEVEL, scores.responses.cluster, choices.resamples, choices.seed),
        responses=counts[0],
        scored=len(scored),
        failed=len(rows) - len(scored),
        missing=counts[1],
        unreadable=sum(row.unreadable for row in rows),
        cost_usd=float(sum(costs)) if costs else None,
        overall=scores.means(None, range(len(scored))),
        systems=scores.groups(lambda response: response.system),
        source_classes=scores.groups(lambda response: source_class(question_type(response)), SOURCE_CLASSES),
        question_types=scores.groups(question_type),
        correlations=[_correlation(figure, scores, human) for figure in FIGURES],
    )


def question_type(response: RatedResponse) -> str | None:
    """Return the question type of the response's prompt, in small letters and without hyphens; None without one."""
    value = response.prompt.metadata.get(QUESTION_TYPE)
    return value.lower().replace("-", " ") if isinstance(value, str) and value else None


def source_class(question_type: str | None) -> str | None:
    """Return the source class of a question type; None for a type that SyllabusQA does not have."""
    return next((name for name, types in SOURCE_CLASSES.items() if question_type in types), None)


def _scores(rows: Sequence[FactScore], choices: Choices) -> _Scores:
    pairs = sorted(((_rated(row), row) for row in rows), key=lambda pair: pair[0].sort_key)
    rated, ordered = [response for response, _row in pairs], [row for _response, row in pairs]
    responses = Responses.number(rated, choices.cluster)
    return _Scores(
        responses,
        responses.cluster_of[responses.prompt_of] if rated else responses.prompt_of,
        {figure: tuple(getattr(row, figure) for row in ordered) for figure in FIGURES},
        Resamples(responses.clusters, choices.resamples, choices.seed) if rated and choices.resamples else None,
    )


def _rated(row: FactScore) -> RatedResponse:
    prompt, system = row.response.prompt, row.response.system.name
    document = prompt.document.key if prompt.document else None
    return RatedResponse(
        RatedPrompt(prompt.key, prompt.metadata, document), row.response.key, None, system, made_by=system
    )


def _human_scores(project: Project) -> dict[str, dict[str, float | None]]:
    """Return the scores that people gave each response (imported id), by figure. Empty under other protocols."""
    if not {HUMAN_PRECISION, HUMAN_RECALL} <= {mean.key for mean in project.protocol.definition.means}:
        return {}
    report = build_from_tally(project, replace(DEFAULT, resamples=0))
    scores = {}
    for row in report.responses or ():
        precision, recall = row.means[HUMAN_PRECISION], row.means[HUMAN_RECALL]
        scores[row.response] = {"precision": precision, "recall": recall, "f1": f1_of(precision, recall)}
    return scores


def _correlation(figure: str, scores: _Scores, human: dict[str, dict[str, float | None]]) -> HumanCorrelation:
    rows = zip(scores.responses.rated, scores.values[figure], strict=True)
    pairs = [(value, human.get(response.key, {}).get(figure)) for response, value in rows]
    defined = [(value, other) for value, other in pairs if value is not None and other is not None]
    r = pearson(*zip(*defined, strict=True)) if defined else None
    low, high = fisher_bounds(r, len(defined), LEVEL)
    return HumanCorrelation(figure, len(defined), r, low, high)

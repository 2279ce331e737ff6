"""Sensitivity: the measures under other decisions about the analysis, each beside the report's own.

Each rater with a quality alert is excluded alone, and all of them together: the errors of raters in opposite directions
cancel in one figure, and only the single exclusions show them. The other analyses change how ratings are aggregated,
what counts in the denominator, or the sampling unit.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, NamedTuple

import numpy as np
from msgspec import Meta, structs
from numpy.typing import NDArray

from ....protocols import Measure
from ....stats.interval_choice import headlines
from ....stats.intervals import closed_form
from ....stats.means import clustered_mean
from ....stats.proportions import count_table, ratio
from ...choices import DOCUMENT, PROMPT, Choices
from ...data.arrays import Indices, Mask, occurring
from ...data.groups import LEVEL, Cells, Ratio, by_system, cells_of, one_group
from ...data.table import RatingTable
from ...parts import Count, Fraction, Part, ScoreEstimate
from ..aggregations.figures import HIT, OTHER, Aggregation, DawidSkene, votes_by_measure
from ..raters.figures import RaterQuality
from ..scores.figures import Weights, per_100_ratings, score_groups, score_weights


class SensitivityEstimate(Part, frozen=True):
    """One measure of one system, or of all together (`system` null), in a sensitivity analysis."""

    measure: str
    system: str | None
    value: Fraction | None
    n: Count
    low: Fraction | None
    high: Fraction | None
    method: str
    shift: Annotated[float | None, Meta(description="`value` less the report's own.")]


class SensitivityScore(Part, frozen=True):
    """One score, per 100 ratings, of one system or of all together, in an analysis; `measure` is the score's key."""

    measure: str
    system: str | None
    value: float | None
    n: Count
    low: float | None
    high: float | None
    method: str
    shift: Annotated[float | None, Meta(description="`value` less the report's own.")]


class SensitivityAnalysis(Part, frozen=True, kw_only=True):
    """The measures under one other decision about the analysis.

    `without` names the raters that are excluded; it is absent in the other analyses.
    """

    analysis: Annotated[
        str,
        Meta(
            extra_json_schema={
                "enum": [
                    "as reported",
                    "without rater",
                    "without alerted raters",
                    "majority",
                    "dawid-skene",
                    "responses equal",
                    "not assessed as worst",
                    "not assessed as best",
                    "by prompt",
                    "by document",
                ]
            }
        ),
    ]
    without: Sequence[str] | None = None
    estimates: Sequence[SensitivityEstimate]
    scores: Annotated[
        Sequence[SensitivityScore] | None,
        Meta(description="Under protocols with scores; absent where an analysis counts items, not weights."),
    ] = None


if TYPE_CHECKING:
    from ...report import Report

AS_REPORTED = "as reported"
WITHOUT_RATER, WITHOUT_ALERTED = "without rater", "without alerted raters"
MAJORITY, DAWID_SKENE, RESPONSES_EQUAL = "majority", "dawid-skene", "responses equal"
AS_WORST, AS_BEST = "not assessed as worst", "not assessed as best"
BY_CLUSTER = {cluster: f"by {cluster}" for cluster in (PROMPT, DOCUMENT)}


class Figure(NamedTuple):
    """A value over n ratings, items or responses, with its interval."""

    value: float | None
    n: int
    low: float | None
    high: float | None
    method: str


Figures = Mapping[tuple[str, str | None], Figure]
"""By measure and system; None for all systems together."""
NOTHING = Figure(None, 0, None, None, "none")


@dataclass(frozen=True)
class Study:
    """The ratings that a report counts, and how it computes their figures."""

    ratings: RatingTable
    cells: Cells
    choices: Choices

    def under(self, ratings: RatingTable) -> "Study":
        """Return the same for other ratings, or for the same ones in other clusters."""
        return replace(self, ratings=ratings, cells=cells_of(self.cells.protocol, ratings, self.choices))

    @property
    def systems(self) -> list[str | None]:
        """All systems together, then each."""
        return [None, *self.ratings.responses.systems]

    @property
    def measures(self) -> tuple[Measure, ...]:
        return self.cells.protocol.measures

    def proportions(self, tables: Sequence[tuple[Indices, Indices]]) -> Figures:
        """Estimate k / n of each measure; each of `tables` has k and n of shape (systems, clusters)."""
        k, n = (np.concatenate(counts) for counts in zip(*tables, strict=True))
        keys = [(measure.key, system) for measure in self.measures for system in self.systems]
        estimates = headlines(k, n, resamples=self.cells.resamples, level=LEVEL)
        return {key: Figure(p.value, p.n, p.low, p.high, p.method) for key, p in zip(keys, estimates, strict=True)}


def alerted_raters(raters: Sequence[RaterQuality] | None) -> list[str]:
    """Return the names of the raters with a quality alert."""
    return [row.rater for row in raters or () if row.flags]


def exclusions(study: Study, report: "Report") -> list[SensitivityAnalysis]:
    """Return the report's figures, and those without each rater with an alert and without all; [] without alerts."""
    alerted = alerted_raters(report.raters)
    if not alerted:
        return []
    own = _own_figures(report)
    return [_analysis(AS_REPORTED, own, own), *_exclusions(study, alerted, own)]


def sensitivity(study: Study, report: "Report") -> list[SensitivityAnalysis]:
    """Return every analysis that the data allow, the report's own figures first. `report` has all its other parts.

    Absent: exclusions without a rater with an alert; `dawid-skene` with too few ratings; `not assessed` where every
    rating is assessed; documents as units where prompts do not share them.
    """
    own = _own_figures(report)
    others = {
        MAJORITY: lambda: _majority(study),
        DAWID_SKENE: lambda: _dawid_skene(report.aggregations or ()),
        RESPONSES_EQUAL: lambda: _responses_equal(study),
        AS_WORST: lambda: _not_assessed(study, as_best=False),
        AS_BEST: lambda: _not_assessed(study, as_best=True),
        **{name: _in_clusters(study, cluster) for cluster, name in BY_CLUSTER.items()},
    }
    figures = ((name, compute()) for name, compute in others.items())
    return [
        _analysis(AS_REPORTED, own, own),
        *_exclusions(study, alerted_raters(report.raters), own),
        *(_analysis(name, of_analysis, own) for name, of_analysis in figures if of_analysis),
    ]


def _own_figures(report: "Report") -> Figures:
    return {
        (key, cell.system): Figure(p.value, p.n, p.low, p.high, p.method)
        for key in report.overall.measures
        for cell in (report.overall, *report.systems)
        for p in [cell.measures[key]]
    }


def _analysis(name: str, figures: Figures, own: Figures, without: list[str] | None = None) -> SensitivityAnalysis:
    """Return an analysis in the order of the report's own figures."""
    estimates = [_estimate(*key, figures.get(key, NOTHING), reported) for key, reported in own.items()]
    return SensitivityAnalysis(analysis=name, without=without, estimates=estimates)


def _estimate(measure: str, system: str | None, figure: Figure, reported: Figure) -> SensitivityEstimate:
    shift = None if figure.value is None or reported.value is None else figure.value - reported.value
    return SensitivityEstimate(measure, system, *figure, shift=shift)


def _exclusions(study: Study, alerted: list[str], own: Figures) -> Iterator[SensitivityAnalysis]:
    """Yield the figures without each of these raters, and without all if they are several."""
    for name in alerted:
        yield _analysis(WITHOUT_RATER, _without(study, [name]), own, [name])
    if len(alerted) > 1:
        yield _analysis(WITHOUT_ALERTED, _without(study, alerted), own, alerted)


def _without(study: Study, names: list[str]) -> Figures:
    return _pooled(without_raters(study, names))


def without_raters(study: Study, names: Sequence[str]) -> Study:
    """Return the study without the ratings of some raters; adjudications stay, as in a report without these raters."""
    excluded = [number for number, name in enumerate(study.ratings.raters) if name in names]
    remaining = study.ratings.keep_rows(~np.isin(study.ratings.rater, excluded))
    used = occurring(remaining.response, len(remaining.responses))
    return study.under(remaining.keep_responses(used, study.ratings.responses.cluster))


def _pooled(study: Study, ratios: list[Ratio] | None = None) -> Figures:
    """Estimate the measures, or other ratios in their order, with all ratings together."""
    entries = study.ratings.counts
    overall = study.cells.measures_by_cluster(entries, one_group(entries), ratios)
    systems = study.cells.measures_by_cluster(entries, by_system(study.ratings), ratios)
    return study.proportions(
        [
            (np.concatenate([k, k_s]), np.concatenate([n, n_s]))
            for (k, n), (k_s, n_s) in zip(overall, systems, strict=True)
        ]
    )


def _majority(study: Study) -> Figures:
    """Estimate the share of the items whose majority is a hit; undecided items are excluded."""
    ratings = study.ratings.with_turned_answers()
    system_of = ratings.responses.system_of[ratings.items.response]
    shape = (len(ratings.responses.systems), ratings.responses.clusters)

    def count(items: Mask) -> Indices:
        systems = count_table(system_of[items], ratings.item_cluster[items], shape)
        return np.concatenate([systems.sum(axis=0, keepdims=True), systems])

    majorities = (votes.majority for votes in votes_by_measure(ratings, study.cells).values())
    return study.proportions([(count(won == HIT), count((won == HIT) | (won == OTHER))) for won in majorities])


def _dawid_skene(aggregations: Sequence[Aggregation]) -> Figures:
    """Return the estimates of Dawid and Skene's model that the report has."""
    models = {(key, row.system): m.dawid_skene for row in aggregations for key, m in row.measures.items()}
    return {
        key: Figure(model.value, model.items, model.low, model.high, _method_of(model))
        for key, model in models.items()
        if model
    }


def _method_of(model: DawidSkene) -> str:
    if model.low is None:
        return "none"
    return "korn-graubard" if model.value in (0, 1) else "percentile"


def _responses_equal(study: Study) -> Figures:
    """Estimate the mean of the responses' own proportions: each response has the same weight."""
    responses, entries = study.ratings.responses, study.ratings.counts
    by_response = replace(study.cells, clusters=len(responses))
    tables = by_response.measures_by_cluster(replace(entries, cluster=entries.response), one_group(entries))
    by_measure = zip(study.measures, tables, strict=True)
    return {
        (measure.key, system): figure
        for measure, (k, n) in by_measure
        for system, figure in means_of_responses(study, k[0], n[0]).items()
    }


def means_of_responses(study: Study, k: Indices, n: Indices) -> dict[str | None, Figure]:
    """Estimate the mean of k / n of shape (responses,), each 0 to 1 where n is not 0: of all systems and of each."""
    responses = study.ratings.responses
    shares = np.divide(k, n, out=np.full(len(responses), np.nan), where=n > 0)
    clusters = responses.cluster_of[responses.prompt_of]
    figures = {}
    for number, system in enumerate(study.systems, start=-1):
        of_system = responses.system_of == number if system else np.ones(len(responses), dtype=bool)
        figures[system] = _mean(study, shares[of_system], clusters[of_system])
    return figures


def _mean(study: Study, shares: NDArray[np.float64], clusters: Indices) -> Figure:
    """Estimate the mean of some responses' proportions; where all are 0 or all 1, with Korn and Graubard's bounds."""
    mean = clustered_mean(shares, clusters, resamples=study.cells.resamples, level=LEVEL)
    if mean.value in (0, 1):
        n = np.bincount(clusters[np.isfinite(shares)])
        bounds = closed_form(ratio(n * int(mean.value), n), LEVEL)
        return Figure(mean.value, mean.n, bounds.low, bounds.high, bounds.method)
    return Figure(mean.value, mean.n, _within_0_and_1(mean.low), _within_0_and_1(mean.high), mean.method)


def _within_0_and_1(bound: float | None) -> float | None:
    return None if bound is None else min(max(bound, 0.0), 1.0)


def _not_assessed(study: Study, *, as_best: bool) -> Figures:
    """Estimate with the ratings that could not be assessed in the denominator, as best or worst case.

    The best case is a hit of a measure whose higher values are better, or of one without a better end, and a miss of
    one whose lower values are better. {} where every rating is assessed.
    """
    ratios, any_added = [], False
    for measure in study.measures:
        hits, among = study.cells.masks(measure)
        added = could_not_assess(study.cells, measure.counts) & ~among
        is_hit = as_best != (measure.better == "lower")
        ratios.append(Ratio("measures", measure.key, hits | added if is_hit else hits, among | added))
        any_added |= bool(added[study.ratings.counts.answer].any())
    return _pooled(study, ratios) if any_added else {}


def could_not_assess(cells: Cells, questions: Collection[str]) -> Mask:
    """Return which sets of answers answer one of these questions with an option that is in no denominator."""
    options = {
        question.key: cells.protocol.left_out(question.key)
        for question in cells.protocol.questions
        if question.key in questions
    }
    return np.array(
        [any(answers.get(key) in left_out for key, left_out in options.items()) for answers in cells.answers],
        dtype=bool,
    )


def _in_clusters(study: Study, cluster: str) -> Callable[[], Figures]:
    """Return the estimation with prompts or documents as sampling units; {} for documents that are not shared."""

    def compute() -> Figures:
        if cluster == DOCUMENT and study.ratings.responses.shared_documents is None:
            return {}
        return _pooled(in_clusters(study, cluster))

    return compute


def in_clusters(study: Study, cluster: str) -> Study:
    """Return the study with prompts or documents as sampling units."""
    every_response = np.ones(len(study.ratings.responses), dtype=bool)
    return study.under(study.ratings.keep_responses(every_response, cluster))


Scores = dict[tuple[str, str | None], ScoreEstimate]
"""By score and system; None for all systems together."""


def with_scores(study: Study, report: "Report", analyses: Sequence[SensitivityAnalysis]) -> list[SensitivityAnalysis]:
    """Return the analyses with the scores of the report, if its protocol has any."""
    if report.overall.scores is None:
        return list(analyses)
    own: Scores = {
        (key, cell.system): score
        for key in report.overall.scores
        for cell in (report.overall, *report.systems)
        for score in [(cell.scores or {})[key]]
    }
    return [structs.replace(row, scores=_estimates(_scores(study, row, own), own)) for row in analyses]


def _estimates(figures: Scores | None, own: Scores) -> list[SensitivityScore] | None:
    if figures is None:
        return None
    nothing = ScoreEstimate(None, 0.0, 0, None, None, "none")
    return [_score_estimate(*key, figures.get(key, nothing), reported) for key, reported in own.items()]


def _score_estimate(key: str, system: str | None, score: ScoreEstimate, reported: ScoreEstimate) -> SensitivityScore:
    shift = None if score.value is None or reported.value is None else score.value - reported.value
    return SensitivityScore(key, system, score.value, score.n, score.low, score.high, score.method, shift)


def _scores(study: Study, row: SensitivityAnalysis, own: Scores) -> Scores | None:
    """Return the scores under an analysis; None where it has none."""
    cluster = next((cluster for cluster, name in BY_CLUSTER.items() if name == row.analysis), "")
    if row.analysis == AS_REPORTED:
        return own
    if row.without is not None:
        return _of_study(without_raters(study, row.without))
    if row.analysis == RESPONSES_EQUAL:
        return _scores_of_equal_responses(study)
    if row.analysis in (AS_WORST, AS_BEST):
        return _of_study(study, _weights_not_assessed(study, as_best=row.analysis == AS_BEST))
    return _of_study(in_clusters(study, cluster)) if cluster else None


def _of_study(study: Study, weights: Weights | None = None) -> Scores:
    entries, systems = study.ratings.counts, study.ratings.responses.systems
    weighted = score_weights(study.cells) if weights is None else weights
    (overall,) = score_groups(study.cells, entries, one_group(entries), 1, weighted)
    of_systems = score_groups(study.cells, entries, by_system(study.ratings), len(systems), weighted)
    named = [(None, overall), *zip(systems, of_systems, strict=True)]
    return {(key, system): score for system, scores in named for key, score in scores.items()}


def _scores_of_equal_responses(study: Study) -> Scores:
    """Estimate the mean of the responses' own scores: each response has the same weight."""
    entries, count = study.ratings.counts, len(study.ratings.responses)
    scores: Scores = {}
    for key, ((points, among), largest) in score_weights(study.cells).items():
        sums, n = (
            np.bincount(entries.response, weights=each[entries.answer] * entries.n, minlength=count).astype(np.int64)
            for each in (points, among)
        )
        for system, share in means_of_responses(study, sums, largest * n).items():
            value, low, high = per_100_ratings(largest, share.value, share.low, share.high)
            scores[key, system] = ScoreEstimate(value, 0.0, share.n, low, high, share.method)
    return scores


def _weights_not_assessed(study: Study, *, as_best: bool) -> Weights:
    """Return the weights with what could not be assessed in the denominator: with the largest weight in the worst case
    of a score that is better the lower, with 0 in the best.
    """
    weights = score_weights(study.cells)
    return {
        score.key: _added(weights[score.key], study, score.key, has_largest=as_best != (score.better == "lower"))
        for score in study.cells.protocol.scores
    }


def _added(
    weights: tuple[tuple[Indices, Indices], int], study: Study, key: str, *, has_largest: bool
) -> tuple[tuple[Indices, Indices], int]:
    (points, among), largest = weights
    score = next(score for score in study.cells.protocol.scores if score.key == key)
    questions = {question for entry in score.weights for question in entry.when}
    added = could_not_assess(study.cells, questions) & (among == 0)
    return (np.where(added, largest if has_largest else 0, points), np.where(added, 1, among)), largest

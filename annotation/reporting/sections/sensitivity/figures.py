"""Sensitivity: the measures and scores under other decisions about the analysis, each beside the report's own.

Each rater with a quality alert is excluded alone, and all of them together: the errors of raters in opposite directions
cancel in one figure, and only the single exclusions show them. The other analyses change how ratings are aggregated,
what counts in the denominator, or the sampling unit.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, NamedTuple, TypeVar

import numpy as np
from msgspec import Meta

from ....protocols import Measure, Score
from ....stats.interval_choice import headlines
from ....stats.intervals import Interval, closed_form
from ....stats.means import clustered_mean
from ....stats.proportions import count_table, ratio
from ...choices import DOCUMENT, PROMPT
from ...data.arrays import Indices, occurring
from ...data.groups import LEVEL, Ratio
from ...data.study import Study
from ...parts import Count, Fields, Fraction, Part
from ..aggregations.figures import HIT, NEITHER, Aggregation, votes_on
from ..raters.figures import RaterQuality

if TYPE_CHECKING:
    from ...report import Report

AS_REPORTED = "as reported"
WITHOUT_RATER, WITHOUT_ALERTED = "without rater", "without alerted raters"
MAJORITY, DAWID_SKENE, RESPONSES_EQUAL = "majority", "dawid-skene", "responses equal"
AS_WORST, AS_BEST = "not assessed as worst", "not assessed as best"
BY_CLUSTER = {cluster: f"by {cluster}" for cluster in (PROMPT, DOCUMENT)}
ANALYSES = (
    AS_REPORTED, WITHOUT_RATER, WITHOUT_ALERTED, MAJORITY, DAWID_SKENE, RESPONSES_EQUAL, AS_WORST, AS_BEST,
    *BY_CLUSTER.values(),
)  # fmt: skip


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


class SensitivityScore(SensitivityEstimate, frozen=True):
    """One score, per 100 ratings, of one system or of all together, in an analysis; `measure` is the score's key."""

    value: float | None
    low: float | None
    high: float | None


class SensitivityAnalysis(Part, frozen=True, kw_only=True):
    """The measures under one other decision about the analysis.

    `without` names the raters that are excluded; it is absent in the other analyses.
    """

    analysis: Annotated[str, Meta(extra_json_schema={"enum": [*ANALYSES]})]
    without: Sequence[str] | None = None
    estimates: Sequence[SensitivityEstimate]
    scores: Annotated[
        Sequence[SensitivityScore] | None,
        Meta(description="Under protocols with scores; absent where an analysis counts items, not weights."),
    ] = None

    @property
    def figures(self) -> list[SensitivityEstimate]:
        return [*self.estimates, *(self.scores or ())]


class Figure(NamedTuple):
    """A value over n ratings, items or responses, with its interval."""

    value: float | None
    n: int
    low: float | None
    high: float | None
    method: str

    def times(self, largest: int) -> "Figure":
        """Return a share of the largest weight as what it is a share of."""
        value, low, high = (None if share is None else largest * share for share in (self.value, self.low, self.high))
        return Figure(value, self.n, low, high, self.method)


Figures = Mapping[tuple[str, str | None], Figure]
"""By measure or score, and system; None for all systems together."""
NOTHING = Figure(None, 0, None, None, "none")
Estimate = TypeVar("Estimate", SensitivityEstimate, SensitivityScore)


def alerted_raters(raters: Sequence[RaterQuality] | None) -> list[str]:
    return [row.rater for row in raters or () if row.flags]


def sensitivity_fields(study: Study, report: "Report") -> Fields:
    """Return every analysis that the data allow of a report whose other fields are computed; its own figures first.
    Only the exclusions in a live report.

    Absent: exclusions without a rater with an alert; `dawid-skene` with too few ratings; `not assessed` where every
    rating is assessed; documents as units where prompts do not share them.
    """
    alerted, cells = alerted_raters(report.raters), [report.overall, *report.systems]
    if not study.is_slow and not alerted:
        return {"sensitivity": None}
    measures, scores = cells[0].measures, cells[0].scores or {}
    reported = {
        (key, cell.system): Figure(figure.value, figure.n, figure.low, figure.high, figure.method)
        for key in (*measures, *scores)
        for cell in cells
        for figure in [cell.measures.get(key) or (cell.scores or {})[key]]
    }
    analyses = [
        SensitivityAnalysis(
            analysis=name,
            without=without,
            estimates=_estimates(SensitivityEstimate, measures, figures, reported),
            scores=_estimates(SensitivityScore, scores, figures, reported) or None,
        )
        for name, figures, without in [
            (AS_REPORTED, reported, None),
            *_analyses(study, report.aggregations or (), alerted),
        ]
        if figures
    ]
    return {"sensitivity": analyses}


def _estimates(part: type[Estimate], keys: Collection[str], figures: Figures, reported: Figures) -> list[Estimate]:
    """Return the figures of an analysis in the order of the report's own; [] if it has none of these keys."""
    if not any(key in keys for key, _ in figures):
        return []
    estimates = []
    for (key, system), own in reported.items():
        if key in keys:
            figure = figures.get((key, system), NOTHING)
            shift = None if figure.value is None or own.value is None else figure.value - own.value
            estimates.append(part(key, system, *figure, shift=shift))
    return estimates


def _analyses(
    study: Study, aggregations: Sequence[Aggregation], alerted: list[str]
) -> Iterator[tuple[str, Figures, list[str] | None]]:
    """Yield the name of each analysis, its figures, {} where the data do not allow it, and the excluded raters."""
    for name in alerted:
        yield WITHOUT_RATER, _pooled(_without_raters(study, [name])), [name]
    if len(alerted) > 1:
        yield WITHOUT_ALERTED, _pooled(_without_raters(study, alerted)), alerted
    if study.is_slow:
        yield MAJORITY, _majority(study), None
        yield DAWID_SKENE, _dawid_skene(aggregations), None
        yield RESPONSES_EQUAL, _responses_equal(study), None
        yield AS_WORST, _not_assessed(study, as_best=False), None
        yield AS_BEST, _not_assessed(study, as_best=True), None
        for cluster, name in BY_CLUSTER.items():
            if cluster == PROMPT or study.ratings.responses.shared_documents is not None:
                yield name, _pooled(study.in_clusters(cluster)), None


def _without_raters(study: Study, names: Sequence[str]) -> Study:
    """Return the study without the ratings of some raters; adjudications stay, as in a report without these raters."""
    excluded = [number for number, name in enumerate(study.ratings.raters) if name in names]
    remaining = study.ratings.keep_rows(~np.isin(study.ratings.rater, excluded))
    used = occurring(remaining.response, len(remaining.responses))
    return study.of(remaining.keep_responses(used, study.ratings.responses.cluster))


def _pooled(study: Study, ratios: list[Ratio] | None = None) -> Figures:
    ratios = ratios or study.cells.ratios
    k, n = study.cells.by_cluster(study.by_system, ratios)
    return _estimated(study, [(ratio, k[:, i], n[:, i]) for i, ratio in enumerate(ratios)])


def _majority(study: Study) -> Figures:
    """Estimate the share of the items whose majority is a hit; undecided items are excluded. Scores have none."""
    ratings, tables = study.ratings.with_turned_answers(), []
    responses, response = ratings.responses, ratings.items.response
    system, shape = responses.system_of[response], (len(responses.systems), responses.clusters)
    for measure, weights in zip(study.protocol.measures, study.cells.ratios, strict=False):
        majority = votes_on(measure, ratings, study.cells).majority
        flags = (majority == HIT).astype(np.int64), (majority != NEITHER).astype(np.int64)
        k, n = (count_table(system, ratings.item_cluster, shape, flag) for flag in flags)
        tables.append((weights, k, n))
    return _estimated(study, tables)


def _estimated(study: Study, tables: Sequence[tuple[Ratio, Indices, Indices]]) -> Figures:
    """Estimate figures from k and n by system and cluster, of each system and of all together."""
    systems = (None, *study.ratings.responses.systems)
    keys = [(ratio, name) for ratio, _, _ in tables for name in systems]
    ks, ns = zip(*((k, n) for _, k, n in tables), strict=True)
    k, n = (np.concatenate([part for each in side for part in (each.sum(axis=0)[None], each)]) for side in (ks, ns))
    units = [ratio.unit for ratio, _ in keys]
    estimates = headlines(k, n, resamples=study.cells.resamples, level=LEVEL, unit=units)
    return {
        (ratio.key, name): Figure(p.value, p.n // ratio.unit, p.low, p.high, p.method).times(ratio.unit)
        for (ratio, name), p in zip(keys, estimates, strict=True)
    }


def _dawid_skene(aggregations: Sequence[Aggregation]) -> Figures:
    figures = {}
    for row in aggregations:
        for key, measure in row.measures.items():
            if model := measure.dawid_skene:
                method = "korn-graubard" if model.value in (0, 1) else "percentile"
                method = "none" if model.low is None else method
                figures[key, row.system] = Figure(model.value, model.items, model.low, model.high, method)
    return figures


def _responses_equal(study: Study) -> Figures:
    """Estimate the mean of the responses' own figures: each response has the same weight."""
    responses, counts, figures = study.ratings.responses, study.ratings.counts, {}
    for weights in study.cells.ratios:
        sums, n = (
            np.bincount(counts.response, each[counts.answer] * counts.n, len(responses))
            for each in (weights.hits, weights.among)
        )
        shares = np.divide(sums, n, out=np.zeros(len(responses)), where=n > 0)
        for number, system in enumerate((None, *responses.systems), start=-1):
            used = n > 0 if system is None else (n > 0) & (responses.system_of == number)
            clusters = responses.cluster_of[responses.prompt_of[used]]
            mean = clustered_mean(shares[used], clusters, resamples=study.cells.resamples, level=LEVEL)
            bounds = Interval(mean.low, mean.high, mean.method)
            if mean.value in (0, 1):  # nothing varies: the bounds are those of a proportion
                by_cluster = np.bincount(clusters)
                bounds = closed_form(ratio(by_cluster * int(mean.value), by_cluster), LEVEL)
            low, high = (None if bound is None else min(max(bound, 0.0), 1.0) for bound in (bounds.low, bounds.high))
            figures[weights.key, system] = Figure(mean.value, mean.n, low, high, bounds.method).times(weights.unit)
    return figures


def _not_assessed(study: Study, *, as_best: bool) -> Figures:
    """Estimate with the ratings that could not be assessed in the denominator; {} where every rating is assessed.

    In the best case they have the largest weight where higher values are better or neither end is, else 0; in the worst
    case the reverse.
    """
    cells, ratios, any_added = study.cells, [], False
    figures: list[Measure | Score] = [*cells.protocol.measures, *cells.protocol.scores]
    for figure, weights in zip(figures, cells.ratios, strict=True):
        counted = [figure.counts] if isinstance(figure, Measure) else [weight.when for weight in figure.weights]
        left_out = {question: cells.protocol.left_out(question) for condition in counted for question in condition}
        is_left_out = [any(answers.get(key) in keys for key, keys in left_out.items()) for answers in cells.answers]
        added = np.array(is_left_out, dtype=bool) & (weights.among == 0)
        largest = weights.unit if as_best != (figure.better == "lower") else 0
        hits, among = np.where(added, largest, weights.hits), np.where(added, weights.unit, weights.among)
        ratios.append(replace(weights, hits=hits, among=among))
        any_added |= isinstance(figure, Measure) and bool(added[study.ratings.counts.answer].any())
    return _pooled(study, ratios) if any_added else {}

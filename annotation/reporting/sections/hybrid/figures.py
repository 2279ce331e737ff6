"""Estimates from people's ratings of a sample and a judge's verdicts on all items."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Annotated, TypeVar

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from ....models import Judge, Project
from ....protocols import Measure
from ....stats.hybrid import (
    HybridEstimate,
    UnitSums,
    group_shares,
    hybrid,
    hybrid_difference,
    people_alone,
    unit_sums,
    verdict_weights,
)
from ...choices import ADJUDICATED
from ...data.arrays import Indices, Mask
from ...data.groups import LEVEL, Cells
from ...data.judge_answers import JudgeAnswer
from ...data.sample import ADJUDICATED_RATINGS, NO_VERDICTS, NoFrame, SampleFrame
from ...data.study import Study
from ...data.table import RatingTable
from ...parts import Count, Fields, Fraction, Part
from ..judge.input import answers_by_item


class PeopleAlone(Part, frozen=True):
    """The estimate without the judge: `n` assessed ratings in `units` prompts or documents."""

    value: Fraction | None
    low: Fraction | None
    high: Fraction | None
    n: Count
    units: Count


class WeightedCell(Part, frozen=True):
    """People alone in one system, or in all where `system` is null: `rated` of the `drawn` of its `items` have a
    rating.
    """

    system: str | None
    items: Count
    drawn: Count
    rated: Count
    measures: Mapping[str, PeopleAlone]


class WeightedEstimates(Part, frozen=True, kw_only=True):
    """Estimates of people alone that are weighted for the unequal probabilities of a sample, from the ratings that the
    report counts; or the `reason` why there are none, without other fields.

    `units`: prompts or documents of all items; `sha256`: of the items and their probabilities.
    """

    reason: str | None = None
    units: Count | None = None
    sha256: str | None = None
    overall: WeightedCell | None = None
    systems: Sequence[WeightedCell] = ()
    comparisons: Sequence["HybridDifference"] = ()


class HybridMeasure(Part, frozen=True):
    """The estimate of one measure from people and judge. `judge_alone` is the judge's rate over `n_judge` items."""

    value: Fraction | None
    low: Fraction | None
    high: Fraction | None
    lambda_: Annotated[
        float, Meta(description="The weight of the judge, 0 to 1; with 0 the estimate is that of people alone.")
    ] = msgspec.field(name="lambda")
    human: PeopleAlone
    judge_alone: Annotated[Fraction | None, Meta(description="Not an estimate: no rating of a person corrects it.")]
    n_judge: Count


class HybridSystem(Part, frozen=True):
    """One system, or all together where `system` is null: `rated` of the `drawn` of its `items` have a rating."""

    system: str | None
    items: Count
    drawn: Count
    rated: Count
    measures: Mapping[str, HybridMeasure]


class HybridDifference(Part, frozen=True):
    """The difference a − b of two systems' estimates."""

    a: str
    b: str
    measure: str
    difference: float | None
    low: float | None
    high: float | None


class Hybrid(Part, frozen=True, kw_only=True):
    """The estimates with one version of a judge, NAME@N; or the `reason` why there are none, without other fields.
    `version` is 0 where there is no such judge; `judge` is then as it was asked for.

    `returned_model`: as which the judge's endpoint answered, if it names its model; `fingerprints`: number of answers
    by the system fingerprint that the endpoint named, if it does. `units`: prompts or documents, sampled or not;
    `overlap`: by which each verdict is multiplied; `verdicts`: answers of the judge about the items; `failed`: verdicts
    without one; `verdict_shown`: ratings that are not used because verdicts were shown before; `tuned`: items that are
    not used because they tuned the judge's prompt; `sha256`: of the probabilities and the judge's answers.
    """

    judge: str
    version: Count
    reason: str | None = None
    returned_model: str | None = None
    fingerprints: Mapping[str, Count] | None = None
    units: Count | None = None
    overlap: Count | None = None
    verdicts: Count | None = None
    failed: Count | None = None
    verdict_shown: Count | None = None
    tuned: Count | None = None
    sha256: str | None = None
    overall: HybridSystem | None = None
    systems: Sequence[HybridSystem] = ()
    comparisons: Sequence[HybridDifference] = ()


Floats = NDArray[np.float64]
_Cell = TypeVar("_Cell", HybridSystem, WeightedCell)


@dataclass(frozen=True)
class HybridData:
    """What the estimates are computed from: the frame, the ratings (a table with single ratings), the judge's answers
    by item id, and the project's overlap. `verdict_shown`: ratings that are not among them because verdicts were shown.
    """

    frame: SampleFrame
    ratings: RatingTable
    cells: Cells
    answers: dict[int, JudgeAnswer]
    overlap: int
    verdict_shown: int = 0

    @cached_property
    def rated_item(self) -> Indices:
        """The item of each rating, -1 where it was not drawn or tuned the judge's prompt."""
        return self.frame.items_of_ratings(self.ratings)

    @cached_property
    def has_rating(self) -> Mask:
        """Whether an item was drawn, did not tune the prompt, and has a rating, assessed or not."""
        counts = np.bincount(self.rated_item[self.rated_item >= 0], minlength=len(self.frame.items))
        return counts > 0

    @cached_property
    def probability(self) -> Floats:
        """The probability that an item is drawn, did not tune the prompt, and is rated."""
        share = group_shares(self.has_rating, self.frame.is_drawn, self.frame.system)
        return self.frame.probability * np.where(share > 0, share, 1.0)

    @cached_property
    def verdict_weight(self) -> Floats:
        """The weight of each item's verdict in the sum over all items."""
        frame = self.frame
        return verdict_weights(frame.is_tuned, frame.is_drawn, frame.probability, frame.system)

    @cached_property
    def judge_answers(self) -> tuple[list[dict[str, str]], Indices]:
        """The judge's distinct sets of answers, and the number of the set about each item; MISSING without one, and for
        an item that tuned the prompt.
        """
        frame = self.frame
        items = [item for item in frame.items if not item.is_tuned and item.item_id in self.answers]
        rows, is_turned = [self.answers[item.item_id] for item in items], frame.responses.turned[frame.response]
        sets, number, _ = answers_by_item(frame.item_id, is_turned, self.cells.protocol, rows)
        return sets, number

    def human_counts(self, measure: Measure) -> tuple[Floats, Floats]:
        hits, among = self.cells.masks(measure)
        used = self.rated_item >= 0
        item, answer, n = self.rated_item[used], self.ratings.answer[used], len(self.frame.items)
        assessed = np.bincount(item, among[answer], n).astype(np.float64)
        return np.bincount(item, hits[answer], n).astype(np.float64), assessed

    def judge_counts(self, measure: Measure) -> tuple[Floats, Floats]:
        """Return the judge's hit on each item and whether it assessed it, times the overlap; 0 without an answer and
        for an item that tuned the prompt.
        """
        sets, number = self.judge_answers
        hits, among = (
            np.append(mask, False)[number].astype(np.float64)
            for mask in Cells(self.cells.protocol, sets, 0, None).masks(measure)
        )
        return self.overlap * hits, self.overlap * among

    def sums(self, measure: Measure, items: Mask) -> UnitSums:
        sampled = (self.has_rating, self.probability, self.verdict_weight)
        columns = (*self.human_counts(measure), *self.judge_counts(measure), *sampled)
        return unit_sums(
            self.frame.cluster[items], *(column[items] for column in columns), units=self.frame.responses.clusters
        )

    def item_counts(self, items: Mask) -> tuple[int, int, int]:
        """Return the numbers of these items, of those drawn and of those rated, without items that tuned the prompt."""
        masks = ~self.frame.is_tuned, self.frame.is_used, self.has_rating
        usable, drawn, rated = (int((mask & items).sum()) for mask in masks)
        return usable, drawn, rated


def judged_sample(study: Study) -> HybridData:
    """Return the frame of the sample with the judge's answers about it. Raises NoFrame with the reason why there are no
    estimates.
    """
    by_item = {row.item_id: row for row in study.judge_answers.rows}
    if study.choices.answers == ADJUDICATED:
        raise NoFrame(ADJUDICATED_RATINGS)
    frame = study.frame.with_tuned(study.tuned)
    if not any(item.item_id in by_item for item in frame.items if not item.is_tuned):
        raise NoFrame(NO_VERDICTS)
    usable = study.comparable(study.ratings)
    ratings = usable.ratings.with_turned_answers()
    return HybridData(frame, ratings, study.cells, by_item, study.project.overlap, usable.verdict_shown)


def hybrid_fields(study: Study) -> Fields:
    if not study.choices.judge:
        return {"hybrid": None}
    judge: Judge | None = None
    try:
        judge = study.judge
        data = judged_sample(study)
    except NoFrame as problem:
        label, version = (judge.label, judge.version) if judge else (study.choices.judge, 0)
        return {"hybrid": Hybrid(judge=label, version=version, reason=str(problem))}
    frame = data.frame
    judged = [item.item_id for item in frame.items if not item.is_tuned]
    answers = [data.answers[item_id] for item_id in judged if item_id in data.answers]
    fingerprints = Counter(answer.fingerprints for answer in answers if answer.fingerprints)
    overall, systems, comparisons = _by_system(data, _hybrid_cell)
    hybrid = Hybrid(
        judge=judge.label,
        version=judge.version,
        returned_model=judge.returned_model or None,
        fingerprints=dict(sorted(fingerprints.items())) or None,
        units=frame.responses.clusters,
        overlap=data.overlap,
        verdicts=len(answers),
        failed=sum(item_id in study.judge_answers.failed for item_id in judged),
        verdict_shown=data.verdict_shown or None,
        tuned=len(frame.items) - len(judged) or None,
        sha256=frame.sha256(data.answers),
        overall=overall,
        systems=systems,
        comparisons=comparisons,
    )
    return {"hybrid": hybrid}


def weighted_fields(study: Study) -> Fields:
    return {"weighted_estimates": _weighted(study)}


def _weighted(study: Study) -> WeightedEstimates | None:
    """Return the estimates from the ratings that a report counts, or the reason why there are none; None where the
    probabilities are equal, so that the report needs no weights.
    """
    if study.project.sampling_design != Project.SamplingDesign.UNCERTAIN:
        return None
    try:
        frame = study.frame
    except NoFrame as problem:
        return WeightedEstimates(reason=str(problem))
    data = HybridData(frame, study.ratings.with_turned_answers(), study.cells, {}, study.project.overlap)
    overall, systems, comparisons = _by_system(data, _weighted_cell)
    return WeightedEstimates(
        units=frame.responses.clusters,
        sha256=frame.sha256({}),
        overall=overall,
        systems=systems,
        comparisons=comparisons,
    )


def weighted_estimates(study: Study) -> dict[str, dict[str, PeopleAlone]]:
    """Return the weighted estimates by system and measure; {} without any."""
    part = _weighted(study)
    return {str(cell.system): dict(cell.measures) for cell in part.systems} if part else {}


def _by_system(
    data: HybridData,
    compute: Callable[[HybridData, str | None, Mask], tuple[_Cell, dict[str, HybridEstimate]]],
) -> tuple[_Cell, list[_Cell], list[HybridDifference]]:
    """Return the cell of all systems together, that of each system by name, and the differences of every pair of
    systems, in the order of measures, then of names.
    """
    names, system = data.frame.responses.systems, data.frame.system
    overall, _ = compute(data, None, np.ones(len(data.frame.items), dtype=bool))
    by_name = {name: compute(data, name, system == number) for number, name in enumerate(names)}
    differences = []
    for measure in data.cells.protocol.measures:
        for a, b in combinations(names, 2):
            (_, first), (_, second) = by_name[a], by_name[b]
            row = hybrid_difference(first[measure.key], second[measure.key], LEVEL)
            differences.append(HybridDifference(a, b, measure.key, row.difference, row.low, row.high))
    return overall, [cell for cell, _ in by_name.values()], differences


def _hybrid_cell(data: HybridData, system: str | None, items: Mask) -> tuple[HybridSystem, dict[str, HybridEstimate]]:
    estimates, measures = {}, {}
    for measure in data.cells.protocol.measures:
        sums = data.sums(measure, items)
        estimates[measure.key] = estimate = hybrid(sums, LEVEL)
        measures[measure.key] = HybridMeasure(
            value=estimate.value,
            low=estimate.low,
            high=estimate.high,
            lambda_=estimate.lambda_,
            human=_people(people_alone(sums, LEVEL)),
            judge_alone=sums.judge_value,
            n_judge=sums.judge_items,
        )
    return HybridSystem(system, *data.item_counts(items), measures), estimates


def _weighted_cell(data: HybridData, system: str | None, items: Mask) -> tuple[WeightedCell, dict[str, HybridEstimate]]:
    estimates = {each.key: people_alone(data.sums(each, items), LEVEL) for each in data.cells.protocol.measures}
    measures = {key: _people(estimate) for key, estimate in estimates.items()}
    return WeightedCell(system, *data.item_counts(items), measures), estimates


def _people(estimate: HybridEstimate) -> PeopleAlone:
    return PeopleAlone(estimate.value, estimate.low, estimate.high, estimate.n, estimate.rated_units)

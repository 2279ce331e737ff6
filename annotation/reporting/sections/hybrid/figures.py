"""Estimates from people's ratings of a sample and a judge's verdicts on all items."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from .... import protocols
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
from ...choices import ADJUDICATED, DEFAULT
from ...data.arrays import Indices, Mask
from ...data.groups import LEVEL, Cells
from ...data.judge_answers import JudgeAnswer, JudgeAnswers
from ...data.report_input import ReportInput
from ...data.sample import ADJUDICATED_RATINGS, NO_VERDICTS, NoFrame, SampleFrame
from ...data.table import RatingTable
from ...parts import Count, Fraction, Part
from ..judge.input import JudgeInput


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

    @property
    def is_unfinished(self) -> bool:
        """Whether drawn items have no rating yet."""
        return self.overall is not None and self.overall.rated < self.overall.drawn


Floats = NDArray[np.float64]


@dataclass(frozen=True)
class HybridData:
    """What the estimates are computed from: the frame, the ratings (a table with single ratings), the judge's answers
    by item id, and the project's overlap.
    """

    frame: SampleFrame
    ratings: RatingTable
    cells: Cells
    answers: dict[int, JudgeAnswer]
    overlap: int

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

    def human_counts(self, measure: Measure) -> tuple[Floats, Floats]:
        """Return the hits and the assessed ratings of each item."""
        hits, among = self.cells.masks(measure)
        used = self.rated_item >= 0
        item, answer, n = self.rated_item[used], self.ratings.answer[used], len(self.frame.items)
        assessed = np.bincount(item, among[answer], n).astype(np.float64)
        return np.bincount(item, hits[answer], n).astype(np.float64), assessed

    def judge_counts(self, measure: Measure) -> tuple[Floats, Floats]:
        """Return the judge's hit on each item and whether it assessed it, times the overlap; 0 without an answer and
        for an item that tuned the prompt.
        """
        verdicts = self._judge_answers
        assessed = np.array([a is not None and protocols.holds(measure.among, a) for a in verdicts], dtype=np.float64)
        counted = np.array([a is not None and protocols.holds(measure.counts, a) for a in verdicts], dtype=np.float64)
        return self.overlap * counted * assessed, self.overlap * assessed

    def sums(self, measure: Measure, items: Mask) -> UnitSums:
        """Return the sums by unit over these items."""
        sampled = (self.has_rating, self.probability, self.verdict_weight)
        columns = (*self.human_counts(measure), *self.judge_counts(measure), *sampled)
        return unit_sums(
            self.frame.cluster[items], *(column[items] for column in columns), units=self.frame.responses.clusters
        )

    @cached_property
    def _judge_answers(self) -> list[dict[str, str] | None]:
        """The judge's answers about each item, with the systems of a pair in the report's order."""
        rows = [None if item.is_tuned else self.answers.get(item.item_id) for item in self.frame.items]
        return [
            None
            if row is None
            else protocols.swap_sides(self.cells.protocol, row.answers)
            if item.response.is_turned
            else dict(row.answers)
            for item, row in zip(self.frame.items, rows, strict=True)
        ]


def hybrid_cells(data: HybridData) -> tuple[HybridSystem, list[HybridSystem], list[HybridDifference]]:
    """Return all systems together, each system by name, and the differences of every pair of systems."""
    every = np.ones(len(data.frame.items), dtype=bool)
    overall, _ = _cell(data, None, every)
    names = data.frame.responses.systems
    cells = [_cell(data, name, data.frame.system == number) for number, name in enumerate(names)]
    return overall, [cell for cell, _ in cells], list(_differences(names, [estimates for _, estimates in cells]))


def weighted_cells(data: HybridData) -> tuple[WeightedCell, list[WeightedCell], list[HybridDifference]]:
    """Return the estimates of people alone as `hybrid_cells` does: all systems, each, and their differences."""
    every = np.ones(len(data.frame.items), dtype=bool)
    overall, _ = _weighted_cell(data, None, every)
    names = data.frame.responses.systems
    cells = [_weighted_cell(data, name, data.frame.system == number) for number, name in enumerate(names)]
    return overall, [cell for cell, _ in cells], list(_differences(names, [estimates for _, estimates in cells]))


def _weighted_cell(data: HybridData, system: str | None, items: Mask) -> tuple[WeightedCell, dict[str, HybridEstimate]]:
    estimates = {
        measure.key: people_alone(data.sums(measure, items), LEVEL) for measure in data.cells.protocol.measures
    }
    measures = {key: _people(estimate) for key, estimate in estimates.items()}
    return WeightedCell(system, *_item_counts(data, items), measures), estimates


def _item_counts(data: HybridData, items: Mask) -> tuple[int, int, int]:
    """Return the numbers of these items, of those drawn and of those rated, without items that tuned the prompt."""
    usable, drawn, rated = (
        int((mask & items).sum()) for mask in (~data.frame.is_tuned, data.frame.is_used, data.has_rating)
    )
    return usable, drawn, rated


def _people(estimate: HybridEstimate) -> PeopleAlone:
    return PeopleAlone(estimate.value, estimate.low, estimate.high, estimate.n, estimate.rated_units)


def _cell(data: HybridData, system: str | None, items: Mask) -> tuple[HybridSystem, dict[str, HybridEstimate]]:
    sums = {measure.key: data.sums(measure, items) for measure in data.cells.protocol.measures}
    estimates = {key: hybrid(each, LEVEL) for key, each in sums.items()}
    measures = {key: _measure(estimate, sums[key]) for key, estimate in estimates.items()}
    return HybridSystem(system, *_item_counts(data, items), measures), estimates


def _measure(estimate: HybridEstimate, sums: UnitSums) -> HybridMeasure:
    return HybridMeasure(
        value=estimate.value,
        low=estimate.low,
        high=estimate.high,
        lambda_=estimate.lambda_,
        human=_people(people_alone(sums, LEVEL)),
        judge_alone=sums.judge_value,
        n_judge=sums.judge_items,
    )


def _differences(names: Sequence[str], cells: Sequence[dict[str, HybridEstimate]]) -> Iterator[HybridDifference]:
    """Yield the differences of each measure, in the order of measures, then of names."""
    for key in cells[0] if cells else ():
        for (a, first), (b, second) in combinations(zip(names, cells, strict=True), 2):
            difference = hybrid_difference(first[key], second[key], LEVEL)
            yield HybridDifference(a, b, key, difference.difference, difference.low, difference.high)


@dataclass(frozen=True)
class JudgedSample:
    """What estimates with a judge are computed from, with all of its answers, and how many ratings are not used because
    verdicts were shown before.
    """

    judge: Judge
    data: HybridData
    answers: JudgeAnswers
    verdict_shown: int


def judged_sample(read: JudgeInput, cells: Cells) -> JudgedSample:
    """Return the frame of the sample with the judge's answers about it. Raises NoFrame with the reason why there are no
    estimates.
    """
    judge = read.judge
    if read.choices.answers == ADJUDICATED:
        raise NoFrame(ADJUDICATED_RATINGS)
    frame, answers = read.frame.with_tuned(read.tuned), read.answers
    by_item = {row.item_id: row for row in answers.rows}
    if not any(item.item_id in by_item for item in frame.items if not item.is_tuned):
        raise NoFrame(NO_VERDICTS)
    usable = read.comparable(read.data.table)
    ratings = usable.ratings.with_turned_answers()
    data = HybridData(frame, ratings, cells, by_item, read.project.overlap)
    return JudgedSample(judge, data, answers, usable.verdict_shown)


def hybrid_part(read: JudgeInput, cells: Cells) -> Hybrid | None:
    """Return the estimates with the chosen judge, or the reason why there are none; None without a judge."""
    if not read.choices.judge:
        return None
    judge: Judge | None = None
    try:
        judge = read.judge
        sample = judged_sample(read, cells)
    except NoFrame as problem:
        label, version = (judge.label, judge.version) if judge else (read.choices.judge, 0)
        return Hybrid(judge=label, version=version, reason=str(problem))
    frame, by_item = sample.data.frame, sample.data.answers
    judged = [item for item in frame.items if not item.is_tuned]
    overall, systems, comparisons = hybrid_cells(sample.data)
    return Hybrid(
        judge=judge.label,
        version=judge.version,
        returned_model=judge.returned_model or None,
        fingerprints=_fingerprints(by_item[item.item_id] for item in judged if item.item_id in by_item),
        units=frame.responses.clusters,
        overlap=read.project.overlap,
        verdicts=sum(item.item_id in by_item for item in judged),
        failed=sum(item.item_id in sample.answers.failed for item in judged),
        verdict_shown=sample.verdict_shown or None,
        tuned=len(frame.items) - len(judged) or None,
        sha256=frame.sha256(by_item),
        overall=overall,
        systems=systems,
        comparisons=comparisons,
    )


def _fingerprints(answers: Iterable[JudgeAnswer]) -> dict[str, int] | None:
    """Return how many of these answers came with which system fingerprints, by name; None if none has one."""
    counts = Counter(answer.fingerprints for answer in answers if answer.fingerprints)
    return dict(sorted(counts.items())) or None


def weighted_part(read: JudgeInput, cells: Cells) -> WeightedEstimates | None:
    """Return the estimates from the ratings that a report counts, or the reason why there are none; None where the
    probabilities are equal, so that the report needs no weights.
    """
    project = read.project
    if project.sampling_design != Project.SamplingDesign.UNCERTAIN:
        return None
    try:
        frame = read.frame
    except NoFrame as problem:
        return WeightedEstimates(reason=str(problem))
    sample = HybridData(frame, read.data.table.with_turned_answers(), cells, {}, project.overlap)
    overall, systems, comparisons = weighted_cells(sample)
    return WeightedEstimates(
        units=frame.responses.clusters,
        sha256=frame.sha256({}),
        overall=overall,
        systems=systems,
        comparisons=comparisons,
    )


def weighted_estimates(data: ReportInput, cells: Cells) -> dict[str, dict[str, PeopleAlone]]:
    """Return the estimates of all ratings by system and measure; {} without any, as in `weighted_part`."""
    part = weighted_part(JudgeInput(data, DEFAULT), cells)
    return {str(cell.system): dict(cell.measures) for cell in part.systems} if part else {}

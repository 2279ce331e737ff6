"""Estimates from people's ratings of a sample and a judge's verdicts on all items, by `stats.hybrid`.

Every unit of the frame is in every estimate, sampled or not. Where drawn items have no rating yet, or tuned the judge's
prompt, the probability of an item of a system is multiplied by the share of the system's drawn items that are used.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ... import protocols
from ...protocols import Measure
from ...stats.hybrid import (
    HybridEstimate,
    UnitSums,
    group_shares,
    hybrid,
    hybrid_difference,
    people_alone,
    unit_sums,
    verdict_weights,
)
from ..data.arrays import Indices, Mask
from ..data.sample_frame import SampleFrame
from ..data.table import RatingTable
from ..data.verdicts import JudgeAnswer
from ..report import HybridDifference, HybridMeasure, HybridSystem, PeopleAlone, WeightedCell
from .cells import LEVEL, Cells

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

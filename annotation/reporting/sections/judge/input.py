"""People's labels of the items of a project beside a judge's."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .... import protocols
from ....protocols import Measure, Protocol
from ....stats.proportions import count_table
from ...data.arrays import MISSING, Indices, Mask, new_numbers
from ...data.filters import CheckedAnswers, checked_answers
from ...data.groups import Cells
from ...data.judge_answers import JudgeAnswer
from ...data.responses import canonical_json
from ...data.table import RatingTable

Floats = NDArray[np.float64]


class UnitTables(NamedTuple):
    """The confusion table of each unit, shape (units, categories, categories); rows are true labels.

    `sums` of weights and of their `squares`, and `counts` of items; without weights `sums` are the counts, and there
    are no squares.
    """

    sums: Indices | Floats
    squares: Floats | None
    counts: Indices


@dataclass(frozen=True)
class JudgeLabels:
    """People's ratings of a project and one judge's answers about the same items, with the systems of a pair in the
    report's order.

    `people` has single ratings of raters. `weight` of each item, shape (items,); None where all are equal. `rows` are
    the judge's answers; all else is as `answers_by_item` returns it.
    """

    people: RatingTable
    cells: Cells
    rows: Sequence[JudgeAnswer]
    weight: Floats | None
    answer_sets: list[dict[str, str]]
    answer_set: Indices
    row: Indices

    @classmethod
    def from_rows(
        cls, people: RatingTable, cells: Cells, rows: Sequence[JudgeAnswer], weight: Floats | None
    ) -> "JudgeLabels":
        """Return the labels of the ratings, with turned answers already, and of the judge's answers `rows`."""
        is_turned = people.responses.turned[people.items.response]
        return cls(people, cells, rows, weight, *answers_by_item(people.items.item_id, is_turned, cells.protocol, rows))

    def of_judge(self, rows: Sequence[JudgeAnswer]) -> "JudgeLabels":
        return self.from_rows(self.people, self.cells, rows, self.weight)

    @property
    def protocol(self) -> Protocol:
        return self.cells.protocol

    @cached_property
    def options(self) -> list[str]:
        """The labels, in the protocol's order."""
        return assessed_labels(self.protocol, []).options

    @cached_property
    def rating(self) -> Indices:
        """The label of each rating, shape (ratings,)."""
        return self._label_of_set[self.people.answer]

    @cached_property
    def judged(self) -> Indices:
        """The judge's label of each item, shape (items,)."""
        by_answers = assessed_labels(self.protocol, self.answer_sets).by_answers
        return np.append(by_answers, MISSING)[self.answer_set]

    @cached_property
    def counts(self) -> Indices:
        """People's labels of each item, shape (items, options)."""
        return count_table(self.people.item, self.rating, (len(self.people.items), len(self.options)))

    @cached_property
    def is_tied(self) -> Mask:
        """Whether several labels of an item are most frequent, shape (items,)."""
        most = self.counts.max(axis=1, initial=0)
        return (most > 0) & ((self.counts == most[:, None]).sum(axis=1) > 1)

    @cached_property
    def reference(self) -> Indices:
        """The reference label of each item, shape (items,): the most frequent one, of a tie the adjudicated one."""
        majority = np.where(self.counts.any(axis=1), self.counts.argmax(axis=1), MISSING)
        return np.where(self.is_tied, self._label_of_set[self._adjudicated], majority)

    @cached_property
    def compared(self) -> Mask:
        """Whether an item has both a reference and a label of the judge, shape (items,)."""
        return (self.reference != MISSING) & (self.judged != MISSING)

    def weights(self, items: Indices | Mask) -> Floats | None:
        """Return the weights of these items, by number or mask; None where all are equal."""
        return None if self.weight is None else self.weight[items]

    def judge_hits(self, measure: Measure) -> Indices:
        """Return whether the judge's answer about each item counts in the measure, MISSING outside its denominator."""
        hits, among = Cells(self.protocol, self.answer_sets, 0, None).masks(measure)
        return np.append(np.where(among, hits, MISSING), MISSING)[self.answer_set]

    def people_shares(self, measure: Measure) -> Floats:
        """Return the share of each item's ratings in the measure's denominator that it counts, NaN without one."""
        hits, among = self.cells.masks(measure)
        answer, item, count = self.people.answer, self.people.item, len(self.people.items)
        n = np.bincount(item, among[answer], count)
        with np.errstate(invalid="ignore"):
            return np.bincount(item, hits[answer], count) / n

    def reference_hits(self, measure: Measure) -> Indices:
        """Return whether the measure counts the reference of each item: what most ratings with its label say, MISSING
        if they are tied or the label is outside the denominator. A tie of labels that an adjudication resolves is
        resolved by that adjudication.
        """
        hits, among = self.cells.masks(measure)
        by_set = np.where(among, hits, MISSING)
        votes = np.where(self.rating == self.reference[self.people.item], by_set[self.people.answer], MISSING)
        counts = count_table(self.people.item, votes, (len(self.people.items), 2))
        majority = np.where(counts[:, 0] == counts[:, 1], MISSING, counts[:, 1] > counts[:, 0])
        return np.where(self.is_tied, np.append(by_set, MISSING)[self._adjudicated], majority)

    def unit_tables(self, truth: Indices, judged: Indices, categories: int, items: Indices | None = None) -> UnitTables:
        """Count pairs of labels by unit; `items`: the item of each pair, by default one pair for each item."""
        of_pair = np.arange(len(self.people.items)) if items is None else items
        used = (truth != MISSING) & (judged != MISSING)
        unit, weight = self.people.item_cluster[of_pair[used]], self.weights(of_pair[used])
        codes = (unit * categories + truth[used]) * categories + judged[used]
        by_unit = self.people.responses.clusters, categories, categories
        counts = np.bincount(codes, minlength=math.prod(by_unit)).reshape(by_unit)
        if weight is None:
            return UnitTables(counts, None, counts)
        sums, squares = (
            np.bincount(codes, weight**power, math.prod(by_unit)).astype(float).reshape(by_unit) for power in (1, 2)
        )
        return UnitTables(sums, squares, counts)

    @cached_property
    def _label_of_set(self) -> Indices:
        """The label of each of people's sets of answers, and MISSING for the number MISSING."""
        return np.append(assessed_labels(self.protocol, self.people.answer_sets).by_answers, MISSING)

    @property
    def _adjudicated(self) -> Indices:
        """The number of the set of answers of each item's newest adjudication, in the report's order of a pair."""
        answer, is_turned = self.people.items.adjudicated.answer, self.people.responses.turned
        turned = np.append(self.people.other_side, MISSING)[answer]
        return np.where(is_turned[self.people.items.response], turned, answer)


def assessed_labels(protocol: Protocol, answers: Iterable[Mapping[str, str]]) -> CheckedAnswers:
    """Return the label of each set of answers: as `checked_answers`, without the options outside every measure."""
    checked = checked_answers(protocol, answers)
    left_out = {key for question in protocol.checked_questions for key in protocol.left_out(question.key)}
    is_used = np.array([option not in left_out for option in checked.options], dtype=bool)
    options = [option for option in checked.options if option not in left_out]
    return CheckedAnswers(options, np.append(new_numbers(is_used), MISSING)[checked.by_answers])


def answers_by_item(
    item_ids: Indices, is_turned: Mask, protocol: Protocol, rows: Sequence[JudgeAnswer]
) -> tuple[list[dict[str, str]], Indices, Indices]:
    """Return the distinct sets of a judge's answers about items, with the systems of a pair in the report's order; and
    for each item, shape (items,), the number of its set and of its row, MISSING without one.
    """
    item_of = {item_id: item for item, item_id in enumerate(item_ids.tolist())}
    sets: dict[str, tuple[int, dict[str, str]]] = {}
    set_of, row_of = np.full(len(item_of), MISSING), np.full(len(item_of), MISSING)
    for number, row in enumerate(rows):
        item = item_of.get(row.item_id)
        if item is not None:
            answers = protocols.swap_sides(protocol, row.answers) if is_turned[item] else dict(row.answers)
            set_of[item], _ = sets.setdefault(canonical_json(answers), (len(sets), answers))
            row_of[item] = number
    return [answers for _, answers in sets.values()], set_of, row_of

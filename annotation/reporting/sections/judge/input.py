"""What the parts of a report about a judge and a sample are computed from, each read once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .... import protocols
from ....judging.judges import find_judge
from ....model_calls.errors import ModelError
from ....models import Judge, Project
from ....protocols import Measure, Protocol, Question
from ....stats import raters as stats
from ....stats.proportions import count_table
from ...choices import Choices
from ...data.arrays import MISSING, Indices, Mask, SmallNumbers, indices, new_numbers
from ...data.filters import CheckedAnswers, checked_answers
from ...data.groups import Cells
from ...data.judge_answers import (
    Comparable,
    JudgeAnswer,
    JudgeAnswers,
    adjudicated_after_verdicts,
    comparable,
    ratings_verdict_shown,
    read_judge_answers,
    tuning_items,
)
from ...data.report_input import ReportInput
from ...data.responses import canonical_json
from ...data.sample import NO_JUDGE, NoFrame, SampleFrame, read_sample_frame
from ...data.table import RatingTable, References
from ..agreement.figures import ACCURATE


@dataclass(frozen=True)
class JudgeInput:
    """The data of a report, and what its choice of a judge and its sample add, read when first asked for."""

    data: ReportInput
    choices: Choices

    @property
    def project(self) -> Project:
        return self.data.project

    @cached_property
    def judge(self) -> Judge:
        """The judge NAME or NAME@N of the choices. Raises NoFrame where there is none."""
        try:
            return find_judge(self.choices.judge)
        except ModelError as error:
            raise NoFrame(NO_JUDGE) from error

    @cached_property
    def answers(self) -> JudgeAnswers:
        """All answers of the judge."""
        return read_judge_answers(self.judge, self.project)

    @cached_property
    def tuned(self) -> set[int]:
        """The items (database ids) that tuned the judge's prompt."""
        return tuning_items(self.judge)

    @cached_property
    def verdict_shown(self) -> list[int]:
        """The counted ratings (database ids) that were given or changed after verdicts were shown."""
        return ratings_verdict_shown(self.project)

    @cached_property
    def adjudicated_after_verdicts(self) -> list[int]:
        """The items (database ids) whose newest adjudication was made after verdicts were shown."""
        return adjudicated_after_verdicts(self.project, self.data.by_raters)

    @cached_property
    def frame(self) -> SampleFrame:
        """The frame of the sample, whatever the judge. Raises NoFrame."""
        return read_sample_frame(self.project, self.choices, self.data.table.responses.cluster)

    def comparable(self, ratings: RatingTable) -> Comparable:
        """Return what of these ratings and the judge's answers can be compared."""
        return comparable(ratings, self.answers, self.verdict_shown, self.adjudicated_after_verdicts, self.tuned)


@dataclass(frozen=True)
class ReferenceLabels:
    """The answers that each rating is compared with: arrays of shape (ratings,).

    `labels`: the answer to the first measured question, MISSING for options outside every measure; `checked`: the
    answer to the checked question; `gold`, `adjudicated`: the expected answer, never decided by the same rater;
    all numbers of options; `hits`: 1, 0 or MISSING; `same`, `apart`: see `stats.raters`.
    """

    question: Question
    labels: SmallNumbers
    hits: SmallNumbers
    checked_options: list[str]
    checked: SmallNumbers
    gold: SmallNumbers
    adjudicated: SmallNumbers
    same: SmallNumbers
    apart: stats.Differences


def reference_labels(data: ReportInput, cells: Cells) -> ReferenceLabels:
    """Return the labels that the ratings of raters are compared with."""
    ratings, question = data.by_raters, cells.protocol.first_measured_question
    number = {key: i for i, key in enumerate(question.option_keys)}
    options = indices(number.get(answers.get(question.key, ""), MISSING) for answers in cells.answers)
    left_out = [number[key] for key in cells.protocol.left_out(question.key)]
    checked = checked_answers(cells.protocol, cells.answers)
    labels = ratings.expand(np.where(np.isin(options, left_out), MISSING, options))
    hits, among = cells.masks(leniency_measure(cells.protocol))
    hit = ratings.expand(np.where(among, hits, MISSING))
    return ReferenceLabels(
        question=question,
        labels=labels,
        hits=hit,
        checked_options=checked.options,
        checked=ratings.expand(checked.by_answers),
        gold=_expected(ratings, ratings.items.gold, checked.by_answers),
        adjudicated=_expected(ratings, ratings.items.adjudicated, checked.by_answers),
        same=stats.agrees_with_majority(ratings.item, labels, len(number)),
        apart=stats.differences(ratings.item, hit),
    )


def leniency_measure(protocol: Protocol) -> Measure:
    """Return the measure of leniency: `accurate`, or the first."""
    measures = protocol.measures
    return next((measure for measure in measures if measure.key == ACCURATE), measures[0])


def _expected(ratings: RatingTable, references: References, options: Indices) -> SmallNumbers:
    """Return for each rating the reference's label of its item, as a number of `options` by set of answers; MISSING if
    there is none, or if the rater gave it, because raters are not compared with their own answers.
    """
    option = np.append(options, MISSING)[references.answer].astype(np.int16)[ratings.item]
    return np.where(references.rater[ratings.item] == ratings.rater, np.int16(MISSING), option)


Floats = NDArray[np.float64]
PROBLEM_TONES = ("disputed", "unsupported", "inaccurate")


def assessed_labels(protocol: Protocol, answers: Iterable[Mapping[str, str]]) -> CheckedAnswers:
    """Return the label of each set of answers: as `checked_answers`, without the options outside every measure."""
    checked = checked_answers(protocol, answers)
    left_out = {key for question in protocol.checked_questions for key in protocol.left_out(question.key)}
    is_used = np.array([option not in left_out for option in checked.options], dtype=bool)
    options = [option for option in checked.options if option not in left_out]
    return CheckedAnswers(options, np.append(new_numbers(is_used), MISSING)[checked.by_answers])


@dataclass(frozen=True)
class ItemAnswers:
    """The judge's answers about the items of a table; -1 is an item without one, shape (items,).

    `number`: of its set of answers in `answer_sets`, with the systems of a pair in the report's order; `row`: of its
    row among the judge's answers.
    """

    answer_sets: list[dict[str, str]]
    number: Indices
    row: Indices

    @classmethod
    def from_rows(cls, table: RatingTable, protocol: Protocol, rows: Sequence[JudgeAnswer]) -> "ItemAnswers":
        """Return the answers in these rows by the items of the table."""
        item_of = {item_id: item for item, item_id in enumerate(table.items.item_id.tolist())}
        is_turned = table.responses.turned[table.items.response]
        sets: dict[str, tuple[int, dict[str, str]]] = {}
        number, row = np.full(len(item_of), MISSING), np.full(len(item_of), MISSING)
        for index, answer in enumerate(rows):
            item = item_of.get(answer.item_id)
            if item is None:
                continue
            answers = protocols.swap_sides(protocol, answer.answers) if is_turned[item] else dict(answer.answers)
            number[item], row[item] = sets.setdefault(canonical_json(answers), (len(sets), answers))[0], index
        return cls([answers for _, answers in sets.values()], number, row)


@dataclass(frozen=True)
class JudgeLabels:
    """People's ratings of a project and one judge's answers about the same items.

    `people` has single ratings of raters, with the systems of a pair in the report's order. `weight` of each item,
    shape (items,); None where all are equal.
    """

    people: RatingTable
    cells: Cells
    judge: ItemAnswers
    weight: Floats | None = None

    @classmethod
    def from_rows(
        cls, table: RatingTable, cells: Cells, rows: Sequence[JudgeAnswer], weight: Floats | None = None
    ) -> "JudgeLabels":
        """Return the labels of the ratings in `table` and of the judge's answers `rows`."""
        return cls(table.with_turned_answers(), cells, ItemAnswers.from_rows(table, cells.protocol, rows), weight)

    def of_judge(self, rows: Sequence[JudgeAnswer]) -> "JudgeLabels":
        """Return the labels of the same ratings and of another judge's answers."""
        return replace(self, judge=ItemAnswers.from_rows(self.people, self.protocol, rows))

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
        by_answers = assessed_labels(self.protocol, self.judge.answer_sets).by_answers
        return np.append(by_answers, MISSING)[self.judge.number]

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
        """The reference label of each item, shape (items,)."""
        majority = np.where(self.counts.any(axis=1), self.counts.argmax(axis=1), MISSING)
        return np.where(self.is_tied, self._label_of_set_or_missing[self._adjudicated], majority)

    @cached_property
    def compared(self) -> Mask:
        """Whether an item has both a reference and a label of the judge, shape (items,)."""
        return (self.reference != MISSING) & (self.judged != MISSING)

    def weights(self, items: Indices | Mask) -> Floats | None:
        """Return the weights of these items, by number or mask; None where all are equal."""
        return None if self.weight is None else self.weight[items]

    @property
    def problem_labels(self) -> list[int]:
        """The labels whose option has the tone of a problem; none if all have."""
        tones = {option.key: option.tone for question in self.protocol.checked_questions for option in question.options}
        problems = [number for number, key in enumerate(self.options) if tones.get(key) in PROBLEM_TONES]
        return problems if len(problems) < len(self.options) else []

    def judge_hits(self, measure: Measure) -> Indices:
        """Return whether the judge's answer about each item counts in the measure, MISSING outside its denominator."""
        hits, among = Cells(self.protocol, self.judge.answer_sets, 0, None).masks(measure)
        return np.append(np.where(among, hits, MISSING), MISSING)[self.judge.number]

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

    @property
    def _label_of_set(self) -> Indices:
        return assessed_labels(self.protocol, self.people.answer_sets).by_answers

    @property
    def _label_of_set_or_missing(self) -> Indices:
        return np.append(self._label_of_set, MISSING)

    @property
    def _adjudicated(self) -> Indices:
        """The number of the set of answers of each item's newest adjudication, in the report's order of a pair."""
        answer, is_turned = self.people.items.adjudicated.answer, self.people.responses.turned
        turned = np.append(self.people.other_side, MISSING)[answer]
        return np.where(is_turned[self.people.items.response], turned, answer)


def leading_measure(protocol: Protocol) -> Measure | None:
    """Return the first measure that has a direction, or None."""
    return next((measure for measure in protocol.measures if measure.better != "neither"), None)


@dataclass(frozen=True)
class UnitTables:
    """The confusion table of each unit, shape (units, categories, categories); rows are true labels.

    `counts` of items; sums of their `weights` and of the squared weights, None where all are equal.
    """

    counts: Indices
    weights: Floats | None
    squares: Floats | None

    @property
    def sums(self) -> Indices | Floats:
        """What figures are computed from: the sums of weights, or counts."""
        return self.counts if self.weights is None else self.weights

    @classmethod
    def count_pairs(
        cls, unit: Indices, truth: Indices, judged: Indices, shape: tuple[int, int], weight: Floats | None
    ) -> "UnitTables":
        """Count pairs of labels, one entry each; `shape`: numbers of units and of categories."""
        units, categories = shape
        used = (truth != MISSING) & (judged != MISSING)
        codes = (unit[used] * categories + truth[used]) * categories + judged[used]
        cells, by_unit = units * categories**2, (units, categories, categories)
        counts = np.bincount(codes, minlength=cells).reshape(by_unit)
        if weight is None:
            return cls(counts, None, None)
        sums, squares = (
            np.bincount(codes, weight[used] ** power, cells).astype(float).reshape(by_unit) for power in (1, 2)
        )
        return cls(counts, sums, squares)

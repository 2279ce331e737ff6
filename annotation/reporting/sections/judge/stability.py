"""How stable a judge is: over the samples of an item, over the versions of the judge, over its runs, and over time."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ....protocols import Protocol, Question
from ....protocols.pair_options import FIRST, SECOND, asks_for_side, has_sides
from ....stats.intervals import closed_form
from ....stats.label_comparison import confusion, match
from ....stats.means import clustered_mean
from ....stats.proportions import cluster_counts, ratio
from ....stats.undefined import quotient
from ...choices import DOCUMENT
from ...data.arrays import MISSING, Indices, indices
from ...data.filters import checked_answers
from ...data.groups import LEVEL
from ...data.judge_answers import JudgeAnswer, JudgeAnswers
from .detection import item_accuracy, rate_difference
from .figures import AnswerChange, FingerprintAccuracy, OrderBias, RunAccuracy, SampleConsistency, VersionDrift
from .input import JudgeLabels


def sample_consistency(protocol: Protocol, rows: Sequence[JudgeAnswer]) -> SampleConsistency:
    """Return how the samples of an item agree in the checked question, over items with several; an invalid sample
    agrees with none.
    """
    shares = [_agreement(protocol, row.votes) for row in rows if len(row.votes) > 1]
    agreeing = sum(share == 1 for share in shares)
    return SampleConsistency(len(shares), quotient(agreeing, len(shares)), quotient(sum(shares), len(shares)))


def version_drift(
    labels: JudgeLabels, rows: Sequence[JudgeAnswer], others: JudgeAnswers, *, is_repetition: bool
) -> VersionDrift:
    """Compare a version's answers `rows` with those of another one about all items that both rated, and the accuracies
    of both against people, each with an interval by unit.
    """
    by_item, other = {row.item_id: row for row in rows}, labels.of_judge(others.rows)
    pairs = [(row, by_item[row.item_id]) for row in others.rows if row.item_id in by_item]
    before, after = (checked_answers(labels.protocol, [pair[side].answers for pair in pairs]) for side in (0, 1))
    table = confusion(before.by_answers, after.by_answers, len(before.options))
    agreement = match(table)
    units = _units([row for _, row in pairs], labels.people.responses.cluster)
    is_answered = (before.by_answers != MISSING) & (after.by_answers != MISSING)
    is_same = (before.by_answers == after.by_answers)[is_answered]
    same = closed_form(ratio(*cluster_counts(units[is_answered], is_same, len(units))), LEVEL)
    used = labels.compared & other.compared
    weight = labels.weights(used)
    right, other_right = ((each.judged == each.reference)[used].astype(float) for each in (labels, other))
    difference = clustered_mean(right - other_right, labels.people.item_cluster[used], weights=weight, level=LEVEL)
    return VersionDrift(
        judge=others.judge.label,
        is_repetition=is_repetition,
        items=int(table.sum()),
        same=agreement.accuracy,
        same_low=same.low,
        same_high=same.high,
        kappa=agreement.cohen_kappa,
        changes=_changes(table, before.options),
        compared_items=difference.n,
        accuracy=_mean(right, weight),
        other_accuracy=_mean(other_right, weight),
        difference=difference.value,
        low=difference.low,
        high=difference.high,
    )


def run_accuracies(labels: JudgeLabels, rows: Sequence[JudgeAnswer]) -> list[RunAccuracy]:
    """Return the accuracy on the items of each run, in the order of their start."""
    runs = sorted({row.run for row in rows if row.run is not None})
    number = {run: n for n, run in enumerate(runs)}
    by_row = np.array([MISSING if row.run is None else number[row.run] for row in rows] + [MISSING])
    run_of = by_row[labels.judge.row]
    return [RunAccuracy(n + 1, *item_accuracy(labels, run_of == n)) for n in range(len(runs))]


def fingerprint_accuracies(labels: JudgeLabels, rows: Sequence[JudgeAnswer]) -> list[FingerprintAccuracy]:
    """Return the accuracy on the items of each system fingerprint, by name; those without one are left out."""
    names = sorted({row.fingerprints for row in rows} - {""})
    number = {name: n for n, name in enumerate(names)}
    by_row = np.array([number.get(row.fingerprints, MISSING) for row in rows] + [MISSING])
    fingerprint_of = by_row[labels.judge.row]
    return [FingerprintAccuracy(name, *item_accuracy(labels, fingerprint_of == n)) for name, n in number.items()]


def verdict_order(labels: JudgeLabels, rows: Sequence[JudgeAnswer]) -> Indices:
    """Return for each item which verdict in time its own is, from 1; those of one moment have the same number. Shape
    (items,), 0 without a verdict.
    """
    times = np.array([0.0 if row.rated_at is None else row.rated_at.timestamp() for row in rows])
    number = np.searchsorted(np.sort(times), times) + 1
    return np.append(number, 0)[labels.judge.row]


def _units(rows: Sequence[JudgeAnswer], cluster: str) -> Indices:
    """Return the number of the sampling unit of each answer's item: its document, or its prompt."""
    names = [(row.document, 0) if cluster == DOCUMENT and row.document else (0, row.prompt) for row in rows]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return indices(numbers[name] for name in names)


def _changes(table: Indices, options: Sequence[str]) -> list[AnswerChange]:
    """Return the cells of the table off its diagonal, by number of items, then in the protocol's order."""
    cells = [
        AnswerChange(before, after, int(table[row, column]))
        for row, before in enumerate(options)
        for column, after in enumerate(options)
        if row != column and table[row, column]
    ]
    return sorted(cells, key=lambda cell: -cell.items)


def _mean(values: NDArray[np.float64], weight: NDArray[np.float64] | None) -> float | None:
    return float(np.average(values, weights=weight)) if len(values) else None


def _agreement(protocol: Protocol, votes: Sequence[Mapping[str, str] | None]) -> float:
    """Return the share of the samples that gave the most frequent answer to the checked question."""
    answers = checked_answers(protocol, [vote for vote in votes if vote is not None]).by_answers
    return int(np.bincount(answers[answers != MISSING], minlength=1).max()) / len(votes)


Floats = NDArray[np.float64]


def order_bias(labels: JudgeLabels) -> OrderBias | None:
    """Return the judge's share for the response shown first less people's; None under other protocols."""
    question = _question(labels.protocol)
    if question is None:
        return None
    table = labels.people
    by_set = _shares(labels.protocol, question, table.answer_sets)
    of_rating = by_set[table.answer]
    is_answered, items = np.isfinite(of_rating), len(table.items)
    with np.errstate(invalid="ignore"):
        people = np.bincount(table.item[is_answered], of_rating[is_answered], items) / np.bincount(
            table.item[is_answered], minlength=items
        )
    judge = np.append(_shares(labels.protocol, question, labels.judge.answer_sets), np.nan)[labels.judge.number]
    turned = table.responses.turned[table.items.response]
    people, judge = (np.where(turned, 1 - share, share) for share in (people, judge))
    first = [response.made_by for response in table.responses.rated]
    systems = np.array([first[response] for response in table.items.response.tolist()], dtype=object)
    return OrderBias(
        question=question.key,
        overall=rate_difference(labels, judge, people, np.ones(items, dtype=bool)),
        by_system={name: rate_difference(labels, judge, people, systems == name) for name in sorted(set(first))},
    )


def _question(protocol: Protocol) -> Question | None:
    """Return the question about the two responses that is compared: a checked one, else the first."""
    if not has_sides(protocol):
        return None
    return next(filter(asks_for_side, [*protocol.checked_questions, *protocol.questions]), None)


def _shares(protocol: Protocol, question: Question, answer_sets: list[dict[str, str]]) -> Floats:
    """Return for each set of answers 1 for the first system, 0 for the second, .5 for neither, NaN for no answer."""
    left_out = protocol.left_out(question.key)
    values: Mapping[str, float] = {
        key: {FIRST: 1.0, SECOND: 0.0}.get(key, 0.5) for key in question.option_keys if key not in left_out
    }
    return np.array([values.get(answers.get(question.key, ""), np.nan) for answers in answer_sets], dtype=np.float64)

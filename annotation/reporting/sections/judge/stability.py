"""How stable a judge is: over samples of an item, over versions, runs and time, and over the order of a pair."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from ....protocols import Protocol
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
from .accuracy import Accuracy, item_accuracy, rate_difference
from .figures import AnswerChange, OrderBias, SampleConsistency, VersionDrift
from .input import Floats, JudgeLabels


def sample_consistency(protocol: Protocol, rows: Sequence[JudgeAnswer]) -> SampleConsistency:
    """Return how the samples of an item agree in the checked question, over items with several; an invalid sample
    agrees with none.
    """
    shares = []
    for row in rows:
        if len(row.votes) > 1:
            answers = checked_answers(protocol, [vote for vote in row.votes if vote is not None]).by_answers
            shares.append(int(np.bincount(answers[answers != MISSING], minlength=1).max()) / len(row.votes))
    agreeing = sum(share == 1 for share in shares)
    return SampleConsistency(len(shares), quotient(agreeing, len(shares)), quotient(sum(shares), len(shares)))


def version_drift(labels: JudgeLabels, answers: JudgeAnswers, others: JudgeAnswers) -> VersionDrift:
    """Compare a version's answers with those of another one about all items that both rated, and the accuracies of both
    against people, each with an interval by unit.
    """
    by_item, other = {row.item_id: row for row in answers.rows}, labels.of_judge(others.rows)
    pairs = [(row, by_item[row.item_id]) for row in others.rows if row.item_id in by_item]
    before, after = (checked_answers(labels.protocol, [pair[side].answers for pair in pairs]) for side in (0, 1))
    table = confusion(before.by_answers, after.by_answers, len(before.options))
    agreement = match(table)
    is_by_document = labels.people.responses.cluster == DOCUMENT
    names = [(row.document, 0) if is_by_document and row.document else (0, row.prompt) for row, _ in pairs]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    unit = indices(numbers[name] for name in names)
    is_answered = (before.by_answers != MISSING) & (after.by_answers != MISSING)
    is_same = (before.by_answers == after.by_answers)[is_answered]
    same = closed_form(ratio(*cluster_counts(unit[is_answered], is_same, len(unit))), LEVEL)
    changes = [
        AnswerChange(before.options[row], before.options[column], int(table[row, column]))
        for row, column in np.argwhere(table).tolist()
        if row != column
    ]
    used = labels.compared & other.compared
    weight = labels.weights(used)
    right, other_right = ((each.judged == each.reference)[used].astype(float) for each in (labels, other))
    difference = clustered_mean(right - other_right, labels.people.item_cluster[used], weights=weight, level=LEVEL)
    accuracy, other_accuracy = (
        float(np.average(each, weights=weight)) if len(each) else None for each in (right, other_right)
    )
    return VersionDrift(
        judge=others.judge.label,
        is_repetition=answers.judge.setting_values() == others.judge.setting_values(),
        items=int(table.sum()),
        same=agreement.accuracy,
        same_low=same.low,
        same_high=same.high,
        kappa=agreement.cohen_kappa,
        changes=sorted(changes, key=lambda change: -change.items),
        compared_items=difference.n,
        accuracy=accuracy,
        other_accuracy=other_accuracy,
        difference=difference.value,
        low=difference.low,
        high=difference.high,
    )


def verdict_order(labels: JudgeLabels) -> Indices:
    """Return for each item which verdict in time its own is, from 1; those of one moment have the same number. Shape
    (items,), 0 without a verdict.
    """
    times = np.array([row.rated_at.timestamp() for row in labels.rows])
    return np.append(np.searchsorted(np.sort(times), times) + 1, 0)[labels.row]


Label = TypeVar("Label", int, str)


def accuracies_by(labels: JudgeLabels, values: Sequence[Label | None]) -> list[tuple[Label, Accuracy]]:
    """Return the distinct `values` of the verdicts in order, without empty ones, with the accuracy on their items."""
    value_of = np.array([*values, None], dtype=object)[labels.row]
    return [(value, item_accuracy(labels, value_of == value)) for value in sorted({value for value in values if value})]


def order_bias(labels: JudgeLabels) -> OrderBias | None:
    """Return the judge's share for the response shown first less people's, by a question about the two responses: a
    checked one, else the first; None under other protocols.
    """
    protocol, table = labels.protocol, labels.people
    questions = filter(asks_for_side, [*protocol.checked_questions, *protocol.questions])
    question = next(questions, None) if has_sides(protocol) else None
    if question is None:
        return None
    left_out = protocol.left_out(question.key)
    side = {key: {FIRST: 1.0, SECOND: 0.0}.get(key, 0.5) for key in question.option_keys if key not in left_out}

    def shares(answer_sets: Sequence[dict[str, str]]) -> Floats:
        """Return for each set of answers 1 for the first system, 0 for the second, .5 for neither, NaN for no answer;
        then NaN for the number MISSING.
        """
        answered = [side.get(answers.get(question.key, ""), np.nan) for answers in answer_sets]
        return np.array([*answered, np.nan])

    of_rating = shares(table.answer_sets)[table.answer]
    is_answered, items = np.isfinite(of_rating), len(table.items)
    item = table.item[is_answered]
    with np.errstate(invalid="ignore"):
        people = np.bincount(item, of_rating[is_answered], items) / np.bincount(item, minlength=items)
    judge = shares(labels.answer_sets)[labels.answer_set]
    turned = table.responses.turned[table.items.response]
    people, judge = (np.where(turned, 1 - share, share) for share in (people, judge))
    first = [response.made_by for response in table.responses.rated]
    systems = np.array([first[response] for response in table.items.response.tolist()], dtype=object)
    return OrderBias(
        question=question.key,
        overall=rate_difference(labels, judge, people, np.ones(items, dtype=bool)),
        by_system={name: rate_difference(labels, judge, people, systems == name) for name in sorted(set(first))},
    )

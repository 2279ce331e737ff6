"""Read `[[scores]]`: weighted sums of errors per 100 ratings, such as a severity-weighted error rate."""

import math
from typing import Any

from .conditions import Condition
from .messages import translatable
from .schema import BETTER, HUNDREDTHS, Question, Score, Weight
from .toml_tables import KEY, Table, UniqueValues

MAX_SCORES = 10
MAX_WEIGHTS = 20
MAX_WEIGHT = 100


def scores_of(protocol: Table, questions: dict[str, Question], keys: UniqueValues) -> tuple[Score, ...]:
    """Return the scores of a protocol; their keys must differ from `keys`, those of its measures and means."""
    scores = []
    for table in protocol.tables("scores", translatable("score"), 0, MAX_SCORES):
        scores.append(score := _score(table, questions))
        keys.check(table, "key", score.key, translatable("measure key"))
    return tuple(scores)


def _score(table: Table, questions: dict[str, Question]) -> Score:
    among = table.condition("among", questions, translatable("a question of this protocol"))
    score = Score(
        key=table.word("key", KEY),
        label=table.text("label", at_most=80),
        weights=_weights(table, questions, among),
        among=among,
        description=table.text("description", "", 2_000),
        better=table.one_of("better", BETTER, "lower"),
    )
    table.reject_unknown_fields()
    return score


def _weights(score: Table, questions: dict[str, Question], among: Condition) -> tuple[Weight, ...]:
    weights = []
    for table in score.tables("weights", translatable("weight"), 1, MAX_WEIGHTS):
        when = table.condition("when", questions, translatable("a question of this protocol"))
        if table.fields.get("when", {}) == {}:
            table.add_problem(translatable("%(table)s needs 'when', the answers it is for", table=table.name), "when")
        _check_among(table, when, among)
        weights.append(Weight(when, _number(table)))
        table.reject_unknown_fields()
    return tuple(weights)


def _number(table: Table) -> float:
    """Return the weight: a number from 0 to MAX_WEIGHT with at most two decimals."""
    table.asked.append("weight")
    value: Any = table.fields.get("weight")
    is_number = type(value) in (int, float) and math.isfinite(value) and 0 <= value <= MAX_WEIGHT
    if is_number and abs(value * HUNDREDTHS - round(value * HUNDREDTHS)) < 1e-6:
        return float(value)
    message = translatable(
        "'weight' of %(table)s must be a number from 0 to %(most)s with at most two decimals",
        table=table.name, most=MAX_WEIGHT,
    )  # fmt: skip
    table.add_problem(message, "weight")
    return 0.0


def _check_among(table: Table, when: Condition, among: Condition) -> None:
    """Check that a weight is for answers that `among` of its score includes; else it would never count."""
    for question, values in when.items():
        for n, value in enumerate(values):
            if value not in among.get(question, values):
                message = translatable(
                    "%(table)s counts '%(value)s', which its 'among' excludes; one of the two is wrong",
                    table=table.name, value=value,
                )  # fmt: skip
                table.add_problem(message, "when", question, n)

"""Read `[[means]]` and `[[correlations]]`: figures over responses, each of which has the same weight.

docs/decisions/means-over-responses.md explains why they are a separate and limited kind of measure.
"""

import math
from collections.abc import Collection
from typing import Any

from .messages import translatable
from .schema import BETTER, Correlation, Mean, Measure, Question
from .toml_tables import KEY, Table, UniqueValues, unknown_name_message

MAX_MEANS = 20
MAX_PARTS = 2


def means_of(
    protocol: Table, questions: dict[str, Question], measures: tuple[Measure, ...], keys: UniqueValues
) -> tuple[Mean, ...]:
    """Return the means of a protocol; their keys must differ from `keys`, those of its measures."""
    means: list[Mean] = []
    for table in protocol.tables("means", translatable("mean"), 0, MAX_MEANS):
        parts = [*(measure.key for measure in measures), *(mean.key for mean in means if is_share(mean))]
        means.append(mean := _mean(table, questions, parts))
        keys.check(table, "key", mean.key, translatable("measure key"))
    return tuple(means)


def is_share(mean: Mean) -> bool:
    """Return whether the mean's values lie between 0 and 1, as proportions do."""
    return all(0 <= value <= 1 for _, value in mean.values)


def correlations_of(protocol: Table, means: tuple[Mean, ...]) -> tuple[Correlation, ...]:
    """Return the correlations of a protocol, each between two of its means."""
    correlations, keys = [], UniqueValues()
    for table in protocol.tables("correlations", translatable("correlation"), 0, MAX_MEANS):
        correlations.append(correlation := _correlation(table, [mean.key for mean in means]))
        keys.check(table, "key", correlation.key, translatable("correlation key"))
    return tuple(correlations)


def _mean(table: Table, questions: dict[str, Question], parts: Collection[str]) -> Mean:
    """Return a mean; `parts`: the keys that its `of` may name."""
    of = table.words("of", KEY, MAX_PARTS)
    _check_known(table, "of", of, parts, translatable("a measure or an earlier mean with values from 0 to 1"))
    question = table.text("question", "")
    values = _values(table, questions, question)
    if bool(of) == bool(question):
        expected = translatable("either 'of', one or two measures or earlier means, or 'question' with 'values'")
        table.add_problem(translatable("%(table)s needs %(what)s", table=table.name, what=expected))
    mean = Mean(
        key=table.word("key", KEY),
        label=table.text("label", at_most=80),
        of=of,
        question=question,
        values=values,
        description=table.text("description", "", 2_000),
        better=table.one_of("better", BETTER, "neither"),
    )
    table.reject_unknown_fields()
    return mean


def _values(table: Table, questions: dict[str, Question], question: str) -> tuple[tuple[str, float], ...]:
    """Return the value of each option. Options without a value are excluded from the mean."""
    values = table.field("values", dict, translatable("a table such as { wrong = 0, right = 1 }"), {})
    asked_question = questions.get(question)
    if question and (asked_question is None or asked_question.kind != "choice"):
        table.add_problem(
            unknown_name_message(table, question, translatable("a choice question"), questions), "question"
        )
    elif bool(values) != bool(question):
        table.add_problem(translatable("%(table)s needs 'question' and 'values' together", table=table.name), "values")
    if asked_question:
        _check_known(
            table,
            "values",
            values,
            asked_question.option_keys,
            translatable("an option of '%(question)s'", question=question),
        )
    for option, value in values.items():
        if not _is_number(value):
            message = translatable("%(table)s gives '%(option)s' no number", table=table.name, option=option)
            table.add_problem(message, "values", option)
    return tuple((option, float(value)) for option, value in values.items() if _is_number(value))


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value) and abs(value) <= 1e6


def _correlation(table: Table, means: Collection[str]) -> Correlation:
    between = table.words("between", KEY, 2)
    _check_known(table, "between", between, means, translatable("a mean of this protocol"))
    if len(between) != 2:
        table.add_problem(translatable("%(table)s needs 'between', two means", table=table.name), "between")
    first, second = (*between, "", "")[:2]
    correlation = Correlation(
        key=table.word("key", KEY),
        label=table.text("label", at_most=80),
        between=(first, second),
        description=table.text("description", "", 2_000),
    )
    table.reject_unknown_fields()
    return correlation


def _check_known(table: Table, field: str, named: Collection[str], defined_names: Collection[str], noun: str) -> None:
    for name in named:
        if name not in defined_names:
            table.add_problem(unknown_name_message(table, name, noun, defined_names), field)

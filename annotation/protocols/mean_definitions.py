"""Reading `[[means]]` and `[[correlations]]`: what a report says of responses, each of which weighs the same.

Why they are a second kind of measure, and why they are no more than this, is in docs/decisions/means-over-responses.md.
"""

import math
from collections.abc import Collection
from typing import Any

from .messages import said
from .schema import BETTER, Correlation, Mean, Measure, Question
from .toml_tables import KEY, Once, Table, not_known

MOST_MEANS = 20
MOST_PROPORTIONS = 2


def means_of(
    protocol: Table, questions: dict[str, Question], measures: tuple[Measure, ...], keys: Once
) -> tuple[Mean, ...]:
    """The means of a protocol; `keys` are those of its measures, which no mean may have too."""
    found = []
    for table in protocol.tables("means", said("mean"), 0, MOST_MEANS):
        found.append(mean := _mean(table, questions, [measure.key for measure in measures]))
        keys.check(table, "key", mean.key, said("measure key"))
    return tuple(found)


def correlations_of(protocol: Table, means: tuple[Mean, ...]) -> tuple[Correlation, ...]:
    """The correlations of a protocol, each between two of its means."""
    found, keys = [], Once()
    for table in protocol.tables("correlations", said("correlation"), 0, MOST_MEANS):
        found.append(correlation := _correlation(table, [mean.key for mean in means]))
        keys.check(table, "key", correlation.key, said("correlation key"))
    return tuple(found)


def _mean(table: Table, questions: dict[str, Question], measures: Collection[str]) -> Mean:
    of = table.words("of", KEY, MOST_PROPORTIONS)
    _check_known(table, "of", of, measures, said("a measure of this protocol"))
    question = table.text("question", "")
    values = _values(table, questions, question)
    if bool(of) == bool(question):
        wanted = said("either 'of', one or two measures, or 'question' with 'values'")
        table.complain(said("%(table)s needs %(what)s", table=table.name, what=wanted))
    mean = Mean(
        key=table.word("key", KEY),
        label=table.text("label", at_most=80),
        of=of,
        question=question,
        values=values,
        description=table.text("description", "", 2_000),
        better=table.one_of("better", BETTER, "neither"),
    )
    table.nothing_else()
    return mean


def _values(table: Table, questions: dict[str, Question], question: str) -> tuple[tuple[str, float], ...]:
    """What each option is worth. Options without a value are left out of the mean."""
    given = table.field("values", dict, said("a table such as { wrong = 0, right = 1 }"), {})
    asked = questions.get(question)
    if question and (asked is None or asked.kind != "choice"):
        table.complain(not_known(table, question, said("a choice question"), questions), "question")
    elif bool(given) != bool(question):
        table.complain(said("%(table)s needs 'question' and 'values' together", table=table.name), "values")
    if asked:
        _check_known(table, "values", given, asked.option_keys, said("an option of '%(question)s'", question=question))
    for option, value in given.items():
        if not _is_number(value):
            message = said("%(table)s gives '%(option)s' no number", table=table.name, option=option)
            table.complain(message, "values", option)
    return tuple((option, float(value)) for option, value in given.items() if _is_number(value))


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value) and abs(value) <= 1e6


def _correlation(table: Table, means: Collection[str]) -> Correlation:
    between = table.words("between", KEY, 2)
    _check_known(table, "between", between, means, said("a mean of this protocol"))
    if len(between) != 2:
        table.complain(said("%(table)s needs 'between', two means", table=table.name), "between")
    first, second = (*between, "", "")[:2]
    correlation = Correlation(
        key=table.word("key", KEY),
        label=table.text("label", at_most=80),
        between=(first, second),
        description=table.text("description", "", 2_000),
    )
    table.nothing_else()
    return correlation


def _check_known(table: Table, field: str, named: Collection[str], known: Collection[str], what: str) -> None:
    for name in named:
        if name not in known:
            table.complain(not_known(table, name, what, known), field)

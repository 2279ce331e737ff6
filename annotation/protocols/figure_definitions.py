"""Read the figures of a protocol: `[[measures]]`, `[[means]]`, `[[correlations]]` and `[[scores]]`.

Means are over responses, each of which has the same weight; docs/decisions/means-over-responses.md explains why they
are a separate and limited kind of measure. Scores are weighted sums of errors per 100 ratings, such as a
severity-weighted error rate.
"""

from collections.abc import Collection
from typing import Any, NamedTuple

from .conditions import Condition
from .schema import BETTER, HUNDREDTHS, Correlation, Mean, Measure, Question, Score, Weight
from .toml_tables import KEY, Table, UniqueValues, is_number, unknown_name_message

MAX_MEASURES = 40
MAX_MEANS = 20
MAX_PARTS = 2
MAX_SCORES = 10
MAX_WEIGHTS = 20
MAX_WEIGHT = 100
_OWN_QUESTION = "a question of this protocol"


class Figures(NamedTuple):
    """The figures of a protocol. Keys of measures, means and scores differ."""

    measures: tuple[Measure, ...]
    means: tuple[Mean, ...]
    correlations: tuple[Correlation, ...]
    scores: tuple[Score, ...]


def figures_of(protocol: Table, questions: dict[str, Question]) -> Figures:
    """Return the figures of a protocol with these questions."""
    keys, means = UniqueValues(), list[Mean]()
    measures = tuple(
        protocol.figures("measures", (1, MAX_MEASURES), keys, lambda table: _measure(table, questions), "measure key")
    )

    def read_mean(table: Table) -> Mean:
        parts = [*(measure.key for measure in measures), *(mean.key for mean in means if is_share(mean))]
        return _mean(table, questions, parts)

    for mean in protocol.figures("means", (0, MAX_MEANS), keys, read_mean, "measure key"):
        means.append(mean)
    correlations = protocol.figures(
        "correlations", (0, MAX_MEANS), UniqueValues(), lambda table: _correlation(table, means), "correlation key"
    )
    scores = protocol.figures("scores", (0, MAX_SCORES), keys, lambda table: _score(table, questions), "measure key")
    return Figures(measures, tuple(means), tuple(correlations), tuple(scores))


def is_share(mean: Mean) -> bool:
    """Return whether the mean's values lie between 0 and 1, as proportions do."""
    return all(0 <= value <= 1 for _, value in mean.values)


def _measure(table: Table, questions: dict[str, Question]) -> Measure:
    measure = Measure(
        **_named(table),
        counts=table.condition("counts", questions, _OWN_QUESTION),
        among=table.condition("among", questions, _OWN_QUESTION),
        description=table.text("description", "", 2_000),
        better=table.one_of("better", BETTER, "neither"),
    )
    if table.fields.get("counts", {}) == {}:
        table.add_problem(f"{table.name} needs 'counts', the answers it counts", "counts")
    table.check_within("counts", measure.counts, measure.among)
    return measure


def _mean(table: Table, questions: dict[str, Question], parts: Collection[str]) -> Mean:
    """Return a mean; `parts`: the keys that its `of` may name."""
    of = table.words("of", KEY, MAX_PARTS)
    _check_known(table, "of", of, parts, "a measure or an earlier mean with values from 0 to 1")
    question = table.text("question", "")
    values = _values(table, questions, question)
    if bool(of) == bool(question):
        expected = "either 'of', one or two measures or earlier means, or 'question' with 'values'"
        table.add_problem(f"{table.name} needs {expected}")
    return Mean(
        **_named(table),
        of=of,
        question=question,
        values=values,
        description=table.text("description", "", 2_000),
        better=table.one_of("better", BETTER, "neither"),
    )


def _values(table: Table, questions: dict[str, Question], name: str) -> tuple[tuple[str, float], ...]:
    """Return the value of each option. Options without a value are excluded from the mean."""
    values: dict[str, Any] = table.field("values", dict, "a table such as { wrong = 0, right = 1 }", {})
    question = questions.get(name)
    if name and (question is None or question.kind != "choice"):
        table.add_problem(unknown_name_message(table, name, "a choice question", questions), "question")
    elif bool(values) != bool(name):
        table.add_problem(f"{table.name} needs 'question' and 'values' together", "values")
    if question:
        _check_known(table, "values", values, question.option_keys, f"an option of '{name}'")
    numbers = {option: float(value) for option, value in values.items() if is_number(value, -1e6, 1e6)}
    for option in values:
        if option not in numbers:
            table.add_problem(f"{table.name} gives '{option}' no number", "values", option)
    return tuple(numbers.items())


def _correlation(table: Table, means: Collection[Mean]) -> Correlation:
    between = table.words("between", KEY, 2)
    _check_known(table, "between", between, [mean.key for mean in means], "a mean of this protocol")
    if len(between) != 2:
        table.add_problem(f"{table.name} needs 'between', two means", "between")
    first, second = (*between, "", "")[:2]
    return Correlation(**_named(table), between=(first, second), description=table.text("description", "", 2_000))


def _score(table: Table, questions: dict[str, Question]) -> Score:
    among = table.condition("among", questions, _OWN_QUESTION)
    return Score(
        **_named(table),
        weights=tuple(_weight(each, questions, among) for each in table.tables("weights", "weight", 1, MAX_WEIGHTS)),
        among=among,
        description=table.text("description", "", 2_000),
        better=table.one_of("better", BETTER, "lower"),
    )


def _weight(table: Table, questions: dict[str, Question], among: Condition) -> Weight:
    when = table.condition("when", questions, _OWN_QUESTION)
    if table.fields.get("when", {}) == {}:
        table.add_problem(f"{table.name} needs 'when', the answers it is for", "when")
    table.check_within("when", when, among)  # else the weight would never count
    table.asked.append("weight")
    weight: Any = table.fields.get("weight")
    is_valid = is_number(weight, 0, MAX_WEIGHT)
    if not is_valid or abs(weight * HUNDREDTHS - round(weight * HUNDREDTHS)) >= 1e-6:
        table.add_problem_of("weight", f"must be a number from 0 to {MAX_WEIGHT} with at most two decimals")
        weight = 0
    table.reject_unknown_fields()
    return Weight(when, float(weight))


def _named(table: Table) -> dict[str, Any]:
    return {"key": table.word("key", KEY), "label": table.text("label", at_most=80)}


def _check_known(table: Table, field: str, names: Collection[str], valid_names: Collection[str], noun: str) -> None:
    for name in names:
        if name not in valid_names:
            table.add_problem(unknown_name_message(table, name, noun, valid_names), field)

"""Reader of a TOML table that reports all its mistakes, not only the first."""

import difflib
import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from .conditions import Condition
from .schema import Correlation, Mean, Measure, Question, Score
from .toml_lines import KeyPath, line_of

WordRule = tuple[re.Pattern[str], str, int]
"""The pattern of a word, its description, and the maximum number of characters."""

KEY = (re.compile(r"[a-z][a-z0-9_]*"), "small letters, digits and underscores, a letter first", 40)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


@dataclass(frozen=True, order=True)
class Problem:
    """A problem, its line in the file, from 1, and the keys that lead to the field or to the table without it.
    `in_form`: what a form says at the field, which has a label; "" for the same."""

    line: int
    message: str
    path: KeyPath = field(default=(), compare=False)
    in_form: str = field(default="", compare=False)

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


Figure = TypeVar("Figure", Measure, Mean, Correlation, Score)


class Table:
    """One TOML table: returns its fields and records their problems.

    An invalid field returns a default, so that reading continues and all problems are found at once.
    """

    def __init__(
        self, fields: dict[str, Any], path: KeyPath, name: str, lines: dict[KeyPath, int], problems: list[Problem]
    ) -> None:
        self.fields, self.path, self.name, self.lines, self.problems = fields, path, name, lines, problems
        self.asked: list[str] = []

    def line(self, *inside: str | int) -> int:
        return line_of(self.lines, (*self.path, *inside))

    def add_problem(self, message: str, *inside: str | int, in_form: str = "") -> None:
        """Record a problem in the line of `inside`, a key of this table. Keys of the file are quoted and shortened."""
        clean = _CONTROL.sub("\ufffd", message)[:500]
        self.problems.append(Problem(self.line(*inside), clean, (*self.path, *inside), in_form))

    def add_problem_of(self, key: str, words: str, *inside: str | int, in_form: str = "") -> None:
        """Record a problem of a field: "'key' of measure 'm' is empty"."""
        self.add_problem(f"'{key}' of {self.name} {words}", key, *inside, in_form=in_form)

    def field(self, key: str, kind: type, expected: str, default: Any) -> Any:
        """Return the field's value if it has that type, `default` if it is absent; required without a default."""
        self.asked.append(key)
        if key not in self.fields:
            if default is None:
                self.add_problem(f"{self.name} needs '{key}', {expected}", key)
        elif type(self.fields[key]) is kind:
            return self.fields[key]
        else:
            self.add_problem_of(key, f"must be {expected}")
        return kind() if default is None else default

    def flag(self, key: str, default: bool = False) -> bool:
        value: bool = self.field(key, bool, "true or false", default)
        return value

    def text(self, key: str, default: str | None = None, at_most: int = 1_000) -> str:
        text: str = self.field(key, str, "a text in quotes", default)
        if not text.strip() and default is None and text is self.fields.get(key):
            self.add_problem_of(key, "is empty")
        if len(text) > at_most:
            words = f"has {len(text)} characters; the limit is {at_most}"
            self.add_problem_of(key, words, in_form=f"This {words}.")
        elif _CONTROL.search(text):
            self.add_problem_of(key, "contains a control character; remove it")
        return text.strip()

    def word(self, key: str, rule: WordRule, default: str | None = None) -> str:
        pattern, expected, at_most = rule
        word = self.text(key, default)
        if word and not (len(word) <= at_most and pattern.fullmatch(word)):
            self.add_problem_of(key, f"is '{word}', but must be {expected} (at most {at_most})")
        return word

    def words(self, key: str, rule: WordRule, most: int = 10) -> tuple[str, ...]:
        """Return a list of words, none by default, each once."""
        pattern, expected, at_most = rule
        entries: list[Any] = self.field(key, list, "a list of words in quotes", [])
        for n, word in enumerate(entries[:most]):
            if not (isinstance(word, str) and len(word) <= at_most and pattern.fullmatch(word)):
                self.add_problem_of(key, f"contains '{word}', which must be {expected} (at most {at_most})", n)
        words = tuple(word for word in entries if isinstance(word, str))
        if len(entries) > most or len(set(words)) < len(words):
            self.add_problem_of(key, f"must name at most {most} words, each once")
        return words

    def one_of(self, key: str, allowed: Collection[str], default: str | None = None) -> str:
        word = self.text(key, default)
        if word and word not in allowed:
            self.add_problem_of(key, f"is '{word}', but must be one of: {', '.join(allowed)}")
        return word

    def table(self, key: str, noun: str) -> "Table | None":
        """Return an inner table, or None if it is absent."""
        fields: dict[str, Any] = self.field(key, dict, f"a table headed [{self._header(key)}]", {})
        return Table(fields, (*self.path, key), noun, self.lines, self.problems) if fields else None

    def tables(self, key: str, noun: str, fewest: int, most: int) -> list["Table"]:
        """Return the tables of a list, named after their own keys if they have one: option 'severe' of question
        'severity'. With a minimum of 0, it may be absent."""
        headed = f"tables headed [[{self._header(key)}]]"
        entries: list[Any] = self.field(key, list, headed, None if fewest else [])
        if entries is self.fields.get(key) and not fewest <= len(entries) <= most:
            self.add_problem(f"{self.name} has {len(entries)} {key}; it needs {fewest} to {most}", key)
        if not all(isinstance(fields, dict) for fields in entries):
            self.add_problem_of(key, f"must contain only {headed}")
        tables = []
        for n, fields in enumerate(entries):
            if isinstance(fields, dict):
                own_key = fields.get("key")
                name = f"{noun} " + (f"'{own_key}'" if isinstance(own_key, str) and own_key else str(n + 1))
                name += f" of {self.name}" if self.path else ""
                tables.append(Table(fields, (*self.path, key, n), name, self.lines, self.problems))
        return tables

    def figures(
        self, name: str, limits: tuple[int, int], keys: "UniqueValues", read: Callable[["Table"], Figure], noun: str
    ) -> Iterator[Figure]:
        """Yield what `read` makes of each table of a list, whose keys are unique among `keys`."""
        for table in self.tables(name, name.removesuffix("s"), *limits):
            figure = read(table)
            table.reject_unknown_fields()
            keys.check(table, "key", figure.key, noun)
            yield figure

    def _header(self, key: str) -> str:
        return ".".join([*map(str, self.path[::2]), key])

    def condition(self, key: str, questions: dict[str, Question], known_as: str) -> Condition:
        """Return a condition on the known questions, which `known_as` describes ("an earlier question")."""
        entries = self.field(key, dict, 'a table such as { accuracy = ["inaccurate"] }', {})
        terms = {}
        for name, values in entries.items():
            if name not in questions:
                self.add_problem(unknown_name_message(self, name, known_as, questions), key, name)
            elif questions[name].kind != "choice":
                self.add_problem(f"{self.name} refers to '{name}', which has no options", key, name)
            else:
                terms[name] = self._values(key, questions[name], values)
        return Condition.of(terms)

    def _values(self, key: str, question: Question, values: object) -> list[str]:
        """Return the options of a condition; without a readable list, the problem is recorded elsewhere."""
        name = question.key
        if values == []:
            words = f"names no option of '{name}'; name one or more, or remove the question"
            self.add_problem_of(key, words, name)
            return []
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            expected = f"'{name}' must be a list of options of question '{name}', each in quotes"
            self.add_problem(f"'{key}' of {self.name}: {expected}", key, name)
            return []
        for n, value in enumerate(values):
            if question.options and value not in question.option_keys:
                message = unknown_name_message(self, value, f"an option of '{name}'", question.option_keys)
                self.add_problem(message, key, name, n)
            elif value in values[:n]:
                self.add_problem(f"{self.name} names '{value}' twice", key, name, n)
        return values

    def check_within(self, key: str, condition: Condition, among: Condition) -> None:
        """Check that a condition is part of the one of a denominator; else it could never be counted."""
        for question, values in condition.items():
            for n, value in enumerate(values):
                if value not in among.get(question, values):
                    excluded = f"counts '{value}', which its 'among' excludes; one of the two is wrong"
                    self.add_problem(f"{self.name} {excluded}", key, question, n)

    def reject_unknown_fields(self) -> None:
        """Record a problem for each unknown field."""
        for key in self.fields:
            if key not in self.asked:
                remedy = suggestion(key, self.asked) or f"it has {', '.join(self.asked)}"
                self.add_problem(f"{self.name} has no field '{key}'; {remedy}", key)


class UniqueValues:
    """Reports repeated values, with the line of the first."""

    def __init__(self) -> None:
        self.lines: dict[str, int] = {}

    def check(self, table: Table, field: str, value: str, noun: str) -> None:
        if value in self.lines:
            again = f"uses the {noun} '{value}' again, which line {self.lines[value]} has"
            table.add_problem(f"{table.name} {again}", field)
        elif value:
            self.lines[value] = table.line(field)


def is_number(value: Any, low: float, high: float) -> bool:
    """Return whether a value is a finite number from `low` to `high`, and no truth value."""
    return type(value) in (int, float) and math.isfinite(value) and low <= value <= high


def unknown_name_message(table: Table, name: str, noun: str, valid_names: Iterable[str]) -> str:
    """Return the message for an unknown name, with the nearest known name or else all of them."""
    message, names = f"{table.name} refers to '{name}', which is not {noun}", list(valid_names)
    remedy = suggestion(name, names) or (f"choose one of {', '.join(names)}" if names else "")
    return f"{message}; {remedy}" if remedy else message


def suggestion(word: str, valid_names: Iterable[str]) -> str:
    """Return a question if one of the known names is similar; else ""."""
    near = difflib.get_close_matches(word, list(valid_names), n=1)
    return f"did you mean '{near[0]}'?" if near else ""

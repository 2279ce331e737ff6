"""Reading one TOML table field by field, so that every mistake in it is named, and not only the first."""

import difflib
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from .lines import Path, line_of
from .schema import Condition, Question

Form = tuple[re.Pattern[str], str, int]
"""What a word must match, the same in words, and how many characters it may have."""

KEY: Form = (re.compile(r"[a-z][a-z0-9_]*"), "small letters, digits and underscores, a letter first", 40)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


@dataclass(frozen=True, order=True)
class Problem:
    """What is wrong, and in which line of the file, counted from 1."""

    line: int
    message: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


class Table:
    """One TOML table: gives out its fields and notes what is wrong with each.

    A field that is wrong gives a stand-in, so that reading goes on and all problems come to light at once.
    """

    def __init__(
        self, fields: dict[str, Any], path: Path, name: str, lines: dict[Path, int], problems: list[Problem]
    ) -> None:
        self.fields, self.path, self.name, self.lines, self.problems = fields, path, name, lines, problems
        self.asked: list[str] = []

    def line(self, *inside: str | int) -> int:
        return line_of(self.lines, (*self.path, *inside))

    def complain(self, message: str, *inside: str | int) -> None:
        """Notes a problem in the line of what is `inside` this table. Keys of the file may be long or odd."""
        self.problems.append(Problem(self.line(*inside), _CONTROL.sub("\ufffd", message)[:500]))

    def field(self, key: str, kind: type, what: str, default: Any) -> Any:
        """The field's value if it is of that kind; `default` if it is absent, and None says it may not be."""
        self.asked.append(key)
        if key not in self.fields:
            if default is None:
                self.complain(f"{self.name} needs '{key}', {what}")
        elif type(self.fields[key]) is kind:
            return self.fields[key]
        else:
            self.complain(f"'{key}' of {self.name} must be {what}", key)
        return kind() if default is None else default

    def text(self, key: str, default: str | None = None, at_most: int = 1_000) -> str:
        text: str = self.field(key, str, "a text in quotes", default)
        if not text.strip() and default is None and text is self.fields.get(key):
            self.complain(f"'{key}' of {self.name} is empty", key)
        if len(text) > at_most:
            self.complain(f"'{key}' of {self.name} has {len(text)} characters; at most {at_most} fit", key)
        elif _CONTROL.search(text):
            self.complain(f"'{key}' of {self.name} holds a control character; take it out", key)
        return text.strip()

    def word(self, key: str, form: Form, default: str | None = None) -> str:
        pattern, what, at_most = form
        word = self.text(key, default)
        if word and not (len(word) <= at_most and pattern.fullmatch(word)):
            self.complain(f"'{key}' of {self.name} is '{word}', but must be {what} (at most {at_most})", key)
        return word

    def words(self, key: str, form: Form, most: int = 10) -> tuple[str, ...]:
        """A list of words, none by default, each once."""
        pattern, what, at_most = form
        found: list[Any] = self.field(key, list, "a list of words in quotes", [])
        for n, word in enumerate(found[:most]):
            if not (isinstance(word, str) and len(word) <= at_most and pattern.fullmatch(word)):
                self.complain(
                    f"'{key}' of {self.name} holds '{word}', which must be {what} (at most {at_most})", key, n
                )
        kept = tuple(word for word in found if isinstance(word, str))
        if len(found) > most or len(set(kept)) < len(kept):
            self.complain(f"'{key}' of {self.name} must name at most {most} words, each once", key)
        return kept

    def one_of(self, key: str, allowed: Collection[str], default: str | None = None) -> str:
        word = self.text(key, default)
        if word and word not in allowed:
            choice = ", ".join(allowed)
            self.complain(f"'{key}' of {self.name} is '{word}', but must be one of: {choice}", key)
        return word

    def tables(self, key: str, one: str, fewest: int, most: int) -> list["Table"]:
        """The tables of a list, each named after its own key where it has one. Where 0 do, it may be absent."""
        header = ".".join([*map(str, self.path[::2]), key])
        found: list[Any] = self.field(key, list, f"tables headed [[{header}]]", None if fewest else [])
        if found is self.fields.get(key) and not fewest <= len(found) <= most:
            self.complain(f"{self.name} has {len(found)} {key}; it needs {fewest} to {most}", key)
        if not all(isinstance(fields, dict) for fields in found):
            self.complain(f"'{key}' of {self.name} must hold nothing but tables headed [[{header}]]", key)
        of = f" of {self.name}" if self.path else ""
        return [
            Table(fields, (*self.path, key, n), f"{one} {_called(fields, n)}{of}", self.lines, self.problems)
            for n, fields in enumerate(found)
            if isinstance(fields, dict)
        ]

    def condition(self, key: str, known: dict[str, Question], known_as: str) -> Condition:
        """A condition on the known questions, which `known_as` describes ("an earlier question")."""
        given = self.field(key, dict, 'a table such as { accuracy = ["inaccurate"] }', {})
        terms = {}
        for name, values in given.items():
            if name not in known:
                message = f"{self.name} refers to '{name}', which is not {known_as}"
                self.complain(message + suggestion(name, known), key, name)
            elif known[name].kind != "choice":
                self.complain(f"{self.name} refers to '{name}', which has no options", key, name)
            else:
                terms[name] = self._values(key, known[name], values)
        return Condition.of(terms)

    def _values(self, key: str, question: Question, values: object) -> list[str]:
        """The options a condition names. Where a question has none to read, that was complained of before."""
        if not isinstance(values, list) or not values or not all(isinstance(value, str) for value in values):
            message = f"must be a list of options of question '{question.key}', each in quotes"
            self.complain(f"'{key}' of {self.name}: '{question.key}' {message}", key, question.key)
            return []
        for n, value in enumerate(values):
            if question.options and value not in question.option_keys:
                message = f"{self.name} refers to '{value}', which is not an option of '{question.key}'"
                message += suggestion(value, question.option_keys)
                self.complain(message, key, question.key, n)
            elif value in values[:n]:
                self.complain(f"{self.name} names '{value}' twice", key, question.key, n)
        return values

    def nothing_else(self) -> None:
        """Complains about the fields that nobody asked for."""
        for key in self.fields:
            if key not in self.asked:
                remedy = suggestion(key, self.asked) or f"; it has {', '.join(self.asked)}"
                self.complain(f"{self.name} has no field '{key}'{remedy}", key)


class Once:
    """Complains about what is used a second time, naming the line of the first."""

    def __init__(self) -> None:
        self.lines: dict[str, int] = {}

    def check(self, table: Table, field: str, value: str, what: str) -> None:
        if value in self.lines:
            first = self.lines[value]
            table.complain(f"{table.name} uses the {what} '{value}' again, which line {first} has", field)
        elif value:
            self.lines[value] = table.line(field)


def suggestion(word: str, known: Iterable[str]) -> str:
    """Words to append when one of the known names is near."""
    near = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean '{near[0]}'?" if near else ""


def _called(fields: dict[str, Any], n: int) -> str:
    key = fields.get("key")
    return f"'{key}'" if isinstance(key, str) and key else str(n + 1)

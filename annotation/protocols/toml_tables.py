"""Reader of a TOML table that reports all its mistakes, not only the first."""

import difflib
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

from .conditions import Condition
from .messages import TranslatableText, translatable
from .schema import Question
from .toml_lines import KeyPath, line_of

WordRule = tuple[re.Pattern[str], str, int]
"""The pattern of a word, its description, and the maximum number of characters."""

KEY = (re.compile(r"[a-z][a-z0-9_]*"), translatable("small letters, digits and underscores, a letter first"), 40)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


@dataclass(frozen=True, order=True)
class Problem:
    """A problem, its line in the file, from 1, and the keys that lead to the field or to the table without it."""

    line: int
    message: str
    path: KeyPath = field(default=(), compare=False)

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


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

    def add_problem(self, message: str, *inside: str | int) -> None:
        """Record a problem in the line of `inside`, a key of this table. Keys of the file are quoted and shortened."""
        clean = _CONTROL.sub("\ufffd", message)[:500]
        text = message if clean == message else clean
        self.problems.append(Problem(self.line(*inside), text, (*self.path, *inside)))

    def field(self, key: str, kind: type, expected: str, default: Any) -> Any:
        """Return the field's value if it has that type, `default` if it is absent; required without a default."""
        self.asked.append(key)
        if key not in self.fields:
            if default is None:
                message = translatable("%(table)s needs '%(key)s', %(what)s", table=self.name, key=key, what=expected)
                self.add_problem(message, key)
        elif type(self.fields[key]) is kind:
            return self.fields[key]
        else:
            self.add_problem(
                translatable("'%(key)s' of %(table)s must be %(what)s", key=key, table=self.name, what=expected), key
            )
        return kind() if default is None else default

    def text(self, key: str, default: str | None = None, at_most: int = 1_000) -> str:
        text: str = self.field(key, str, translatable("a text in quotes"), default)
        if not text.strip() and default is None and text is self.fields.get(key):
            self.add_problem(translatable("'%(key)s' of %(table)s is empty", key=key, table=self.name), key)
        if len(text) > at_most:
            values = {"key": key, "table": self.name, "length": len(text), "most": at_most}
            self.add_problem(
                translatable("'%(key)s' of %(table)s has %(length)s characters; the limit is %(most)s", **values), key
            )
        elif _CONTROL.search(text):
            message = translatable(
                "'%(key)s' of %(table)s contains a control character; remove it", key=key, table=self.name
            )
            self.add_problem(message, key)
        return text.strip()

    def word(self, key: str, rule: WordRule, default: str | None = None) -> str:
        pattern, expected, at_most = rule
        word = self.text(key, default)
        if word and not (len(word) <= at_most and pattern.fullmatch(word)):
            values = {"key": key, "table": self.name, "word": word, "what": expected, "most": at_most}
            message = translatable(
                "'%(key)s' of %(table)s is '%(word)s', but must be %(what)s (at most %(most)s)", **values
            )
            self.add_problem(message, key)
        return word

    def words(self, key: str, rule: WordRule, most: int = 10) -> tuple[str, ...]:
        """Return a list of words, none by default, each once."""
        pattern, expected, at_most = rule
        entries: list[Any] = self.field(key, list, translatable("a list of words in quotes"), [])
        for n, word in enumerate(entries[:most]):
            if not (isinstance(word, str) and len(word) <= at_most and pattern.fullmatch(word)):
                values = {"key": key, "table": self.name, "word": word, "what": expected, "most": at_most}
                message = translatable(
                    "'%(key)s' of %(table)s contains '%(word)s', which must be %(what)s (at most %(most)s)", **values
                )
                self.add_problem(message, key, n)
        words = tuple(word for word in entries if isinstance(word, str))
        if len(entries) > most or len(set(words)) < len(words):
            values = {"key": key, "table": self.name, "most": most}
            self.add_problem(
                translatable("'%(key)s' of %(table)s must name at most %(most)s words, each once", **values), key
            )
        return words

    def one_of(self, key: str, allowed: Collection[str], default: str | None = None) -> str:
        word = self.text(key, default)
        if word and word not in allowed:
            values = {"key": key, "table": self.name, "word": word, "known": ", ".join(allowed)}
            self.add_problem(
                translatable("'%(key)s' of %(table)s is '%(word)s', but must be one of: %(known)s", **values), key
            )
        return word

    def table(self, key: str, noun: str) -> "Table | None":
        """Return an inner table, or None if it is absent."""
        headed = translatable("a table headed [%(header)s]", header=".".join([*map(str, self.path[::2]), key]))
        fields: dict[str, Any] = self.field(key, dict, headed, {})
        return Table(fields, (*self.path, key), noun, self.lines, self.problems) if fields else None

    def tables(self, key: str, noun: str, fewest: int, most: int) -> list["Table"]:
        """Return the tables of a list, named after their own keys if they have one. With a minimum of 0, it may be
        absent."""
        header = ".".join([*map(str, self.path[::2]), key])
        headed = translatable("tables headed [[%(header)s]]", header=header)
        entries: list[Any] = self.field(key, list, headed, None if fewest else [])
        if entries is self.fields.get(key) and not fewest <= len(entries) <= most:
            values = {"table": self.name, "n": len(entries), "key": key, "fewest": fewest, "most": most}
            self.add_problem(
                translatable("%(table)s has %(n)s %(key)s; it needs %(fewest)s to %(most)s", **values), key
            )
        if not all(isinstance(fields, dict) for fields in entries):
            values = {"key": key, "table": self.name, "headed": headed}
            self.add_problem(translatable("'%(key)s' of %(table)s must contain only %(headed)s", **values), key)
        return [
            Table(fields, (*self.path, key, n), self._named(noun, _called(fields, n)), self.lines, self.problems)
            for n, fields in enumerate(entries)
            if isinstance(fields, dict)
        ]

    def _named(self, noun: str, key: str) -> TranslatableText:
        """Return the name of an inner table in messages: option 'severe' of question 'severity'."""
        if not self.path:
            return translatable("%(one)s %(key)s", one=noun, key=key)
        return translatable("%(one)s %(key)s of %(table)s", one=noun, key=key, table=self.name)

    def condition(self, key: str, questions: dict[str, Question], known_as: str) -> Condition:
        """Return a condition on the known questions, which `known_as` describes ("an earlier question")."""
        entries = self.field(key, dict, translatable('a table such as { accuracy = ["inaccurate"] }'), {})
        terms = {}
        for name, values in entries.items():
            if name not in questions:
                self.add_problem(unknown_name_message(self, name, known_as, questions), key, name)
            elif questions[name].kind != "choice":
                message = translatable(
                    "%(table)s refers to '%(name)s', which has no options", table=self.name, name=name
                )
                self.add_problem(message, key, name)
            else:
                terms[name] = self._values(key, questions[name], values)
        return Condition.of(terms)

    def _values(self, key: str, question: Question, values: object) -> list[str]:
        """Return the options of a condition; without a readable list, the problem is recorded elsewhere."""
        if values == []:
            message = translatable(
                "'%(key)s' of %(table)s names no option of '%(question)s'; name one or more, or remove the "
                "question",
                key=key, table=self.name, question=question.key,
            )  # fmt: skip
            self.add_problem(message, key, question.key)
            return []
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            message = translatable(
                "'%(key)s' of %(table)s: '%(question)s' must be a list of options of question '%(question)s', each in "
                "quotes",
                key=key, table=self.name, question=question.key,
            )  # fmt: skip
            self.add_problem(message, key, question.key)
            return []
        for n, value in enumerate(values):
            if question.options and value not in question.option_keys:
                option = translatable("an option of '%(question)s'", question=question.key)
                self.add_problem(unknown_name_message(self, value, option, question.option_keys), key, question.key, n)
            elif value in values[:n]:
                message = translatable("%(table)s names '%(value)s' twice", table=self.name, value=value)
                self.add_problem(message, key, question.key, n)
        return values

    def reject_unknown_fields(self) -> None:
        """Record a problem for each unknown field."""
        for key in self.fields:
            if key not in self.asked:
                remedy = suggestion(key, self.asked) or translatable("it has %(fields)s", fields=", ".join(self.asked))
                message = translatable(
                    "%(table)s has no field '%(key)s'; %(remedy)s", table=self.name, key=key, remedy=remedy
                )
                self.add_problem(message, key)


class UniqueValues:
    """Reports repeated values, with the line of the first."""

    def __init__(self) -> None:
        self.lines: dict[str, int] = {}

    def check(self, table: Table, field: str, value: str, noun: str) -> None:
        if value in self.lines:
            values = {"table": table.name, "what": noun, "value": value, "line": self.lines[value]}
            message = translatable("%(table)s uses the %(what)s '%(value)s' again, which line %(line)s has", **values)
            table.add_problem(message, field)
        elif value:
            self.lines[value] = table.line(field)


def unknown_name_message(table: Table, name: str, noun: str, valid_names: Iterable[str]) -> TranslatableText:
    """Return the message for an unknown name, with the nearest known name or else all of them."""
    message = translatable(
        "%(table)s refers to '%(name)s', which is not %(what)s", table=table.name, name=name, what=noun
    )
    names = list(valid_names)
    remedy = suggestion(name, names) or (
        translatable("choose one of %(names)s", names=", ".join(names)) if names else ""
    )
    return translatable("%(message)s; %(remedy)s", message=message, remedy=remedy) if remedy else message


def suggestion(word: str, valid_names: Iterable[str]) -> str:
    """Return a question if one of the known names is similar; else ""."""
    near = difflib.get_close_matches(word, list(valid_names), n=1)
    return translatable("did you mean '%(name)s'?", name=near[0]) if near else ""


def _called(fields: dict[str, Any], n: int) -> str:
    key = fields.get("key")
    return f"'{key}'" if isinstance(key, str) and key else str(n + 1)

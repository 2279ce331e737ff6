"""Parse TOML text into a Protocol, or return all its problems, each with its line and a remedy."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from .examples import BUILTIN, EARLIER, builtin_example, example_of
from .figure_definitions import figures_of
from .pair_options import PAIR, one_sided_question
from .schema import KINDS, TONES, UNITS, WRITTEN, Option, Protocol, Question
from .toml_source import TomlError, normalized, parse_toml
from .toml_tables import KEY, Problem, Table, UniqueValues, WordRule

# The limits keep a protocol readable, and its answers within one entry of the tally's index.
MAX_QUESTIONS = 30
MAX_OPTIONS = 40
TEXT_LENGTH = 5_000
MAX_LENGTH = 100_000

_SLUG: WordRule = (re.compile(r"[a-z0-9]+(-[a-z0-9]+)*"), "small letters, digits and single hyphens", 80)
_VERSION: WordRule = (re.compile(r"[0-9A-Za-z][0-9A-Za-z._-]*"), "letters, digits, dots and hyphens", 40)
KIND: WordRule = (re.compile(r"[a-z][a-z0-9_]*"), "the kind of an item, in small letters", 20)
_SHORTCUT: WordRule = (re.compile(r"[a-z0-9]"), "a small letter or digit", 1)
_SIGN: WordRule = (re.compile(r"\S+"), "glyphs without spaces", 4)
TAKEN_SHORTCUTS = {
    "j": "the next sentence",
    "k": "the previous sentence",
    "u": "undo",
}  # keys of the workspace itself


class Shortcuts(UniqueValues):
    """Two questions never asked about the same item may use the same keys. `kinds`: those of the current question."""

    def __init__(self) -> None:
        super().__init__()
        self.kinds: tuple[str, ...] = ()
        self.used: list[tuple[str, tuple[str, ...], int]] = []

    def check(self, table: Table, field: str, value: str, owner: str) -> None:
        """Check as `UniqueValues` does, among the questions that can be shown with this one."""
        meets = (line for word, kinds, line in self.used if word == value and self._can_be_asked_together(kinds))
        first = next(meets, None)
        self.lines = {} if first is None else {value: first}
        super().check(table, field, value, owner)
        if value and first is None:
            self.used.append((value, self.kinds, table.line(field)))

    def _can_be_asked_together(self, kinds: tuple[str, ...]) -> bool:
        return not kinds or not self.kinds or bool(set(kinds) & set(self.kinds))


class ProtocolError(TomlError):
    """An invalid protocol."""


def load(text: str) -> Protocol:
    """Read a protocol from TOML text; raise ProtocolError with all its problems."""
    protocol, problems = read(text)
    if problems:
        raise ProtocolError(problems)
    return protocol


def read(text: str) -> tuple[Protocol, list[Problem]]:
    """Return the protocol of a TOML text, as far as it can be read, with its problems in the order of their lines.

    Raises ProtocolError if the text is not TOML.
    """
    source = normalized(text)
    fields, lines = parse_toml(source, ProtocolError)
    sha256 = hashlib.sha256(source.encode()).hexdigest()
    problems: list[Problem] = []
    table = Table(builtin_example(sha256) | fields, (), "the protocol", lines, problems)
    protocol = _protocol(table, source, sha256)
    protocol = replace(protocol, example=example_of(table, protocol))
    table.reject_unknown_fields()
    return protocol, sorted(problems, key=lambda problem: problem.line)


def builtin() -> dict[str, Protocol]:
    """Return the current versions of the built-in protocols by slug."""
    return {protocol.slug: protocol for protocol in _read_protocols(BUILTIN)}


def earlier_builtin() -> dict[str, Protocol]:
    """Return the earlier versions of the built-in protocols by SHA-256, which projects may have pinned."""
    return {protocol.sha256: protocol for protocol in _read_protocols(EARLIER)}


@cache
def _read_protocols(folder: Path) -> tuple[Protocol, ...]:
    files = sorted(folder.glob("*.toml"), key=lambda file: file.stem)
    return tuple(load(file.read_text(encoding="utf-8")) for file in files)


def _protocol(table: Table, source: str, sha256: str) -> Protocol:
    head: dict[str, Any] = {
        "slug": table.word("slug", _SLUG),
        "version": table.word("version", _VERSION),
        "title": table.text("title", at_most=200),
        "unit": table.one_of("unit", UNITS),
        "intro": table.text("intro", "", 20_000),
        "imports_may_have_gaps": table.flag("imports_may_have_gaps"),
        "shows_reference": table.flag("shows_reference"),
    }
    question_tables = table.tables("questions", "question", 1, MAX_QUESTIONS)
    questions = _questions(question_tables)
    if head["unit"] == PAIR:
        _check_sides(question_tables, questions)
    figures = figures_of(table, questions)._asdict()
    return Protocol(**head, questions=tuple(questions.values()), **figures, source=source, sha256=sha256)


def _questions(tables: list[Table]) -> dict[str, Question]:
    questions: dict[str, Question] = {}
    keys, shortcuts = UniqueValues(), Shortcuts()
    for table in tables:
        shortcuts.kinds = table.words("kinds", KIND)
        question = _question(table, questions, shortcuts)
        keys.check(table, "key", question.key, "question key")
        questions.setdefault(question.key, question)
    return questions


def _question(table: Table, earlier: dict[str, Question], shortcuts: Shortcuts) -> Question:
    key, text = table.word("key", KEY), table.text("text", at_most=2_000)
    kind, about = table.one_of("kind", KINDS), table.text("help", "", 20_000)
    required = table.flag("required", True)
    show_when, require_when = (
        table.condition(name, earlier, "an earlier question") for name in ("show_when", "require_when")
    )
    if not required and "require_when" in table.fields:
        table.add_problem(f"{table.name} has both required = false and require_when; keep one", "require_when")
    options = tuple(_options(table, shortcuts)) if kind == "choice" else ()
    max_length, shortcut = (_max_length(table), _shortcut(table, shortcuts)) if kind in WRITTEN else (None, "")
    once = table.flag("once")
    for name in (*show_when, *require_when):
        if earlier[name].once and not once:
            # No question about every item depends on one that is asked only with the last item.
            words = f"refers to '{name}', which is asked once per response, but {table.name} is not"
            table.add_problem(f"{table.name} {words}")
            break
    for name in (*show_when, *require_when):
        if (kinds := earlier[name].kinds) and not (shortcuts.kinds and set(shortcuts.kinds) <= set(kinds)):
            table.add_problem(f"{table.name} refers to '{name}', which is not asked about all of its items")
    if kind in KINDS:
        table.reject_unknown_fields()
    return Question(
        key, text, kind, options, show_when, require_when, required, about, max_length, shortcut, once, shortcuts.kinds
    )


def _check_sides(tables: list[Table], questions: dict[str, Question]) -> None:
    """Check that the questions about a pair treat both responses alike: raters see them in either order."""
    for table, question in zip(tables, questions.values(), strict=False):
        for name in ("show_when", "require_when"):
            if side := one_sided_question(getattr(question, name), questions):
                words = f"names one of 'a' and 'b' of '{side}'; raters see the two in either order, so name both"
                table.add_problem_of(name, words)


def _shortcut(table: Table, shortcuts: Shortcuts) -> str:
    word = table.word("shortcut", _SHORTCUT, "")
    shortcuts.check(table, "shortcut", word, "shortcut")
    _refuse_taken(table, word)
    return word


def _refuse_taken(table: Table, shortcut: str) -> None:
    if meaning := TAKEN_SHORTCUTS.get(shortcut):
        words = f"has the shortcut '{shortcut}', which means {meaning} in the workspace; choose another"
        table.add_problem(f"{table.name} {words}", "shortcut")


def _max_length(table: Table) -> int:
    length: int = table.field("max_length", int, "a whole number of characters", TEXT_LENGTH)
    if not 1 <= length <= MAX_LENGTH:
        table.add_problem_of("max_length", f"must be 1 to {MAX_LENGTH}")
    return length


def _options(question: Table, shortcuts: Shortcuts) -> Iterator[Option]:
    keys, labels = UniqueValues(), UniqueValues()
    for table in question.tables("options", "option", 2, MAX_OPTIONS):
        option = Option(
            key=table.word("key", KEY),
            label=table.text("label", at_most=80),
            definition=table.text("definition", "", 2_000),
            shortcut=table.word("shortcut", _SHORTCUT, ""),
            sign=table.word("sign", _SIGN, ""),
            tone=table.one_of("tone", TONES, "neutral"),
        )
        _refuse_taken(table, option.shortcut)
        table.reject_unknown_fields()
        keys.check(table, "key", option.key, "option key")
        labels.check(table, "label", option.label, "label")
        shortcuts.check(table, "shortcut", option.shortcut, "shortcut")
        yield option

"""Parse TOML text into a Protocol, or return all its problems, each with its line and a remedy."""

import hashlib
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

from .examples import BUILTIN, EARLIER, builtin_example, example_of
from .mean_definitions import correlations_of, means_of
from .messages import translatable
from .pair_options import PAIR, one_sided_question
from .schema import BETTER, KINDS, TONES, UNITS, WRITTEN, Measure, Option, Protocol, Question
from .score_definitions import scores_of
from .toml_source import TomlError, normalized, parse_toml
from .toml_tables import KEY, Problem, Table, UniqueValues, WordRule

# The limits keep a protocol readable, and its answers within one entry of the tally's index.
MAX_QUESTIONS = 30
MAX_OPTIONS = 40
MAX_MEASURES = 40
TEXT_LENGTH = 5_000
MAX_LENGTH = 100_000

_SLUG: WordRule = (re.compile(r"[a-z0-9]+(-[a-z0-9]+)*"), translatable("small letters, digits and single hyphens"), 80)
_VERSION: WordRule = (re.compile(r"[0-9A-Za-z][0-9A-Za-z._-]*"), translatable("letters, digits, dots and hyphens"), 40)
KIND: WordRule = (re.compile(r"[a-z][a-z0-9_]*"), translatable("the kind of an item, in small letters"), 20)
_SHORTCUT: WordRule = (re.compile(r"[a-z0-9]"), translatable("a small letter or digit"), 1)
_SIGN: WordRule = (re.compile(r"\S+"), translatable("glyphs without spaces"), 4)
TAKEN_SHORTCUTS = {
    "j": translatable("the next sentence"),
    "k": translatable("the previous sentence"),
    "u": translatable("undo"),
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
    table = Table(builtin_example(sha256) | fields, (), translatable("the protocol"), lines, problems)
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
    slug, version = table.word("slug", _SLUG), table.word("version", _VERSION)
    title, unit = table.text("title", at_most=200), table.one_of("unit", UNITS)
    intro = table.text("intro", "", 20_000)
    gaps = table.field("imports_may_have_gaps", bool, translatable("true or false"), False)
    shows_reference = table.field("shows_reference", bool, translatable("true or false"), False)
    question_tables = table.tables("questions", translatable("question"), 1, MAX_QUESTIONS)
    questions = _questions(question_tables)
    if unit == PAIR:
        _check_sides(question_tables, questions)
    keys = UniqueValues()
    measures = _measures(table.tables("measures", translatable("measure"), 1, MAX_MEASURES), questions, keys)
    means = means_of(table, questions, measures, keys)
    correlations = correlations_of(table, means)
    scores = scores_of(table, questions, keys)
    return Protocol(
        slug,
        version,
        title,
        unit,
        intro,
        tuple(questions.values()),
        measures,
        gaps,
        source,
        sha256=sha256,
        means=means,
        correlations=correlations,
        scores=scores,
        shows_reference=shows_reference,
    )


def _questions(tables: list[Table]) -> dict[str, Question]:
    questions: dict[str, Question] = {}
    keys, shortcuts = UniqueValues(), Shortcuts()
    for table in tables:
        shortcuts.kinds = table.words("kinds", KIND)
        question = _question(table, questions, shortcuts)
        keys.check(table, "key", question.key, translatable("question key"))
        questions.setdefault(question.key, question)
    return questions


def _question(table: Table, earlier: dict[str, Question], shortcuts: Shortcuts) -> Question:
    key, text = table.word("key", KEY), table.text("text", at_most=2_000)
    kind, about = table.one_of("kind", KINDS), table.text("help", "", 20_000)
    required = table.field("required", bool, translatable("true or false"), True)
    show_when = table.condition("show_when", earlier, translatable("an earlier question"))
    require_when = table.condition("require_when", earlier, translatable("an earlier question"))
    if not required and "require_when" in table.fields:
        message = translatable("%(table)s has both required = false and require_when; keep one", table=table.name)
        table.add_problem(message, "require_when")
    options = _options(table, shortcuts) if kind == "choice" else ()
    max_length = _max_length(table) if kind in WRITTEN else None
    shortcut = _shortcut(table, shortcuts) if kind in WRITTEN else ""
    once = table.field("once", bool, translatable("true or false"), False)
    _check_once(table, once, (*show_when, *require_when), earlier)
    _check_kinds(table, shortcuts.kinds, (*show_when, *require_when), earlier)
    if kind in KINDS:
        table.reject_unknown_fields()
    return Question(
        key,
        text,
        kind,
        options,
        show_when,
        require_when,
        required,
        about,
        max_length,
        shortcut=shortcut,
        once=once,
        kinds=shortcuts.kinds,
    )


def _check_sides(tables: list[Table], questions: dict[str, Question]) -> None:
    """Check that the questions about a pair treat both responses alike: raters see them in either order."""
    for table, question in zip(tables, questions.values(), strict=False):
        for name in ("show_when", "require_when"):
            if side := one_sided_question(getattr(question, name), questions):
                message = translatable(
                    "'%(key)s' of %(table)s names one of 'a' and 'b' of '%(question)s'; raters see the two in either "
                    "order, so name both",
                    key=name, table=table.name, question=side,
                )  # fmt: skip
                table.add_problem(message, name)


def _check_once(table: Table, once: bool, named: tuple[str, ...], earlier: dict[str, Question]) -> None:
    """Check that no question about every item depends on one that is asked only with the last item."""
    if not once and (name := next((key for key in named if earlier[key].once), None)):
        message = translatable(
            "%(table)s refers to '%(name)s', which is asked once per response, but %(table)s is not",
            table=table.name, name=name,
        )  # fmt: skip
        table.add_problem(message)


def _check_kinds(table: Table, kinds: tuple[str, ...], named: tuple[str, ...], earlier: dict[str, Question]) -> None:
    """Check that no question depends on one that is not asked about the same kinds of items."""
    for key in named:
        if earlier[key].kinds and not (kinds and set(kinds) <= set(earlier[key].kinds)):
            message = translatable(
                "%(table)s refers to '%(name)s', which is not asked about all of its items",
                table=table.name, name=key,
            )  # fmt: skip
            table.add_problem(message)


def _shortcut(table: Table, shortcuts: Shortcuts) -> str:
    word = table.word("shortcut", _SHORTCUT, "")
    shortcuts.check(table, "shortcut", word, translatable("shortcut"))
    _refuse_taken(table, word)
    return word


def _refuse_taken(table: Table, shortcut: str) -> None:
    if meaning := TAKEN_SHORTCUTS.get(shortcut):
        message = translatable(
            "%(table)s has the shortcut '%(key)s', which means %(meaning)s in the workspace; choose another",
            table=table.name, key=shortcut, meaning=meaning,
        )  # fmt: skip
        table.add_problem(message, "shortcut")


def _max_length(table: Table) -> int:
    length: int = table.field("max_length", int, translatable("a whole number of characters"), TEXT_LENGTH)
    if not 1 <= length <= MAX_LENGTH:
        message = translatable("'max_length' of %(table)s must be 1 to %(most)s", table=table.name, most=MAX_LENGTH)
        table.add_problem(message, "max_length")
    return length


def _options(question: Table, shortcuts: Shortcuts) -> tuple[Option, ...]:
    keys, labels = UniqueValues(), UniqueValues()
    options = []
    for table in question.tables("options", translatable("option"), 2, MAX_OPTIONS):
        options.append(option := _option(table))
        keys.check(table, "key", option.key, translatable("option key"))
        labels.check(table, "label", option.label, translatable("label"))
        shortcuts.check(table, "shortcut", option.shortcut, translatable("shortcut"))
    return tuple(options)


def _option(table: Table) -> Option:
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
    return option


def _measures(tables: list[Table], questions: dict[str, Question], keys: UniqueValues) -> tuple[Measure, ...]:
    measures = []
    for table in tables:
        measures.append(measure := _measure(table, questions))
        keys.check(table, "key", measure.key, translatable("measure key"))
    return tuple(measures)


def _measure(table: Table, questions: dict[str, Question]) -> Measure:
    measure = Measure(
        key=table.word("key", KEY),
        label=table.text("label", at_most=80),
        counts=table.condition("counts", questions, translatable("a question of this protocol")),
        among=table.condition("among", questions, translatable("a question of this protocol")),
        description=table.text("description", "", 2_000),
        better=table.one_of("better", BETTER, "neither"),
    )
    if table.fields.get("counts", {}) == {}:
        table.add_problem(translatable("%(table)s needs 'counts', the answers it counts", table=table.name), "counts")
    _check_among(table, measure)
    table.reject_unknown_fields()
    return measure


def _check_among(table: Table, measure: Measure) -> None:
    """Check that the numerator of a measure is part of its denominator; else it could never be counted."""
    for question, values in measure.counts.items():
        for n, value in enumerate(values):
            if value not in measure.among.get(question, values):
                message = translatable(
                    "%(table)s counts '%(value)s', which its 'among' excludes; one of the two is wrong",
                    table=table.name, value=value,
                )  # fmt: skip
                table.add_problem(message, "counts", question, n)

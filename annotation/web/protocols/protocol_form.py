"""The form of a protocol: its parts with their fields, conditions and problems."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ...i18n.protocol_translation import translate_text
from ...protocols import Problem
from ...protocols.draft_fields import (
    CONDITIONS,
    EXAMPLE,
    INNER_LISTS,
    LISTS,
    PRACTICE,
    Fields,
    entries,
    keys_of,
    list_name,
    options_by_question,
    strings,
    tables,
    terms_of,
    text_of,
)
from ...protocols.pair_options import PAIR
from ...protocols.schema import BETTER, KINDS, TONES, UNITS, WRITTEN
from ...protocols.toml_document import TomlValue
from ...protocols.toml_lines import KeyPath
from ..toml_forms.fields import FLAG, LINE, NUMBER, PARAGRAPH, SELECT, WORDS, Choice, FormField
from .form_words import HELP, LABELS

_DESCRIBED: tuple[tuple[str, str | Sequence[str]], ...] = (
    ("key", LINE), ("label", LINE), ("description", PARAGRAPH), ("better", BETTER),
)  # fmt: skip
_ITEM: tuple[tuple[str, str], ...] = (
    ("text", PARAGRAPH), ("against", PARAGRAPH), ("explanation", PARAGRAPH), ("kind", LINE),
)  # fmt: skip
FIELDS: dict[str, tuple[tuple[str, str | Sequence[str]], ...]] = {
    "": (
        ("title", LINE), ("slug", LINE), ("version", LINE), ("unit", UNITS), ("intro", PARAGRAPH),
        ("shows_reference", FLAG), ("imports_may_have_gaps", FLAG),
    ),
    "questions": (
        ("key", LINE), ("text", PARAGRAPH), ("help", PARAGRAPH), ("kind", KINDS), ("kinds", WORDS),
        ("shortcut", LINE), ("max_length", NUMBER), ("required", FLAG), ("once", FLAG),
    ),
    "options": (
        ("key", LINE), ("label", LINE), ("definition", PARAGRAPH), ("shortcut", LINE), ("sign", LINE), ("tone", TONES),
    ),
    "measures": _DESCRIBED,
    "means": (*_DESCRIBED, ("of", WORDS), ("question", ())),
    "correlations": (*_DESCRIBED[:3], ("between", WORDS)),
    "scores": _DESCRIBED,
    "weights": (("weight", NUMBER),),
    EXAMPLE: (("prompt", PARAGRAPH), ("passage", PARAGRAPH), ("response", PARAGRAPH)),
    "items": _ITEM,
    PRACTICE: _ITEM,
}  # fmt: skip
_DEFAULTS: dict[str, TomlValue] = {
    "required": True, "once": False, "shows_reference": False, "imports_may_have_gaps": False,
    "tone": "neutral", "better": "neither",
}  # fmt: skip


@dataclass
class FormEntries:
    """A table of values, with a field for each key: what each option of a mean is worth, the answers of an item."""

    name: str
    id: str
    fields: list[FormField]
    problems: list[str] = field(default_factory=list)

    @property
    def label(self) -> str:
        return str(LABELS[self.name])


@dataclass
class FormCondition:
    """A condition: for each choice question its options, and whether each is named."""

    name: str
    id: str
    questions: list[tuple[str, list[tuple[str, str, bool]]]]
    problems: list[str] = field(default_factory=list)

    @property
    def label(self) -> str:
        return str(LABELS[self.name])


@dataclass
class FormPart:
    """A table of the protocol. `nouns`: what can be added to it (question, item); `number`: 0 for one in no list."""

    path: KeyPath
    id: str
    list_name: str
    title: str
    number: int
    is_last: bool
    fields: list[FormField]
    conditions: list[FormCondition]
    entries: list[FormEntries]
    nouns: Sequence[str]
    problems: list[str] = field(default_factory=list)

    @property
    def is_inner(self) -> bool:
        return len(self.path) > 2 or self.list_name == PRACTICE

    @property
    def noun(self) -> str:
        return noun_of(self.list_name)

    @property
    def name(self) -> str:
        """Return question 1 (accuracy), item 2 or practice."""
        parts = (self.noun, str(self.number or ""), f"({self.title})" if self.title else "")
        return " ".join(filter(None, parts))


def noun_of(name: str) -> str:
    """Return question for questions; the name of a table in no list stays."""
    return name if name in (EXAMPLE, PRACTICE) else name.removesuffix("s")


def part_id(path: KeyPath) -> str:
    """Return the prefix of the names of a table's fields."""
    return "-".join(map(str, path)) or "protocol"


def field_count(parts: Sequence[FormPart]) -> int:
    """Return how many fields a post of the form has at most, all options of its conditions ticked."""
    options = [options for part in parts for condition in part.conditions for _question, options in condition.questions]
    inner = [each.fields for part in parts for each in part.entries]
    return sum(len(part.fields) for part in parts) + sum(map(len, options)) + sum(map(len, inner))


def form_parts(fields: Fields, problems: Sequence[Problem] = ()) -> list[FormPart]:
    """Return the parts of the protocol's form in order, each problem at its field."""
    by_path = dict(tables(fields))
    parts = [_part(path, table, by_path) for path, table in by_path.items()]
    for problem in problems:
        _place(problem, {part.path: part for part in parts})
    return parts


def _part(path: KeyPath, table: Fields, by_path: Mapping[KeyPath, Fields]) -> FormPart:
    name, prefix, protocol = list_name(path), part_id(path), by_path[()]
    number = path[-1] + 1 if path and isinstance(path[-1], int) else 0
    return FormPart(
        path=path,
        id=prefix,
        list_name=name,
        title=text_of(table, "key"),
        number=number,
        is_last=not number or (*path[:-1], number) not in by_path,
        fields=[
            _labeled(_field(prefix, table, field_name, _choices(field_name, kind, protocol)))
            for field_name, kind in FIELDS[name]
            if field_name in table or _has_field(name, field_name, table, protocol)
        ],
        conditions=[_condition(prefix, table, each, _named(protocol, path)) for each in CONDITIONS.get(name, ())],
        entries=list(_entries(prefix, name, table, protocol)),
        nouns=list(_nouns(path, table, by_path)),
    )


def _labeled(own: FormField) -> FormField:
    return replace(own, label=str(LABELS[own.name]), help=str(HELP.get(own.name, "")))


def _nouns(path: KeyPath, table: Fields, by_path: Mapping[KeyPath, Fields]) -> Iterator[str]:
    """Yield what can be added to a part."""
    name = list_name(path)
    if not path:
        yield from map(noun_of, LISTS)
        if (EXAMPLE,) not in by_path:
            yield EXAMPLE
    elif name in INNER_LISTS and (name != "questions" or table.get("kind") == "choice"):
        yield noun_of(INNER_LISTS[name])
    if name == EXAMPLE and (EXAMPLE, PRACTICE) not in by_path:
        yield PRACTICE


def _has_field(part: str, name: str, table: Fields, protocol: Fields) -> bool:
    """Return whether a part that has no such value yet can have one."""
    if part == "questions" and name in ("shortcut", "max_length"):
        return table.get("kind") in WRITTEN
    if name == "against":
        return protocol.get("unit") == PAIR
    return True


def _choices(name: str, kind: str | Sequence[str], protocol: Fields) -> str | Sequence[str]:
    """Return the kind of a field, with the choice questions as the choices for the question of a mean."""
    return kind if name != "question" else ["", *options_by_question(protocol)]


def _entries(prefix: str, name: str, table: Fields, protocol: Fields) -> Iterator[FormEntries]:
    """Yield the values of a mean, or the answers of an item of the example."""
    if name == "means":
        options = options_by_question(protocol).get(text_of(table, "question"), [])
        kinds: dict[str, str | Sequence[str]] = {text_of(option, "key"): NUMBER for option in options}
        yield _entry_fields(prefix, "values", table, kinds, NUMBER)
    if name in ("items", PRACTICE):
        kinds = {text_of(question, "key"): _answer_kind(question) for question in entries(protocol, "questions")}
        yield _entry_fields(prefix, "answers", table, kinds, LINE)


def _answer_kind(question: Fields) -> str | Sequence[str]:
    return ["", *keys_of(question, "options")] if question.get("kind") == "choice" else PARAGRAPH


def _entry_fields(
    prefix: str, name: str, table: Fields, kinds: Mapping[str, str | Sequence[str]], other: str
) -> FormEntries:
    """Return a field for each key in `kinds`, and one of the kind `other` for each further key of the table."""
    values = table.get(name)
    present = values if isinstance(values, dict) else {}
    all_kinds = {**kinds, **{key: other for key in present if key not in kinds}}
    group = f"{prefix}-{name}"
    return FormEntries(name, group, [_field(group, present, key, kind) for key, kind in all_kinds.items()])


def _named(fields: Fields, path: KeyPath) -> dict[str, list[Fields]]:
    """Return the questions with options that a condition of the table can name: of a question, the earlier ones."""
    return options_by_question(fields, int(path[1]) if path[0] == "questions" else None)


def _field(prefix: str, table: Fields, name: str, kind: str | Sequence[str]) -> FormField:
    value = table.get(name, _DEFAULTS.get(name, ""))
    if kind == WORDS:
        value = ", ".join(strings(value))
    if not isinstance(kind, str):
        return FormField(name, f"{prefix}-{name}", SELECT, value, [Choice(choice, choice) for choice in kind])
    return FormField(name, f"{prefix}-{name}", kind, value)


def _condition(prefix: str, table: Fields, name: str, questions: Mapping[str, list[Fields]]) -> FormCondition:
    terms = terms_of(table, name)
    options = {
        key: {text_of(option, "key"): text_of(option, "label") for option in question_options}
        for key, question_options in questions.items()
    }
    for question, values in terms.items():
        labels = options.setdefault(question, {})
        labels.update({value: value for value in values if value not in labels})
    choices = [
        (question, [(key, label or key, key in terms.get(question, [])) for key, label in labels.items()])
        for question, labels in options.items()
    ]
    return FormCondition(name, f"{prefix}-{name}", choices)


def _place(problem: Problem, parts: Mapping[KeyPath, FormPart]) -> None:
    """Add a problem to its field, else to its part."""
    path = next(problem.path[:n] for n in range(len(problem.path), -1, -1) if problem.path[:n] in parts)
    part, message = parts[path], translate_text(problem.message)
    name = problem.path[len(path)] if len(problem.path) > len(path) else ""
    inner = problem.path[len(path) + 1] if len(problem.path) > len(path) + 1 else ""
    groups = [group for group in part.entries if group.name == name]
    own: list[FormField | FormCondition | FormEntries] = [*part.fields, *part.conditions, *groups]
    at_keys = [each.problems for group in groups for each in group.fields if each.name == inner]
    at_names = [each.problems for each in own if each.name == name]
    next(iter([*at_keys, *at_names]), part.problems).append(message)

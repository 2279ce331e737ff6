"""The parts of a protocol as a form: their fields, conditions and problems."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.utils.text import Truncator

from ...i18n.unit_names import unit_words
from ...protocols import Problem
from ...protocols.draft_fields import (
    CONDITIONS,
    EXAMPLE,
    INNER_LISTS,
    LISTS,
    PRACTICE,
    Fields,
    entries,
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
from ..toml_forms.fields import FLAG, LINE, NUMBER, PARAGRAPH, SELECT, SEVERAL, WORDS, Choice, FormField
from .form_words import CHOICES, GROUPS, HELP, LABELS, NOUNS

_DESCRIBED: tuple[tuple[str, str | Sequence[str]], ...] = (
    ("label", LINE), ("key", LINE), ("description", PARAGRAPH), ("better", BETTER),
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
        ("text", PARAGRAPH), ("help", PARAGRAPH), ("kind", KINDS), ("key", LINE), ("kinds", WORDS),
        ("shortcut", LINE), ("max_length", NUMBER), ("required", FLAG), ("once", FLAG),
    ),
    "options": (
        ("label", LINE), ("key", LINE), ("tone", TONES), ("shortcut", LINE), ("sign", LINE), ("definition", PARAGRAPH),
    ),
    "measures": _DESCRIBED,
    "means": (*_DESCRIBED, ("of", SEVERAL), ("question", ())),
    "correlations": (*_DESCRIBED[:3], ("between", SEVERAL)),
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
        return LABELS[self.name]


@dataclass(frozen=True)
class ConditionQuestion:
    """A choice question that a condition can name: its options, and whether each is named."""

    key: str
    text: str
    options: list[tuple[Choice, bool]]


@dataclass
class FormCondition:
    """A condition: for each choice question its options."""

    name: str
    id: str
    questions: list[ConditionQuestion]
    problems: list[str] = field(default_factory=list)

    @property
    def label(self) -> str:
        return LABELS[self.name]


@dataclass
class FormPart:
    """A table of the protocol. `nouns`: what can be added to it (question, item); `number`: 0 for one in no list."""

    path: KeyPath
    id: str
    list_name: str
    title: str
    key: str
    number: int
    is_last: bool
    fields: list[FormField]
    conditions: list[FormCondition]
    entries: list[FormEntries]
    nouns: Sequence[str]
    problems: list[str] = field(default_factory=list)

    @property
    def heading(self) -> str:
        """Return Question 1: How accurate is it? or Practice item."""
        if not self.path:
            return GROUPS[""]
        name = " ".join(filter(None, (NOUNS[noun_of(self.list_name)], str(self.number or ""))))
        return f"{name}: {shortened(self.title)}" if self.title else name

    @property
    def located_problems(self) -> list[tuple[str, str]]:
        """All problems, each with the id of its field or of the part."""
        places: list[FormField | FormCondition | FormEntries] = [*self.fields, *self.conditions]
        for group in self.entries:
            places += [*group.fields, group]
        own = [(self.id, problem) for problem in self.problems]
        return own + [(f"id_{place.id}", problem) for place in places for problem in place.problems]


def shortened(text: str) -> str:
    """Return a text in one line, cut after 100 characters."""
    return Truncator(" ".join(text.split())).chars(100)


def noun_of(name: str) -> str:
    """Return question for questions; the name of a table in no list stays."""
    return name if name in (EXAMPLE, PRACTICE) else name.removesuffix("s")


def part_id(path: KeyPath) -> str:
    """Return the prefix of the names of a table's fields."""
    return "-".join(map(str, path)) or "protocol"


def field_count(parts: Sequence[FormPart]) -> int:
    """Return how many fields a post of the form has at most, all options of its conditions ticked."""
    conditions = [condition for part in parts for condition in part.conditions]
    fields = [
        each for part in parts for each in (*part.fields, *(own for group in part.entries for own in group.fields))
    ]
    ticked = [len(question.options) for condition in conditions for question in condition.questions]
    several = [len(each.all_choices) for each in fields if each.kind == SEVERAL]
    return len(parts) + len(fields) + sum(ticked) + sum(several)  # of each part whether it is unfolded


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
        title=next(filter(None, (text_of(table, each) for each in ("label", "text", "key"))), ""),
        key=text_of(table, "key"),
        number=number,
        is_last=not number or (*path[:-1], number) not in by_path,
        fields=[
            _field(prefix, table, field_name, kind, _choices(field_name, kind, protocol))
            for field_name, kind in FIELDS[name]
            if field_name in table or _has_field(name, field_name, table, protocol)
        ],
        conditions=[_condition(path, table, each, protocol) for each in CONDITIONS.get(name, ())],
        entries=list(_entries(prefix, name, table, protocol)),
        nouns=list(_nouns(path, table, by_path)),
    )


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


def _choices(name: str, kind: str | Sequence[str], protocol: Fields) -> list[Choice]:
    """Return the choices of a field, with their labels."""
    if name == "of":
        return [_named_choice(each) for part in ("measures", "means") for each in entries(protocol, part)]
    if name == "between":
        return [_named_choice(each) for each in entries(protocol, "means")]
    if name == "question":
        questions = [each for each in entries(protocol, "questions") if each.get("kind") == "choice"]
        return [Choice("", "None"), *map(_named_choice, questions)]
    values = [] if isinstance(kind, str) else kind
    labels = {unit: unit_words(unit).capitalize() for unit in UNITS} if name == "unit" else CHOICES.get(name, {})
    return [Choice(value, labels.get(value, value)) for value in values]


def _named_choice(table: Fields) -> Choice:
    """Return the choice of a question, option, measure or mean by its key."""
    key = text_of(table, "key")
    return Choice(key, shortened(text_of(table, "label") or text_of(table, "text")) or key)


def _entries(prefix: str, name: str, table: Fields, protocol: Fields) -> Iterator[FormEntries]:
    """Yield the values of a mean, or the answers of an item of the example."""
    if name == "means":
        options = options_by_question(protocol).get(text_of(table, "question"), [])
        blank = [_entry(_named_choice(option), NUMBER) for option in options]
        yield _entry_fields(f"{prefix}-values", "values", table, blank, NUMBER)
    if name in ("items", PRACTICE):
        blank = [_answer(question) for question in entries(protocol, "questions")]
        yield _entry_fields(f"{prefix}-answers", "answers", table, blank, LINE)


def _answer(question: Fields) -> FormField:
    if question.get("kind") != "choice":
        return _entry(_named_choice(question), PARAGRAPH)
    options = [Choice("", "Not answered"), *map(_named_choice, entries(question, "options"))]
    return _entry(_named_choice(question), SELECT, options)


def _entry(key: Choice, kind: str, choices: Sequence[Choice] = ()) -> FormField:
    return FormField(key.value, "", kind, "", choices, key.label)


def _entry_fields(group: str, name: str, table: Fields, blank: Sequence[FormField], other: str) -> FormEntries:
    """Return the fields `blank` with their values, and one of the kind `other` for each further key of the table."""
    values = table.get(name)
    present = values if isinstance(values, dict) else {}
    names = [each.name for each in blank]
    more = [_entry(Choice(key, ""), other) for key in present if key not in names]
    fields = [replace(each, id=f"{group}-{each.name}", value=present.get(each.name, "")) for each in (*blank, *more)]
    return FormEntries(name, group, fields)


def _field(prefix: str, table: Fields, name: str, kind: str | Sequence[str], choices: Sequence[Choice]) -> FormField:
    value = table.get(name, _DEFAULTS.get(name, ""))
    if kind == WORDS:
        value = ", ".join(strings(value))
    if kind == SEVERAL:
        value = strings(value)
    shown_as = kind if isinstance(kind, str) else SELECT
    return FormField(name, f"{prefix}-{name}", shown_as, value, choices, LABELS[name], HELP.get(name, ""))


def _condition(path: KeyPath, table: Fields, name: str, protocol: Fields) -> FormCondition:
    """Return a condition, which can name choice questions: of a question, the earlier ones."""
    before = int(path[1]) if path[0] == "questions" else None
    choice_questions = (each for each in entries(protocol, "questions")[:before] if each.get("kind") == "choice")
    questions = {text_of(each, "key"): each for each in choice_questions}
    terms = terms_of(table, name)
    choices = []
    for key in dict.fromkeys([*questions, *terms]):
        question, values = questions.get(key, {}), terms.get(key, [])
        options = [_named_choice(option) for option in entries(question, "options")]
        listed = [option.value for option in options]
        options += [Choice(value, value) for value in values if value not in listed]
        text = _named_choice(question).label
        choices.append(ConditionQuestion(key, text, [(option, option.value in values) for option in options]))
    return FormCondition(name, f"{part_id(path)}-{name}", choices)


def _place(problem: Problem, parts: Mapping[KeyPath, FormPart]) -> None:
    """Add a problem to its field, else to its part."""
    path = next(problem.path[:n] for n in range(len(problem.path), -1, -1) if problem.path[:n] in parts)
    part, message = parts[path], problem.message
    name = problem.path[len(path)] if len(problem.path) > len(path) else ""
    inner = problem.path[len(path) + 1] if len(problem.path) > len(path) + 1 else ""
    groups = [group for group in part.entries if group.name == name]
    own: list[FormField | FormCondition | FormEntries] = [*part.fields, *part.conditions, *groups]
    at_keys = [each.problems for group in groups for each in group.fields if each.name == inner]
    at_names = [each.problems for each in own if each.name == name]
    next(iter([*at_keys, *at_names]), part.problems).append(message)

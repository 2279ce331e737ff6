"""The form of a protocol: its parts with their fields, conditions and problems, and what a post changes in the text."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.http import QueryDict

from ...i18n.protocol_translation import translate_text
from ...protocols import Problem
from ...protocols.draft_fields import (
    CONDITIONS,
    INNER_LISTS,
    LISTS,
    Fields,
    Terms,
    list_name,
    options_by_question,
    tables,
    terms_of,
    text_of,
)
from ...protocols.protocol_draft import ProtocolDraft
from ...protocols.schema import BETTER, KINDS, TONES, UNITS
from ...protocols.toml_document import TomlValue
from ...protocols.toml_lines import KeyPath

LINE, PARAGRAPH, FLAG, NUMBER = "line", "paragraph", "flag", "number"
_DESCRIBED: tuple[tuple[str, str | Sequence[str]], ...] = (
    ("key", LINE), ("label", LINE), ("description", PARAGRAPH), ("better", BETTER),
)  # fmt: skip
FIELDS: dict[str, tuple[tuple[str, str | Sequence[str]], ...]] = {
    "": (("title", LINE), ("slug", LINE), ("version", LINE), ("unit", UNITS), ("intro", PARAGRAPH)),
    "questions": (
        ("key", LINE), ("text", PARAGRAPH), ("help", PARAGRAPH), ("kind", KINDS), ("required", FLAG), ("once", FLAG),
    ),
    "options": (
        ("key", LINE), ("label", LINE), ("definition", PARAGRAPH), ("shortcut", LINE), ("sign", LINE), ("tone", TONES),
    ),
    "measures": _DESCRIBED,
    "means": _DESCRIBED,
    "correlations": _DESCRIBED[:3],
    "scores": _DESCRIBED,
    "weights": (("weight", NUMBER),),
}  # fmt: skip
_DEFAULTS: dict[str, TomlValue] = {"required": True, "once": False, "tone": "neutral", "better": "neither"}


@dataclass
class FormField:
    """A value with its field's name and problems. `choices`: of a select."""

    name: str
    id: str
    kind: str
    value: object
    choices: Sequence[str] = ()
    problems: list[str] = field(default_factory=list)


@dataclass
class FormCondition:
    """A condition: for each choice question its options, and whether each is named."""

    name: str
    id: str
    questions: list[tuple[str, list[tuple[str, str, bool]]]]
    problems: list[str] = field(default_factory=list)


@dataclass
class FormPart:
    """A table of the protocol. `lists`: names of the lists to which a table can be added."""

    path: KeyPath
    id: str
    list_name: str
    title: str
    number: int
    is_last: bool
    fields: list[FormField]
    conditions: list[FormCondition]
    lists: Sequence[str]
    problems: list[str] = field(default_factory=list)

    @property
    def is_inner(self) -> bool:
        return len(self.path) > 2

    @property
    def nouns(self) -> list[str]:
        """Return what can be added to it: question for questions."""
        return [name.removesuffix("s") for name in self.lists]

    @property
    def noun(self) -> str:
        return self.list_name.removesuffix("s")


def part_id(path: KeyPath) -> str:
    """Return the prefix of the names of a table's fields."""
    return "-".join(map(str, path)) or "protocol"


def field_count(parts: Sequence[FormPart]) -> int:
    """Return how many fields a post of the form has at most, all options of its conditions ticked."""
    options = [options for part in parts for condition in part.conditions for _question, options in condition.questions]
    return sum(len(part.fields) for part in parts) + sum(map(len, options))


def form_parts(fields: Fields, problems: Sequence[Problem] = ()) -> list[FormPart]:
    """Return the parts of the protocol's form in order, each problem at its field."""
    by_path = dict(tables(fields))
    parts = [_part(path, table, by_path) for path, table in by_path.items()]
    for problem in problems:
        _place(problem, {part.path: part for part in parts})
    return parts


def _part(path: KeyPath, table: Fields, by_path: Mapping[KeyPath, Fields]) -> FormPart:
    name, prefix = list_name(path), part_id(path)
    number = int(path[-1]) + 1 if path else 0
    inner = INNER_LISTS.get(name, "")
    may_have_inner = inner and not (name == "questions" and table.get("kind") != "choice")
    return FormPart(
        path=path,
        id=prefix,
        list_name=name,
        title=text_of(table, "key"),
        number=number,
        is_last=not path or (*path[:-1], number) not in by_path,
        fields=[_field(prefix, table, field_name, kind) for field_name, kind in FIELDS[name]],
        conditions=[_condition(prefix, table, each, _named(by_path[()], path)) for each in CONDITIONS.get(name, ())],
        lists=LISTS if not path else (inner,) if may_have_inner else (),
    )


def _named(fields: Fields, path: KeyPath) -> dict[str, list[Fields]]:
    """Return the questions with options that a condition of the table can name: of a question, the earlier ones."""
    return options_by_question(fields, int(path[1]) if path[0] == "questions" else None)


def _field(prefix: str, table: Fields, name: str, kind: str | Sequence[str]) -> FormField:
    value = table.get(name, _DEFAULTS.get(name, ""))
    if not isinstance(kind, str):
        return FormField(name, f"{prefix}-{name}", "select", value, kind)
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
    own: list[FormField | FormCondition] = [*part.fields, *part.conditions]
    next((each.problems for each in own if each.name == name), part.problems).append(message)


def apply_post(draft: ProtocolDraft, post: QueryDict) -> None:
    """Change the text as the fields of a post say; fields with the same value as before stay as they are written."""
    renames: dict[KeyPath, str] = {}
    for part in form_parts(draft.fields):
        for each in part.fields:
            value = _posted(each, post)
            if value is None or value == each.value:
                continue
            if each.name == "key":
                renames[part.path] = str(value)
            else:
                draft.set((*part.path, each.name), None if value == "" and each.name not in _NEEDED else value)
        for condition in part.conditions:
            _apply_condition(draft, part.path, condition, post)
    draft.rename(renames)


_NEEDED = ("title", "slug", "version", "text", "label")


def _posted(each: FormField, post: QueryDict) -> TomlValue | None:
    """Return the value of a field; None where it is not sent."""
    if each.kind == FLAG:
        return each.id in post
    text = post.get(each.id)
    if text is None:
        return None
    value = text.replace("\r\n", "\n")
    if value.strip() == str(each.value).strip():
        return None
    if each.kind == NUMBER:
        return _number(value)
    return value


def _number(text: str) -> TomlValue:
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return text
    return int(number) if number.is_integer() else number


def _apply_condition(draft: ProtocolDraft, path: KeyPath, condition: FormCondition, post: QueryDict) -> None:
    table = dict(tables(draft.fields))[path]
    before = terms_of(table, condition.name)
    sent = {
        (question, value) for question, _colon, value in (each.partition(":") for each in post.getlist(condition.id))
    }
    after: Terms = {}
    for question in [*before, *(question for question, _options in condition.questions)]:
        values = [*before.get(question, []), *(key for key, _label, _is in dict(condition.questions)[question])]
        named = [value for value in dict.fromkeys(values) if (question, value) in sent]
        if named:
            after[question] = named
    if after != {question: values for question, values in before.items() if values}:
        draft.set((*path, condition.name), after)


def apply_button(draft: ProtocolDraft, post: QueryDict) -> str:
    """Add, remove or move the part that a button names; return the id of the part to go to, "" without a button."""
    if "remove-example" in post:
        draft.set(("example",), None)
        return part_id(())
    paths = {part_id(path): path for path, _table in tables(draft.fields)}
    for name, parent in _buttons(post, "add-"):
        path = paths.get(parent)
        if path is not None and f"{name}s" in (LISTS if path == () else (INNER_LISTS.get(list_name(path)),)):
            return part_id(draft.add(f"{name}s", path))
    for name, target in _buttons(post, ""):
        where = paths.get(target, ())
        if where and name == "remove":
            draft.remove(where)
            return part_id(where[:-2])
        if where and name in ("move-up", "move-down"):
            return part_id(draft.move(where, 1 if name == "move-down" else -1))
    return ""


def _buttons(post: QueryDict, prefix: str) -> Iterator[tuple[str, str]]:
    """Yield the names without prefix and the values of the buttons in a post."""
    for name in post:
        if name.startswith(prefix):
            yield name.removeprefix(prefix), str(post[name])

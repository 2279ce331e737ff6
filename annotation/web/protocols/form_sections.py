"""The form of a protocol in sections that fold: a group for each list, and options inside their question."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from ...protocols.draft_fields import EXAMPLE, LISTS
from .form_words import GROUPS, NOUNS
from .protocol_form import FormPart, noun_of

Button = tuple[str, str]
"""A noun that can be added, and the label of its button."""


@dataclass(frozen=True)
class FormSection:
    """A part with the parts inside it. `buttons`: what can be added to it."""

    part: FormPart
    inner: list["FormSection"]
    is_open: bool
    buttons: list[Button]

    @property
    def problem_count(self) -> int:
        return len(self.part.located_problems) + sum(section.problem_count for section in self.inner)

    @property
    def noun(self) -> str:
        """The name of the part without its text, for its buttons: Question 1."""
        return " ".join(filter(None, (NOUNS[noun_of(self.part.list_name)], str(self.part.number or ""))))


@dataclass(frozen=True)
class FormGroup:
    """The sections of a list. `buttons`: what can be added at its end."""

    title: str
    sections: list[FormSection]
    buttons: list[Button]


def form_groups(parts: Sequence[FormPart], opened: Collection[str] | None, target: str) -> list[FormGroup]:
    """Return the groups of a form in its order; the last one has only the buttons of the lists that are empty.

    `opened`: the ids of the unfolded parts, None for the first one; those with problems and `target` are too.
    """
    [protocol, *others] = parts
    is_open = ["protocol"] if opened is None else opened
    outer = (part for part in others if part.path == (EXAMPLE,) or (len(part.path) <= 2 and part.path[0] != EXAMPLE))
    sections = [_section(part, others, is_open, target) for part in outer]
    by_list: dict[str, list[FormSection]] = {name: [] for name in (*LISTS, EXAMPLE)}
    for section in sections:
        by_list[section.part.list_name].append(section)
    own = FormSection(protocol, [], _is_open(protocol, [], is_open, target), [])
    groups = [FormGroup("", [own], [])]
    for name, inner in by_list.items():
        if inner:
            title = "" if name == EXAMPLE else GROUPS[name]
            groups.append(FormGroup(title, inner, list(_buttons([noun_of(name)], protocol.nouns))))
    missing = [noun_of(name) for name, inner in by_list.items() if not inner]
    return [*groups, FormGroup("", [], list(_buttons(missing, protocol.nouns)))]


def _section(part: FormPart, parts: Sequence[FormPart], opened: Collection[str], target: str) -> FormSection:
    within = [each for each in parts if each.path != part.path and each.path[: len(part.path)] == part.path]
    inner = [_section(each, [], opened, target) for each in within]
    return FormSection(part, inner, _is_open(part, inner, opened, target), list(_buttons(part.nouns, part.nouns)))


def _is_open(part: FormPart, inner: Sequence[FormSection], opened: Collection[str], target: str) -> bool:
    is_target = part.id == target or any(section.part.id == target for section in inner)
    has_problems = bool(part.located_problems) or any(section.problem_count for section in inner)
    return is_target or has_problems or part.id in opened


def _buttons(nouns: Sequence[str], possible: Sequence[str]) -> Iterator[Button]:
    for noun in nouns:
        if noun in possible:
            yield noun, f"Add {NOUNS[noun].lower()}"

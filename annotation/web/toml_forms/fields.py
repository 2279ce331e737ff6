"""A field of a form that edits a TOML text, and the value that a post gives it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.http import QueryDict

from ...protocols.draft_fields import strings
from ...protocols.toml_document import TomlValue

LINE, PARAGRAPH, FLAG, NUMBER, PERCENT, WORDS = "line", "paragraph", "flag", "number", "percent", "words"
SELECT, ONE, SEVERAL = "select", "one", "several"


@dataclass(frozen=True)
class Choice:
    """A value that can be chosen, with its label and an explanation."""

    value: str
    label: str
    help: str = ""


@dataclass
class FormField:
    """A value with its field's name, label, help and problems.

    `kind`: SELECT, ONE (radio buttons) and SEVERAL (checkboxes) have `choices`; PERCENT shows a share times 100.
    """

    name: str
    id: str
    kind: str
    value: object
    choices: Sequence[Choice] = ()
    label: str = ""
    help: str = ""
    problems: list[str] = field(default_factory=list)

    @property
    def shown(self) -> object:
        """The value as a text field shows it."""
        if self.kind == PERCENT and isinstance(self.value, int | float):
            return f"{100 * self.value:.10g}"
        return self.value

    @property
    def has_explanations(self) -> bool:
        return any(choice.help for choice in self.choices)

    @property
    def all_choices(self) -> list[tuple[Choice, bool]]:
        """All choices and whether each is chosen; a chosen value that is no choice (any more) is among them."""
        values = strings(self.value) if self.kind == SEVERAL else [str(self.value)]
        listed = [choice.value for choice in self.choices]
        more = [Choice(value, value) for value in values if value not in listed]
        return [(choice, choice.value in values) for choice in [*self.choices, *more]]


def posted_value(each: FormField, post: QueryDict) -> TomlValue | None:
    """Return the value of a field in a post; None where it is not sent, or the same as before."""
    if each.kind == SEVERAL:
        return _several(each, post.getlist(each.id))
    if each.kind == FLAG:
        is_on = each.id in post
        return None if is_on is each.value else is_on
    text = post.get(each.id)
    if text is None or text.replace("\r\n", "\n").strip() == str(each.shown).strip():
        return None
    value = text.replace("\r\n", "\n")
    if each.kind in (NUMBER, PERCENT) and value.strip():
        return _number(value, percent=each.kind == PERCENT)
    if each.kind == WORDS:
        return value.replace(",", " ").split()
    return value


def _several(each: FormField, sent: list[str]) -> list[str] | None:
    """Return the ticked choices: those of before in their order, then the new ones."""
    before = strings(each.value)
    offered = [choice.value for choice, _is_chosen in each.all_choices if choice.value in sent]
    values = [*(value for value in before if value in sent), *(value for value in offered if value not in before)]
    return None if values == before else values


def _number(text: str, *, percent: bool) -> TomlValue:
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return text
    if percent:
        return round(number / 100, 12)
    return int(number) if number.is_integer() else number

"""What a post of the protocol's form changes in the text: fields, conditions, and parts that buttons add or move."""

from collections.abc import Iterator

from django.http import QueryDict

from ...protocols.draft_fields import EXAMPLE, PRACTICE, Terms, tables, terms_of
from ...protocols.protocol_draft import ProtocolDraft
from ...protocols.toml_document import TomlValue
from ...protocols.toml_lines import KeyPath
from ..toml_forms.fields import posted_value
from .protocol_form import FormCondition, FormEntries, form_parts, part_id

_NEEDED = ("title", "slug", "version", "text", "label")


def apply_post(draft: ProtocolDraft, post: QueryDict) -> None:
    """Change the text as the fields of a post say; fields with the same value as before stay as they are written."""
    renames: dict[KeyPath, str] = {}
    for part in form_parts(draft.fields):
        for each in part.fields:
            value = posted_value(each, post)
            if value is None or value == each.value:
                continue
            if each.name == "key":
                renames[part.path] = str(value)
            else:
                is_removed = value in ("", []) and each.name not in _NEEDED
                draft.set((*part.path, each.name), None if is_removed else value)
        for condition in part.conditions:
            _apply_condition(draft, part.path, condition, post)
        for group in part.entries:
            _apply_entries(draft, part.path, group, post)
    draft.rename(renames)


def _apply_entries(draft: ProtocolDraft, path: KeyPath, group: FormEntries, post: QueryDict) -> None:
    """Change the values that differ; an empty field removes its value."""
    values = dict(tables(draft.fields))[path].get(group.name)
    after: dict[str, TomlValue] = dict(values) if isinstance(values, dict) else {}
    changes = {each.name: value for each in group.fields if (value := posted_value(each, post)) is not None}
    for name, value in changes.items():
        if value == "":
            after.pop(name, None)
        else:
            after[name] = value
    if changes:
        draft.set((*path, group.name), after)


def _apply_condition(draft: ProtocolDraft, path: KeyPath, condition: FormCondition, post: QueryDict) -> None:
    table = dict(tables(draft.fields))[path]
    before = terms_of(table, condition.name)
    sent = {
        (question, value) for question, _colon, value in (each.partition(":") for each in post.getlist(condition.id))
    }
    after: Terms = {}
    options = {each.key: [option.value for option, _is_named in each.options] for each in condition.questions}
    for question in dict.fromkeys([*before, *options]):
        values = [*before.get(question, []), *options[question]]
        named = [value for value in dict.fromkeys(values) if (question, value) in sent]
        if named:
            after[question] = named
    if after != {question: values for question, values in before.items() if values}:
        draft.set((*path, condition.name), after)


def apply_button(draft: ProtocolDraft, post: QueryDict) -> str:
    """Add, remove or move the part that a button names; return the id of the part to go to, "" without a button."""
    parts = {part.id: part for part in form_parts(draft.fields)}
    for noun, parent in _buttons(post, "add-"):
        if parent in parts and noun in parts[parent].nouns:
            path = parts[parent].path
            is_one = noun in (EXAMPLE, PRACTICE)
            return part_id(draft.add_table((*path, noun)) if is_one else draft.add(f"{noun}s", path))
    for name, target in _buttons(post, ""):
        part = parts.get(target)
        if part and part.path and name == "remove":
            draft.remove(part.path)
            return part_id(part.path[:-2] if part.number else part.path[:-1])
        if part and part.number and name in ("move-up", "move-down"):
            return part_id(draft.move(part.path, 1 if name == "move-down" else -1))
    return ""


def _buttons(post: QueryDict, prefix: str) -> Iterator[tuple[str, str]]:
    """Yield the names without prefix and the values of the buttons in a post."""
    for name in post:
        if name.startswith(prefix):
            yield name.removeprefix(prefix), str(post[name])

"""What a post of the analysis plan's form changes in the text."""

from collections.abc import Mapping

from django.http import QueryDict

from ...protocols.analysis_plan import ALL, RAW
from ...protocols.draft_fields import strings
from ...protocols.toml_document import TomlDocument, TomlValue
from ...protocols.toml_lines import KeyPath
from ..toml_forms.fields import posted_value
from .plan_choices import PlanChoices
from .plan_form import COMPARISONS, EXCLUSIONS, METADATA, SELECTED, WHICH, PlanForm, plan_form, selected_pairs

_NEVER_REMOVED = ("measures", COMPARISONS)  # an empty list is a mistake, or plans no comparison


def text_after_post(source: str, choices: PlanChoices, post: QueryDict) -> str:
    """Return the text with what the fields of a post say; values that are the same stay as they are written."""
    draft = TomlDocument(source)
    form = plan_form(draft.fields, choices)
    posted = {path: posted_value(each, post) for path, each in form.fields}
    changes = {path: value for path, value in posted.items() if value is not None and path[0] != COMPARISONS}
    for path, value in changes.items():
        is_removed = value in ("", []) and path[-1] not in _NEVER_REMOVED
        is_default = path == (EXCLUSIONS, "answers") and value == RAW
        _set(draft, path, None if is_removed or is_default else value)
    _set_comparisons(draft, form, posted)
    return draft.text


def _set_comparisons(draft: TomlDocument, form: PlanForm, posted: Mapping[KeyPath, TomlValue | None]) -> None:
    """Set the one value that the two fields of the comparisons stand for: "all", or the selected pairs."""
    before = {path: each.value for path, each in form.fields if path[0] == COMPARISONS}
    after = {path: value if (sent := posted[path]) is None else sent for path, value in before.items()}
    if after == before:
        return
    if after[COMPARISONS, WHICH] == SELECTED:
        draft.set((COMPARISONS,), selected_pairs(strings(after[COMPARISONS,])))
    elif before[COMPARISONS, WHICH] == SELECTED:
        draft.set((COMPARISONS,), ALL)


def _set(draft: TomlDocument, path: KeyPath, value: TomlValue | None) -> None:
    """Set a value; the table of the exclusions is added where the text has none."""
    if path[0] != EXCLUSIONS:
        draft.set(path, value)
        return
    name, exclusions = str(path[1]), draft.fields.get(EXCLUSIONS)
    if name == METADATA:
        value = _with_values(exclusions, str(path[2]), value)
    if isinstance(exclusions, dict):
        draft.set((EXCLUSIONS, name), value)
    elif value is not None:
        draft.add_table((EXCLUSIONS,), {name: value})


def _with_values(exclusions: object, key: str, values: TomlValue | None) -> TomlValue | None:
    """Return the planned metadata with the values of a key; None without any."""
    planned = exclusions.get(METADATA) if isinstance(exclusions, dict) else None
    after: dict[str, TomlValue] = dict(planned) if isinstance(planned, dict) else {}
    after.pop(key, None)
    return {**after, key: values} if values is not None else after or None

"""The switches of the live report: available ones, active ones, and their addresses.

Every switch is a field of `reporting.Choices` under the same name, in the form, in the address and in the job that
freezes; the available values come from the report without switches.
"""

from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from msgspec import structs

from ...accounts.display_names import DisplayNames
from ...i18n.numbers import localized
from ...i18n.unit_names import unit_words
from ...models import Project, Rating
from ...reporting import Choices
from ...reporting.choices import AUTO, DOCUMENT, MAX_RESAMPLES, PROMPT, pair
from ...reporting.data.groups import RATER, WITHIN_SYSTEM, key_of
from ...reporting.report import Report
from ...reporting.text import figure_format, provenance
from ...reporting.text.names import Names, breakdown_label
from .sections import judge_versions

GOLD = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
# Labels of the switches, in the form and in messages about wrong values.
LABELS = {
    "answers": "Answers",
    "least_gold": "Raters with at least this accuracy on gold, as a share (0.8 is 80 %)",
    "least_seconds": "Seconds, at least",
    "without_raters": "Exclude raters",
    "systems": "Only systems",
    "metadata": "Only some prompts",
    "cluster": "Sampling unit (cluster)",
    "seed": "Seed",
    "resamples": "Resamples",
    "judge": "Judge",
}
MAX_KEYS, MAX_VALUES = 8, 24  # of metadata in the form; an address may ask for any


@dataclass(frozen=True)
class Offered:
    """A value that can be selected, and whether it is."""

    value: str
    label: str
    is_selected: bool


@dataclass(frozen=True)
class Switch:
    """An active switch: its label, and the address without it."""

    words: str
    without: str


def switches(
    project: Project, choices: Choices, plain: Report, names: Names, display_name: DisplayNames
) -> dict[str, Any]:
    """Return the form's content. `plain` is the report without switches: it has all systems, raters and values."""
    return {
        "choices": choices,
        "set_switches": set_switches(choices, names, display_name),
        "hidden": [(name, value) for name, value in choices.as_query() if name not in ("seed", "resamples")],
        "query": query_of(choices),
        "most_resamples": MAX_RESAMPLES,
        "offered": {
            "answers": _adjudications(project, plain),
            "gold": _gold(choices),
            "raters": _raters(plain, choices, display_name),
            "systems": _offered_values([str(cell.system) for cell in plain.systems], choices.systems),
            "metadata": _metadata(choices, plain),
            "clusters": _clusters(plain, choices),
            "judges": _offered_values(judge_versions(project), (choices.judge,) if choices.judge else ()),
        },
    }


def query_of(choices: Choices, **more: str) -> str:
    """Return the query of an address that shows the live report under these choices."""
    return urlencode([("live", "1"), *choices.as_query(), *more.items()])


def set_switches(choices: Choices, names: Names, display_name: DisplayNames) -> list[Switch]:
    """Return the labels of the switches that are set, each with the address that removes it."""
    active = []
    for name, words in filters_in_words(choices, names, display_name).items():
        active.append(_switch(words, choices, name))
    if choices.cluster != Choices.cluster:
        active.append(_switch(provenance.as_clusters(choices.cluster), choices, "cluster"))
    if choices.seed != Choices.seed:
        active.append(_switch(f"seed {choices.seed}", choices, "seed"))
    if choices.resamples != Choices.resamples:
        active.append(_switch(f"{figure_format.count(choices.resamples)} resamples", choices, "resamples"))
    if choices.judge:
        active.append(_switch(f"judge {choices.judge}", choices, "judge"))
    return active


def filters_in_words(choices: Choices, names: Names, display_name: DisplayNames) -> dict[str, str]:
    """Describe each filter of the choices by name, raters by their display names."""
    filters = choices.filters()
    if filters.without_raters:
        filters = structs.replace(filters, without_raters=list(map(display_name, filters.without_raters)))
    return provenance.filters_in_words(filters, names.unit)


def _switch(words: str, choices: Choices, name: str) -> Switch:
    default: Any = getattr(Choices(), name)
    return Switch(words[:1].upper() + words[1:], query_of(replace(choices, **{name: default})))


def _offered_values(values: list[str], selected: tuple[str, ...]) -> list[Offered]:
    """Return all values, and selected ones that do not exist (any more), so that they can be removed."""
    all_values = [*values, *(value for value in selected if value not in values)]
    return [Offered(value, value, value in selected) for value in all_values]


def _raters(plain: Report, choices: Choices, display_name: DisplayNames) -> list[Offered]:
    """Return the raters by their display names."""
    offered = _offered_values([str(cell.value) for cell in plain.by.get(RATER, ())], choices.without_raters)
    return [replace(each, label=display_name(each.value)) for each in offered]


def _gold(choices: Choices) -> list[Offered]:
    steps = sorted({*GOLD, *([choices.least_gold] if choices.least_gold is not None else [])})
    return [Offered(str(step), localized(f"{100 * step:.4g} %"), step == choices.least_gold) for step in steps]


def _metadata(choices: Choices, plain: Report) -> list[tuple[str, list[Offered]]]:
    """Return the keys with few values, by label."""
    selected = dict(choices.metadata)
    names = [name for name in plain.by if f"{WITHIN_SYSTEM}{name}" in plain.by]
    fields = []
    for name in names:
        key, values = key_of(name), [str(cell.value) for cell in plain.by[name]]
        if 1 < len(values) <= MAX_VALUES or key in selected:
            offered = _offered_values(values[:MAX_VALUES], selected.get(key, ()))
            pairs = [Offered(pair(key, each.value), each.label, each.is_selected) for each in offered]
            fields.append((breakdown_label(name), pairs))
    return fields[:MAX_KEYS]


def _clusters(plain: Report, choices: Choices) -> list[Offered]:
    """Return the choices of the sampling unit, where prompts share documents or a unit is selected."""
    if plain.data.documents is None and choices.cluster == Choices.cluster:
        return []
    labels = {AUTO: "By the rule"} | {name: unit_words(name, 2).capitalize() for name in (PROMPT, DOCUMENT)}
    return [Offered(name, label, name == choices.cluster) for name, label in labels.items()]


def _adjudications(project: Project, plain: Report) -> int:
    """Return the number of items with an adjudication, which the raters' own answers exclude."""
    if not plain.data.left_out.get(Rating.Role.ADJUDICATOR):
        return 0
    return Rating.objects.filter(project=project, role=Rating.Role.ADJUDICATOR).values("item").distinct().count()

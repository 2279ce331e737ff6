"""The switches of the live report: available ones, active ones, and their addresses.

Every switch is a field of `reporting.Choices` under the same name, in the form, in the address and in the job that
freezes; the available values come from the report without switches.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from urllib.parse import urlencode

from msgspec import structs

from ...accounts.names import DisplayNames
from ...i18n.english import localized
from ...i18n.unit_names import unit_words
from ...models import Project, Rating
from ...reporting import Choices
from ...reporting.choices import AUTO, DOCUMENT, PROMPT, pair
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
class OptionField:
    """A field of the form: a list of checkboxes, or `is_select` one to choose from."""

    name: str
    label: str
    values: Sequence[Offered]
    is_select: bool = False
    hint: str = ""


def switches(
    project: Project, choices: Choices, plain: Report, names: Names, display_name: DisplayNames
) -> dict[str, object]:
    """Return the form's content. `plain` is the report without switches: it has all systems, raters and values."""
    adjudications = Rating.objects.filter(project=project, role=Rating.Role.ADJUDICATOR)
    return {
        "choices": choices,
        "set_switches": set_switches(choices, names, display_name),
        "hidden": [(name, value) for name, value in choices.as_query() if name not in ("seed", "resamples")],
        # Items with an adjudication, which the raters' own answers exclude
        "replaced_items": adjudications.values("item").distinct().count()
        if plain.data.left_out.get(Rating.Role.ADJUDICATOR)
        else 0,
        "fields": list(_fields(project, choices, plain, display_name)),
    }


def query_of(choices: Choices) -> str:
    return urlencode([("live", "1"), *choices.as_query()])


def set_switches(choices: Choices, names: Names, display_name: DisplayNames) -> list[tuple[str, str]]:
    """Return the switches that are set in words, each with the query of the address without it."""
    phrases = filters_in_words(choices, names, display_name)
    if choices.cluster != Choices.cluster:
        phrases["cluster"] = provenance.as_clusters(choices.cluster)
    if choices.seed != Choices.seed:
        phrases["seed"] = f"seed {choices.seed}"
    if choices.resamples != Choices.resamples:
        phrases["resamples"] = f"{figure_format.count(choices.resamples)} resamples"
    if choices.judge:
        phrases["judge"] = f"judge {choices.judge}"
    return [
        (words[:1].upper() + words[1:], query_of(replace(choices, **{name: getattr(Choices(), name)})))
        for name, words in phrases.items()
    ]


def filters_in_words(choices: Choices, names: Names, display_name: DisplayNames) -> dict[str, str]:
    """Describe each filter of the choices by name, raters by their display names."""
    filters = choices.filters()
    if filters.without_raters:
        filters = structs.replace(filters, without_raters=list(map(display_name, filters.without_raters)))
    return provenance.filters_in_words(filters, names.unit)


def _fields(project: Project, choices: Choices, plain: Report, display_name: DisplayNames) -> Iterator[OptionField]:
    """Yield the fields with values of this report; a rater or system alone cannot be left out."""
    steps = sorted({*GOLD, *([choices.least_gold] if choices.least_gold is not None else [])})
    gold = [
        Offered(str(step), localized(f"{100 * step:.4g} % or more"), step == choices.least_gold) for step in steps
    ]  # fmt: skip
    yield OptionField(
        "least_gold", "Raters with at least this accuracy on gold",
        [Offered("", "All raters", choices.least_gold is None), *gold],
        is_select=True, hint="Raters without gold answers are included.",
    )  # fmt: skip
    raters = _offered([str(cell.value) for cell in plain.by.get(RATER, ())], choices.without_raters)
    if len(raters) > 1:
        named = [replace(each, label=display_name(each.value)) for each in raters]
        yield OptionField("without_raters", LABELS["without_raters"], named)
    systems = _offered([str(cell.system) for cell in plain.systems], choices.systems)
    if len(systems) > 1:
        yield OptionField("systems", LABELS["systems"], systems)
    yield from islice(_metadata_fields(choices, plain), MAX_KEYS)
    if plain.data.documents is not None or choices.cluster != Choices.cluster:
        labels = {"": "By the rule"} | {name: unit_words(name, 2).capitalize() for name in (PROMPT, DOCUMENT)}
        selected = "" if choices.cluster == AUTO else choices.cluster
        yield OptionField(
            "cluster", LABELS["cluster"],
            [Offered(name, label, name == selected) for name, label in labels.items()],
            is_select=True,
            hint="Several prompts share a document. By the rule, documents are the unit if there are at least 10 and "
            "fewer than 0.8 × prompts; the intervals then generalize to further documents.",
        )  # fmt: skip
    judges = _offered(judge_versions(project), (choices.judge,) if choices.judge else ())
    if judges:
        yield OptionField(
            "judge", LABELS["judge"], [Offered("", "No judge", not choices.judge), *judges], is_select=True,
            hint="Adds estimates from people’s ratings of a sample and the judge’s verdicts.",
        )  # fmt: skip


def _offered(values: list[str], selected: tuple[str, ...]) -> list[Offered]:
    """Return all values, and selected ones that do not exist (any more), so that they can be removed."""
    all_values = [*values, *(value for value in selected if value not in values)]
    return [Offered(value, value, value in selected) for value in all_values]


def _metadata_fields(choices: Choices, plain: Report) -> Iterator[OptionField]:
    """Yield the keys of prompts with few values."""
    selected = dict(choices.metadata)
    for name, cells in plain.by.items():
        key, values = key_of(name), [str(cell.value) for cell in cells]
        if f"{WITHIN_SYSTEM}{name}" in plain.by and (1 < len(values) <= MAX_VALUES or key in selected):
            offered = _offered(values[:MAX_VALUES], selected.get(key, ()))
            pairs = [replace(each, value=pair(key, each.value)) for each in offered]
            yield OptionField("metadata", f"Only prompts whose {breakdown_label(name)} is", pairs)

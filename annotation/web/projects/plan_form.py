"""The form of an analysis plan: sections with fields, each with its value in the TOML text and its problems."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ...protocols import Problem
from ...protocols.analysis_plan import ALL, ANSWERS, AUTO, BY_MEASURE, PLANNED, RAW, UNITS, WHOLE_REPORT
from ...protocols.draft_fields import Fields, strings
from ...protocols.toml_lines import KeyPath
from ..toml_forms.fields import NUMBER, ONE, PARAGRAPH, PERCENT, SEVERAL, Choice, FormField
from .plan_choices import PlanChoices, pair_choice

EXCLUSIONS, METADATA, COMPARISONS = "exclusions", "metadata", "comparisons"
WHICH, SELECTED = "which", "selected"
_Field = tuple[KeyPath, FormField]


@dataclass
class PlanSection:
    """A section with its fields, each with the path of its value. `is_open`: whether it is unfolded at first."""

    id: str
    title: str
    fields: list[_Field]
    is_open: bool = True

    @property
    def problems(self) -> list[tuple[FormField, str]]:
        """The problems of its fields."""
        return [(each, problem) for _path, each in self.fields for problem in each.problems]

    @property
    def changed(self) -> int:
        """The number of fields that have a value other than the default."""
        return sum(each.value not in ("", [], RAW) for _path, each in self.fields)


@dataclass
class PlanForm:
    """`problems`: those of no field."""

    sections: list[PlanSection]
    problems: list[str] = field(default_factory=list)

    @property
    def all_problems(self) -> list[tuple[FormField | None, str]]:
        """All problems, each with its field, None for those of none."""
        return [*((None, each) for each in self.problems), *(each for part in self.sections for each in part.problems)]

    @property
    def fields(self) -> Iterator[_Field]:
        for section in self.sections:
            yield from section.fields

    @property
    def most_sent(self) -> int:
        """How many fields a post has at most, everything ticked."""
        return sum(max(1, len(each.all_choices)) for _path, each in self.fields)


def has_form(fields: Fields) -> bool:
    """Return whether the text has tables where the form edits tables."""
    exclusions = fields.get(EXCLUSIONS, {})
    return isinstance(exclusions, dict) and isinstance(exclusions.get(METADATA, {}), dict)


def plan_form(
    fields: Fields, choices: PlanChoices, problems: Sequence[Problem] = (), opened: Sequence[str] = ()
) -> PlanForm:
    """Return the form of a text (`has_form`), each problem at its field. `opened`: ids of unfolded sections."""
    exclusions = _table(fields, EXCLUSIONS)
    filters = list(_filters(exclusions, choices))
    sections = [
        PlanSection("measures", "Hypotheses and measures", list(_measures(fields, choices))),
        PlanSection("comparisons", "Comparisons", list(_comparisons(fields, choices))),
        PlanSection("precision", "Precision and inference", list(_inference(fields))),
        PlanSection("exclusions", "Exclusions", filters, is_open=bool(exclusions)),
        PlanSection("notes", "Notes", [_notes(fields)], is_open=bool(_text(fields, "notes"))),
    ]
    form = PlanForm([section for section in sections if section.fields])
    for problem in problems:
        _place(problem, form)
    for section in form.sections:
        section.is_open = section.is_open or bool(section.problems) or f"plan-section-{section.id}" in opened
    return form


def _measures(fields: Fields, choices: PlanChoices) -> Iterator[_Field]:
    help_text = "What you expect, for example which system is more accurate. Free text."
    yield _field(("hypotheses",), PARAGRAPH, "Hypotheses", _text(fields, "hypotheses"), help_text)
    yield _field(
        ("measures",),
        SEVERAL,
        "Planned measures",
        strings(fields.get("measures")),
        "The primary measures. A report shows the others too, as exploratory.",
        choices.measures,
    )


def _comparisons(fields: Fields, choices: PlanChoices) -> Iterator[_Field]:
    compared = fields.get(COMPARISONS, ALL)
    if not choices.pairs and compared == ALL:
        return
    count = len(choices.pairs)
    pairs = [
        Choice(ALL, f"All pairs of systems ({count})"),
        Choice(SELECTED, "Only selected pairs"),
    ]
    which = ALL if compared == ALL else SELECTED
    yield _field((COMPARISONS, WHICH), ONE, "Planned comparisons", which, "", pairs)
    help_text = "Each is tested on each planned measure. With none selected, no comparison is planned."
    yield _field((COMPARISONS,), SEVERAL, "Pairs of systems", _pairs(compared), help_text, choices.pairs)
    families = [
        Choice(BY_MEASURE, "Each measure", "All pairs of systems on one measure."),
        Choice(WHOLE_REPORT, "The whole report", "All pairs of systems on all measures."),
        Choice(PLANNED, "The plan", "The planned comparisons on the planned measures."),
    ]
    help_text = "The tests that Holm’s adjustment of p covers together."
    yield _field(("family",), ONE, "Family of tests", fields.get("family", BY_MEASURE), help_text, families)


def _pairs(compared: object) -> list[str]:
    """Return the values of the pairs that a text names, each in the order of the names."""
    entries = compared if isinstance(compared, list) else []
    named = [strings(entry) for entry in entries]
    return [pair_choice(*sorted(pair)).value for pair in named if len(pair) == 2]


def _inference(fields: Fields) -> Iterator[_Field]:
    rule = "Documents if there are at least 10 and fewer than 0.8 × prompts, otherwise prompts."
    units = {AUTO: ("By the rule", rule), UNITS[1]: ("Prompts", ""), UNITS[2]: ("Documents", "")}
    unit_choices = [Choice(unit, *words) for unit, words in units.items()]
    unit = fields.get("unit", AUTO)
    help_text = "The intervals generalize to further units of this kind."
    yield _field(("unit",), ONE, "Sampling unit (cluster)", unit, help_text, unit_choices)
    help_text = "Half the width of the intervals (95 %) of planned proportions, in points: 3 is ± 3 points."
    yield _field(("target",), PERCENT, "Target margin of error", fields.get("target", ""), help_text)
    help_text = "A fixed seed makes the resampled intervals reproducible. Empty: not planned."
    yield _field(("seed",), NUMBER, "Seed", fields.get("seed", ""), help_text)
    help_text = "Of the bootstrap and of the random swaps: 100 to 100,000. Empty: not planned."
    yield _field(("resamples",), NUMBER, "Resamples", fields.get("resamples", ""), help_text)


def _filters(exclusions: Fields, choices: PlanChoices) -> Iterator[_Field]:
    answers = [
        Choice(ANSWERS[0], "As rated"),
        Choice(ANSWERS[1], "Adjudicated", "The adjudication of an item replaces its ratings."),
    ]
    yield _exclusion("answers", ONE, "Answers", exclusions, "Which answers count.", answers, RAW)
    help_text = "In percent. Raters below it are excluded; those without gold answers stay."
    yield _exclusion("least_gold", PERCENT, "Accuracy on gold, at least", exclusions, help_text)
    help_text = "Faster ratings are excluded; those without a time stay."
    yield _exclusion("least_seconds", NUMBER, "Seconds on a rating, at least", exclusions, help_text)
    if choices.raters or exclusions.get("without_raters"):
        yield _exclusion("without_raters", SEVERAL, "Exclude raters", exclusions, "", choices.raters)
    if len(choices.systems) > 1 or exclusions.get("systems"):
        help_text = "None selected: all systems."
        yield _exclusion("systems", SEVERAL, "Only systems", exclusions, help_text, choices.systems)
    planned = _table(exclusions, METADATA)
    for key in dict.fromkeys([*choices.metadata, *planned]):
        label = f"Only prompts whose {key} is"
        values, own_id = strings(planned.get(key)), f"plan-metadata-{key.encode().hex()}"
        each = FormField(key, own_id, SEVERAL, values, choices.metadata.get(key, ()), label)
        yield (EXCLUSIONS, METADATA, key), each


def _exclusion(
    name: str,
    kind: str,
    label: str,
    exclusions: Fields,
    help_text: str,
    choices: Sequence[Choice] = (),
    default: object = "",
) -> _Field:
    value = exclusions.get(name, [] if kind == SEVERAL else default)
    return _field((EXCLUSIONS, name), kind, label, strings(value) if kind == SEVERAL else value, help_text, choices)


def _notes(fields: Fields) -> _Field:
    help_text = "For example when rating ends, or what happens with missing ratings. Free text."
    return _field(("notes",), PARAGRAPH, "Notes", _text(fields, "notes"), help_text)


def _field(
    path: KeyPath, kind: str, label: str, value: object, help_text: str = "", choices: Sequence[Choice] = ()
) -> _Field:
    return path, FormField(str(path[-1]), f"plan-{'-'.join(map(str, path))}", kind, value, choices, label, help_text)


def _place(problem: Problem, form: PlanForm) -> None:
    """Add a problem to its field, else to the form."""
    field = next((each for path, each in form.fields if problem.path[: len(path)] == path), None)
    (field.problems if field else form.problems).append(problem.in_form or problem.message)


def _table(fields: Fields, key: str) -> Fields:
    value = fields.get(key)
    return value if isinstance(value, Mapping) else {}


def _text(fields: Fields, key: str) -> str:
    value = fields.get(key, "")
    return value if isinstance(value, str) else ""


def selected_pairs(values: Sequence[str]) -> list[list[str]]:
    """Return the pairs of systems of values of `pair_choice`."""
    return [json.loads(value) for value in values]

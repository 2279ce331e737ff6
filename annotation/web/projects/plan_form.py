"""The form of an analysis plan: sections with fields, each with its value in the TOML text and its problems."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from django.http import QueryDict

from ...accounts.names import DisplayNames
from ...models import Membership, Project, Prompt
from ...projects.analysis_plans import systems_of
from ...protocols import Problem
from ...protocols.analysis_plan import ALL, ANSWERS, AUTO, BY_MEASURE, PLANNED, RAW, UNITS, WHOLE_REPORT
from ...protocols.draft_fields import Fields, strings
from ...protocols.schema import Mean, Measure, Score
from ...protocols.toml_document import TomlDocument, TomlValue
from ...protocols.toml_lines import KeyPath
from ...reporting.data.responses import values_of
from ..toml_forms.fields import NUMBER, ONE, PARAGRAPH, PERCENT, SEVERAL, Choice, FormField, posted_value

MAX_KEYS, MAX_VALUES = 8, 24  # of metadata; a text may name any
EXCLUSIONS, METADATA, COMPARISONS = "exclusions", "metadata", "comparisons"
WHICH, SELECTED = "which", "selected"
_NEVER_REMOVED = ("measures", COMPARISONS)  # an empty list is a mistake, or plans no comparison
_Field = tuple[KeyPath, FormField]


@dataclass(frozen=True)
class PlanChoices:
    """`pairs`: none where the protocol compares no systems; `metadata`: the values by key."""

    measures: list[Choice]
    pairs: list[Choice]
    raters: list[Choice]
    systems: list[Choice]
    metadata: dict[str, list[Choice]]


def plan_choices(project: Project, *, compares: bool) -> PlanChoices:
    protocol, systems = project.protocol.translated, systems_of(project)
    figures: tuple[Measure | Mean | Score, ...] = (*protocol.measures, *protocol.means, *protocol.scores)
    raters: list[str] = []
    if not project.hides_raters:  # else a plan cannot name them
        members = project.memberships.filter(role=Membership.Role.RATER).order_by("user__username")
        raters = list(members.values_list("user__username", flat=True))
    values: dict[str, set[str]] = {}
    for metadata in Prompt.objects.filter(dataset=project.dataset_id).values_list("metadata", flat=True):
        for key, value in metadata.items():
            values.setdefault(key, set()).update(values_of(value))
    few = [(key, sorted(each)) for key, each in sorted(values.items()) if 1 < len(each) <= MAX_VALUES][:MAX_KEYS]
    return PlanChoices(
        measures=[Choice(figure.key, figure.label, figure.description) for figure in figures],
        pairs=[pair_choice(*pair) for pair in combinations(systems, 2)] if compares else [],
        raters=list(map(Choice, raters, map(DisplayNames(), raters))),
        systems=[Choice(name, name) for name in systems],
        metadata={key: [Choice(value, value) for value in each] for key, each in few},
    )


def pair_choice(a: str, b: str) -> Choice:
    """Return a pair of systems; its value is JSON, since a name may contain anything."""
    return Choice(json.dumps([a, b], ensure_ascii=False), f"{a} – {b}")


@dataclass
class PlanSection:
    """A section with its fields, each with the path of its value. `is_open`: whether it is unfolded at first."""

    id: str
    title: str
    fields: list[_Field]
    is_open: bool = True

    @property
    def problems(self) -> list[tuple[FormField, str]]:
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
    notes = _field(
        ("notes",),
        PARAGRAPH,
        "Notes",
        _text(fields, "notes"),
        "For example when rating ends, or what happens with missing ratings. Free text.",
    )
    sections = [
        PlanSection("measures", "Hypotheses and measures", list(_measures(fields, choices))),
        PlanSection("comparisons", "Comparisons", list(_comparisons(fields, choices))),
        PlanSection("precision", "Precision and inference", list(_inference(fields))),
        PlanSection("exclusions", "Exclusions", filters, is_open=bool(exclusions)),
        PlanSection("notes", "Notes", [notes], is_open=bool(_text(fields, "notes"))),
    ]
    form = PlanForm([section for section in sections if section.fields])
    for problem in problems:
        own = next((each for path, each in form.fields if problem.path[: len(path)] == path), None)
        (own.problems if own else form.problems).append(problem.in_form or problem.message)
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
    named = map(strings, compared if isinstance(compared, list) else [])
    selected = [pair_choice(*sorted(pair)).value for pair in named if len(pair) == 2]
    yield _field((COMPARISONS,), SEVERAL, "Pairs of systems", selected, help_text, choices.pairs)
    families = [
        Choice(BY_MEASURE, "Each measure", "All pairs of systems on one measure."),
        Choice(WHOLE_REPORT, "The whole report", "All pairs of systems on all measures."),
        Choice(PLANNED, "The plan", "The planned comparisons on the planned measures."),
    ]
    help_text = "The tests that Holm’s adjustment of p covers together."
    yield _field(("family",), ONE, "Family of tests", fields.get("family", BY_MEASURE), help_text, families)


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


def _field(
    path: KeyPath, kind: str, label: str, value: object, help_text: str = "", choices: Sequence[Choice] = ()
) -> _Field:
    return path, FormField(str(path[-1]), f"plan-{'-'.join(map(str, path))}", kind, value, choices, label, help_text)


def _table(fields: Fields, key: str) -> Fields:
    value = fields.get(key)
    return value if isinstance(value, Mapping) else {}


def _text(fields: Fields, key: str) -> str:
    value = fields.get(key, "")
    return value if isinstance(value, str) else ""


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
    # The two fields of the comparisons stand for one value: "all", or the selected pairs.
    before = {path: each.value for path, each in form.fields if path[0] == COMPARISONS}
    after = {path: value if (sent := posted[path]) is None else sent for path, value in before.items()}
    if after == before:
        return draft.text
    if after[COMPARISONS, WHICH] == SELECTED:
        draft.set((COMPARISONS,), [json.loads(pair) for pair in strings(after[COMPARISONS,])])
    elif before[COMPARISONS, WHICH] == SELECTED:
        draft.set((COMPARISONS,), ALL)
    return draft.text


def _set(draft: TomlDocument, path: KeyPath, value: TomlValue | None) -> None:
    """Set a value; the table of the exclusions is added where the text has none."""
    if path[0] != EXCLUSIONS:
        draft.set(path, value)
        return
    name, exclusions = str(path[1]), draft.fields.get(EXCLUSIONS)
    if name == METADATA:
        key, values = str(path[2]), value
        planned = exclusions.get(METADATA) if isinstance(exclusions, dict) else None
        others = {other: each for other, each in planned.items() if other != key} if isinstance(planned, dict) else {}
        value = {**others, key: values} if values is not None else others or None
    if isinstance(exclusions, dict):
        draft.set((EXCLUSIONS, name), value)
    elif value is not None:
        draft.add_table((EXCLUSIONS,), {name: value})

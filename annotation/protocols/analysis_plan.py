"""Parse the TOML text of an analysis plan, or return all its problems, each with its line and a remedy.

A plan says before the ratings how a project will be analyzed: measures, sampling unit, comparisons, exclusions, target.
"""

import hashlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from .schema import Protocol
from .toml_source import TomlError, normalized, parse_toml
from .toml_tables import Problem, Table, is_number, unknown_name_message

PAIR = "pair"
UNITS = AUTO, _PROMPT, _DOCUMENT = ("auto", "prompt", "document")
FAMILIES = BY_MEASURE, WHOLE_REPORT, PLANNED = ("measure", "report", "planned")
ANSWERS = RAW, _ADJUDICATED = ("raw", "adjudicated")
ALL = "all"
# As in reporting.choices.
MAX_SEED = 2**32 - 1
MIN_RESAMPLES, MAX_RESAMPLES = 100, 100_000
MAX_SECONDS = 1_000_000
NARROWEST, WIDEST = 0.001, 0.5  # half-widths, as of a project's precision target
MAX_TEXT = 20_000
MAX_NAMES = 1_000
_NAMES = "a list of names in quotes"

Pair = tuple[str, str]
"""Two systems by name, in order."""


class PlanError(TomlError):
    """An invalid analysis plan."""


@dataclass(frozen=True)
class Exclusions:
    """The ratings that a plan excludes or replaces, by the filters of a report."""

    answers: str = RAW
    least_gold: float | None = None
    least_seconds: float | None = None
    without_raters: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    metadata: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True)
class AnalysisPlan:
    """A plan. `comparisons`: None plans every pair; `target`, `seed` and `resamples`: None plans none.

    `family`: the tests that Holm's adjustment covers: all pairs of one measure, all tests of a report, or the planned
    comparisons on the planned measures.
    """

    measures: tuple[str, ...]
    unit: str = AUTO
    comparisons: tuple[Pair, ...] | None = None
    family: str = BY_MEASURE
    exclusions: Exclusions = Exclusions()
    target: float | None = None
    seed: int | None = None
    resamples: int | None = None
    hypotheses: str = ""
    notes: str = ""

    def pairs(self, systems: Collection[str]) -> list[Pair]:
        """Return the planned comparisons; of all pairs, those of `systems`."""
        return list(combinations(sorted(systems), 2)) if self.comparisons is None else list(self.comparisons)


@dataclass(frozen=True)
class PlanNames:
    """The names that a plan can use: keys of measures, systems, keys of the prompts' metadata; `compares`: whether the
    protocol compares systems in tests; `proportions`: the keys of measures that are proportions, None if all are. With
    `hides_raters` the plan names no rater.
    """

    measures: Collection[str]
    systems: Collection[str]
    metadata: Collection[str]
    compares: bool = True
    proportions: Collection[str] | None = None
    hides_raters: bool = False

    @classmethod
    def of(cls, protocol: Protocol, systems: Collection[str], metadata: Collection[str]) -> "PlanNames":
        """Return the names in a protocol and those of a project's systems and metadata."""
        proportions = [measure.key for measure in protocol.measures]
        return cls(figure_keys(protocol), systems, metadata, protocol.unit != PAIR, proportions)


def figure_keys(protocol: Protocol) -> list[str]:
    """Return the keys of all figures that a protocol defines: measures, means over responses, scores."""
    return [
        *(measure.key for measure in protocol.measures),
        *(mean.key for mean in protocol.means),
        *(score.key for score in protocol.scores),
    ]


def plan_sha256(source: str) -> str:
    """Return the SHA-256 of a plan's text in UTF-8, hexadecimal."""
    return hashlib.sha256(source.encode()).hexdigest()


def load_plan(text: str, names: PlanNames | None = None) -> AnalysisPlan:
    """Read a plan from TOML text. Raises PlanError with all its problems.

    `names`: the names that it may use; None for a stored plan, which was checked when it was stored.
    """
    fields, lines = parse_toml(normalized(text), PlanError)
    problems: list[Problem] = []
    plan = _plan(Table(fields, (), "the plan", lines, problems), names)
    if problems:
        raise PlanError(sorted(problems))
    return plan


def _plan(table: Table, names: PlanNames | None) -> AnalysisPlan:
    plan = AnalysisPlan(
        measures=_measures(table, names),
        unit=table.one_of("unit", UNITS, AUTO),
        comparisons=_comparisons(table, names),
        family=table.one_of("family", FAMILIES, BY_MEASURE),
        exclusions=_exclusions(table, names),
        target=_number(table, "target", NARROWEST, WIDEST, percent=True),
        seed=_whole_number(table, "seed", 0, MAX_SEED),
        resamples=_whole_number(table, "resamples", MIN_RESAMPLES, MAX_RESAMPLES),
        hypotheses=table.text("hypotheses", "", MAX_TEXT),
        notes=table.text("notes", "", MAX_TEXT),
    )
    table.reject_unknown_fields()
    if names and plan.target is not None and plan.measures:
        # A target is a half-width of proportions, so it needs one among the measures that are known.
        proportions = names.measures if names.proportions is None else names.proportions
        if set(plan.measures) <= set(names.measures) - set(proportions):
            listed = ", ".join(proportions)
            words = "is the half-width of a proportion, but no planned measure is one; remove it, or name one of"
            in_form = "A target is for proportions, and no planned measure is one. Clear it, or select one of"
            table.add_problem_of("target", f"{words}: {listed}", in_form=f"{in_form}: {listed}.")
    return plan


def _measures(table: Table, names: PlanNames | None) -> tuple[str, ...]:
    in_form = "Select at least one measure."
    if "measures" not in table.fields:
        table.add_problem(f"{table.name} needs 'measures', {_NAMES}", "measures", in_form=in_form)
    elif table.fields["measures"] == []:
        table.add_problem_of("measures", "is empty; name one or more", in_form=in_form)
    measures = _names(table, "measures")
    if names:
        _check_known(table, "measures", measures, names.measures, "a measure of the project's protocol")
    return measures


def _comparisons(table: Table, names: PlanNames | None) -> tuple[Pair, ...] | None:
    """Return the pairs of systems; None for all."""
    if table.fields.get("comparisons", ALL) == ALL:
        table.asked.append("comparisons")
        return None
    entries: list[Any] = table.field("comparisons", list, '"all" or a list of pairs such as [["a", "b"]]', [])
    if names and not names.compares:
        words = "names comparisons, but this protocol's pairs have none; remove them"
        table.add_problem(f"{table.name} {words}", "comparisons")
        return ()
    pairs = [pair for n, entry in enumerate(entries) if (pair := _pair(table, n, entry, names))]
    if len(set(pairs)) < len(pairs):
        table.add_problem(f"{table.name} names a comparison twice; remove one", "comparisons")
    return tuple(pairs)


def _pair(table: Table, n: int, entry: object, names: PlanNames | None) -> Pair | None:
    """Return one pair in the order of the names; None with a problem recorded."""
    comparison = f"comparison {n + 1} of {table.name}"
    if not (isinstance(entry, list) and len(entry) == 2 and all(isinstance(name, str) for name in entry)):
        table.add_problem(f"{comparison} must be two systems in quotes", "comparisons", n)
        return None
    a, b = sorted(entry)
    if a == b:
        table.add_problem(f"{comparison} names '{a}' twice", "comparisons", n)
    for name in entry:
        if names and name not in names.systems:
            message = unknown_name_message(table, name, "a system of this project", sorted(names.systems))
            table.add_problem(message, "comparisons", n)
    return a, b


def _exclusions(plan: Table, names: PlanNames | None) -> Exclusions:
    fields = plan.field("exclusions", dict, "a table headed [exclusions]", {})
    table = Table(fields, ("exclusions",), "the table [exclusions]", plan.lines, plan.problems)
    exclusions = Exclusions(
        answers=table.one_of("answers", ANSWERS, RAW),
        least_gold=_number(table, "least_gold", 0, 1, percent=True),
        least_seconds=_number(table, "least_seconds", 0, MAX_SECONDS),
        without_raters=tuple(sorted(_names(table, "without_raters"))),
        systems=tuple(sorted(_names(table, "systems"))),
        metadata=tuple(_metadata(table, names)),
    )
    table.reject_unknown_fields()
    if names and names.hides_raters and exclusions.without_raters:
        table.add_problem("this project hides its raters: a plan cannot name them", "without_raters")
    if names:
        _check_known(table, "systems", exclusions.systems, names.systems, "a system of this project")
    return exclusions


def _metadata(table: Table, names: PlanNames | None) -> Iterator[tuple[str, tuple[str, ...]]]:
    fields = table.field("metadata", dict, 'a table such as { question_type = ["yes/no"] }', {})
    inner = Table(fields, (*table.path, "metadata"), "'metadata' of the plan", table.lines, table.problems)
    if names:
        _check_known(inner, "", sorted(fields), names.metadata, "a metadata key of the prompts")
    for key in sorted(fields):
        yield key, tuple(sorted(_names(inner, key)))


def _check_known(table: Table, key: str, used: Collection[str], permitted: Collection[str], noun: str) -> None:
    for n, name in enumerate(used):
        if name not in permitted:
            inside = (key, n) if key else (name,)
            table.add_problem(unknown_name_message(table, name, noun, sorted(permitted)), *inside)


def _names(table: Table, key: str) -> tuple[str, ...]:
    """Return a list of names, each once; none by default."""
    entries: list[Any] = table.field(key, list, _NAMES, [])
    names = tuple(name for name in entries if isinstance(name, str) and name.strip() and "\x00" not in name)
    if len(names) < len(entries) or len(set(names)) < len(names) or len(names) > MAX_NAMES:
        table.add_problem_of(key, f"must contain at most {MAX_NAMES} names in quotes, each once")
    return names


def _number(
    table: Table, key: str, low: float, high: float, *, whole: bool = False, percent: bool = False
) -> float | None:
    """Return a number; None where it is absent or invalid. `percent`: a form shows it times 100."""
    table.asked.append(key)
    value: float | None = table.fields.get(key)
    if value is None or (is_number(value, low, high) and not (whole and isinstance(value, float))):
        return value
    noun = "a whole number" if whole else "a number"
    table.add_problem_of(
        key,
        f"must be {noun} from {low:g} to {high:.10g}",
        in_form="Enter {} from {:.10g} to {:.10g}.".format(noun, *(100 * x if percent else x for x in (low, high))),
    )
    return None


def _whole_number(table: Table, key: str, low: int, high: int) -> int | None:
    number = _number(table, key, low, high, whole=True)
    return None if number is None else int(number)

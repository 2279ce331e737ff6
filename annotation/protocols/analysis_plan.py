"""Parse the TOML text of an analysis plan, or return all its problems, each with its line and a remedy.

A plan says before the ratings how a project will be analyzed: measures, sampling unit, comparisons, exclusions, target.
"""

import hashlib
import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from .messages import translatable
from .schema import Protocol
from .toml_source import TomlError, normalized, parse_toml
from .toml_tables import Problem, Table, unknown_name_message

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
    plan = _plan(Table(fields, (), translatable("the plan"), lines, problems), names)
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
        target=_number(table, "target", NARROWEST, WIDEST),
        seed=_whole_number(table, "seed", 0, MAX_SEED),
        resamples=_whole_number(table, "resamples", MIN_RESAMPLES, MAX_RESAMPLES),
        hypotheses=table.text("hypotheses", "", MAX_TEXT),
        notes=table.text("notes", "", MAX_TEXT),
    )
    table.reject_unknown_fields()
    if names:
        _check_target(table, plan, names)
    return plan


def _check_target(table: Table, plan: AnalysisPlan, names: PlanNames) -> None:
    """Record a problem where a target has no proportion among the measures: it is a half-width of proportions."""
    proportions = names.measures if names.proportions is None else names.proportions
    unknown_or_proportions = set(plan.measures) - set(names.measures) | set(plan.measures) & set(proportions)
    if plan.target is None or not plan.measures or unknown_or_proportions:
        return
    message = translatable(
        "'target' of %(table)s is the half-width of a proportion, but no planned measure is one; "
        "remove it, or name one of: %(proportions)s",
        table=table.name,
        proportions=", ".join(proportions),
    )
    table.add_problem(message, "target")


def _measures(table: Table, names: PlanNames | None) -> tuple[str, ...]:
    if table.fields.get("measures") == []:
        table.add_problem(
            translatable("'measures' of %(table)s is empty; name one or more", table=table.name), "measures"
        )
    measures = _names(table, "measures", required=True)
    if names:
        _check_known(table, "measures", measures, names.measures, translatable("a measure of the project's protocol"))
    return measures


def _comparisons(table: Table, names: PlanNames | None) -> tuple[Pair, ...] | None:
    """Return the pairs of systems; None for all."""
    if table.fields.get("comparisons", ALL) == ALL:
        table.asked.append("comparisons")
        return None
    expected = translatable('"all" or a list of pairs such as [["a", "b"]]')
    entries: list[Any] = table.field("comparisons", list, expected, [])
    if names and not names.compares:
        message = translatable(
            "%(table)s names comparisons, but this protocol's pairs have none; remove them", table=table.name
        )
        table.add_problem(message, "comparisons")
        return ()
    pairs = [pair for n, entry in enumerate(entries) if (pair := _pair(table, n, entry, names))]
    if len(set(pairs)) < len(pairs):
        table.add_problem(
            translatable("%(table)s names a comparison twice; remove one", table=table.name), "comparisons"
        )
    return tuple(pairs)


def _pair(table: Table, n: int, entry: object, names: PlanNames | None) -> Pair | None:
    """Return one pair in the order of the names; None with a problem recorded."""
    if not (isinstance(entry, list) and len(entry) == 2 and all(isinstance(name, str) for name in entry)):
        message = translatable("comparison %(n)s of %(table)s must be two systems in quotes", n=n + 1, table=table.name)
        table.add_problem(message, "comparisons", n)
        return None
    a, b = sorted(entry)
    if a == b:
        message = translatable("comparison %(n)s of %(table)s names '%(a)s' twice", n=n + 1, table=table.name, a=a)
        table.add_problem(message, "comparisons", n)
    for name in entry:
        if names and name not in names.systems:
            noun = translatable("a system of this project")
            table.add_problem(unknown_name_message(table, name, noun, sorted(names.systems)), "comparisons", n)
    return a, b


def _exclusions(plan: Table, names: PlanNames | None) -> Exclusions:
    expected = translatable("a table headed [exclusions]")
    fields = plan.field("exclusions", dict, expected, {})
    table = Table(fields, ("exclusions",), translatable("the table [exclusions]"), plan.lines, plan.problems)
    exclusions = Exclusions(
        answers=table.one_of("answers", ANSWERS, RAW),
        least_gold=_number(table, "least_gold", 0, 1),
        least_seconds=_number(table, "least_seconds", 0, MAX_SECONDS),
        without_raters=tuple(sorted(_names(table, "without_raters"))),
        systems=tuple(sorted(_names(table, "systems"))),
        metadata=tuple(_metadata(table, names)),
    )
    table.reject_unknown_fields()
    if names and names.hides_raters and exclusions.without_raters:
        table.add_problem(translatable("this project hides its raters: a plan cannot name them"), "without_raters")
    if names:
        _check_known(table, "systems", exclusions.systems, names.systems, translatable("a system of this project"))
    return exclusions


def _metadata(table: Table, names: PlanNames | None) -> Iterator[tuple[str, tuple[str, ...]]]:
    expected = translatable('a table such as { question_type = ["yes/no"] }')
    fields = table.field("metadata", dict, expected, {})
    inner = Table(
        fields, (*table.path, "metadata"), translatable("'metadata' of the plan"), table.lines, table.problems
    )
    if names:
        _check_known(inner, "", sorted(fields), names.metadata, translatable("a metadata key of the prompts"))
    for key in sorted(fields):
        yield key, tuple(sorted(_names(inner, key)))


def _check_known(table: Table, key: str, used: Collection[str], permitted: Collection[str], noun: str) -> None:
    for n, name in enumerate(used):
        if name not in permitted:
            inside = (key, n) if key else (name,)
            table.add_problem(unknown_name_message(table, name, noun, sorted(permitted)), *inside)


def _names(table: Table, key: str, *, required: bool = False) -> tuple[str, ...]:
    """Return a list of names, each once; none by default."""
    expected = translatable("a list of names in quotes")
    entries: list[Any] = table.field(key, list, expected, None if required else [])
    names = tuple(name for name in entries if isinstance(name, str) and name.strip() and "\x00" not in name)
    if len(names) < len(entries) or len(set(names)) < len(names) or len(names) > MAX_NAMES:
        values = {"key": key, "table": table.name, "most": MAX_NAMES}
        message = translatable(
            "'%(key)s' of %(table)s must contain at most %(most)s names in quotes, each once", **values
        )
        table.add_problem(message, key)
    return names


def _number(table: Table, key: str, low: float, high: float) -> float | None:
    """Return a number of either type; None where it is absent or invalid."""
    return _within(table, key, low, high, translatable("a number"), int, float)


def _whole_number(table: Table, key: str, low: int, high: int) -> int | None:
    number = _within(table, key, low, high, translatable("a whole number"), int)
    return None if number is None else int(number)


def _within(table: Table, key: str, low: float, high: float, noun: str, *kinds: type) -> float | None:
    table.asked.append(key)
    value = table.fields.get(key)
    if value is None:
        return None
    if type(value) in kinds and math.isfinite(value) and low <= value <= high:
        return value
    values = {"key": key, "table": table.name, "what": noun, "low": f"{low:g}", "high": f"{high:.10g}"}
    message = translatable("'%(key)s' of %(table)s must be %(what)s from %(low)s to %(high)s", **values)
    table.add_problem(message, key)
    return None

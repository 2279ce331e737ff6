"""A lead's choices for a report, and their form in HTML forms, addresses, jobs and command lines.

Choices are either how figures are computed (seed, resamples, cluster) or which ratings they are computed from (the
filters). Names are sorted and distinct, so the same choices give the same report however they were entered.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace

from django.utils.datastructures import MultiValueDict
from msgspec import convert

from ..i18n.english import localized
from ..jobs import Refused
from .parts import Filters

SEED, RESAMPLES = 1, 10_000
MIN_RESAMPLES, MAX_RESAMPLES = 100, 100_000
MAX_SEED = 2**32 - 1
AUTO, PROMPT, DOCUMENT = CLUSTERS = ("auto", "prompt", "document")
RAW, ADJUDICATED = ANSWERS = ("raw", "adjudicated")
MAX_SECONDS = 1_000_000  # of a rating
METHOD_FIELDS = ("seed", "resamples", "cluster", "judge")
MAX_ECHO_LENGTH = 40  # characters of a rejected value

Problems = dict[str, list[str]]
Metadata = tuple[tuple[str, tuple[str, ...]], ...]
Param = str | float | list[str] | dict[str, list[str]]
"""A choice as JSON."""


@dataclass(frozen=True)
class Choices:
    """How a report is computed, and from which of the ratings that count.

    `cluster`: the sampling unit, prompts or documents; `auto` takes the unit of `data.responses.sampling_unit`.
    `answers`: `raw`, or `adjudicated`, where the newest adjudication of an item replaces its ratings. `least_gold`:
    raters whose accuracy on gold answers is below this share are excluded; raters without gold stay. `without_raters`:
    user names to exclude. `least_seconds`: ratings given in less are excluded; ratings without a time stay. `systems`,
    `metadata`: only these systems, and only prompts with one of the values of each key; empty is all. `judge`: whose
    verdicts the estimates from people and a judge use, NAME (the newest version) or NAME@N; empty is none.
    """

    seed: int = SEED
    resamples: int = RESAMPLES
    cluster: str = AUTO
    answers: str = RAW
    least_gold: float | None = None
    without_raters: tuple[str, ...] = ()
    least_seconds: float | None = None
    systems: tuple[str, ...] = ()
    metadata: Metadata = ()
    judge: str = ""

    @classmethod
    def from_mapping(cls, mapping: Mapping[str, object]) -> tuple["Choices", Problems]:
        """Read choices from a form, a query, job parameters or command options. Return them and the problems.

        Values may be text or typed. Absent, None and blank values keep the default; so do invalid ones, which are
        returned as {field: [problems]}. Other fields are ignored. Several values are a list (all of `getlist`, if there
        is one); `metadata` is {key: value or values}, or texts `KEY=VALUE` (`pair`).
        """
        values_read: dict[str, object] = {}
        problems: Problems = {}
        for field, read in _READERS.items():
            values = _values(mapping, field)
            if not values:
                continue
            try:
                values_read[field] = read(values)
            except ValueError as problem:
                problems[field] = [str(problem)]
        return convert(values_read, cls), problems

    @classmethod
    def accepted(cls, mapping: Mapping[str, object]) -> "Choices":
        """Read choices as `from_mapping`. Raises Refused with all problems."""
        choices, problems = cls.from_mapping(mapping)
        if problems:
            raise Refused(f"{field}: {' '.join(lines)}" for field, lines in problems.items())
        return choices

    def problems(self) -> Problems:
        return Choices.from_mapping(self.as_params())[1]

    def filters(self) -> Filters:
        return convert({name: value for name, value in self.as_params().items() if name not in METHOD_FIELDS}, Filters)

    def as_params(self) -> dict[str, Param]:
        """Return the choices other than defaults, for JSON: `from_mapping` reads them."""
        params: dict[str, Param] = vars(self) | {
            "without_raters": list(self.without_raters),
            "systems": list(self.systems),
            "metadata": {key: list(values) for key, values in self.metadata},
        }
        return {field.name: params[field.name] for field in fields(self) if getattr(self, field.name) != field.default}

    def as_query(self) -> list[tuple[str, str]]:
        query: list[tuple[str, str]] = []
        for name, value in self.as_params().items():
            if isinstance(value, dict):
                query += [(name, pair(key, text)) for key, texts in value.items() for text in texts]
            else:
                query += [(name, str(each)) for each in (value if isinstance(value, list) else [value])]
        return query

    @property
    def is_default(self) -> bool:
        return self == Choices()

    @property
    def needs_ratings(self) -> bool:
        """Whether the tally is insufficient, because it has neither rater nor time nor item."""
        return bool(
            self.answers != RAW or self.without_raters or self.least_gold is not None or self.least_seconds is not None
        )

    def from_the_tally(self) -> "Choices":
        """Return these choices without those that the tally cannot apply."""
        return replace(self, answers=RAW, without_raters=(), least_gold=None, least_seconds=None)


DEFAULT = Choices()


def pair(key: str, value: str) -> str:
    """Return `KEY=VALUE`; in the key, = is written %3D and % is written %25."""
    return f"{key.replace('%', '%25').replace('=', '%3D')}={value}"


def _values(mapping: Mapping[str, object], field: str) -> list[object]:
    """Return all values of a field that are not blank."""
    values = mapping.getlist(field) if isinstance(mapping, MultiValueDict) else mapping.get(field)
    if isinstance(values, Mapping):
        return [values] if values else []
    several = list(values) if isinstance(values, list | tuple | set | frozenset) else [values]
    return [value for value in several if value is not None and not (isinstance(value, str) and not value.strip())]


# Readers of the values of a field. They raise ValueError with the reason why a value is invalid.


def _single_value(values: list[object]) -> object:
    if len(set(map(str, values))) > 1:
        raise ValueError(f"Enter one value, not {len(values)}.")
    return values[0]


def _whole_number(low: int, high: int) -> Callable[[list[object]], int]:
    def read(values: list[object]) -> int:
        value = _single_value(values)
        text = value.strip() if isinstance(value, str) else str(value)
        digits = text.removeprefix("-")
        if isinstance(value, bool) or not (digits.isascii() and digits.isdigit() and len(digits) < 20):
            raise ValueError(f"{_echo(value)} is not a whole number.")
        if not low <= int(text) <= high:
            most = str(high) if high == MAX_SEED else localized(f"{high:,}")
            raise ValueError(f"Choose a whole number from {low} to {most}.")
        return int(text)

    return read


def _number(low: float, high: float) -> Callable[[list[object]], float]:
    def read(values: list[object]) -> float:
        value = _single_value(values)
        try:
            number = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else math.nan
        except (ValueError, OverflowError):
            number = math.nan
        if not math.isfinite(number):
            raise ValueError(f"{_echo(value)} is not a number.")
        if not low <= number <= high:
            raise ValueError(f"Choose a number from {low:g} to {localized(f'{high:,.0f}')}.")
        return number + 0.0  # -0.0 is 0.0

    return read


def _one_of(options: tuple[str, ...]) -> Callable[[list[object]], str]:
    def read(values: list[object]) -> str:
        value = _single_value(values)
        if value not in options:
            *others, last = options
            raise ValueError(f"{_echo(value)} is not valid: choose {', '.join(others)} or {last}.")
        return str(value)

    return read


def _name(values: list[object]) -> str:
    return _text(_single_value(values))


def _names(values: list[object]) -> tuple[str, ...]:
    return tuple(sorted({_text(value) for value in values}))


def _metadata(values: list[object]) -> Metadata:
    """Read texts `KEY=VALUE`, or {key: value or values}."""
    values_by_key: dict[str, set[str]] = {}
    for value in values:
        if isinstance(value, Mapping):
            for key, one_or_more in value.items():
                several = one_or_more if isinstance(one_or_more, list | tuple) else [one_or_more]
                values_by_key.setdefault(_text(key), set()).update(map(_text, several))
        else:
            key, _, text = _text(value).partition("=")
            if not (key and text):
                raise ValueError(f"{_echo(value)} is not KEY=VALUE.")
            values_by_key.setdefault(key.replace("%3D", "=").replace("%25", "%"), set()).add(text)
    return tuple((key, tuple(sorted(values_by_key[key]))) for key in sorted(values_by_key))


def _text(value: object) -> str:
    if not isinstance(value, str) or not value or "\x00" in value:
        raise ValueError(f"{_echo(value)} is not a name.")
    return value


def _echo(value: object) -> str:
    text = repr(value)
    return text if len(text) <= MAX_ECHO_LENGTH else f"{text[:MAX_ECHO_LENGTH]}…"


_READERS: dict[str, Callable[[list[object]], int | float | str | tuple[str, ...] | Metadata]] = {
    "seed": _whole_number(0, MAX_SEED),
    "resamples": _whole_number(MIN_RESAMPLES, MAX_RESAMPLES),
    "cluster": _one_of(CLUSTERS),
    "answers": _one_of(ANSWERS),
    "least_gold": _number(0, 1),
    "without_raters": _names,
    "least_seconds": _number(0, MAX_SECONDS),
    "systems": _names,
    "metadata": _metadata,
    "judge": _name,
}

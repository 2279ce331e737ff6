"""How often the printed 95 % intervals hold the truth, by design: unit, number of units, lengths, unit effect, share.

Then the same for severity-weighted scores, of which a fifth of the errors weighs 3 and the others 0.5.

The interval is that of the report's own code, Korn-Graubard or BCa as its rule has it. `value` is the share of the
studies whose interval holds the truth, `baseline` the nominal 95 %. The effective number of expected events is that of
the rarer side among as many independent ratings as the study is worth, from the variance of the simulated proportions.
Settings with 20 units and 10 such events, or more, that miss 90 to 97 % have a line of their own ("setting …"). The
table goes to standard error.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from annotation.stats.bootstrap import Resamples
from annotation.stats.interval_choice import Headline, headlines
from annotation.stats.intervals import Interval, t_bounds
from benchmarks._designs import Design, logit_normal, rate
from benchmarks._figure import Figure
from benchmarks.coverage import coverage_of

UNITS, NUMBERS, CV2 = ("prompts", "documents"), (10, 20, 50, 160), (0.0, 1.0, 1.9)
SHARES, EFFECTS = (0.5, 0.8, 0.95), (0.0, 0.75)
STUDIES, RESAMPLES = 2_000, 2_000
LARGEST, SMALLEST, SEVERE = 300, 50, 0.2  # weights of errors in hundredths, and the part of them that is severe
ERRORS = (0.05, 0.25)
MIN_COVERAGE, MAX_COVERAGE = 0.90, 0.97
ENOUGH_UNITS, ENOUGH_EVENTS = 20, 10


@dataclass(frozen=True)
class Setting:
    """The coverage under one design; `events`: effective number of expected events; `bca`: share of BCa intervals."""

    name: str
    coverage: float
    events: float
    bca: float
    units: int

    def verdict(self) -> str:
        """Return "below 90", "above 97" or ""."""
        if self.coverage < MIN_COVERAGE:
            return "below 90"
        return "above 97" if self.coverage > MAX_COVERAGE else ""

    def is_required(self) -> bool:
        return self.units >= ENOUGH_UNITS and self.events >= ENOUGH_EVENTS


def run() -> Iterator[Figure]:
    """Yield the coverage of each setting, the number that is required and met, then each that misses."""
    settings = []
    for unit, number, cv2, effect in product(UNITS, NUMBERS, CV2, EFFECTS):
        row = [simulate(Design(unit, number, cv2), share, effect) for share in SHARES]
        print_row(row)
        settings += row
        for each in row:
            name = f"coverage, {each.name}, {each.events:.0f} effective events"
            yield Figure(name, each.coverage, 0.95, "share", STUDIES)
    required = [each for each in settings if each.is_required()]
    met = sum(not each.verdict() for each in required)
    yield Figure(
        "coverage by design: required settings within 90 to 97 %",
        met,
        len(required),
        "count",
        len(required),
        at_least=1,
    )
    for each in required:
        if each.verdict():
            yield Figure(f"setting {each.name} {each.verdict()} %", each.coverage, 0.95, "share", STUDIES)
    yield from scores()


def simulate(design: Design, share: float, effect: float) -> Setting:
    """Return how often the interval holds `share` in simulated studies."""
    generator = np.random.default_rng([design.units, int(100 * share), int(100 * effect), int(10 * design.cv2)])
    k, n = rate(generator, logit_normal(generator, design, STUDIES, share, effect), design.cv2)
    intervals = headlines(k, n, resamples=Resamples(design.units, RESAMPLES))
    values = k.sum(axis=1) / n.sum(axis=1)
    events = min(share, 1 - share) * share * (1 - share) / float(values.var())
    bca = sum(each.method == "bca" for each in intervals) / STUDIES
    name = f"{design.name()}, unit effect {effect:g}, share {share:g}"
    return Setting(name, coverage_of(intervals, share), events, bca, design.units)


def scores() -> Iterator[Figure]:
    """Yield the coverage of the intervals of scores, and how wide they are as a multiple of t intervals."""
    for number, cv2, share in product(NUMBERS, CV2, ERRORS):
        design = Design("prompts", number, cv2)
        generator = np.random.default_rng([number, int(100 * share), int(10 * cv2), LARGEST])
        errors, n = rate(generator, logit_normal(generator, design, STUDIES, share, EFFECTS[-1]), cv2)
        severe = generator.binomial(errors, SEVERE)
        points, most = LARGEST * severe + SMALLEST * (errors - severe), LARGEST * n
        truth = share * (SEVERE + (1 - SEVERE) * SMALLEST / LARGEST)
        intervals = headlines(points, most, resamples=Resamples(number, RESAMPLES), unit=LARGEST)
        name = f"{design.name()}, errors {share:g}, {points.sum() / STUDIES / LARGEST:.0f} whole errors"
        coverage, width = coverage_of(intervals, truth), np.nanmean([_width_over_t(each) for each in intervals])
        print(f"score, {name:<60}  {100 * coverage:5.1f}  width / t {width:.2f}", file=sys.stderr, flush=True)
        yield Figure(f"coverage of scores, {name}", coverage, 0.95, "share", STUDIES)


def _width_over_t(interval: Headline) -> float:
    bounds = t_bounds(interval.value, interval.se, interval.clusters)
    return _width(interval) / _width(bounds) if interval.se else np.nan


def _width(interval: Headline | Interval) -> float:
    return np.nan if interval.low is None or interval.high is None else interval.high - interval.low


def print_row(row: list[Setting]) -> None:
    cells = "".join(f"  {100 * s.coverage:5.1f}{mark(s)} ({s.events:4.0f}; {s.bca:3.0%})" for s in row)
    print(f"{row[0].name.rsplit(',', 1)[0]:<64}{cells}", file=sys.stderr, flush=True)


def mark(setting: Setting) -> str:
    """Return "!" for a required setting that misses, "." for one that misses and is not required."""
    if not setting.verdict():
        return " "
    return "!" if setting.is_required() else "."

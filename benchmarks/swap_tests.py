"""Type I error and power of tests of two systems: swap, studentized swap, t, and the printed interval.

Two systems answer the same prompts, by themselves or eight to a document; lengths vary, or one system also writes four
times as much. Ratings of a unit correlate by ICC, and half
of that is common to both systems. Under the alternative the difference is 2.2 of its standard errors, so that a test
with known errors would have a power of .59. Each setting yields the share of studies with p < .05 for each test; for
the interval, the share of those whose interval excludes 0. `baseline` is .05 for the type I error and the power of the
t test for the power. The table goes to standard error.
"""

import sys
from collections.abc import Iterator
from itertools import product

import numpy as np

from annotation.stats.bootstrap import Resamples
from annotation.stats.comparisons import PairedDifference, compare_measures
from annotation.stats.quantiles import t_quantile, two_sided
from annotation.stats.swap_tests import swap_ps
from benchmarks._designs import SENTENCES, Counts, Design, paired_beta, rate
from benchmarks._figure import Figure

UNITS, NUMBERS, CV2, ICCS = ("prompts", "documents"), (10, 20, 40, 160), (0.0, 1.0, 1.9), (0.05, 0.2, 0.5)
SHARE, STANDARD_ERRORS, LEVEL = 0.8, 2.2, 0.05
STUDIES, DRAWS = 600, 999
LONGER = 4
TESTS = ("swap", "studentized swap", "t", "interval")

Tables = list[tuple[Counts, Counts]]


def run() -> Iterator[Figure]:
    """Yield type I error and power of each test in each setting, then the range of each over all settings."""
    print(f"type I error and power in %: {', '.join(TESTS)}", file=sys.stderr)
    errors: dict[str, list[float]] = {test: [] for test in TESTS}
    lengths = [*((cv2, 1) for cv2 in CV2), (1.0, LONGER)]
    for unit, number, (cv2, longer), icc in product(UNITS, NUMBERS, lengths, ICCS):
        design = Design(unit, number, cv2, longer)
        name = f"{design.name()}, ICC {icc:g}"
        error, power = simulate(design, icc)
        print_row(name, error, power)
        for test in TESTS:
            errors[test].append(error[test])
            yield Figure(f"type I error of {test}, {name}", error[test], LEVEL, "share", STUDIES)
            yield Figure(f"power of {test}, {name}", power[test], power["t"], "share", STUDIES)
    for test in TESTS:
        yield Figure(f"least type I error of {test}", min(errors[test]), LEVEL, "share", len(errors[test]))
        yield Figure(f"largest type I error of {test}", max(errors[test]), LEVEL, "share", len(errors[test]))


def simulate(design: Design, icc: float) -> tuple[dict[str, float], dict[str, float]]:
    """Return type I error and power by test."""
    generator = np.random.default_rng([design.units, int(100 * icc), int(10 * design.cv2), len(design.unit)])
    equal = studies(generator, design, (SHARE, SHARE), icc)
    spread = np.std([k[0].sum() / n[0].sum() - k[1].sum() / n[1].sum() for k, n in equal])
    other = max(0.05, SHARE - STANDARD_ERRORS * float(spread))
    different = studies(generator, design, (SHARE, other), icc)
    return rejections(equal, design.units), rejections(different, design.units)


def studies(generator: np.random.Generator, design: Design, shares: tuple[float, float], icc: float) -> Tables:
    """Return k and n of both systems, (2, units), for each study."""
    means = SENTENCES / design.longer**0.5, SENTENCES * design.longer**0.5
    drawn = zip(paired_beta(generator, design, STUDIES, shares, icc), means, strict=True)
    rated = [rate(generator, probability, design.cv2, mean) for probability, mean in drawn]
    k, n = (np.stack([side[part] for side in rated], axis=1) for part in (0, 1))
    return list(zip(k, n, strict=True))


def rejections(tables: Tables, units: int) -> dict[str, float]:
    """Return the share of studies in which each test finds a difference."""
    pairs = [pair for (pair,) in compare_measures(tables, resamples=Resamples(units, DRAWS), draws=DRAWS)]
    bare = swap_ps([np.stack([k[0], n[0], k[1], n[1]]) for k, n in tables], DRAWS, studentized=False)
    limit = t_quantile(two_sided(1 - LEVEL), units - 1)
    rejected = {
        "swap": [p is not None and p < LEVEL for p in bare],
        "studentized swap": [pair.p is not None and pair.p < LEVEL for pair in pairs],
        "t": [abs(pair.difference or 0) > limit * (pair.se or 0) for pair in pairs],
        "interval": [excludes_0(pair) for pair in pairs],
    }
    return {test: float(np.mean(rejected[test])) for test in TESTS}


def excludes_0(pair: PairedDifference) -> bool:
    return pair.low is not None and pair.high is not None and not pair.low <= 0 <= pair.high


def print_row(name: str, error: dict[str, float], power: dict[str, float]) -> None:
    cells = ["".join(f"{100 * part[test]:6.1f}" for test in TESTS) for part in (error, power)]
    print(f"{name:<74}{cells[0]}   |{cells[1]}", file=sys.stderr, flush=True)

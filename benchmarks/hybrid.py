"""How often hybrid intervals hold the truth, and how wide they are beside those of people alone.

A study has 158 prompts with about 12 sentences, whose chance of being accurate varies by prompt (beta, so that two
sentences of a prompt correlate by ICC). People rate a sample of the sentences with known probabilities, a judge all of
them. `value` of the first figure of a setting is the coverage of 95 % intervals, `baseline` .95; of the second the mean
width, `baseline` that of people alone. The usual row-wise formula, as if sentences were independent, has a line of its
own, without a bound, for each design and judge; plans of `hybrid_planning` are beside what comes of them. The table
goes to standard error.
"""

import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from annotation.stats.hybrid import UnitSums, hybrid, people_alone, unit_sums
from annotation.stats.hybrid_planning import HybridPlanner, planner
from annotation.stats.plan_frame import PlanFrame
from annotation.stats.sampling import capped_probabilities
from benchmarks._figure import Figure

PROMPTS, SENTENCES, SHARE, STUDIES = 158, 12, 0.8, 2_000
RATED, WHOLE_PROMPTS = 240, 30
PLANS = 300
DESIGNS = ("uniform", "whole prompts", "unsure")
JUDGES = ((0.95, 0.60), (0.97, 0.85), (0.80, 0.30))
ICCS = (0.0, 0.05, 0.1, 0.2, 0.4)
UNIFORM_PART = 0.5
"""The part of the sample that is uniform where the rest is in proportion to how unsure the judge is."""
LEAST, LARGEST, WIDEST = 0.93, 0.97, 1.03

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Study:
    """Arrays of shape (sentences,): prompt, truth, verdict, whether sampled, and the probability of that."""

    prompt: NDArray[np.int64]
    truth: Floats
    verdict: Floats
    sampled: NDArray[np.bool_]
    probability: Floats
    whole_prompts: bool

    def arrays(self) -> tuple[NDArray[np.generic], ...]:
        one = np.ones(len(self.truth))
        return self.prompt, self.truth, one, self.verdict, one, self.sampled, self.probability

    def sums(self) -> UnitSums:
        return unit_sums(*self.arrays(), units=PROMPTS)

    def planner(self) -> HybridPlanner | None:
        """Return the planner; each prompt has one response."""
        one, units = np.ones(len(self.truth)), (self.prompt, self.prompt, self.prompt)
        frame = PlanFrame(*units, self.probability, self.sampled, self.sampled, one, PROMPTS, self.whole_prompts)
        return planner(frame, self.truth, one, self.verdict, one)


def run() -> Iterator[Figure]:
    """Yield coverage and width of each setting, the row-wise formula's coverage, then how right plans are."""
    print("coverage in % (width / width of people alone)", file=sys.stderr)
    for design, judge in product(DESIGNS, JUDGES):
        cells, row_wise = [], []
        for icc in ICCS:
            figures, independent = setting(design, judge, icc)
            cells.append(f"{100 * figures[0].value:.1f} ({figures[1].ratio:.2f})")
            row_wise.append(independent)
            yield from figures
        name = f"{design}, judge {judge[0]:g}/{judge[1]:g}"
        print(f"{name:<32}" + "".join(f"{cell:<14}" for cell in cells), file=sys.stderr, flush=True)
        yield Figure(f"row-wise formula, lowest coverage, {name}", min(row_wise), 0.95, "share", STUDIES)
    for design, judge in product(DESIGNS, JUDGES):
        yield from planned(design, judge)


def planned(design: str, judge: tuple[float, float], icc: float = 0.1) -> Iterator[Figure]:
    """Yield the half-widths that studies plan for twice the sentences, beside those of studies with so many; then the
    half-width of people alone with as many further sentences as the judge is worth, beside that of the hybrid.
    """
    generator = np.random.default_rng([9, DESIGNS.index(design), JUDGES.index(judge)])
    plans, worths = [], []
    for _ in range(PLANS):
        study = draw(generator, design, judge, icc)
        if of_study := study.planner():
            plans.append(of_study.plan(2 * of_study.frame.rated))
            worths.append(of_study.worth() or 0.0)
    worth = round(float(np.median(worths)))
    size = usual_size(design)
    now, _ = half_widths(generator, design, judge, icc, size)
    both, alone = half_widths(generator, design, judge, icc, 2 * size)
    _, as_worth = half_widths(generator, design, judge, icc, size + worth)
    name, n = f"{design}, judge {judge[0]:g}/{judge[1]:g}", len(plans)
    for title, value, baseline in (
        ("planned half-width of hybrid, twice the sentences", np.mean([plan.with_judge or 1 for plan in plans]), both),
        (
            "planned half-width of people alone, twice the sentences",
            np.mean([p.people_alone or 1 for p in plans]),
            alone,
        ),
        (f"half-width of people alone with {worth} more sentences, the worth of the judge", as_worth, now),
    ):
        yield Figure(f"{title}, {name}", float(value), baseline, "share", n, at_least=0.9, at_most=1.1)


def usual_size(design: str) -> int:
    return SENTENCES * WHOLE_PROMPTS if design == "whole prompts" else RATED


def half_widths(
    generator: np.random.Generator, design: str, judge: tuple[float, float], icc: float, rated: int
) -> tuple[float, float]:
    """Return the mean half-widths of the hybrid and of people alone, with `rated` sentences."""
    widths = np.zeros(2)
    for _ in range(PLANS):
        sums = draw(generator, design, judge, icc, rated).sums()
        both, alone = hybrid(sums), people_alone(sums)
        widths += (both.high or 1) - (both.low or 0), (alone.high or 1) - (alone.low or 0)
    first, second = (widths / PLANS / 2).tolist()
    return first, second


def setting(design: str, judge: tuple[float, float], icc: float) -> tuple[list[Figure], float]:
    """Return coverage and width of the hybrid, and the coverage of the row-wise formula."""
    generator = np.random.default_rng([DESIGNS.index(design), JUDGES.index(judge), int(100 * icc)])
    covered, row_wise, widths = 0, 0, np.zeros(2)
    for _ in range(STUDIES):
        study = draw(generator, design, judge, icc)
        sums = study.sums()
        both, alone = hybrid(sums), people_alone(sums)
        covered += holds(both.low, both.high)
        row_wise += holds(*row_wise_bounds(study))
        widths += (both.high or 1) - (both.low or 0), (alone.high or 1) - (alone.low or 0)
    name = f"{design}, judge {judge[0]:g}/{judge[1]:g}, ICC {icc:g}"
    hybrid_width, human_width = (widths / STUDIES).tolist()
    coverage = Figure(
        f"coverage of hybrid, {name}", covered / STUDIES, 0.95, "share", STUDIES,
        at_least=LEAST / 0.95, at_most=LARGEST / 0.95,
    )  # fmt: skip
    width = Figure(f"width of hybrid, {name}", hybrid_width, human_width, "share", STUDIES, at_most=WIDEST)
    return [coverage, width], row_wise / STUDIES


def holds(low: float | None, high: float | None) -> bool:
    return low is not None and high is not None and low <= SHARE <= high


def draw(
    generator: np.random.Generator, design: str, judge: tuple[float, float], icc: float, rated: int | None = None
) -> Study:
    """Draw sentences, verdicts (right for accurate ones by sensitivity, for others by specificity) and a sample of
    `rated` ones, about so many where whole prompts are drawn.
    """
    rated = rated or usual_size(design)
    sizes = np.maximum(1, generator.negative_binomial(3, 3 / (3 + SENTENCES), PROMPTS))
    prompt = np.repeat(np.arange(PROMPTS), sizes)
    spread = 1 / icc - 1 if icc else 0.0
    chance = generator.beta(SHARE * spread, (1 - SHARE) * spread, PROMPTS) if icc else np.full(PROMPTS, SHARE)
    truth = generator.random(len(prompt)) < chance[prompt]
    verdict = generator.random(len(prompt)) < np.where(truth, judge[0], 1 - judge[1])
    sampled, probability = sample(generator, design, prompt, verdict != truth, rated)
    return Study(prompt, truth.astype(float), verdict.astype(float), sampled, probability, design == "whole prompts")


def sample(
    generator: np.random.Generator, design: str, prompt: NDArray[np.int64], wrong: NDArray[np.bool_], rated: int
) -> tuple[NDArray[np.bool_], Floats]:
    """Return which sentences people rate, and with which probability each was to be rated.

    `uniform` is systematic over the prompts in order, so that it spreads over them. A judge is unsure of half of its
    wrong verdicts and of 15 % of the right ones.
    """
    n = len(prompt)
    if design == "whole prompts":
        number = round(rated / SENTENCES)
        return np.isin(prompt, generator.permutation(PROMPTS)[:number]), np.full(n, number / PROMPTS)
    if design == "uniform":
        return systematic(generator, np.full(n, rated / n)), np.full(n, rated / n)
    unsure = 0.1 + (generator.random(n) < np.where(wrong, 0.5, 0.15))
    shares = UNIFORM_PART / n + (1 - UNIFORM_PART) * unsure / unsure.sum()
    probability = capped_probabilities(rated, shares)
    return systematic(generator, probability), probability


def systematic(generator: np.random.Generator, probability: Floats) -> NDArray[np.bool_]:
    """Return a sample with these probabilities, at equal steps of their running sum from a random start."""
    steps = np.floor(np.cumsum(probability) + generator.random())
    return np.diff(steps, prepend=0.0) >= 1


def row_wise_bounds(study: Study) -> tuple[float, float]:
    """Return the usual bounds of prediction-powered inference with λ = 1, as if sentences were independent."""
    rows, n = study.sampled, len(study.truth)
    errors = study.truth[rows] - study.verdict[rows]
    value = float(study.verdict.mean() + errors.mean())
    half = 1.96 * math.sqrt(float(study.verdict.var()) / n + float(errors.var()) / int(rows.sum()))
    return value - half, value + half

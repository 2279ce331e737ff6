"""How often hybrid intervals hold the truth, and how wide they are beside those of people alone.

A study has 158 prompts with about 12 sentences, whose chance of being accurate varies by prompt (beta, so that two
sentences of a prompt correlate by ICC). People rate what a project's designs draw of them, a judge all of them. `value`
of the first figure of a setting is the coverage of 95 % intervals, `baseline` .95; of the second the mean width,
`baseline` that of people alone. The usual row-wise formula, as if sentences were independent, has a line of its own,
without a bound, for each design and judge; plans of `hybrid_planning` are beside what comes of them; a line compares
sentences spread over prompts with whole responses. The table goes to standard error.
"""

import math
import sys
from collections.abc import Iterator
from itertools import product

import numpy as np

from annotation.stats.hybrid import hybrid, people_alone
from benchmarks._figure import Figure
from benchmarks._sampled_studies import (
    DESIGNS,
    JUDGES,
    PROMPTS,
    SENTENCES,
    SHARE,
    Judge,
    Study,
    draw_study,
    generator_of,
    setting_name,
    usual_size,
)

STUDIES = 2_000
PLANS = 300
ICCS = (0.0, 0.05, 0.1, 0.2, 0.4)
LEAST, LARGEST, WIDEST = 0.93, 0.97, 1.03
SPREAD, WHOLE, SPREAD_SHARE, SPREAD_ICC, NARROWER = 200, 17, 0.87, 0.1, 0.7


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
        name = setting_name(design, judge)
        print(f"{name:<32}" + "".join(f"{cell:<14}" for cell in cells), file=sys.stderr, flush=True)
        yield Figure(f"row-wise formula, lowest coverage, {name}", min(row_wise), 0.95, "share", STUDIES)
    for design, judge in product(DESIGNS, JUDGES):
        yield from planned(design, judge)
    yield spread_over_prompts()


def spread_over_prompts() -> Figure:
    """Return the half-width of people alone with 200 sentences spread over prompts, beside that of 17 whole responses.

    87 % of the sentences are accurate, and the ICC is .1.
    """
    halves = []
    for design, rated in (("uniform", SPREAD), ("responses", SENTENCES * WHOLE)):
        generator = np.random.default_rng([10, DESIGNS.index(design)])
        widths, sentences, prompts = 0.0, 0, 0
        for _ in range(PLANS):
            sums = draw_study(generator, design, JUDGES[0], SPREAD_ICC, rated, SPREAD_SHARE).sums()
            alone = people_alone(sums)
            widths += (alone.high or 1) - (alone.low or 0)
            sentences, prompts = sentences + alone.n, prompts + alone.rated_units
        halves.append(widths / PLANS / 2)
        means = f"{sentences / PLANS:.0f} sentences in {prompts / PLANS:.0f} prompts"
        print(f"people alone, {design}: ± {100 * halves[-1]:.1f} points with {means}", file=sys.stderr, flush=True)
    name = f"half-width of people alone, {SPREAD} sentences of {PROMPTS} prompts / {WHOLE} whole responses"
    return Figure(name, halves[0], halves[1], "share", PLANS, at_most=NARROWER)


def planned(design: str, judge: Judge, icc: float = 0.1) -> Iterator[Figure]:
    """Yield the half-widths that studies plan for twice the sentences, beside those of studies with so many; then the
    half-width of people alone with as many further sentences as the judge is worth, beside that of the hybrid.
    """
    generator = np.random.default_rng([9, DESIGNS.index(design), JUDGES.index(judge)])
    plans, worths = [], []
    for _ in range(PLANS):
        study = draw_study(generator, design, judge, icc)
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


def half_widths(
    generator: np.random.Generator, design: str, judge: Judge, icc: float, rated: int
) -> tuple[float, float]:
    """Return the mean half-widths of the hybrid and of people alone, with `rated` sentences."""
    widths = np.zeros(2)
    for _ in range(PLANS):
        sums = draw_study(generator, design, judge, icc, rated).sums()
        both, alone = hybrid(sums), people_alone(sums)
        widths += (both.high or 1) - (both.low or 0), (alone.high or 1) - (alone.low or 0)
    first, second = (widths / PLANS / 2).tolist()
    return first, second


def setting(design: str, judge: Judge, icc: float) -> tuple[list[Figure], float]:
    """Return coverage and width of the hybrid, and the coverage of the row-wise formula."""
    generator = generator_of(design, judge, icc)
    covered, row_wise, widths = 0, 0, np.zeros(2)
    for _ in range(STUDIES):
        study = draw_study(generator, design, judge, icc)
        sums = study.sums()
        both, alone = hybrid(sums), people_alone(sums)
        covered += holds(both.low, both.high)
        row_wise += holds(*row_wise_bounds(study))
        widths += (both.high or 1) - (both.low or 0), (alone.high or 1) - (alone.low or 0)
    name = setting_name(design, judge, icc)
    hybrid_width, human_width = (widths / STUDIES).tolist()
    coverage = Figure(
        f"coverage of hybrid, {name}", covered / STUDIES, 0.95, "share", STUDIES,
        at_least=LEAST / 0.95, at_most=LARGEST / 0.95,
    )  # fmt: skip
    width = Figure(f"width of hybrid, {name}", hybrid_width, human_width, "share", STUDIES, at_most=WIDEST)
    return [coverage, width], row_wise / STUDIES


def holds(low: float | None, high: float | None) -> bool:
    return low is not None and high is not None and low <= SHARE <= high


def row_wise_bounds(study: Study) -> tuple[float, float]:
    """Return the usual bounds of prediction-powered inference with λ = 1, as if sentences were independent."""
    rows, n = study.drawn, len(study.truth)
    errors = study.truth[rows] - study.verdict[rows]
    value = float(study.verdict.mean() + errors.mean())
    half = 1.96 * math.sqrt(float(study.verdict.var()) / n + float(errors.var()) / int(rows.sum()))
    return value - half, value + half

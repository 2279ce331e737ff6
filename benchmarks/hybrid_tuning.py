"""Coverage and bias of hybrid estimates where a part of the sample tuned the judge's prompt.

In the studies of `hybrid`, a quarter of what people rated tuned the prompt. The judge copies people on it, and is as
good as before on the others. Ratings and verdicts of these items are not used; the probabilities and the weights of
verdicts are corrected (`stats.hybrid.verdict_weights`). `value` of the first figure is the coverage of 95 %
intervals, `baseline` .95; of the second the mean estimate, `baseline` the mean truth. The largest error without the
correction has a line of its own, without a bound, for each design and judge. The table goes to standard error.
"""

import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np

from annotation.stats.hybrid import HybridEstimate, group_shares, hybrid, unit_sums, verdict_weights
from benchmarks._figure import Figure
from benchmarks._sampled_studies import (
    DESIGNS,
    JUDGES,
    PROMPTS,
    SHARE,
    Judge,
    Mask,
    Study,
    draw_study,
    generator_of,
    setting_name,
)

STUDIES = 2_000
ICCS = (0.0, 0.1, 0.4)
TUNED = 0.25
LEAST, LARGEST, MOST_BIAS = 0.93, 0.97, 0.005


def run() -> Iterator[Figure]:
    """Yield coverage and mean estimate of each setting, then the error without the correction."""
    print("coverage in % (mean error in points; without the correction)", file=sys.stderr)
    for design, judge in product(DESIGNS, JUDGES):
        cells, uncorrected = [], []
        for icc in ICCS:
            figures, error = setting(design, judge, icc)
            bias = figures[1].value - figures[1].baseline
            cells.append(f"{100 * figures[0].value:.1f} ({100 * bias:.2f}; {100 * error:.2f})")
            uncorrected.append(error)
            yield from figures
        name = setting_name(design, judge)
        print(f"{name:<32}" + "".join(f"{cell:<22}" for cell in cells), file=sys.stderr, flush=True)
        worst = max(uncorrected, key=abs)
        yield Figure(f"error without correction for tuning items, {name}", worst, SHARE, "share", STUDIES)


def setting(design: str, judge: Judge, icc: float) -> tuple[list[Figure], float]:
    """Return coverage and mean estimate, and the mean error without the correction."""
    generator = generator_of(design, judge, icc, 1)
    covered, sums = 0, np.zeros(3)
    for _ in range(STUDIES):
        study = draw_study(generator, design, judge, icc)
        tuned = np.zeros(len(study.truth), dtype=bool)
        drawn = np.flatnonzero(study.drawn)
        tuned[generator.permutation(drawn)[: round(TUNED * len(drawn))]] = True
        copied = replace(study, verdict=np.where(tuned, study.truth, study.verdict))
        corrected, left_out = with_weights(copied, tuned), without_weights(copied, tuned)
        covered += corrected.low is not None and corrected.low <= SHARE <= (corrected.high or 0)
        sums += corrected.value or 0, study.truth.mean(), left_out.value or 0
    value, truth, other = (sums / STUDIES).tolist()
    name = f"with tuning items, {setting_name(design, judge, icc)}"
    coverage = Figure(
        f"coverage of hybrid {name}", covered / STUDIES, 0.95, "share", STUDIES,
        at_least=LEAST / 0.95, at_most=LARGEST / 0.95,
    )  # fmt: skip
    mean = Figure(
        f"mean of hybrid {name}", value, truth, "share", STUDIES, at_least=1 - MOST_BIAS, at_most=1 + MOST_BIAS
    )
    return [coverage, mean], other - truth


def with_weights(study: Study, tuned: Mask) -> HybridEstimate:
    """Return the estimate as `reporting.sections.hybrid.figures` computes it for a system."""
    one, others, used = np.zeros(len(tuned), dtype=int), ~tuned, study.drawn & ~tuned
    return hybrid(
        unit_sums(
            study.prompt,
            study.truth,
            np.ones(len(tuned)),
            study.verdict * others,
            others,
            used,
            study.probability * group_shares(used, study.drawn, one),
            verdict_weights(tuned, study.drawn, study.probability, one),
            units=PROMPTS,
        )
    )


def without_weights(study: Study, tuned: Mask) -> HybridEstimate:
    """Return the estimate from the other items, with their stored probabilities."""
    columns = (column[~tuned] for column in study.arrays())
    return hybrid(unit_sums(*columns, units=PROMPTS))

"""How often hybrid intervals hold the truth with 30 to 45 human-rated prompts, by share of accurate sentences.

The studies are those of `hybrid`, with the smallest samples for which coverage is stated: single sentences of about 30
prompts out of 158, two or three of nearly all of 45 prompts, and 32 whole responses out of 158 or 60. `value` of the
first figure of a setting is the coverage of 95 % intervals, `baseline` .95; there is no upper bound, as exact binomial
bounds are wide with few ratings. `value` of the second is the mean width, `baseline` that of people alone. Where 95 %
of the sentences are accurate, the bounds are lower: the other answer is then rated a few times only, or in few prompts,
and of whole responses people alone cover too little as well. The table has their coverage; it goes to standard error.
"""

import sys
from collections.abc import Iterator
from itertools import product

import numpy as np

from annotation.stats.hybrid import hybrid, people_alone
from benchmarks._figure import Figure
from benchmarks._sampled_studies import JUDGES, SENTENCES, Judge, draw_study, generator_of, setting_name
from benchmarks.hybrid import LEAST, WIDEST

STUDIES = 1_000
SIZES = (
    ("uniform", 158, 32),
    ("uniform", 45, 80),
    ("responses", 158, 32 * SENTENCES),
    ("responses", 60, 32 * SENTENCES),
    ("uncertain", 158, 34),
    ("uncertain", 45, 100),
)
"""Design, prompts and rated sentences."""
SHARES, ICCS = (0.5, 0.8, 0.95), (0.0, 0.4)
RARE, LEAST_RARE, LEAST_OF_RESPONSES = 0.95, 0.91, 0.86


def run() -> Iterator[Figure]:
    """Yield coverage and width of each setting."""
    print("coverage in %, of people alone in brackets, width / width of people alone", file=sys.stderr)
    for (design, prompts, rated), judge in product(SIZES, JUDGES):
        cells = []
        for share, icc in product(SHARES, ICCS):
            coverage, width, alone = setting(design, prompts, rated, judge, share, icc)
            cells.append(f"{100 * coverage.value:.1f} ({100 * alone:.1f}) {width.ratio:.2f}")
            yield from (coverage, width)
        name = f"{setting_name(design, judge)}, {prompts} prompts"
        print(f"{name:<44}" + "".join(f"{cell:<20}" for cell in cells), file=sys.stderr, flush=True)


def setting(
    design: str, prompts: int, rated: int, judge: Judge, share: float, icc: float
) -> tuple[Figure, Figure, float]:
    """Return coverage and width of the hybrid, and the coverage of people alone."""
    generator = generator_of(design, judge, icc, int(100 * share), prompts)
    covered, widths, units = np.zeros(2), np.zeros(2), 0
    for _ in range(STUDIES):
        sums = draw_study(generator, design, judge, icc, rated, share, prompts).sums()
        for number, estimate in enumerate((hybrid(sums), people_alone(sums))):
            low, high = estimate.low or 0.0, 1.0 if estimate.high is None else estimate.high
            covered[number] += estimate.low is not None and low <= share <= high
            widths[number] += high - low
        units += int(np.count_nonzero(sums.rated))
    both, alone = (covered / STUDIES).tolist()
    name = f"{setting_name(design, judge, icc)}, {share:g} accurate, {units / STUDIES:.0f} of {prompts} prompts rated"
    least = LEAST if share < RARE else LEAST_OF_RESPONSES if design == "responses" else LEAST_RARE
    coverage = Figure(f"coverage of hybrid, {name}", both, 0.95, "share", STUDIES, at_least=least / 0.95)
    first, second = (widths / STUDIES).tolist()
    return coverage, Figure(f"width of hybrid, {name}", first, second, "share", STUDIES, at_most=WIDEST), alone

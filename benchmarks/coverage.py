"""How often the printed 95 % intervals hold the truth, in simulated studies in which the truth is known.

A prompt has a probability of its own (beta, so that two of its sentences correlate by ICC), a sentence one around its
prompt's (so that its three raters tend to agree), and each rating is drawn from its sentence's. The headline is made by
the report's own code with all its 10,000 resamples, BCa or Korn-Graubard as the rule has it for each study. `value` is
the share of the studies whose interval holds the truth, `baseline` that of Wilson's interval on the same ratings taken
as independent, as studies usually print it. The table goes to standard error.
"""

import sys
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from annotation.stats.bootstrap import Resamples
from annotation.stats.comparisons import PairedDifference, compare_pairs
from annotation.stats.interval_choice import Headline, headlines
from annotation.stats.intervals import Interval, wilson
from benchmarks._figure import Figure

PROMPTS, SHARES, ICCS = (20, 50, 158), (0.05, 0.1, 0.3, 0.7, 0.9), (0.0, 0.05, 0.1, 0.2, 0.4)
STUDIES, PAIRED_STUDIES, RESAMPLES = 2_000, 400, 10_000
RATERS, SENTENCES, AGREEING = 3, 12, 0.4
MIN_COVERAGE, MAX_COVERAGE = 0.90, 0.97

Counts = NDArray[np.int64]


def run() -> Iterator[Figure]:
    """Yield the coverage by number of prompts, share and ICC, how many are within 90 to 97 %, then pairs of systems."""
    coverages: list[float] = []
    for prompts in PROMPTS:
        resamples = Resamples(prompts, RESAMPLES)
        print_head(prompts)
        for share in SHARES:
            figures = [figure(prompts, share, icc, resamples) for icc in ICCS]
            print_row(share, figures)
            coverages += [each.value for each in figures]
            yield from figures
    within = sum(MIN_COVERAGE <= value <= MAX_COVERAGE for value in coverages)
    # docs/statistics.md names the two of 75 in which a rare answer with few units is covered less often.
    yield Figure(
        "coverage: settings within 90 to 97 %", within, len(coverages), "count", len(coverages), at_least=73 / 75
    )
    for icc in ICCS:
        yield from pairs(icc)


def figure(prompts: int, share: float, icc: float, resamples: Resamples) -> Figure:
    k, n = studies(STUDIES, prompts, share, icc)
    interval = headlines(k, n, resamples=resamples)
    naive = [wilson(each.k, each.n) for each in interval]
    name = f"coverage, {prompts} prompts, {share:.0%} of ratings, ICC {icc:g}"
    return Figure(name, coverage_of(interval, share), coverage_of(naive, share), "share", len(interval))


def pairs(icc: float) -> Iterator[Figure]:
    """Yield coverage and false alarms for two equal systems on the same prompts: 0 is the true difference."""
    seed = np.random.default_rng([7, int(icc * 100)])
    covered = rejected = 0
    resamples = Resamples(158, RESAMPLES)
    for number in range(PAIRED_STUDIES):
        k, n = two_equal_systems(seed, 158, 0.7, icc)
        pair = compare_pairs(k, n, resamples=resamples, draws=RESAMPLES, seed=number)[0]
        covered += contains(pair, 0)
        rejected += pair.p is not None and pair.p < 0.05
    yield Figure(f"coverage of a difference, ICC {icc:g}", covered / PAIRED_STUDIES, 0.95, "share", PAIRED_STUDIES)
    yield Figure(
        f"false alarms of the swap test, ICC {icc:g}", rejected / PAIRED_STUDIES, 0.05, "share", PAIRED_STUDIES
    )


def studies(count: int, prompts: int, share: float, icc: float) -> tuple[Counts, Counts]:
    """Return k and n of shape (studies, prompts)."""
    generator = np.random.default_rng([prompts, int(share * 100), int(icc * 100)])
    return rated(generator, drawn(generator, np.full((count, prompts), share), icc))


def two_equal_systems(generator: np.random.Generator, prompts: int, share: float, icc: float) -> tuple[Counts, Counts]:
    """Return k and n of two systems, shape (2, prompts), that have the same probability for each prompt."""
    hard = drawn(generator, np.full(prompts, share), icc)
    return rated(generator, np.stack([hard, hard]))


def rated(generator: np.random.Generator, of_prompt: NDArray[np.float64]) -> tuple[Counts, Counts]:
    """Return ratings by prompt: some sentences (negative binomial around 12, one at least), three raters each."""
    sentences = np.maximum(1, generator.negative_binomial(3, 3 / (3 + SENTENCES), of_prompt.shape))
    of_sentence = drawn(generator, np.repeat(of_prompt.ravel(), sentences.ravel()), AGREEING)
    hits = generator.binomial(RATERS, of_sentence)
    starts = np.cumsum(sentences.ravel()) - sentences.ravel()
    return np.add.reduceat(hits, starts).reshape(of_prompt.shape), sentences * RATERS


def drawn(generator: np.random.Generator, mean: NDArray[np.float64], correlation: float) -> NDArray[np.float64]:
    """Draw beta probabilities around `mean`, such that two ratings that share one correlate by `correlation`."""
    if not correlation:
        return mean
    spread = 1 / correlation - 1
    inside = np.clip(mean, 1e-12, 1 - 1e-12)
    return generator.beta(inside * spread, (1 - inside) * spread)


def coverage_of(intervals: Sequence[Headline | Interval | PairedDifference], truth: float) -> float:
    """Return the share of intervals that contain the truth; a study without an interval does not."""
    return sum(contains(each, truth) for each in intervals) / len(intervals)


def contains(interval: Headline | Interval | PairedDifference, truth: float) -> bool:
    return interval.low is not None and interval.high is not None and interval.low <= truth <= interval.high


def print_head(prompts: int) -> None:
    print(f"\n{prompts} prompts: coverage in % of the headline (of Wilson over ratings)", file=sys.stderr)
    print("  share  " + "".join(f"ICC {icc:<10g}" for icc in ICCS), file=sys.stderr)


def print_row(share: float, figures: list[Figure]) -> None:
    cells = [
        f"{100 * each.value:5.1f}{' ' if MIN_COVERAGE <= each.value <= MAX_COVERAGE else '!'}"
        f"({100 * each.baseline:2.0f})"
        for each in figures
    ]
    print(f"  {share:5.0%}  " + "".join(f"{cell:<14}" for cell in cells), file=sys.stderr, flush=True)

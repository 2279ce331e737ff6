"""How long the statistics of a report take, each beside something it is fair to compare it with.

158 prompts, 4 systems, 3 measures, as in the paper. `value` and `baseline` are in the same unit, measured in turn in
one run; `ratio` = value / baseline is what to watch, since it hardly depends on the machine. Drawing the resamples and
the swaps is part of each time that needs them.
"""

from collections.abc import Callable, Iterable
from itertools import permutations
from time import perf_counter

import numpy as np

from annotation.stats import bootstrap, comparisons, swap_tests
from annotation.stats.agreement import agreement, agreement_intervals
from annotation.stats.bootstrap import Resamples
from annotation.stats.crossed_model import Ratings, crossed_model
from annotation.stats.dawid_skene import dawid_skene
from annotation.stats.interval_choice import headlines
from annotation.stats.ranking import rank_intervals
from benchmarks._figure import Figure

PROMPTS, SYSTEMS, RESAMPLES = 158, 4, 10_000
ITEMS, SLICE, CATEGORIES = 100_000, 2_000, 5


def run() -> Iterable[Figure]:
    """Yield one line a figure: {"name", "value", "unit", "baseline", "ratio", "n"}; milliseconds, best of several."""
    k, n = measured_cells()
    counts = rated_items(ITEMS)
    few = rated_items(PROMPTS * 20)
    draw = draw_indices
    yield timed("closed-form intervals / drawing the indices", lambda: headlines(k, n), draw, len(k))
    yield timed(
        "BCa intervals / drawing the indices", lambda: headlines(k, n, resamples=fresh_resamples()), draw, len(k)
    )
    yield timed("all comparisons / drawing the indices", lambda: all_comparisons(k, n, fresh_resamples()), draw, 18)
    yield timed("ranks / drawing the indices", lambda: all_ranks(k, n, fresh_resamples()), draw, 12)
    yield timed(
        "BCa intervals, comparisons and ranks together / drawing the indices",
        lambda: all_statistics(k, n),
        draw,
        len(k),
    )
    yield timed(
        "agreement of 100,000 items / the definition item by item, scaled up",
        lambda: agreement(counts, ordered=True, values=range(CATEGORIES)),
        lambda: item_by_item(counts[:SLICE]),
        ITEMS,
        scale=ITEMS / SLICE,
    )
    yield timed(
        "agreement intervals of 158 prompts x 20 items / drawing the indices",
        lambda: agreement_intervals(few, np.arange(len(few)) // 20),
        draw,
        len(few),
    )
    yield timed("Dawid-Skene of 3,160 items x 3 raters / drawing the indices", estimate_truth, draw, len(few))
    ratings = crossed_ratings()
    yield timed(
        "crossed model of 5,184 ratings / one dense factorization of its Hessian",
        lambda: crossed_model(ratings),
        lambda: dense_factorization(sum(int(levels.max()) + 1 for levels in ratings.groupings.values())),
        len(ratings.hit),
        runs=3,
    )


def timed(
    name: str,
    measured: Callable[[], object],
    baseline: Callable[[], object],
    count: int,
    *,
    scale: float = 1,
    runs: int = 15,
) -> Figure:
    """Return the best of some runs of each, taken in turn; `scale`: by how much the baseline's work is smaller."""
    measured()  # imports and caches are not what is measured
    times = [(seconds(measured), seconds(baseline)) for _ in range(runs)]
    value, reference = (min(column) * 1000 for column in zip(*times, strict=True))
    return Figure(name, value, reference * scale, "ms", count)


def seconds(call: Callable[[], object]) -> float:
    start = perf_counter()
    call()
    return perf_counter() - start


def measured_cells() -> tuple[np.ndarray, np.ndarray]:
    """Return k and n of shape (systems x measures, prompts): accurate, inaccurate, severely inaccurate of each."""
    generator = np.random.default_rng(1)
    rows = []
    for _ in range(SYSTEMS):
        n = generator.integers(10, 40, PROMPTS)
        accurate = generator.binomial(n, generator.beta(3, 1, PROMPTS))
        inaccurate = generator.binomial(n - accurate, 0.5)
        rows += [(accurate, n), (inaccurate, n), (generator.binomial(inaccurate, 0.4), n)]
    return np.array([k for k, _ in rows]), np.array([n for _, n in rows])


def rated_items(items: int) -> np.ndarray:
    """Return counts of shape (items, categories) from three raters an item, who tend to agree."""
    generator = np.random.default_rng(2)
    truth = generator.choice(CATEGORIES, items, p=[0.6, 0.1, 0.1, 0.15, 0.05])
    labels = np.where(generator.random((items, 3)) < 0.7, truth[:, None], generator.integers(0, CATEGORIES, (items, 3)))
    return (labels[:, :, None] == np.arange(CATEGORIES)).sum(axis=1)


def estimate_truth() -> object:
    generator = np.random.default_rng(3)
    items = PROMPTS * 20
    truth = generator.integers(0, 4, items)
    item, rater = (grid.ravel() for grid in np.meshgrid(range(items), range(3), indexing="ij"))
    label = np.where(generator.random(item.size) < 0.7, truth[item], generator.integers(0, 4, item.size))
    return dawid_skene(item, rater, label, (items, 3, 4))


def crossed_ratings() -> Ratings:
    """Return 3 systems × 144 prompts about 18 documents, with 4 sentences a response, each by 3 of 6 raters."""
    generator = np.random.default_rng(4)
    prompt, system, sentence, turn = (
        grid.ravel() for grid in np.meshgrid(range(144), range(3), range(4), range(3), indexing="ij")
    )
    response = prompt * 3 + system
    levels = {
        "document": prompt % 18,
        "prompt": prompt,
        "response": response,
        "item": response * 4 + sentence,
        "rater": (response + turn) % 6,
    }
    logit = np.array([1.0, 1.5, 2.0])[system]
    for level in levels.values():
        logit = logit + generator.normal(0, 0.6, level.max() + 1)[level]
    return Ratings.of(generator.random(len(logit)) < 1 / (1 + np.exp(-logit)), system, 3, levels)


def dense_factorization(size: int) -> np.ndarray:
    return np.linalg.cholesky(np.eye(size) * size + 1)


def draw_indices() -> np.ndarray:
    return np.random.default_rng(1).integers(0, PROMPTS, (RESAMPLES, PROMPTS))


def fresh_resamples() -> Resamples:
    """Return resamples after clearing all draws, so that drawing resamples and swaps is a part of the time."""
    bootstrap._one_block.cache_clear()
    swap_tests._one_block.cache_clear()
    return Resamples(PROMPTS, RESAMPLES)


def all_comparisons(k: np.ndarray, n: np.ndarray, resamples: Resamples) -> list:
    tables = [(k[measure::3], n[measure::3]) for measure in range(3)]
    return comparisons.compare_measures(tables, resamples=resamples)


def all_statistics(k: np.ndarray, n: np.ndarray) -> list:
    """Return all statistics of the paper's table, from one set of resamples and one of swaps.

    The sums of the resamples are cached as in a report.
    """
    resamples = fresh_resamples()
    bootstrap.cache_sums(k, n, resamples)
    return [headlines(k, n, resamples=resamples), all_comparisons(k, n, resamples), all_ranks(k, n, resamples)]


def all_ranks(k: np.ndarray, n: np.ndarray, resamples: Resamples) -> list:
    return [rank_intervals(k[measure::3], n[measure::3], resamples) for measure in range(3)]


def item_by_item(counts: np.ndarray) -> float:
    """Return percent agreement and the sum of coincidences, computed pair by pair as they are defined."""
    agreeing, coincidences = [], np.zeros((CATEGORIES, CATEGORIES)).tolist()
    for row in counts.tolist():
        labels = [category for category, many in enumerate(row) for _ in range(many)]
        pairs = list(permutations(labels, 2))
        agreeing.append(sum(a == b for a, b in pairs) / len(pairs))
        for a, b in pairs:
            coincidences[a][b] += 1 / (len(labels) - 1)
    return sum(agreeing) / len(agreeing) + sum(map(sum, coincidences))

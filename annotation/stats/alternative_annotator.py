"""The alternative annotator test: whether a judge may stand in for a rater (Calderon, Reichart and Dror 2025).

Each rater in turn is compared with the judge: which of the two agrees better with the other raters of the same item?
The judge wins against a rater if it is significantly better than that rater less ε, the advantage that it has by its
lower cost. The false discovery rate over raters is controlled under any dependence (Benjamini and Yekutieli 2001).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .correlation import mean
from .proportions import Floats
from .quantiles import t_cdf
from .undefined import quotient

MIN_ITEMS = 30
"""A rater with fewer common items is not tested: the t test needs about this many."""


@dataclass(frozen=True, slots=True)
class RaterTest:
    """The judge against one rater over `items`, which the rater, another rater and the judge labeled.

    `judge_advantage` (ρ_f) and `rater_advantage` (ρ_h): shares of the items where each agrees with the others at least
    as well. `p` of H0: ρ_f <= ρ_h − ε; `p_adjusted` over raters. All None with fewer than 30 items, then not tested.
    """

    items: int
    judge_advantage: float | None
    rater_advantage: float | None
    p: float | None
    p_adjusted: float | None
    judge_wins: bool | None


@dataclass(frozen=True, slots=True)
class AlternativeAnnotatorTest:
    """`winning_rate` (ω): share of the tested raters against whom the judge wins; it passes from .5. `advantage` (ρ):
    mean of their `judge_advantage`. None, `passes` too, with fewer than two tested raters.
    """

    epsilon: float
    raters: tuple[RaterTest, ...]
    tested: int
    winning_rate: float | None
    advantage: float | None
    passes: bool | None


def alternative_annotator_test(
    labels: ArrayLike,
    judge: ArrayLike,
    *,
    epsilon: float,
    units: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    alpha: float = 0.05,
    fewest_items: int = MIN_ITEMS,
) -> AlternativeAnnotatorTest:
    """Return the test of categories: `labels` of shape (items, raters), `judge` of shape (items,); -1 = missing.

    The paper takes ε = .2 where raters are experts, .15 where they are skilled, .1 where they are a crowd. `units` of
    shape (items,): the cluster (prompt) of each item, for a t test with a standard error over clusters; without, items
    are taken as independent, as in the paper. `weights` of shape (items,): 1/π of items that were drawn with unequal
    probabilities. Raises ValueError for shapes that do not fit or ε outside 0 to 1.
    """
    table, verdict = np.asarray(labels, dtype=np.int64), np.asarray(judge, dtype=np.int64)
    cluster = np.arange(len(verdict)) if units is None else np.asarray(units, dtype=np.int64)
    weight = np.ones(len(verdict)) if weights is None else np.asarray(weights, dtype=np.float64)
    if table.ndim != 2 or verdict.shape != table.shape[:1] or cluster.shape != verdict.shape:
        raise ValueError(f"labels have shape {table.shape}: give items x raters, and a judge's label and unit per item")
    if not 0 <= epsilon <= 1:
        raise ValueError(f"ε is {epsilon}: it is a share, such as 0.2")
    advantages = [_advantages(table, verdict, rater) for rater in range(table.shape[1])]
    tested = [len(rows) >= max(fewest_items, 2) for rows, _, _ in advantages]
    ps = [
        _p(rater_wins - judge_wins, cluster[rows], weight[rows], epsilon) if is_tested else None
        for (rows, judge_wins, rater_wins), is_tested in zip(advantages, tested, strict=True)
    ]
    adjusted = iter(benjamini_yekutieli([p for p in ps if p is not None]))
    raters = tuple(
        _rater_test(judge_wins, rater_wins, weight[rows], p, None if p is None else next(adjusted), alpha)
        for (rows, judge_wins, rater_wins), p in zip(advantages, ps, strict=True)
    )
    results = [each for each in raters if each.judge_wins is not None]
    rate = quotient(sum(bool(each.judge_wins) for each in results), len(results)) if len(results) > 1 else None
    return AlternativeAnnotatorTest(
        epsilon=epsilon,
        raters=raters,
        tested=len(results),
        winning_rate=rate,
        advantage=None if rate is None else mean([each.judge_advantage for each in results]),
        passes=None if rate is None else rate >= 0.5,
    )


def benjamini_yekutieli(p_values: Sequence[float]) -> list[float]:
    """Return adjusted p: the smallest false discovery rate at which each is rejected; in the order given."""
    m = len(p_values)
    harmonic = math.fsum(1 / rank for rank in range(1, m + 1))
    adjusted, least = [1.0] * m, 1.0
    for rank, index in reversed(list(enumerate(np.argsort(p_values, kind="stable").tolist(), start=1))):
        least = min(least, p_values[index] * m * harmonic / rank)
        adjusted[index] = least
    return adjusted


def _advantages(
    table: NDArray[np.int64], verdict: NDArray[np.int64], rater: int
) -> tuple[NDArray[np.int64], Floats, Floats]:
    """Return the common items, and on each whether the judge and the rater agree at least as well with the others."""
    others, own = np.delete(table, rater, axis=1), table[:, rater]
    rows = np.flatnonzero((own >= 0) & (verdict >= 0) & (others >= 0).any(axis=1))
    # All of an item's labels are divided by the same number of raters, so counts compare as shares do.
    judge_score = (others[rows] == verdict[rows, None]).sum(axis=1)
    rater_score = (others[rows] == own[rows, None]).sum(axis=1)
    return rows, (judge_score >= rater_score).astype(np.float64), (rater_score >= judge_score).astype(np.float64)


def _p(differences: Floats, units: NDArray[np.int64], weights: Floats, epsilon: float) -> float | None:
    """Return p of the one-sided t test that the mean difference, rater − judge, is below ε.

    The standard error is over units; with one item a unit that is the usual one. None with a single unit. Where no
    unit varies, the mean decides.
    """
    _, index = np.unique(units, return_inverse=True)
    clusters, n = int(index.max()) + 1, math.fsum(weights.tolist())
    if clusters < 2:
        return None
    middle = math.fsum((weights * differences).tolist()) / n
    residuals = np.bincount(index, weights * (differences - middle), clusters)
    se = math.sqrt(clusters / (clusters - 1) * float(np.dot(residuals, residuals))) / n
    if se < 1e-12:
        return 0.0 if middle < epsilon else 1.0
    return t_cdf((middle - epsilon) / se, clusters - 1)


def _rater_test(
    judge_wins: Floats, rater_wins: Floats, weights: Floats, p: float | None, adjusted: float | None, alpha: float
) -> RaterTest:
    n = len(judge_wins)
    if p is None or adjusted is None:
        return RaterTest(n, None, None, None, None, None)
    judge, rater = (float(np.average(wins, weights=weights)) for wins in (judge_wins, rater_wins))
    return RaterTest(n, judge, rater, p, adjusted, adjusted <= alpha)

"""Systems against each other, on the prompts that both answered."""

from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from ...models import Item
from ...stats.comparisons import MOST_EXACT, PairedDifference, compare_measures, holm, simulation_error, swap_ps
from ..choices import Choices
from ..data.arrays import Indices
from ..data.table import RatingTable
from ..text.figure_format import SIGNIFICANT
from .breakdowns import by_system
from .cells import LEVEL, Cells
from .means import by_prompt, is_share

Row = dict[str, Any]
NEAR, MORE = 4, 10
MOST_SWAPPED = 50_000_000  # swaps × clusters: a quarter of a second


class SwapTest(NamedTuple):
    """A swap test: `swaps` drawn at random, None where all were tried."""

    p: float | None
    p_holm: float | None
    swaps: int | None


def comparisons(ratings: RatingTable, cells: Cells, choices: Choices) -> list[Row]:
    """Every pair of systems for every measure and every mean of shares, a < b by name. None where a rating is about two
    systems at once.

    Where documents are the clusters, a pair is still compared on its common prompts: what chance draws, and what is
    swapped, are the documents of these.
    """
    if cells.protocol.unit == Item.Unit.PAIR:
        return []
    pairs = list(combinations(range(len(ratings.responses.systems)), 2))
    keys = [measure.key for measure in cells.protocol.measures]
    tables = _by_prompt(ratings, cells)
    for mean in filter(is_share, cells.protocol.means):
        keys.append(mean.key)
        tables.append(by_prompt(ratings, cells, mean))
    on_common = [[_on_common(ratings, table, pair) for pair in pairs] for table in tables]
    found = compare_measures(
        [table for of_measure in on_common for table in of_measure],
        resamples=cells.resamples,
        level=LEVEL,
        draws=choices.resamples,
        seed=choices.seed,
    )
    differences = [difference for (difference,) in found]
    tests = _tested(differences, [table for of_measure in on_common for table in of_measure], choices, len(pairs))
    each = iter(zip(differences, tests, strict=True))
    return [
        row
        for key, (_, among) in zip(keys, tables, strict=True)
        for row in _rows(key, ratings.responses.systems, among, [(pair, *next(each)) for pair in pairs])
    ]


def _by_prompt(ratings: RatingTable, cells: Cells) -> list[tuple[Indices, Indices]]:
    """k and n of each measure by system and prompt."""
    entries = replace(ratings.counts, cluster=ratings.responses.prompt_of[ratings.counts.response])
    by_prompt = replace(cells, clusters=len(ratings.responses.prompts))
    return by_prompt.measures_by_cluster(entries, by_system(ratings))


def _on_common(ratings: RatingTable, table: tuple[Indices, Indices], pair: tuple[int, int]) -> tuple[Indices, Indices]:
    """k and n of two systems by cluster, over the prompts that both have an assessed rating for: (2, clusters)."""
    hits, among = (side[list(pair)] for side in table)
    common = (among > 0).all(axis=0)
    k, n = (np.stack([_clustered(ratings, row * common) for row in side]) for side in (hits, among))
    return k, n


def _clustered(ratings: RatingTable, by_prompt: Indices) -> Indices:
    sums = np.bincount(ratings.responses.cluster_of, weights=by_prompt, minlength=ratings.responses.clusters)
    return sums.astype(np.int64)


def _tested(
    found: list[PairedDifference], tables: list[tuple[Indices, Indices]], choices: Choices, pairs: int
) -> list[SwapTest]:
    """The test of each pair of each measure, adjusted over the pairs of a measure.

    Whether a difference is called significant must not hang on the seed: where the adjusted p lies within NEAR
    simulation errors of .05, that pair is tested again with MORE times as many swaps, unless these would be too many
    to wait for.
    """
    ps = [of.p for of in found]
    swaps = [None if of.clusters <= MOST_EXACT else choices.resamples for of in found]
    draws = MORE * choices.resamples
    near = [
        at
        for at, adjusted in enumerate(_adjusted(ps, pairs))
        if _is_near(found[at], adjusted, choices.resamples) and draws * found[at].clusters <= MOST_SWAPPED
    ]
    again = swap_ps([_swapped(tables[at]) for at in near], draws, choices.seed) if near else []
    for at, p in zip(near, again, strict=True):
        ps[at], swaps[at] = p, draws
    return [SwapTest(*of) for of in zip(ps, _adjusted(ps, pairs), swaps, strict=True)]


def _adjusted(ps: list[float | None], pairs: int) -> list[float | None]:
    """Holm over the pairs of each measure, which stand one after the other."""
    return [p for start in range(0, len(ps), pairs or 1) for p in holm(ps[start : start + pairs])]


def _is_near(of: PairedDifference, adjusted: float | None, draws: int) -> bool:
    if not of.p or adjusted is None:
        return False
    error = simulation_error(of.p, of.clusters, draws) * adjusted / of.p
    return abs(adjusted - SIGNIFICANT) < NEAR * error


def _swapped(table: tuple[Indices, Indices]) -> Indices:
    """k_a, n_a, k_b, n_b of the clusters that both have."""
    k, n = table
    return np.stack([k[0], n[0], k[1], n[1]])[:, n[0] > 0]


def _rows(
    measure: str, systems: list[str], among: Indices, found: list[tuple[tuple[int, int], PairedDifference, SwapTest]]
) -> list[Row]:
    """The pairs of one measure."""
    return [
        {
            "a": systems[a],
            "b": systems[b],
            "measure": measure,
            "prompts": int(((among[a] > 0) & (among[b] > 0)).sum()),
            "difference": of.difference,
            "low": of.low,
            "high": of.high,
            "method": of.method,
            "p": test.p,
            "p_holm": test.p_holm,
            "swaps": test.swaps,
            "clusters": of.clusters,
        }
        for (a, b), of, test in found
    ]

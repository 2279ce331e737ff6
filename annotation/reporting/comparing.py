"""Systems against each other, on the prompts that both answered."""

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from ..models import Item
from ..stats.comparisons import PairedDifference, compare_measures, holm
from ..stats.intervals import FEWEST_CLUSTERS, Interval
from .breakdowns import by_system
from .cells import LEVEL, Cells
from .choices import Choices
from .tallies import Indices, Tallies

Row = dict[str, Any]


def comparisons(tallies: Tallies, cells: Cells, choices: Choices) -> list[Row]:
    """Every pair of systems for every measure, a < b by name. None where a rating is about two systems at once.

    Where documents are the clusters, a pair is still compared on its common prompts: what chance draws, and what is
    swapped, are the documents of these.
    """
    if cells.protocol.unit == Item.Unit.PAIR:
        return []
    pairs = list(combinations(range(len(tallies.systems)), 2))
    tables = [_by_prompt(tallies, cells, measure.key) for measure in cells.protocol.measures]
    found = compare_measures(
        [_on_common(tallies, table, pair) for table in tables for pair in pairs],
        resamples=cells.resamples,
        level=LEVEL,
        draws=choices.resamples,
        seed=choices.seed,
    )
    differences = iter([difference for (difference,) in found])
    return [
        row
        for measure, (_, among) in zip(cells.protocol.measures, tables, strict=True)
        for row in _rows(measure.key, tallies.systems, among, [(pair, next(differences)) for pair in pairs])
    ]


def _by_prompt(tallies: Tallies, cells: Cells, measure: str) -> tuple[Indices, Indices]:
    """k and n by system and prompt."""
    entries = replace(tallies.entries, clusters=tallies.sources.prompt_of[tallies.entries.sources])
    by_prompt = replace(cells, clusters=len(tallies.prompts))
    return by_prompt.by_cluster(cells.protocol.measure(measure), entries, by_system(tallies))


def _on_common(tallies: Tallies, table: tuple[Indices, Indices], pair: tuple[int, int]) -> tuple[Indices, Indices]:
    """k and n of two systems by cluster, over the prompts that both have an assessed rating for: (2, clusters)."""
    hits, among = (side[list(pair)] for side in table)
    common = (among > 0).all(axis=0)
    k, n = (np.stack([_clustered(tallies, row * common) for row in side]) for side in (hits, among))
    return k, n


def _clustered(tallies: Tallies, by_prompt: Indices) -> Indices:
    sums = np.bincount(tallies.sources.cluster_of, weights=by_prompt, minlength=tallies.clusters)
    return sums.astype(np.int64)


def _rows(
    measure: str, systems: list[str], among: Indices, found: list[tuple[tuple[int, int], PairedDifference]]
) -> list[Row]:
    """The pairs of one measure, with p adjusted over them."""
    adjusted = holm([difference.p for _, difference in found])
    return [
        {
            "a": systems[a],
            "b": systems[b],
            "measure": measure,
            "prompts": int(((among[a] > 0) & (among[b] > 0)).sum()),
            "difference": of.difference,
            "low": bounds.low,
            "high": bounds.high,
            "method": bounds.method,
            "p": of.p,
            "p_holm": p_holm,
        }
        for ((a, b), of), p_holm in zip(found, adjusted, strict=True)
        for bounds in [_bounds(of)]
    ]


def _bounds(of: PairedDifference) -> Interval:
    """The rule for proportions: with fewer than 10 clusters no interval deserves the name. p is exact, and stays."""
    if of.clusters < FEWEST_CLUSTERS:
        return Interval(None, None, "none")
    return Interval(of.low, of.high, of.method)

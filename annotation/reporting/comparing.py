"""Systems against each other, on the prompts that both answered."""

from typing import Any

from ..models import Item
from ..stats.comparisons import PairedDifference, compare_pairs
from .breakdowns import by_system
from .cells import LEVEL, Cells
from .tallies import Tallies


def comparisons(tallies: Tallies, cells: Cells, *, seed: int, draws: int) -> list[dict[str, Any]]:
    """Every pair of systems for every measure, a < b by name. None where a rating is about two systems at once."""
    if cells.protocol.unit == Item.Unit.PAIR:
        return []
    groups = by_system(tallies)
    found = []
    for measure in cells.protocol.measures:
        hits, among = cells.clusters(measure, tallies.entries, groups)
        pairs = compare_pairs(hits, among, level=LEVEL, draws=draws, seed=seed)
        found += [_row(pair, measure.key, tallies.systems) for pair in pairs]
    return found


def _row(pair: PairedDifference, measure: str, systems: list[str]) -> dict[str, Any]:
    return {
        "a": systems[pair.a],
        "b": systems[pair.b],
        "measure": measure,
        "prompts": pair.clusters,
        "difference": pair.difference,
        "low": pair.low,
        "high": pair.high,
        "p": pair.p,
        "p_holm": pair.p_holm,
    }

"""The proportions of the systems alone, for pages that compare two choices."""

from ..data.table import RatingTable
from ..report import Cell
from .breakdowns import by_system
from .cells import Cells, one_group


def proportions(ratings: RatingTable, cells: Cells) -> tuple[list[Cell], Cell]:
    """Return the cells of the systems, and of all together, as in the report."""
    groups = (by_system(ratings), one_group(ratings.counts))
    systems, (overall,) = cells.compute([(ratings.counts, group) for group in groups])
    return systems, overall

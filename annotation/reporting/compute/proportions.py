"""The proportions of the systems alone: for pages that set two choices side by side."""

from typing import Any

from ..data.table import RatingTable
from .breakdowns import by_system
from .cells import Cells, all_together

Row = dict[str, Any]


def proportions(ratings: RatingTable, cells: Cells) -> tuple[list[Row], Row]:
    """Return the cells of the systems, and of all together, as the report has them."""
    groups = (by_system(ratings), all_together(ratings.counts))
    systems, (overall,) = cells.of_all([(ratings.counts, group) for group in groups])
    return systems, overall

"""The proportions alone, under some choices: for pages that set two choices side by side."""

from typing import Any

from ...models import Project
from ..choices import Choices
from ..data.report_input import read_counts, read_report_input
from ..data.table import canonical_json
from ..live_cache import kept
from .breakdowns import by_system
from .cells import all_together, cells_of

Row = dict[str, Any]


def proportions_under(project: Project, choices: Choices, *, resampled: bool = True) -> tuple[list[Row], Row]:
    """The cells of the systems, and of all together, as the report under `choices` has them; without `resampled` in
    closed form, at once. Computed once for the same data.
    """
    what = f"proportions {canonical_json(choices.as_params())} {resampled}"
    return kept(project, what, lambda: _proportions_under(project, choices, resampled))


def _proportions_under(project: Project, choices: Choices, resampled: bool) -> tuple[list[Row], Row]:
    if choices.needs_ratings:
        ratings = read_report_input(project, choices).table
    else:
        ratings, _ = read_counts(project, choices)
    cells = cells_of(project.protocol.definition, ratings, choices if resampled else None)
    groups = (by_system(ratings), all_together(ratings.counts))
    systems, (overall,) = cells.of_all([(ratings.counts, of) for of in groups])
    return systems, overall

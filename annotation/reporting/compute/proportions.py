"""The proportions alone, under some choices: for pages that set two choices side by side."""

from typing import Any

from ...models import Project
from ..choices import Choices
from ..data.report_input import read, read_tallies
from ..data.tallies import canonical
from ..live_cache import kept
from .breakdowns import by_system
from .cells import all_together, cells_of

Row = dict[str, Any]


def proportions_under(project: Project, choices: Choices, *, resampled: bool = True) -> tuple[list[Row], Row]:
    """The cells of the systems, and of all together, as the report under `choices` has them; without `resampled` in
    closed form, at once. Computed once for the same data.
    """
    what = f"proportions {canonical(choices.as_params())} {resampled}"
    return kept(project, what, lambda: _proportions_under(project, choices, resampled))


def _proportions_under(project: Project, choices: Choices, resampled: bool) -> tuple[list[Row], Row]:
    tallies = read(project, choices).tallies if choices.needs_ratings else read_tallies(project, choices)
    cells = cells_of(project.protocol.definition, tallies, choices if resampled else None)
    groups = (by_system(tallies), all_together(tallies.entries))
    systems, (overall,) = cells.of_all([(tallies.entries, of) for of in groups])
    return systems, overall

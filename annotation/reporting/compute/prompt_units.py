"""Intervals with prompts as the sampling unit, beside those over documents.

Where documents are the unit, a report is about further documents. The same figures with prompts as the unit are about
further prompts on these documents; their intervals are usually narrower.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from msgspec.structs import replace

from ..choices import DOCUMENT, Choices
from ..data.table import RatingTable
from ..report import Bounds, Cell, Comparison, MeasureProportion, ScoreEstimate
from .breakdowns import by_system
from .cells import Cells, cells_of, one_group
from .scores import cells_with_scores

Figure = TypeVar("Figure", MeasureProportion, ScoreEstimate)
Compare = Callable[[RatingTable, Cells, Choices], list[Comparison]]


class PromptUnits:
    """The same ratings with prompts as clusters; without effect where they are the clusters already."""

    def __init__(self, ratings: RatingTable, cells: Cells, choices: Choices):
        self.applies = ratings.responses.cluster == DOCUMENT
        self.ratings = ratings.with_prompts_as_clusters() if self.applies else ratings
        self.cells = cells_of(cells.protocol, self.ratings, choices) if self.applies else cells
        self.choices = choices

    def add_to_cells(self, overall: Cell, systems: Sequence[Cell]) -> tuple[Cell, list[Cell]]:
        """Return the cells with `by_prompt` in each measure and score."""
        if not self.applies:
            return overall, list(systems)
        counts = self.ratings.counts
        groups = [(counts, one_group(counts)), (counts, by_system(self.ratings))]
        (overall_by_prompt,), systems_by_prompt = cells_with_scores(self.cells, groups)
        pairs = zip(systems, systems_by_prompt, strict=True)
        return _with_bounds(overall, overall_by_prompt), [_with_bounds(*pair) for pair in pairs]

    def add_to_comparisons(self, compared: Sequence[Comparison], compare: Compare) -> list[Comparison]:
        """Return the comparisons, which are those of `compare`, with `by_prompt`."""
        if not self.applies or not compared:
            return list(compared)
        by_prompt = compare(self.ratings, self.cells, self.choices)
        return [
            replace(row, by_prompt=Bounds(other.low, other.high, other.method or "none"))
            for row, other in zip(compared, by_prompt, strict=True)
        ]


def _with_bounds(cell: Cell, by_prompt: Cell) -> Cell:
    measures = _with_prompt_bounds(cell.measures, by_prompt.measures)
    scores = _with_prompt_bounds(cell.scores or {}, by_prompt.scores or {}) or None
    return replace(cell, measures=measures, scores=scores)


def _with_prompt_bounds(figures: Mapping[str, Figure], others: Mapping[str, Figure]) -> dict[str, Figure]:
    pairs = zip(figures.items(), others.values(), strict=True)
    return {
        key: replace(figure, by_prompt=Bounds(other.low, other.high, other.method)) for (key, figure), other in pairs
    }

"""Intervals with prompts as the sampling unit, beside those over documents.

Where documents are the unit, a report is about further documents. The same figures with prompts as the unit are about
further prompts on these documents; their intervals are usually narrower.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from ..choices import DOCUMENT, Choices
from ..data.table import RatingTable
from ..report import Bounds, Cell, Comparison, MeasureProportion
from .breakdowns import by_system
from .cells import Cells, cells_of, one_group
from .comparisons import comparisons


class PromptUnits:
    """The same ratings with prompts as clusters; without effect where they are the clusters already."""

    def __init__(self, ratings: RatingTable, cells: Cells, choices: Choices):
        self.applies = ratings.responses.cluster == DOCUMENT
        self.ratings = ratings.with_prompts_as_clusters() if self.applies else ratings
        self.cells = cells_of(cells.protocol, self.ratings, choices) if self.applies else cells
        self.choices = choices

    def add_to_cells(self, overall: Cell, systems: Sequence[Cell]) -> tuple[Cell, list[Cell]]:
        """Return the cells with `by_prompt` in each measure."""
        if not self.applies:
            return overall, list(systems)
        counts = self.ratings.counts
        groups = [(counts, one_group(counts)), (counts, by_system(self.ratings))]
        (overall_by_prompt,), systems_by_prompt = self.cells.compute(groups)
        pairs = zip(systems, systems_by_prompt, strict=True)
        return _with_bounds(overall, overall_by_prompt), [_with_bounds(*pair) for pair in pairs]

    def add_to_comparisons(self, compared: Sequence[Comparison]) -> list[Comparison]:
        """Return the comparisons with `by_prompt`."""
        if not self.applies or not compared:
            return list(compared)
        by_prompt = comparisons(self.ratings, self.cells, self.choices)
        return [
            replace(row, by_prompt=Bounds(other.low, other.high, other.method or "none"))
            for row, other in zip(compared, by_prompt, strict=True)
        ]


def _with_bounds(cell: Cell, by_prompt: Cell) -> Cell:
    pairs = zip(cell.measures.items(), by_prompt.measures.values(), strict=True)
    return replace(cell, measures={key: _with_prompt_bounds(measure, other) for (key, measure), other in pairs})


def _with_prompt_bounds(measure: MeasureProportion, other: MeasureProportion) -> MeasureProportion:
    return replace(measure, by_prompt=Bounds(other.low, other.high, other.method))

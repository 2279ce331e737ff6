"""Systems of whose ratings one document has a large part: figures that weight ratings alike are largely about it."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import numpy as np
from msgspec.structs import replace

from ....stats.proportions import count_table
from ...choices import DOCUMENT, Choices
from ...data.groups import Cells, by_system, cells_of, one_group
from ...data.table import RatingTable
from ...parts import Bounds, Cell, MeasureProportion, ScoreEstimate
from ..differences.figures import Comparison
from ..scores.figures import cells_with_scores

MOST = 0.25
"""A larger share of a system's ratings about one document is reported."""


def concentration(ratings: RatingTable) -> dict[str, float] | None:
    """Return by system the largest share of its ratings that are about one document with several prompts, where it is
    above MOST; None without any.
    """
    responses, counts = ratings.responses, ratings.counts
    prompts = Counter(document for document in responses.documents if document is not None)
    number = {document: i for i, document in enumerate(key for key, n in prompts.items() if n > 1)}
    others = len(number)
    unit_of_prompt = np.array([number.get(document or "", others) for document in responses.documents], dtype=np.int64)
    unit = unit_of_prompt[responses.prompt_of[counts.response]]
    shape = (len(responses.systems), others + 1)
    n = count_table(responses.system_of[counts.response], unit, shape, counts.n)
    shares = n[:, :others].max(axis=1, initial=0) / np.maximum(n.sum(axis=1), 1)
    return {
        system: share for system, share in zip(responses.systems, shares.tolist(), strict=True) if share > MOST
    } or None


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

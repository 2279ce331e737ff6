"""The proportions of all ratings, of systems and of breakdowns, and systems about one document for a large part."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np
from msgspec.structs import replace

from ....stats.bootstrap import cache_sums
from ....stats.proportions import count_table
from ...data.groups import Groups, breakdowns, name_of
from ...data.study import Study
from ...data.table import RatingTable
from ...parts import Bounds, Cell, Fields, MeasureProportion, ScoreEstimate
from ..means.figures import with_means

MOST = 0.25
"""A larger share of a system's ratings about one document is reported."""


def proportions_fields(study: Study) -> Fields:
    """Return the cells of all ratings, systems and breakdowns, computed together; by rater and week only from single
    ratings. Where documents are the sampling units, the first two have bounds by prompt, too.
    """
    if study.cells.resamples:  # once for the proportions, comparisons and ranks
        of_measures = map(study.counts_by_system, study.protocol.measures)
        k, n = (np.concatenate(side) for side in zip(*of_measures, strict=True))
        cache_sums(k, n, study.cells.resamples)
    by_name = dict(breakdowns(study.ratings))
    (overall,), systems, *by = _cells(study, [study.all_ratings, study.by_system, *by_name.values()])
    if study.by_prompt is not None:
        (overall_by_prompt,), others = _cells(study.by_prompt, [study.by_prompt.all_ratings, study.by_prompt.by_system])
        overall = _with_bounds(overall, overall_by_prompt)
        systems = [_with_bounds(*pair) for pair in zip(systems, others, strict=True)]
    responses, counts = study.ratings.responses, study.ratings.counts
    by_prompt = np.bincount(responses.prompt_of[counts.response], counts.n, minlength=len(responses.prompts))
    without_value = {
        name_of(key): int(by_prompt[np.array([not each for each in values], dtype=bool)].sum())
        for key, values in responses.values.items()
    }
    return {
        "overall": overall,
        "systems": systems,
        "by": dict(zip(by_name, by, strict=True)),
        "multi_valued": [
            name_of(key) for key, values in responses.values.items() if any(len(each) > 1 for each in values)
        ],
        "without_value": {name: n for name, n in without_value.items() if n},
        "concentration": concentration(study.ratings),
    }


def _cells(study: Study, divisions: Sequence[Groups]) -> list[list[Cell]]:
    return [
        with_means(study.cells, groups, cells)
        for groups, cells in zip(divisions, study.cells.compute(divisions), strict=True)
    ]


def concentration(ratings: RatingTable) -> dict[str, float] | None:
    """Return by system the largest share of its ratings that are about one document with several prompts, where it is
    above MOST, so that figures which weight ratings alike are largely about it; None without any.
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


def _with_bounds(cell: Cell, by_prompt: Cell) -> Cell:
    measures = _with_prompt_bounds(cell.measures, by_prompt.measures)
    scores = _with_prompt_bounds(cell.scores or {}, by_prompt.scores or {}) or None
    return replace(cell, measures=measures, scores=scores)


def _with_prompt_bounds(figures: Mapping[str, Figure], others: Mapping[str, Figure]) -> dict[str, Figure]:
    pairs = zip(figures.items(), others.values(), strict=True)
    return {
        key: replace(figure, by_prompt=Bounds(other.low, other.high, other.method)) for (key, figure), other in pairs
    }

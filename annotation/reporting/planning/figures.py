"""Figures of a project's ratings for planning more ratings; a usual value where there are none."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ...models import Item
from ...stats.nested_correlations import nested_correlations, rater_correlation, squared_variation, unit_correlation
from ..choices import DOCUMENT
from ..data.arrays import Indices, Mask
from ..data.project_items import ProjectSize
from ..data.sample import sample_weights
from ..data.study import Study
from ..data.table import RatingTable

MIN_SHARE = 0.02  # a share of 0 or 1 so far will hardly stay there: plans take it as 2 or 98 %
MAX_LEFT_OUT = 0.99
DIGITS = 3  # of a figure, in forms as in plans

DEFAULTS: dict[str, float] = {
    "share": 0.5,
    "sentences": 8,
    "variation": 1.0,
    "left_out": 0.05,
    "overlap": 1,
    "prompts_per_document": 1,
    "document_variation": 0.0,
    "icc_document": 0.05,
    "icc": 0.1,
    "icc_sentence": 0.5,
    "icc_rater": 0.0,
    "correlation": 0.0,
    "seconds": 30,
    "systems": 2,
    "raters": 3,
}
"""Figures without data of the project. A share of one half has the widest interval."""
BOUNDS: dict[str, tuple[float, float]] = {
    "half_width": (0.001, 0.5),
    "share": (0.01, 0.99),
    "difference": (0.001, 0.99),
    "power": (0.5, 0.999),
    "pairs": (1, 100_000),
    "prompts": (1, 10_000_000),
    "prompts_per_document": (1, 10_000),
    "document_variation": (0, 1_000),
    "unit_variation": (0, 1_000),
    "sentences": (0.1, 10_000),
    "variation": (0, 1_000),
    "left_out": (0, 0.99),
    "overlap": (1, 1_000),
    "systems": (1, 1_000),
    "raters": (1, 10_000),
    "seconds": (0.1, 36_000),
    "icc_document": (0, 1),
    "icc": (0, 1),
    "icc_sentence": (0, 1),
    "icc_rater": (0, 1),
    "correlation": (-1, 1),
}
"""The least and the largest value of each figure of a plan that somebody may give; proportions as shares."""
UNIT_VARIATION = "unit_variation"
"""A further figure, only from data: the squared coefficient of variation of one system's ratings per document."""

Figures = Mapping[str, float | None]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class RatingSummary:
    """A summary of a project's ratings: their sampling unit (None without ratings), how many documents and prompts they
    are about, how many `raters` gave them, and their figures by measure and system, by the names of DEFAULTS.
    """

    unit: str | None
    documents: int
    prompts: int
    raters: int
    by_measure: Mapping[str, Mapping[str, Figures]]


def own_figures(size: ProjectSize, rated: RatingSummary, measure: str, system: str | None) -> dict[str, float]:
    """Return the project's figures for one measure of one system, by the names of DEFAULTS, as far as there are data;
    and UNIT_VARIATION.

    Without a system, or without its ratings: those of the data set and the members.
    """
    of_system = rated.by_measure.get(measure, {}).get(system or "", {})
    figures: dict[str, float | None] = {
        **size.figures,
        "systems": size.systems or None,
        "raters": max(size.raters, rated.raters) or None,
        **{name: value for name, value in of_system.items() if value is not None},
    }
    # Rounded as the planner's form shows them, so that a plan from either is the same.
    return {
        name: float(f"{value:.{DIGITS}g}")
        for name, value in figures.items()
        if value is not None and (name in DEFAULTS or name == UNIT_VARIATION)
    }


def unit_of(size: ProjectSize, rated: RatingSummary) -> str:
    """Return the sampling unit to plan: that of the ratings, without ratings that of the data set."""
    return rated.unit or size.unit


def summarize_ratings(study: Study) -> RatingSummary:
    """Return shares, lengths, correlations and time by measure and system; none without ratings.

    Shares are weighted where items were drawn with unequal probabilities, as estimates from the sample are; lengths and
    correlations are those of the rated items.
    """
    ratings = study.by_raters.with_turned_answers()
    if not len(ratings.item):
        return RatingSummary(None, 0, 0, 0, {})
    correlations = _between_systems(study)
    weights = sample_weights(study.project, ratings.items.item_id)
    weight = np.ones(len(ratings.item)) if weights is None else weights[ratings.item]
    by_measure = {
        measure.key: {
            system: {
                **_system_figures(ratings, study.cells.masks(measure), number, weight),
                "correlation": correlations[measure.key],
            }
            for number, system in enumerate(ratings.responses.systems)
        }
        for measure in study.protocol.measures
    }
    responses = ratings.responses
    sizes = responses.document_count, len(responses.prompts), len(ratings.raters)
    return RatingSummary(responses.cluster, *sizes, by_measure)


def _system_figures(ratings: RatingTable, masks: tuple[Mask, Mask], system: int, weight: Floats) -> Figures:
    rows = np.flatnonzero(ratings.responses.system_of[ratings.response] == system)
    if not len(rows):
        return {}
    hits, among = (mask[ratings.answer[rows]] for mask in masks)
    item, prompt = ratings.item[rows], ratings.item_prompt[ratings.item[rows]]
    prompts, items = len(np.unique(prompt)), len(np.unique(item))
    assessed, w = int(among.sum()), weight[rows]
    times = ratings.seconds[rows][np.isfinite(ratings.seconds[rows])]
    figures = {
        "share": min(max(w @ hits / (w @ among), MIN_SHARE), 1 - MIN_SHARE) if assessed else None,
        "sentences": items / prompts,
        "variation": squared_variation(np.bincount(np.unique(prompt, return_inverse=True)[1], among)),
        "left_out": min(1 - w @ among / w.sum(), MAX_LEFT_OUT),
        "overlap": len(rows) / items,
        "seconds": float(np.median(times)) if len(times) else None,
        **_correlations(ratings, rows[among], hits[among]),
    }
    if ratings.responses.cluster == DOCUMENT:
        unit_of_prompt = ratings.responses.cluster_of
        prompts_of_units = np.unique(unit_of_prompt[np.unique(prompt)], return_counts=True)[1]
        ratings_of_units = np.bincount(np.unique(unit_of_prompt[prompt], return_inverse=True)[1], among)
        figures |= {
            "prompts_per_document": float(prompts_of_units.mean()),
            "document_variation": squared_variation(prompts_of_units),
            # Where long responses are about the same documents this is greater than prompts and lengths give.
            UNIT_VARIATION: squared_variation(ratings_of_units),
        }
    return figures


def _correlations(ratings: RatingTable, rows: Indices, hits: Mask) -> dict[str, float | None]:
    """Return the intraclass correlations of one system's assessed ratings; below 0 counts as 0, as more ratings will
    hardly stay below. `least_icc` is the smallest before that.
    """
    item = ratings.item[rows]
    unit, prompt = ratings.item_cluster[item], ratings.item_prompt[item]
    nested = nested_correlations(hits, [unit, prompt, item])
    correlations = {
        **dict(zip(("icc_document", "icc", "icc_sentence"), nested, strict=True)),
        "icc_rater": rater_correlation(hits, ratings.rater[rows], unit),
    }
    within = {name: None if value is None else min(max(0.0, value), 1.0) for name, value in correlations.items()}
    return within | {"least_icc": min((value for value in nested if value is not None), default=None)}


def _between_systems(study: Study) -> dict[str, float | None]:
    """Return for each measure the mean correlation of two systems' results by unit, over the pairs of systems."""
    if study.protocol.unit == Item.Unit.PAIR:
        return {measure.key: None for measure in study.protocol.measures}
    means: dict[str, float | None] = {}
    for measure in study.protocol.measures:
        k, n = study.counts_by_system(measure)
        correlations = [unit_correlation(k[a], n[a], k[b], n[b]) for a, b in combinations(range(len(k)), 2)]
        defined = [value for value in correlations if value is not None]
        means[measure.key] = sum(defined) / len(defined) if defined else None
    return means

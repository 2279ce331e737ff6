"""Figures of a project's ratings for planning more ratings; a usual value where there are none."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ...models import Item
from ...stats.nested_correlations import nested_correlations, rater_correlation, squared_variation, unit_correlation
from ..choices import DOCUMENT
from ..data.arrays import Indices, Mask
from ..data.groups import Cells, by_system
from ..data.project_items import ProjectSize
from ..data.report_input import ReportInput
from ..data.sample import sample_weights
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
UNIT_VARIATION = "unit_variation"
"""A further figure, only from data: the squared coefficient of variation of one system's ratings per document."""

Figures = Mapping[str, float | None]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Figure:
    """A number to plan with; unless `is_default`, it comes from the project's data."""

    value: float
    is_default: bool


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


def planning_figures(size: ProjectSize, rated: RatingSummary, measure: str, system: str | None) -> dict[str, Figure]:
    """Return the figures for one measure of one system, by the names of DEFAULTS: the project's or the default; and
    UNIT_VARIATION, if data have it.

    Without a system, or without its ratings: those of the data set and the members.
    """
    figures: dict[str, float | None] = {
        **size.figures,
        "systems": size.systems or None,
        "raters": max(size.raters, rated.raters) or None,
        **_defined(rated.by_measure.get(measure, {}).get(system or "", {})),
    }
    observed = figures.get(UNIT_VARIATION)
    of_units = {} if observed is None else {UNIT_VARIATION: _figure(observed, 0.0)}
    return {name: _figure(figures.get(name), default) for name, default in DEFAULTS.items()} | of_units


def unit_of(size: ProjectSize, rated: RatingSummary) -> str:
    """Return the sampling unit to plan: that of the ratings, without ratings that of the data set."""
    return rated.unit or size.unit


def summarize_ratings(report_input: ReportInput, cells: Cells) -> RatingSummary:
    """Return shares, lengths, correlations and time by measure and system; none without ratings.

    Shares are weighted where items were drawn with unequal probabilities, as estimates from the sample are; lengths and
    correlations are those of the rated items.
    """
    ratings = report_input.by_raters.with_turned_answers()
    if not len(ratings.item):
        return RatingSummary(None, 0, 0, 0, {})
    correlations = _between_systems(report_input.table, cells)
    weights = sample_weights(report_input.project, ratings.items.item_id)
    weight = np.ones(len(ratings.item)) if weights is None else weights[ratings.item]
    by_measure = {
        measure.key: {
            system: {
                **_system_figures(ratings, cells.masks(measure), number, weight),
                "correlation": correlations[measure.key],
            }
            for number, system in enumerate(ratings.responses.systems)
        }
        for measure in cells.protocol.measures
    }
    responses = ratings.responses
    sizes = responses.document_count, len(responses.prompts), len(ratings.raters)
    return RatingSummary(responses.cluster, *sizes, by_measure)


def _system_figures(ratings: RatingTable, masks: tuple[Mask, Mask], system: int, weight: Floats) -> Figures:
    """Return the figures of one system for the measure with these `masks`; `weight` is that of each rating."""
    rows = np.flatnonzero(ratings.responses.system_of[ratings.response] == system)
    if not len(rows):
        return {}
    hits, among = (mask[ratings.answer[rows]] for mask in masks)
    item, prompt = ratings.item[rows], ratings.item_prompt[ratings.item[rows]]
    prompts, items = len(np.unique(prompt)), len(np.unique(item))
    assessed, w = int(among.sum()), weight[rows]
    times = ratings.seconds[rows][np.isfinite(ratings.seconds[rows])]
    return {
        "share": min(max(w @ hits / (w @ among), MIN_SHARE), 1 - MIN_SHARE) if assessed else None,
        "sentences": items / prompts,
        "variation": squared_variation(np.bincount(np.unique(prompt, return_inverse=True)[1], among)),
        "left_out": min(1 - w @ among / w.sum(), MAX_LEFT_OUT),
        "overlap": len(rows) / items,
        "seconds": float(np.median(times)) if len(times) else None,
        **_document_figures(ratings, prompt, among),
        **_correlations(ratings, rows[among], hits[among]),
    }


def _document_figures(ratings: RatingTable, prompt: Indices, among: Mask) -> Figures:
    """Return the mean and the variation of the prompts per document, of the prompts that ratings are about, and the
    variation of the ratings `among` a measure: where long responses are about the same documents it is greater than
    that of the prompts and the lengths.
    """
    if ratings.responses.cluster != DOCUMENT:
        return {}
    unit_of_prompt = ratings.responses.cluster_of
    units = np.unique(unit_of_prompt[np.unique(prompt)], return_counts=True)[1]
    sizes = np.bincount(np.unique(unit_of_prompt[prompt], return_inverse=True)[1], among)
    return {
        "prompts_per_document": float(units.mean()),
        "document_variation": squared_variation(units),
        UNIT_VARIATION: squared_variation(sizes),
    }


def _correlations(ratings: RatingTable, rows: Indices, hits: Mask) -> Figures:
    """Return the intraclass correlations of one system's assessed ratings; below 0 counts as 0, as more ratings will
    hardly stay below. `least_icc` is the smallest before that.
    """
    item = ratings.item[rows]
    unit, prompt = ratings.item_cluster[item], ratings.item_prompt[item]
    names = ("icc_document", "icc", "icc_sentence")
    correlations: dict[str, float | None] = dict(
        zip(names, nested_correlations(hits, [unit, prompt, item]), strict=True)
    )
    least = min((value for value in correlations.values() if value is not None), default=None)
    correlations["icc_rater"] = rater_correlation(hits, ratings.rater[rows], unit)
    within = {name: None if value is None else min(max(0.0, value), 1.0) for name, value in correlations.items()}
    return within | {"least_icc": least}


def _between_systems(ratings: RatingTable, cells: Cells) -> dict[str, float | None]:
    """Return for each measure the mean correlation of two systems' results by unit, over the pairs of systems."""
    if cells.protocol.unit == Item.Unit.PAIR:
        return {measure.key: None for measure in cells.protocol.measures}
    tables = cells.measures_by_cluster(ratings.counts, by_system(ratings))
    return {
        measure.key: _mean(
            unit_correlation(k[a], n[a], k[b], n[b]) for a, b in combinations(range(len(ratings.responses.systems)), 2)
        )
        for measure, (k, n) in zip(cells.protocol.measures, tables, strict=True)
    }


def _mean(values: Iterable[float | None]) -> float | None:
    defined = [value for value in values if value is not None]
    return sum(defined) / len(defined) if defined else None


def _defined(figures: Figures) -> Figures:
    return {name: value for name, value in figures.items() if value is not None}


def _figure(value: float | None, default: float) -> Figure:
    return Figure(default, True) if value is None else Figure(_rounded(float(value)), False)


def _rounded(value: float) -> float:
    """Round to the digits that the planner's form shows, so that a plan from either is the same."""
    return float(f"{value:.{DIGITS}g}")

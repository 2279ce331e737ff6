"""Figures of a project's ratings for planning more ratings, and its intervals against its target."""

from dataclasses import dataclass

import numpy as np
from msgspec import UNSET

from ...stats import planning as stats
from ...stats.agreement import agreement as coefficients
from ...stats.planning import Correlations, Design
from ...stats.proportions import count_table
from ..data.arrays import Indices
from ..data.project_size import ProjectSize
from ..data.report_input import ReportInput
from ..data.table import RatingTable
from ..report import MeasureProportion, Report
from .cells import Cells

RATERS_COMPARED = (1, 2, 3, 5)
"""Raters per sentence, one for each row of the planner's table."""
MIN_SHARE = 0.02  # a share of 0 or 1 so far will hardly stay there: plans take it as 2 or 98 %

DEFAULTS: dict[str, float] = {
    "share": 0.5,
    "sentences": 8,
    "left_out": 0.05,
    "icc": 0.1,
    "icc_sentence": 0.5,
    "icc_rater": 0.0,
    "seconds": 30,
    "systems": 2,
    "raters": 3,
}
"""Figures without data of the project. A share of one half has the widest interval."""


@dataclass(frozen=True)
class Figure:
    """A number to plan with; unless `is_default`, it comes from the project's data."""

    value: float
    is_default: bool


@dataclass(frozen=True)
class RatingSummary:
    """A summary of a project's ratings for one measure: how many `raters` gave them, `figures` by the names of
    DEFAULTS, how `alike` those of one sentence are (Krippendorff's alpha), and their mean design, None without ratings.
    """

    raters: int
    figures: dict[str, float | None]
    alike: float | None
    so_far: Design | None


@dataclass(frozen=True)
class HalfWidth:
    """The interval of a system's proportion against a target.

    `half_width` is half the interval's width, None without one; `met` whether it is within the target; `prompts` how
    many prompts in total would reach it if they are like those so far (width falls with the square root). Both are None
    without a target or an interval.
    """

    system: str
    measure: str
    value: float | None
    low: float | None
    high: float | None
    half_width: float | None
    met: bool | None
    prompts: int | None


def half_widths(report: Report, target: float | None) -> list[HalfWidth]:
    """Compare each system's intervals with a target, system by system and measure by measure."""
    return [
        _half_width(str(cell.system), key, measure, target, report.data.prompts)
        for cell in report.systems
        for key, measure in cell.measures.items()
    ]


def _half_width(system: str, key: str, p: MeasureProportion, target: float | None, prompts: int) -> HalfWidth:
    half = None if p.low is None or p.high is None else (p.high - p.low) / 2
    if half is None or target is None:
        return HalfWidth(system, key, p.value, p.low, p.high, half, None, None)
    met = half <= target
    needed = prompts if met else max(prompts, int(np.ceil(prompts * (half / target) ** 2)))
    return HalfWidth(system, key, p.value, p.low, p.high, half, met, needed)


def planning_figures(size: ProjectSize, measure: str, report: Report, rated: RatingSummary) -> dict[str, Figure]:
    """Return the planning figures for one measure by the names of DEFAULTS: the project's or the default.

    `report` is the live report, `rated` the summary of the ratings.
    """
    figures = {
        "sentences": size.sentences,
        "systems": size.systems or None,
        "raters": max(size.raters, rated.raters) or None,
        **rated.figures,
        "icc": _between_items(rated, _within_systems(report, measure)),
    }
    return {name: _figure(figures.get(name), default) for name, default in DEFAULTS.items()}


def _figure(value: float | None, default: float) -> Figure:
    return Figure(default, True) if value is None else Figure(float(value), False)


def summarize_ratings(report_input: ReportInput, cells: Cells, measure: str) -> RatingSummary:
    """Return shares, correlations and time; none without ratings."""
    ratings = report_input.by_raters.with_turned_answers()
    if not len(ratings.item):
        return RatingSummary(len(ratings.raters), {}, None, None)
    hits, among = (mask[ratings.answer] for mask in cells.masks(cells.protocol.measure(measure)))
    n, k = int(among.sum()), int(hits.sum())
    items = count_table(ratings.item, np.where(among, hits, -1), (len(ratings.items), 2))
    item = coefficients(items).krippendorff_alpha
    rater = stats.rater_correlation(hits[among], ratings.rater[among], ratings.item_cluster[ratings.item[among]])
    times = ratings.seconds[np.isfinite(ratings.seconds)]
    figures = {
        "share": min(max(k / n, MIN_SHARE), 1 - MIN_SHARE) if n else None,
        "left_out": 1 - n / len(among),
        "icc_sentence": None if item is None else max(0.0, item),
        "icc_rater": None if rater is None else max(0.0, rater),
        "seconds": float(np.median(times)) if len(times) else None,
    }
    return RatingSummary(len(ratings.raters), figures, item, _current_design(ratings, items))


def _between_items(rated: RatingSummary, icc: float | None) -> float | None:
    """Return the correlation of ratings of different sentences of a response, from `icc` of all its ratings."""
    if icc is None or rated.so_far is None:
        return None
    return stats.between_items(icc, icc if rated.alike is None else rated.alike, rated.so_far)


def _current_design(ratings: RatingTable, items: Indices) -> Design:
    """Return the mean design of the current ratings: `items` counts them, (items, 2)."""
    rated = max(1, int(np.count_nonzero(items.sum(axis=1))))
    return Design(items=rated / len(np.unique(ratings.items.response)), raters=max(1, round(int(items.sum()) / rated)))


def _within_systems(report: Report, measure: str) -> float | None:
    """Return the intraclass correlation of the ratings of a response: the systems' mean, weighted by their ratings."""
    proportions = [cell.measures[measure] for cell in report.systems]
    weighted = [(p.icc, p.n) for p in proportions if p.icc is not None and p.icc is not UNSET]
    total = sum(n for _, n in weighted)
    return sum(icc * n for icc, n in weighted) / total if total else None


def design_of(figures: dict[str, float], raters: int) -> Design:
    """Return one system's part of a prompt: its assessed sentences, each by `raters`."""
    return Design(items=figures["sentences"] * (1 - figures["left_out"]), raters=raters)


def correlations_of(figures: dict[str, float]) -> Correlations:
    """Return the correlations to plan with; sentences of a prompt cannot be more alike than ratings of one sentence."""
    return Correlations(figures["icc"], max(figures["icc"], figures["icc_sentence"]), figures["icc_rater"])

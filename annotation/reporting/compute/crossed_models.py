"""The crossed random-effects model of each measure: about raters, prompts and documents in general.

It is fitted to the raters' own answers: an adjudication is no rater's. Figures are rounded to six significant digits,
because the last digits of the search depend on the processor and its linear algebra, and the bytes of a report must
not.
"""

from collections.abc import Callable

import numpy as np

from ...models import Item
from ...protocols import Measure
from ...stats.crossed_model import Ratings, crossed_model
from ...stats.crossed_results import CrossedFit
from ..data.arrays import Indices, indices
from ..data.table import RatingTable
from ..report import CrossedModel, MarginalProportion, OddsRatio, VarianceComponent
from .cells import LEVEL, Cells, Mask

MAX_RATINGS = 50_000
"""With more ratings no model is fitted: one of this size takes about half a minute for each measure …"""
MAX_RATERS = 500
"""… nor with more raters: the time grows with their third power."""
DIGITS = 6


def crossed_models(
    ratings: RatingTable, cells: Cells, progress: Callable[[], None] = lambda: None
) -> list[CrossedModel]:
    """Fit a model for each measure of the protocol; none if ratings are about pairs of systems.

    `ratings`: the raters' own answers. `progress` is called often and may raise to stop.
    """
    if cells.protocol.unit == Item.Unit.PAIR:
        return []
    return [_model(measure, ratings, cells, progress) for measure in cells.protocol.measures]


def _model(measure: Measure, ratings: RatingTable, cells: Cells, progress: Callable[[], None]) -> CrossedModel:
    hits, among = cells.masks(measure)
    used = among[ratings.answer]
    used_systems, system = np.unique(_systems(ratings)[used], return_inverse=True)
    if _is_too_large(ratings, used):
        return _in_report(measure, CrossedFit("not fitted", int(used.sum()), "too many ratings"), [])
    groupings = {name: levels[used] for name, levels in _groupings(ratings).items()}
    rows = Ratings.of(hits[ratings.answer][used], system, len(used_systems), groupings)
    names = [ratings.responses.systems[number] for number in used_systems.tolist()]
    return _in_report(measure, crossed_model(rows, level=LEVEL, progress=progress), names)


def _is_too_large(ratings: RatingTable, used: Mask) -> bool:
    return int(used.sum()) > MAX_RATINGS or len(ratings.raters) > MAX_RATERS


def _systems(ratings: RatingTable) -> Indices:
    return ratings.responses.system_of[ratings.response]


def _groupings(ratings: RatingTable) -> dict[str, Indices]:
    """Return the level of every rating; a prompt without a document is a document of its own, unless all are."""
    prompt = ratings.responses.prompt_of[ratings.response]
    groupings = {"prompt": prompt, "response": ratings.response, "item": ratings.item, "rater": ratings.rater}
    if any(document is not None for document in ratings.responses.documents):
        groupings["document"] = _document_of(ratings)[prompt]
    return groupings


def _document_of(ratings: RatingTable) -> Indices:
    """Return the number of the document of each prompt."""
    names = [
        (document is None, prompt if document is None else document)
        for prompt, document in zip(ratings.responses.prompts, ratings.responses.documents, strict=True)
    ]
    number = {name: i for i, name in enumerate(sorted(set(names)))}
    return indices(number[name] for name in names)


def _in_report(measure: Measure, fit: CrossedFit, systems: list[str]) -> CrossedModel:
    return CrossedModel(
        measure=measure.key,
        ratings=fit.ratings,
        status=fit.status,
        reason=fit.reason,
        log_likelihood=None if fit.log_likelihood is None else _rounded(fit.log_likelihood),
        components=[
            VarianceComponent(row.grouping, row.levels, _rounded(row.variance), row.singular) for row in fit.components
        ],
        marginal=[
            MarginalProportion(systems[row.system], _rounded(row.value), _rounded(row.low), _rounded(row.high))
            for row in fit.marginal
        ],
        odds_ratios=[
            OddsRatio(
                systems[row.a],
                systems[row.b],
                value=_rounded(row.value),
                low=_rounded(row.low),
                high=_rounded(row.high),
                p=_rounded(row.p),
                p_holm=None if row.p_holm is None else _rounded(row.p_holm),
            )
            for row in fit.odds_ratios
        ],
        dropped=dict(fit.dropped) or None,
        separated=[systems[number] for number in fit.separated] or None,
    )


def _rounded(value: float) -> float:
    """Return the value with DIGITS significant digits."""
    return float(f"{value:.{DIGITS}g}")

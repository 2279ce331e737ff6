"""The crossed random-effects model of each measure: about raters, prompts and documents in general.

It is fitted to the raters' own answers: an adjudication is no rater's. Where the Laplace approximation gives the
variance between items no reliable estimate, the model is that of one answer per item, the majority. Figures are rounded
to six significant digits, because the last digits of the search depend on the processor and its linear algebra, and the
bytes of a report must not.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, NamedTuple

import msgspec
import numpy as np
from msgspec import Meta

from ....models import Item
from ....protocols import Measure
from ....stats.crossed_model import Ratings, crossed_model
from ....stats.crossed_results import NOT_FITTED, CrossedFit
from ...data.arrays import Indices, indices, order_by_answers
from ...data.groups import LEVEL, Cells, Mask
from ...data.study import Study
from ...data.table import RatingTable
from ...parts import Count, Fields, Fraction, Part
from ..aggregations.figures import MAJORITIES, votes_on


class VarianceComponent(Part, frozen=True):
    """The variance of one grouping's random effects, on the logit scale."""

    grouping: Annotated[str, Meta(description="`document`, `prompt`, `response`, `item` or `rater`.")]
    levels: Count
    variance: float
    singular: Annotated[bool, Meta(description="Whether the estimate lies on the boundary, 0.")] = False


class MarginalProportion(Part, frozen=True):
    """The proportion of a system that the model implies, averaged over its random effects."""

    system: str
    value: Fraction
    low: Fraction | None
    high: Fraction | None


class OddsRatio(Part, frozen=True):
    """The odds of the measure under system a over those under system b."""

    a: str
    b: str
    value: float
    low: float | None
    high: float | None
    p: Fraction | None
    p_holm: Fraction | None


class CrossedModel(Part, frozen=True, kw_only=True):
    """A logistic model of one measure with crossed random effects: system fixed, other groupings random.

    Its inference is about raters, documents and prompts in general. `status`: `fitted`, `singular` (some variance is
    0), or `not fitted` with the reason; then all lists are empty. Figures have six significant digits. `fitted_to`:
    the single ratings or, where the Laplace approximation gives the variance between items no reliable estimate, one
    answer for each item, the majority; then `ratings` are items with a majority, and the inference is not about raters
    in general.
    """

    measure: str
    ratings: Count
    status: Annotated[str, Meta(extra_json_schema={"enum": ["fitted", "singular", "not fitted"]})]
    reason: str | None = None
    log_likelihood: float | None
    components: Sequence[VarianceComponent]
    marginal: Sequence[MarginalProportion]
    odds_ratios: Sequence[OddsRatio]
    dropped: Annotated[
        Mapping[str, str] | None, Meta(description="Groupings that the model has not, with the reason.")
    ] = None
    separated: Annotated[
        Sequence[str] | None,
        Meta(description="Systems that the model has not: all or none of their ratings count."),
    ] = None
    fitted_to: Annotated[str, Meta(extra_json_schema={"enum": ["ratings", "majorities"]})] = "ratings"
    undecided: Annotated[Count | None, Meta(description="Items without a majority, in a model of majorities.")] = None

    @property
    def is_of_majorities(self) -> bool:
        """Whether its answers are the majorities of the items."""
        return self.fitted_to == MAJORITIES


MAX_RATINGS = 50_000
"""With more ratings no model is fitted: one of this size takes about half a minute for each measure …"""
MAX_RATERS = 500
"""… nor with more raters: the time grows with their third power."""
MAX_UNDECIDED = 0.15
"""If a greater share of the items has no majority, those with one are a selection: two raters who err in 5 % each leave
10 % undecided."""
DIGITS = 6


class Fitted(NamedTuple):
    """A fit, and the names of its systems by number."""

    fit: CrossedFit
    systems: list[str]


def crossed_models_fields(study: Study) -> Fields:
    """Return the models of the raters' own answers. A canceled job stops within a fit."""
    progress = study.progress
    models = crossed_models(study.by_raters, study.cells, lambda: progress(progress.done, progress.total))
    return {"crossed_models": models}


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
    if _is_too_large(ratings, used):
        return _in_report(measure, Fitted(CrossedFit(NOT_FITTED, int(used.sum()), "too many ratings"), []))
    item, hit = ratings.item[used], hits[ratings.answer][used]
    order, rater = order_by_answers(item, ratings.rater[used], hit)
    groupings = {"item": item[order], "rater": rater[order]}
    fitted = _fit(ratings, hit[order], ratings.response[used][order], groupings, progress)
    majorities = _of_majorities(measure, ratings, cells, progress) if fitted.fit.lacks_inner_variance else None
    return majorities or _in_report(measure, fitted)


def _of_majorities(
    measure: Measure, ratings: RatingTable, cells: Cells, progress: Callable[[], None]
) -> CrossedModel | None:
    """Fit the model to one answer per item, whether the measure counts most of its ratings; None where it is not
    reliable either, or where many items have no majority.
    """
    votes = votes_on(measure, ratings, cells)
    lead = 2 * votes.k - votes.n
    decided = lead != 0
    if np.count_nonzero((votes.n > 0) & ~decided) > MAX_UNDECIDED * np.count_nonzero(votes.n):
        return None
    fitted = _fit(ratings, lead[decided] > 0, ratings.items.response[decided], {}, progress)
    if not fitted.fit.is_reliable:
        return None
    model, tied = _in_report(measure, fitted), ratings.items.response[(votes.n > 0) & ~decided]
    systems = [ratings.responses.systems[number] for number in ratings.responses.system_of[tied].tolist()]
    undecided = len([system for system in systems if system not in (model.separated or ())])
    return msgspec.structs.replace(model, fitted_to=MAJORITIES, undecided=undecided)


def _fit(
    ratings: RatingTable,
    hit: Mask,
    response: Indices,
    groupings: Mapping[str, Indices],
    progress: Callable[[], None],
) -> Fitted:
    """Fit the model to some answers: arrays of shape (answers,), `groupings` beside those of the response."""
    numbers, system = np.unique(ratings.responses.system_of[response], return_inverse=True)
    answers = Ratings.of(hit, system, len(numbers), {**_groupings(ratings, response), **groupings})
    fit = crossed_model(answers, level=LEVEL, progress=progress)
    return Fitted(fit, [ratings.responses.systems[number] for number in numbers.tolist()])


def _is_too_large(ratings: RatingTable, used: Mask) -> bool:
    return int(used.sum()) > MAX_RATINGS or len(ratings.raters) > MAX_RATERS


def _groupings(ratings: RatingTable, response: Indices) -> dict[str, Indices]:
    """Return the levels of some responses; a prompt without a document is a document of its own, unless all are."""
    prompt = ratings.responses.prompt_of[response]
    groupings = {"prompt": prompt, "response": response}
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


def _in_report(measure: Measure, fitted: Fitted) -> CrossedModel:
    fit, systems = fitted
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

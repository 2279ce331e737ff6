"""The crossed random-effects model of each measure: about raters, prompts and documents in general.

It is fitted to the raters' own answers: an adjudication is no rater's. Where the Laplace approximation gives the
variance between items no reliable estimate, the model is that of one answer per item, the majority. Figures are rounded
to six significant digits, because the last digits of the search depend on the processor and its linear algebra, and the
bytes of a report must not.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from ....models import Item
from ....protocols import Measure
from ....stats.crossed_model import Ratings, crossed_model
from ....stats.crossed_results import NOT_FITTED, CrossedFit
from ...data.arrays import Indices, indices, order_by_answers
from ...data.groups import LEVEL, Mask
from ...data.study import Study
from ...parts import Count, Fields, Fraction, Part
from ..aggregations.figures import votes_on


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


MAJORITIES = "majorities"
MAX_RATINGS = 50_000
"""With more ratings no model is fitted: one of this size takes about half a minute for each measure …"""
MAX_RATERS = 500
"""… nor with more raters: the time grows with their third power."""
MAX_UNDECIDED = 0.15
"""If a greater share of the items has no majority, those with one are a selection: two raters who err in 5 % each leave
10 % undecided."""
DIGITS = 6


def crossed_models_fields(study: Study) -> Fields:
    """Return a model of each measure, fitted to the raters' own answers; none if ratings are about pairs of systems."""
    measures = () if study.protocol.unit == Item.Unit.PAIR else study.protocol.measures
    return {"crossed_models": [model_of(measure, study) for measure in measures]}


def model_of(measure: Measure, study: Study) -> CrossedModel:
    """Fit the model of one measure. A canceled job stops within a fit."""
    ratings, (hits, among) = study.by_raters, study.cells.masks(measure)
    used = among[ratings.answer]
    if used.sum() > MAX_RATINGS or len(ratings.raters) > MAX_RATERS:
        return _in_report(measure, CrossedFit(NOT_FITTED, int(used.sum()), "too many ratings"), [])
    item, hit = ratings.item[used], hits[ratings.answer][used]
    order, rater = order_by_answers(item, ratings.rater[used], hit)
    groupings = {"item": item[order], "rater": rater[order]}
    fit, systems = _fit(study, hit[order], ratings.response[used][order], groupings)
    majorities = _of_majorities(measure, study) if fit.lacks_inner_variance else None
    return majorities or _in_report(measure, fit, systems)


def _of_majorities(measure: Measure, study: Study) -> CrossedModel | None:
    """Fit the model to one answer per item, whether the measure counts most of its ratings; None where it is not
    reliable either, or where many items have no majority.
    """
    votes, response = votes_on(measure, study.by_raters, study.cells), study.by_raters.items.response
    lead = 2 * votes.k - votes.n
    tied = response[(votes.n > 0) & (lead == 0)]
    if len(tied) > MAX_UNDECIDED * np.count_nonzero(votes.n):
        return None
    fit, systems = _fit(study, lead[lead != 0] > 0, response[lead != 0], {})
    if not fit.is_reliable:
        return None
    model, responses = _in_report(measure, fit, systems), study.by_raters.responses
    tied_systems = [responses.systems[number] for number in responses.system_of[tied].tolist()]
    undecided = sum(system not in (model.separated or ()) for system in tied_systems)
    return msgspec.structs.replace(model, fitted_to=MAJORITIES, undecided=undecided)


def _fit(study: Study, hit: Mask, response: Indices, groupings: Mapping[str, Indices]) -> tuple[CrossedFit, list[str]]:
    """Fit the model to some answers, arrays of shape (answers,); `groupings` are beside those of the response. Return
    it with the names of its systems by number.
    """
    responses = study.by_raters.responses
    numbers, system = np.unique(responses.system_of[response], return_inverse=True)
    prompt = responses.prompt_of[response]
    levels = {"prompt": prompt, "response": response}
    if any(document is not None for document in responses.documents):
        # A prompt without a document is a document of its own.
        names = [
            (document is None, prompt if document is None else document)
            for prompt, document in zip(responses.prompts, responses.documents, strict=True)
        ]
        number = {name: i for i, name in enumerate(sorted(set(names)))}
        levels["document"] = indices(number[name] for name in names)[prompt]
    answers = Ratings.of(hit, system, len(numbers), {**levels, **groupings})
    progress = study.progress
    fit = crossed_model(answers, level=LEVEL, progress=lambda: progress(progress.done, progress.total))
    return fit, [responses.systems[number] for number in numbers.tolist()]


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

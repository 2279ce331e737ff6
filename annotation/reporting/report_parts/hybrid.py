"""Estimates from people's ratings of a sample and a judge's verdicts on all items."""

from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from .base import Count, Fraction, Part


class PeopleAlone(Part, frozen=True):
    """The estimate without the judge: `n` assessed ratings in `units` prompts or documents."""

    value: Fraction | None
    low: Fraction | None
    high: Fraction | None
    n: Count
    units: Count


class WeightedCell(Part, frozen=True):
    """People alone in one system, or in all where `system` is null: `rated` of the `drawn` of its `items` have a
    rating.
    """

    system: str | None
    items: Count
    drawn: Count
    rated: Count
    measures: Mapping[str, PeopleAlone]


class WeightedEstimates(Part, frozen=True, kw_only=True):
    """Estimates of people alone that are weighted for the unequal probabilities of a sample, from the ratings that the
    report counts; or the `reason` why there are none, without other fields.

    `units`: prompts or documents of all items; `sha256`: of the items and their probabilities.
    """

    reason: str | None = None
    units: Count | None = None
    sha256: str | None = None
    overall: WeightedCell | None = None
    systems: Sequence[WeightedCell] = ()
    comparisons: Sequence["HybridDifference"] = ()


class HybridMeasure(Part, frozen=True):
    """The estimate of one measure from people and judge. `judge_alone` is the judge's rate over `n_judge` items."""

    value: Fraction | None
    low: Fraction | None
    high: Fraction | None
    lambda_: Annotated[
        float, Meta(description="The weight of the judge, 0 to 1; with 0 the estimate is that of people alone.")
    ] = msgspec.field(name="lambda")
    human: PeopleAlone
    judge_alone: Annotated[Fraction | None, Meta(description="Not an estimate: no rating of a person corrects it.")]
    n_judge: Count


class HybridSystem(Part, frozen=True):
    """One system, or all together where `system` is null: `rated` of the `drawn` of its `items` have a rating."""

    system: str | None
    items: Count
    drawn: Count
    rated: Count
    measures: Mapping[str, HybridMeasure]


class HybridDifference(Part, frozen=True):
    """The difference a − b of two systems' estimates."""

    a: str
    b: str
    measure: str
    difference: float | None
    low: float | None
    high: float | None


class Hybrid(Part, frozen=True, kw_only=True):
    """The estimates with one version of a judge, NAME@N; or the `reason` why there are none, without other fields.
    `version` is 0 where there is no such judge; `judge` is then as it was asked for.

    `returned_model`: as which the judge's endpoint answered, if it names its model; `fingerprints`: number of answers
    by the system fingerprint that the endpoint named, if it does. `units`: prompts or documents, sampled or not;
    `overlap`: by which each verdict is multiplied; `verdicts`: answers of the judge about the items; `failed`: verdicts
    without one; `verdict_shown`: ratings that are not used because verdicts were shown before; `tuned`: items that are
    not used because they tuned the judge's prompt; `sha256`: of the probabilities and the judge's answers.
    """

    judge: str
    version: Count
    reason: str | None = None
    returned_model: str | None = None
    fingerprints: Mapping[str, Count] | None = None
    units: Count | None = None
    overlap: Count | None = None
    verdicts: Count | None = None
    failed: Count | None = None
    verdict_shown: Count | None = None
    tuned: Count | None = None
    sha256: str | None = None
    overall: HybridSystem | None = None
    systems: Sequence[HybridSystem] = ()
    comparisons: Sequence[HybridDifference] = ()

    @property
    def is_unfinished(self) -> bool:
        """Whether drawn items have no rating yet."""
        return self.overall is not None and self.overall.rated < self.overall.drawn

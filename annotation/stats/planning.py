"""The number of ratings, prompts and documents that an evaluation needs for an interval of a given width.

A plan has the width of the interval that the report will compute: that of Korn and Graubard with few units or events,
else ± t standard errors of the linearized ratio, with the report's degrees of freedom. Standard errors follow from the
design effect: two ratings of one sentence are more alike than two of different sentences of one response, these more
than two of different prompts about one document, and these more than two about different documents. So a further rater
on the same sentences adds less information than the same work on further prompts or documents, and unequal lengths cost
precision, as long responses count more than others. The width is the one that studies of this design have on average:
their standard errors are smaller than the true one where few units are of unequal size (`expected_se_ratio`).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from .interval_choice import method_for
from .intervals import MIN_CLUSTERS, clopper_pearson, degrees_of_freedom
from .quantiles import normal_quantile, t_quantile, two_sided

MAX_UNITS = 2**40
"""A plan for more units than this is not a plan."""


def half_width(p: float, ratings: float, *, deff: float = 1.0, level: float = 0.95) -> float:
    """Return the half-width for `ratings` assessed ones: z · sqrt(deff · p(1-p) / ratings). Raises ValueError unless p
    is from 0 to 1 and the others are above 0.
    """
    _check(p, ratings=ratings, deff=deff)
    return normal_quantile(two_sided(level)) * math.sqrt(deff * p * (1 - p) / ratings)


@dataclass(frozen=True, slots=True)
class Correlations:
    """Correlations from 0 to 1 of two ratings of one system: by two raters of one item, of different items of one
    response (`prompt`), of different prompts about one document, and by one rater of different units.
    """

    prompt: float
    item: float
    rater: float = 0.0
    document: float = 0.0


@dataclass(frozen=True, slots=True)
class Design:
    """A design: for one system `items` assessed ones per prompt (a mean, so not whole), each by `raters` (a mean), and
    `prompts` per unit: above 1 if documents are the units.

    `cv2`, `cv2_prompts`: squared coefficients of variation of the ratings per prompt and of the prompts per unit.
    `cv2_units`: that of the ratings per unit, as observed; None where it follows from the others, as if long responses
    were no more frequent in some units than in others.
    """

    items: float
    raters: float
    cv2: float = 0.0
    prompts: float = 1.0
    cv2_prompts: float = 0.0
    cv2_units: float | None = None

    @property
    def ratings_per_prompt(self) -> float:
        return self.items * self.raters

    @property
    def ratings_per_unit(self) -> float:
        return self.ratings_per_prompt * self.prompts

    @property
    def unit_variation(self) -> float:
        """The squared coefficient of variation of the ratings per unit."""
        return self.cv2 / self.prompts + self.cv2_prompts if self.cv2_units is None else self.cv2_units

    def with_more_prompts(self, times: float) -> "Design":
        """Return the design with so many times the prompts per unit: lengths within a unit then vary less in its sum,
        those between units as before.
        """
        prompts = times * self.prompts
        cv2_units = self.unit_variation - self.cv2 / self.prompts + self.cv2 / prompts
        return replace(self, prompts=prompts, cv2_units=max(0.0, cv2_units))

    def effective_units(self, units: int) -> float:
        """Return how many units of equal size `units` of them are worth: units / (1 + CV² of the ratings per unit)."""
        return units / (1 + self.unit_variation)


@dataclass(frozen=True, slots=True)
class Plan:
    """The requirements of a design: sampling units and their prompts for one system, and the design effect.

    `is_at_minimum`: fewer units would do, but an interval requires these.
    """

    design: Design
    deff: float
    units: int
    prompts: int
    is_at_minimum: bool


def nested_design_effect(design: Design, correlations: Correlations) -> float:
    """Return 1 + (K - 1) r_item + (M_prompt - K) r_prompt + (M_document - M_prompt) r_document.

    M is the size of the group in which an average rating is, Σ n² / Σ n: of m items by K raters, M_prompt = (1 + CV²)
    m K; of q such prompts, M_document = (1 + CV_unit²) q m K, where CV_unit² is CV² / q + CV_q² if lengths do not
    depend on the unit. The variance of the linearized ratio over p(1-p) / n follows by counting pairs of ratings; with
    one level it is 1 + (M - 1) r.
    """
    in_prompt, in_unit = _group_sizes(design)
    return (
        1
        + (design.raters - 1) * correlations.item
        + (in_prompt - design.raters) * correlations.prompt
        + (in_unit - in_prompt) * correlations.document
    )


def _group_sizes(design: Design) -> tuple[float, float]:
    """Return M_prompt and M_document of `nested_design_effect`."""
    size = design.ratings_per_prompt
    in_prompt = max(design.raters, (1 + design.cv2) * size)
    return in_prompt, max(in_prompt, (1 + design.unit_variation) * design.prompts * size)


def expected_se_ratio(units: int, design: Design, correlations: Correlations) -> float:
    """Return the mean of the linearized standard error over studies, as a ratio to the true standard error.

    Large units pull the estimate toward themselves, so their residuals are too small. With the variance of a unit of n
    ratings a n + b n², E Σ (x - p̂ n)² follows from the moments of n. For the part b n², with gamma-distributed sizes
    and N = Σ n random, too, the expected variance is lower by 4 CV² / C in the leading order (C units), here
    1 / (1 + 4 CV² / C) to stay above 0; the part a n, of independent ratings, has nearly none of this. The mean of a
    root of χ² with f degrees is below the root of its mean by c4(f) = √(2 / f) Γ((f + 1) / 2) / Γ(f / 2).
    """
    in_prompt, in_unit = _group_sizes(design)
    of_lengths = max(0.0, design.unit_variation - design.cv2_prompts)
    by_size = in_prompt * (correlations.prompt - correlations.document) * of_lengths
    by_size += in_unit * correlations.document * design.unit_variation
    bias = 4 * by_size / nested_design_effect(design, correlations) / units
    degrees = degrees_of_freedom(units, design.effective_units(units))
    return mean_root(degrees) / math.sqrt(1 + bias)


def mean_root(degrees: float) -> float:
    """Return c4: the mean of the root of a variance with these degrees of freedom, over the root of its mean."""
    return math.sqrt(2 / degrees) * math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2))


def plan(p: float, half_width: float, design: Design, correlations: Correlations, *, level: float = 0.95) -> Plan:
    """Return the fewest units that give p ± half_width, at least as many as an interval needs. Raises ValueError as
    `half_width` does.
    """
    _check(p, half_width=half_width, ratings_per_unit=design.ratings_per_unit)

    def is_narrow(units: int) -> bool:
        return planned_half_width(p, units, design, correlations, level=level) <= half_width

    return plan_for(fewest_units(is_narrow), design, correlations)


def plan_for(units: int, design: Design, correlations: Correlations) -> Plan:
    """Return the plan for a number of units, raised to the fewest that an interval requires."""
    deff, enough = nested_design_effect(design, correlations), max(units, MIN_CLUSTERS)
    return Plan(design, deff, enough, rounded_up(enough * design.prompts), units < MIN_CLUSTERS)


def planned_half_width(
    p: float, units: int, design: Design, correlations: Correlations, *, level: float = 0.95
) -> float:
    """Return the mean half-width of the report's interval for p from `units` units of a design (at least 2)."""
    _check(p, units=units - 1)
    n = units * design.ratings_per_unit
    deff = nested_design_effect(design, correlations) * expected_se_ratio(units, design, correlations) ** 2
    effective = design.effective_units(units)
    t = t_quantile(two_sided(level), degrees_of_freedom(units, effective))
    if method_for(units, round(p * n), round(n), effective) == "bca":
        return t * math.sqrt(deff * p * (1 - p) / n)
    independent = n / max(deff, 1.0) * (normal_quantile(two_sided(level)) / t) ** 2
    interval = clopper_pearson(p * independent, independent, level)
    return ((interval.high or 0.0) - (interval.low or 0.0)) / 2


def least_half_width(p: float, correlations: Correlations, raters: int, *, level: float = 0.95) -> float:
    """Return the half-width that no number of prompts can improve if the raters are a sample of all raters.

    z · sqrt(p(1-p) r_rater / J): a rater's habits affect all their ratings, so only more raters average them out.
    """
    return half_width(p, raters, deff=max(correlations.rater, 0.0), level=level) if correlations.rater > 0 else 0.0


def fewest_units(is_enough: Callable[[int], bool]) -> int:
    """Return the fewest units from 2 that are enough, at most MAX_UNITS, where more than enough are enough, too."""
    low, high = 1, 2
    while high < MAX_UNITS and not is_enough(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


def rounded_up(value: float) -> int:
    """Round up to the next whole number, but not because of the last digits of a float."""
    return math.ceil(value - 1e-9)


def _check(p: float, **positive: float) -> None:
    if not 0 <= p <= 1:
        raise ValueError(f"p is {p}: give the expected proportion as a number from 0 to 1")
    for name, value in positive.items():
        if value <= 0:
            raise ValueError(f"{name} is {value}: give a number above 0")

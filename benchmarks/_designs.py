"""Simulated studies with a known truth, for the benchmarks of intervals and tests.

A study has units (prompts, each with a response of its own, or documents with eight prompts each). Responses have 12
sentences on average, at least one, that three raters rate; the raters of a sentence correlate by .4.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

SENTENCES, RATERS, AGREEING = 12, 3, 0.4
PROMPTS_OF = {"prompts": 1, "documents": 8}
"""Prompts of a unit."""
PROMPT_SD = 0.5
"""Standard deviation of prompts around their document, on the logit scale."""

Counts = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Design:
    """`units` prompts or documents (`unit`); `cv2`: the squared coefficient of variation of response lengths.

    `longer`: how many times as long the responses of the second of two systems are; those of both have 12 sentences in
    the geometric mean.
    """

    unit: str
    units: int
    cv2: float
    longer: int = 1

    def shape(self, studies: int) -> tuple[int, int, int]:
        """Return studies, units, prompts of a unit."""
        return studies, self.units, PROMPTS_OF[self.unit]

    def name(self) -> str:
        longer = f", one system {self.longer} times as long" if self.longer > 1 else ""
        return f"{self.units} {self.unit}, CV² of lengths {self.cv2:g}{longer}"


def rate(
    generator: np.random.Generator, probability: Floats, cv2: float, mean: float = SENTENCES
) -> tuple[Counts, Counts]:
    """Return hits and ratings by unit, (studies, units), as `rate_prompts` draws them."""
    hits, ratings = rate_prompts(generator, probability, cv2, mean)
    return hits.sum(axis=2), ratings.sum(axis=2)


def rate_prompts(
    generator: np.random.Generator, probability: Floats, cv2: float, mean: float = SENTENCES
) -> tuple[Counts, Counts]:
    """Return hits and ratings by study, unit and prompt, as `probability` is; `mean` in sentences.

    The raters of a sentence give one common answer with probability AGREEING, else answers of their own.
    """
    sentences = lengths(generator, probability.shape, cv2, mean)
    common = generator.binomial(sentences, AGREEING)
    hits = RATERS * generator.binomial(common, probability)
    hits += generator.binomial(RATERS * (sentences - common), probability)
    return hits, RATERS * sentences


def lengths(generator: np.random.Generator, shape: tuple[int, ...], cv2: float, mean: float) -> Counts:
    """Return sentences of responses: all alike, or from a gamma distribution, rounded, one at least."""
    if not cv2:
        return np.full(shape, round(mean))
    return np.maximum(1, np.rint(generator.gamma(1 / cv2, mean * cv2, shape))).astype(np.int64)


def logit_normal(generator: np.random.Generator, design: Design, studies: int, share: float, sd: float) -> Floats:
    """Return probabilities with mean `share`: units vary by `sd` on the logit scale, prompts of a unit by PROMPT_SD."""
    shape = design.shape(studies)
    effects = sd * generator.standard_normal((*shape[:2], 1)) + PROMPT_SD * generator.standard_normal(shape)
    return special.expit(intercept(share, np.hypot(sd, PROMPT_SD)) + effects)


def intercept(share: float, sd: float) -> float:
    """Return the logit around which a normal effect of `sd` has the mean probability `share`, by bisection."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    low, high = -20.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        mean = float(weights @ special.expit(middle + sd * nodes)) / weights.sum()
        low, high = (middle, high) if mean < share else (low, middle)
    return low


def paired_beta(
    generator: np.random.Generator, design: Design, studies: int, shares: tuple[float, float], icc: float
) -> list[Floats]:
    """Return the probabilities of two systems: those of a unit are beta, so that two of its ratings correlate by `icc`,
    and correlate between the systems by about one half.
    """
    studies, units, prompts = design.shape(studies)
    common = generator.standard_normal((studies, units))
    own = generator.standard_normal((2, studies, units))
    ranks = special.ndtr((common + own) / np.sqrt(2))
    spread = 1 / icc - 1
    drawn = [
        special.betaincinv(share * spread, (1 - share) * spread, rank)
        for share, rank in zip(shares, ranks, strict=True)
    ]
    return [np.repeat(each[:, :, None], prompts, axis=2) for each in drawn]

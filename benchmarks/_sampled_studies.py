"""Simulated studies with a sample: sentences, a judge's verdicts, and what the designs of `stats.sampling` draw."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.stats.hybrid import UnitSums, unit_sums
from annotation.stats.hybrid_planning import HybridPlanner, planner
from annotation.stats.plan_frame import PlanFrame
from annotation.stats.sampling import Frame, draw_items, draw_responses, unequal_probabilities

PROMPTS, SENTENCES, SHARE = 158, 12, 0.8
RATED, WHOLE_RESPONSES = 240, 30
DESIGNS = ("uniform", "responses", "uncertain")
JUDGES = ((0.95, 0.60), (0.97, 0.85), (0.80, 0.30))
UNSURE = 0.4
"""1 − the confidence of a judge that is unsure: three of five samples agree. Else it is 0: all five do."""

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Judge = tuple[float, float]


@dataclass(frozen=True)
class Study:
    """Arrays of shape (sentences,): prompt, truth, verdict, whether drawn, and the probability of that; one response a
    prompt, `prompts` of them.
    """

    prompt: NDArray[np.int64]
    truth: Floats
    verdict: Floats
    drawn: Mask
    probability: Floats
    whole_responses: bool
    prompts: int = PROMPTS

    def arrays(self) -> tuple[NDArray[np.generic], ...]:
        one = np.ones(len(self.truth))
        return self.prompt, self.truth, one, self.verdict, one, self.drawn, self.probability

    def sums(self) -> UnitSums:
        return unit_sums(*self.arrays(), units=self.prompts)

    def planner(self) -> HybridPlanner | None:
        """Return the planner; each prompt has one response."""
        one, units = np.ones(len(self.truth)), (self.prompt, self.prompt, self.prompt)
        frame = PlanFrame(*units, self.probability, self.drawn, self.drawn, one, self.prompts, self.whole_responses)
        return planner(frame, self.truth, one, self.verdict, one)


def generator_of(design: str, judge: Judge, icc: float, *more: int) -> np.random.Generator:
    """Return the generator of a setting, always the same."""
    return np.random.default_rng([DESIGNS.index(design), JUDGES.index(judge), int(100 * icc), *more])


def setting_name(design: str, judge: Judge, icc: float | None = None) -> str:
    return f"{design}, judge {judge[0]:g}/{judge[1]:g}" + ("" if icc is None else f", ICC {icc:g}")


def usual_size(design: str) -> int:
    return SENTENCES * WHOLE_RESPONSES if design == "responses" else RATED


def draw_study(
    generator: np.random.Generator,
    design: str,
    judge: Judge,
    icc: float,
    rated: int | None = None,
    share: float = SHARE,
    prompts: int = PROMPTS,
) -> Study:
    """Draw sentences, verdicts (right for accurate ones by sensitivity, for others by specificity) and a sample of
    `rated` ones, about so many where whole responses are drawn.
    """
    rated = rated or usual_size(design)
    sizes = np.maximum(1, generator.negative_binomial(3, 3 / (3 + SENTENCES), prompts))
    prompt = np.repeat(np.arange(prompts), sizes)
    spread = 1 / icc - 1 if icc else 0.0
    chance = generator.beta(share * spread, (1 - share) * spread, prompts) if icc else np.full(prompts, share)
    truth = generator.random(len(prompt)) < chance[prompt]
    verdict = generator.random(len(prompt)) < np.where(truth, judge[0], 1 - judge[1])
    drawn, probability = _sample(generator, design, prompt, verdict != truth, rated, prompts)
    return Study(prompt, truth.astype(float), verdict.astype(float), drawn, probability, design == "responses", prompts)


def _sample(
    generator: np.random.Generator, design: str, prompt: NDArray[np.int64], wrong: Mask, rated: int, prompts: int
) -> tuple[Mask, Floats]:
    """Return what the design draws, with the probabilities, from one response a prompt, as `queue.sampling` does.

    A judge is unsure of half of its wrong verdicts and of 15 % of the right ones.
    """
    n, seed = len(prompt), int(generator.integers(2**31))
    frame = Frame(_numbers(generator, prompts)[prompt], _numbers(generator, prompts)[prompt], _numbers(generator, n))
    if design == "responses":
        chance = round(rated / SENTENCES) / prompts
        return draw_responses(seed, frame, chance), np.full(n, chance)
    unsure = UNSURE * (generator.random(n) < np.where(wrong, 0.5, 0.15))
    probability = unequal_probabilities(rated, unsure) if design == "uncertain" else np.full(n, rated / n)
    return draw_items(seed, frame, probability), probability


def _numbers(generator: np.random.Generator, size: int) -> NDArray[np.uint64]:
    """Return random numbers like those of names."""
    return generator.integers(2**64, size=size, dtype=np.uint64)

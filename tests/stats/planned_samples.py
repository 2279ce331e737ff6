"""Simulated populations and the samples that projects draw of them, for tests of plans."""

from dataclasses import dataclass

import numpy as np

from annotation.stats.hybrid_planning import planner
from annotation.stats.plan_frame import PlanFrame
from annotation.stats.sampling import Frame, draw_items, draw_responses, unequal_probabilities

SHARE, SYSTEMS = 0.8, 2


@dataclass(frozen=True)
class Population:
    """Sentences with their truth, verdict and the judge's uncertainty; arrays of shape (sentences,)."""

    unit: np.ndarray
    prompt: np.ndarray
    response: np.ndarray
    truth: np.ndarray
    verdict: np.ndarray
    uncertainty: np.ndarray


def population(generator, *, prompts=80, sentences=8, icc=0.2, documents=0, judge=(0.95, 0.6)):
    """Return responses of very different lengths; sentences of a unit (prompt or document) correlate by `icc`."""
    responses = prompts * SYSTEMS
    lengths = np.maximum(1, generator.negative_binomial(4, 4 / (4 + sentences), responses))
    response = np.repeat(np.arange(responses), lengths)
    prompt = response // SYSTEMS
    unit = prompt % documents if documents else prompt
    spread = 1 / icc - 1
    chance = generator.beta(SHARE * spread, (1 - SHARE) * spread, int(unit.max()) + 1)
    truth = generator.random(len(unit)) < chance[unit]
    verdict = generator.random(len(unit)) < np.where(truth, judge[0], 1 - judge[1])
    unsure = 0.1 + (generator.random(len(unit)) < np.where(verdict != truth, 0.5, 0.15))
    return Population(unit, prompt, response, truth.astype(float), verdict.astype(float), unsure)


def drawn_frame(generator, study, design, size, part=1.0):
    """Return a sample of about `size` sentences; a `part` of the drawn ones is rated, response by response."""
    items, responses, prompts = len(study.unit), int(study.response.max()) + 1, int(study.prompt.max()) + 1
    of_prompt, of_response, of_item = (
        generator.integers(0, 2**63, n).astype(np.uint64) for n in (prompts, responses, items)
    )
    frame, seed = Frame(of_prompt[study.prompt], of_response[study.response], of_item), int(generator.integers(2**31))
    if design == "responses":
        chance = round(size * responses / items) / responses
        probability, drawn = np.full(items, chance), draw_responses(seed, frame, chance)
    else:
        uniform = np.full(items, size / items)
        probability = unequal_probabilities(size, study.uncertainty) if design == "uncertain" else uniform
        drawn = draw_items(seed, frame, probability)
    order = generator.permutation(responses)
    cumulated = np.cumsum(np.bincount(study.response, drawn, responses)[order])
    rated = drawn & np.isin(study.response, order[cumulated <= part * drawn.sum()])
    share = np.full(items, rated.sum() / drawn.sum())
    groups, units = (study.unit, study.prompt, study.response), int(study.unit.max()) + 1
    return PlanFrame(*groups, probability, drawn, rated, share, units, design == "responses")


def planner_of(generator, study, design, size, part=1.0):
    """Return the planner of a sample of the population."""
    frame = drawn_frame(generator, study, design, size, part)
    one = np.ones(frame.items)
    return planner(frame, study.truth, one, study.verdict, one)

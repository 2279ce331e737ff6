"""How much more often two items are sampled together than apart, under each way of drawing a sample.

For items i and j with probabilities π_i and π_j, and π_ij that both are sampled, the weights w = ξ/π have covariances
Δ_ij = π_ij / (π_i π_j) − 1, and Δ_ii = 1/π_i − 1 (Särndal, Swensson and Wretman 1992, section 2.8). Systematic sampling
over a list in which items of a response, and responses of a prompt, are together in random order gives each of these
groups its expected number x = Σπ rounded down or up, so Σ π_ij over its pairs is k (2x − k − 1), k = ⌊x⌋. Here Δ is the
same for all pairs of a response, and for all pairs of different responses of a prompt; it is 0 for items of different
prompts.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .proportions import Floats

Indices = NDArray[np.int64]


@dataclass(frozen=True)
class WeightCovariance:
    """Δ of each item with itself (items,), of two items of each response (responses,), and of two items of different
    responses of each prompt (prompts,).
    """

    item: Floats
    response: Floats
    prompt: Floats


def of_items(probability: Floats, response: Indices, prompt: Indices) -> WeightCovariance:
    """Return Δ of a systematic sample of items with these probabilities; `response` and `prompt` are indices from 0."""
    responses, prompts = int(response.max()) + 1, int(prompt.max()) + 1
    prompt_of = np.zeros(responses, dtype=np.int64)
    prompt_of[response] = prompt
    together, apart = _pair_sums(probability, response, responses)
    in_prompt, in_prompt_apart = _pair_sums(probability, prompt, prompts)
    others = in_prompt - np.bincount(prompt_of, together, prompts)
    others_apart = in_prompt_apart - np.bincount(prompt_of, apart, prompts)
    return WeightCovariance(1 / probability - 1, _excess(together, apart), _excess(others, others_apart))


def of_responses(probability: Floats, response: Indices, prompt: Indices) -> WeightCovariance:
    """Return Δ where whole responses are sampled, each item with the probability of its response."""
    chance = np.ones(int(response.max()) + 1)
    chance[response] = probability
    return WeightCovariance(1 / probability - 1, 1 / chance - 1, np.zeros(int(prompt.max()) + 1))


def of_part(drawn: WeightCovariance, share: Floats, response: Indices) -> WeightCovariance:
    """Return Δ of the rated part of a drawn sample: whole responses are rated in random order, so the drawn items of a
    response are rated together, with probability `share` (items,), the same for the items of a response.
    """
    of_response = np.ones(len(drawn.response))
    of_response[response] = share
    return WeightCovariance((1 + drawn.item) / share - 1, (1 + drawn.response) / of_response - 1, drawn.prompt)


def _pair_sums(probability: Floats, group: Indices, groups: int) -> tuple[Floats, Floats]:
    """Return Σ π_ij and Σ π_i π_j over the ordered pairs of different items of each group."""
    total = np.bincount(group, probability, groups).astype(np.float64, copy=False)
    whole = np.floor(total + 1e-9)
    squares = np.bincount(group, probability**2, groups).astype(np.float64, copy=False)
    return whole * (2 * total - whole - 1), total**2 - squares


def _excess(together: Floats, apart: Floats) -> Floats:
    """Return Σ π_ij / Σ π_i π_j − 1, 0 for a group without pairs, which has no part in any sum."""
    return np.divide(together, apart, out=np.ones(len(apart)), where=apart > 1e-12) - 1

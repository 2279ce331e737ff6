"""Studies drawn with known correlations, lengths and documents, many at once."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.stats.planning import Correlations, Design

Integers = NDArray[np.int64]

Distribution = tuple[Integers, NDArray[np.float64]]
"""Numbers, and how likely each is."""

LENGTHS = (np.array([1, 2, 4, 8, 16, 32]), np.array([0.15, 0.2, 0.25, 0.2, 0.15, 0.05]))
"""Sentences of a response: mean 7.15, CV² 1.10."""
LESS_UNEQUAL = (np.array([1, 2, 4, 8, 16]), np.array([0.2, 0.2, 0.25, 0.2, 0.15]))
"""Mean 5.6, CV² .79."""
MORE_UNEQUAL = (np.array([1, 2, 4, 8, 16, 32, 64]), np.array([0.16, 0.2, 0.24, 0.2, 0.12, 0.06, 0.02]))
"""Mean 8.24, CV² 1.82."""
PROMPTS = (np.array([1, 2, 3, 6]), np.array([0.3, 0.3, 0.25, 0.15]))
"""Prompts about a document: mean 2.55, CV² .41."""


@dataclass(frozen=True)
class Ratings:
    """The ratings of one system in all studies, shape (ratings,): hits, and the number of document, prompt and item."""

    hits: Integers
    document: Integers
    prompt: Integers
    item: Integers
    shape: tuple[int, int]

    @property
    def counts(self) -> tuple[Integers, Integers]:
        """k and n by study and document."""
        size = self.shape[0] * self.shape[1]
        k = np.bincount(self.document, self.hits, size).astype(np.int64)
        return k.reshape(self.shape), np.bincount(self.document, minlength=size).reshape(self.shape)


def known_design(raters: int, *, documents: bool = True, lengths: Distribution = LENGTHS) -> Design:
    """Return the design of the studies; without documents each prompt is a unit."""
    units = moments(*PROMPTS) if documents else (1.0, 0.0)
    mean, cv2 = moments(*lengths)
    return Design(mean, raters, cv2, *units)


def moments(values: Integers, chances: NDArray[np.float64]) -> tuple[float, float]:
    """Return the mean and the squared coefficient of variation."""
    mean = float(values @ chances)
    return mean, float(values**2 @ chances) / mean**2 - 1


def draw_studies(
    shares: list[float],
    shape: tuple[int, int],
    raters: int,
    correlations: Correlations,
    seed: int,
    *,
    documents: bool = True,
    lengths: Distribution = LENGTHS,
    lengths_of_documents: bool = False,
) -> list[Ratings]:
    """Draw the ratings of systems with these `shares`: `shape` is studies × units.

    Each rating takes the uniform number of its document, prompt or item, or one of its own; the first with a chance of
    √r_document, … so that two ratings take the same one as often as they correlate; the chances must not add up to
    more than 1. Systems share the numbers of documents and prompts, not lengths. With `lengths_of_documents` all
    responses about a document have the same length.
    """
    generator, units = np.random.default_rng(seed), shape[0] * shape[1]
    per_unit = generator.choice(PROMPTS[0], units, p=PROMPTS[1]) if documents else np.ones(units, dtype=np.int64)
    document = np.repeat(np.arange(units), per_unit)
    of_documents, of_prompts = generator.random(units), generator.random(len(document))
    steps = (
        correlations.document,
        correlations.prompt - correlations.document,
        correlations.item - correlations.prompt,
    )
    chances = np.cumsum([math.sqrt(step) for step in steps])
    assert chances[-1] <= 1
    studies = []
    for share in shares:
        of_units = generator.choice(lengths[0], units if lengths_of_documents else len(document), p=lengths[1])
        sentences = of_units[document] if lengths_of_documents else of_units
        prompt = np.repeat(np.arange(len(document)), sentences * raters)
        item = np.repeat(np.arange(sentences.sum()), raters)
        level = np.searchsorted(chances, generator.random(len(item)), side="right")
        own, of_items = generator.random(len(item)), generator.random(sentences.sum())
        numbers = np.choose(level, [of_documents[document[prompt]], of_prompts[prompt], of_items[item], own])
        studies.append(Ratings((numbers < share).astype(np.int64), document[prompt], prompt, item, shape))
    return studies

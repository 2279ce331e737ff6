"""The items of a sample and the samples that further ratings make of it, for `hybrid_planning`."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import pair_probabilities
from .pair_probabilities import WeightCovariance
from .proportions import Floats
from .sampling import capped_probabilities

Indices = NDArray[np.int64]
Mask = NDArray[np.bool_]


class RatedPart(NamedTuple):
    """The probability q with which people rate each item (items,), and the covariance of the weights ξ/q."""

    probability: Floats
    covariance: WeightCovariance


class PairSums(NamedTuple):
    """Σ x_i y_j over ordered pairs of different items: of each response, of different responses of each prompt, and of
    different prompts of each unit.
    """

    response: Floats
    prompt: Floats
    unit: Floats


@dataclass(frozen=True)
class PlanFrame:
    """All items that can be rated, in arrays of shape (items,).

    `unit`, `prompt`, `response`: indices from 0, nested; `probability`: π with which the item is drawn; `is_drawn`;
    `is_rated`: it is drawn and has a rating; `share`: of the drawn items of its system, the share that have one (1
    where none is drawn). `whole_responses`: whole responses are drawn instead of items.
    """

    unit: Indices
    prompt: Indices
    response: Indices
    probability: Floats
    is_drawn: Mask
    is_rated: Mask
    share: Floats
    units: int
    whole_responses: bool = False

    @property
    def items(self) -> int:
        return len(self.unit)

    @property
    def drawn(self) -> int:
        return int(self.is_drawn.sum())

    @property
    def rated(self) -> int:
        return int(self.is_rated.sum())

    @cached_property
    def now(self) -> RatedPart:
        return self._part(self.share)

    @cached_property
    def weight(self) -> Floats:
        """The weight w of each item now, 0 without a rating."""
        return self.is_rated / self.now.probability

    def planned(self, items: float) -> RatedPart:
        """Return the part with `items` rated ones in all, at least those that are now: first those drawn, then a larger
        sample of the same design.
        """
        if items > self.drawn:
            probability = capped_probabilities(min(items, self.items), self.probability)
            return RatedPart(probability, self._covariance(probability))
        unrated = self.drawn - self.rated
        further = max(0.0, items - self.rated) / unrated if unrated else 0.0
        return self._part(self.share + further * (1 - self.share))

    def pair_sums(self, x: Floats, y: Floats) -> PairSums:
        """Return the sums for values x and y of the items."""
        totals = [np.bincount(group, x) * np.bincount(group, y) for group in (self.response, self.prompt, self.unit)]
        within = (
            np.bincount(self.response, x * y),
            np.bincount(self._prompt_of_response, totals[0]),
            np.bincount(self._unit_of_prompt, totals[1]),
        )
        different = (total - inner for total, inner in zip(totals, within, strict=True))
        return PairSums(*(sums.astype(np.float64, copy=False) for sums in different))

    @cached_property
    def pairs(self) -> PairSums:
        """The numbers of ordered pairs of items."""
        ones = np.ones(self.items)
        return self.pair_sums(ones, ones)

    def covariance_sum(self, x: Floats, y: Floats, covariance: WeightCovariance) -> float:
        """Return Σ_ij Δ_ij x_i y_j."""
        sums, same = self.pair_sums(x, y), float(np.dot(covariance.item, x * y))
        return same + float(covariance.response @ sums.response) + float(covariance.prompt @ sums.prompt)

    def expected_units(self, part: RatedPart) -> tuple[float, float]:
        """Return the expected number of rated units, and how many of equal size they are worth: (Σ m)² / Σ m² of the
        sums m of the weights.
        """
        if self.whole_responses:
            chance = np.zeros(len(self._prompt_of_response))
            chance[self.response] = part.probability
            unrated = np.bincount(self._prompt_of_response, np.log(np.maximum(1e-9, 1 - chance)))
        else:
            unrated = np.log(np.maximum(1e-9, 1 - np.bincount(self.prompt, part.probability)))
        rated = 1 - np.exp(np.bincount(self._unit_of_prompt, unrated))
        ones = np.ones(self.items)
        squares = self.items + sum(float(sums.sum()) for sums in self.pairs)
        squares += self.covariance_sum(ones, ones, part.covariance)
        return float(rated.sum()), self.items**2 / squares

    def _part(self, share: Floats) -> RatedPart:
        drawn = self._covariance(self.probability)
        return RatedPart(self.probability * share, pair_probabilities.of_part(drawn, share, self.response))

    def _covariance(self, probability: Floats) -> WeightCovariance:
        of = pair_probabilities.of_responses if self.whole_responses else pair_probabilities.of_items
        return of(probability, self.response, self.prompt)

    @cached_property
    def _prompt_of_response(self) -> Indices:
        return _parents(self.response, self.prompt)

    @cached_property
    def _unit_of_prompt(self) -> Indices:
        return _parents(self.prompt, self.unit)


def _parents(children: Indices, parents: Indices) -> Indices:
    """Return the parent of each group, from the groups and parents of items."""
    parent = np.zeros(int(children.max()) + 1, dtype=np.int64)
    parent[children] = parents
    return parent

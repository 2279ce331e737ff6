"""Draw a sample of items: spread over prompts, whole responses, or more where a judge is unsure.

All three are systematic sampling with unequal or equal probabilities over a list in random order (Madow 1949; Särndal,
Swensson and Wretman 1992, sections 3.4 and 3.6; Tillé 2006, section 7.2): item k is drawn if the interval from
π_1 + … + π_{k−1} + u to π_1 + … + π_k + u contains a whole number, with one random start u from 0 to 1. So each item is
drawn with exactly its probability π_k, and any run of the list contains its share of the sample, rounded up or down.

The list has the prompts in random order, in each prompt its responses in random order, and in each response its items
in random order: the sample spreads over prompts and systems, and no position in a response is preferred. All random
numbers are hashes of the seed and of imported names, so that they are the same on every machine.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .proportions import Floats

UNIFORM_SHARE = 0.5
"""The least share of the sample that is drawn with equal probabilities where the others follow a judge."""


@dataclass(frozen=True)
class Frame:
    """The items among which a sample is drawn: arrays of shape (items,) of random numbers of 64 bits.

    Items of one prompt have the same `prompt`, items of one response (or pair of responses) the same `response`.
    """

    prompt: NDArray[np.uint64]
    response: NDArray[np.uint64]
    item: NDArray[np.uint64]

    @classmethod
    def of_names(cls, seed: int, prompts: Sequence[str], responses: Sequence[str], items: Sequence[str]) -> "Frame":
        """Return the frame of items with these names, one of each for every item; `items` are unique."""
        return cls(_repeated(seed, prompts), _repeated(seed, responses), random_numbers(seed, items))


def random_numbers(seed: int, names: Sequence[str]) -> NDArray[np.uint64]:
    """Return 64 random bits for each name: the first eight bytes of the SHA-256 of seed and name."""
    prefix = f"sample:{seed}:"
    digests = b"".join(hashlib.sha256(f"{prefix}{name}".encode()).digest() for name in names)
    return np.frombuffer(digests, dtype=">u8")[::4].astype(np.uint64)


def _repeated(seed: int, names: Sequence[str]) -> NDArray[np.uint64]:
    """Return the same as `random_numbers` for names most of which are there several times: each is hashed once."""
    position = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return random_numbers(seed, list(position))[[position[name] for name in names]]


def draw_items(seed: int, frame: Frame, probability: Floats) -> NDArray[np.bool_]:
    """Return which items are drawn, each with its `probability` of shape (items,): a Σπ of them, if that is whole."""
    order = np.lexsort((frame.item, frame.response, frame.prompt))
    drawn = np.zeros(len(order), dtype=bool)
    drawn[order] = _systematic(probability[order], _start(seed, frame.item[order]))
    return drawn


def draw_responses(seed: int, frame: Frame, probability: float) -> NDArray[np.bool_]:
    """Return which items are drawn where whole responses are, each response with `probability`.

    The order of responses is random over all prompts: a simple random sample of responses.
    """
    responses, response_of_item = np.unique(frame.response, return_inverse=True)
    drawn = _systematic(np.full(len(responses), probability), _start(seed, responses))
    return drawn[response_of_item]


def unequal_probabilities(size: int, uncertainty: ArrayLike) -> Floats:
    """Return probabilities of items whose sum is `size`, half of it equal and half in proportion to `uncertainty`.

    `uncertainty`, of shape (items,), is 0 or more; without any above 0 all are equal. Probabilities above 1 are set to
    1 and the others raised in proportion, until none is above 1 (Särndal et al. 1992, section 3.6.1); so none is below
    half of size/items. The mixture bounds the weights 1/π (Zrnic and Candès 2024, active inference, arXiv 2403.03208,
    section 4). Raises ValueError for a size that is not from 1 to the number of items, or an uncertainty below 0.
    """
    values = np.asarray(uncertainty, dtype=np.float64)
    if not 1 <= size <= len(values):
        raise ValueError(f"a sample of {size} from {len(values)} items: choose a size from 1 to {len(values)}")
    if not np.all(values >= 0):
        raise ValueError("an uncertainty is below 0 or not a number")
    shares = np.full(len(values), 1 / len(values))
    if total := float(values.sum()):
        shares = UNIFORM_SHARE * shares + (1 - UNIFORM_SHARE) * values / total
    return capped_probabilities(size, shares)


def capped_probabilities(size: float, shares: Floats) -> Floats:
    """Return probabilities in proportion to `shares` (above 0), none above 1, whose sum is `size`."""
    is_certain = np.zeros(len(shares), dtype=bool)
    while True:
        others = ~is_certain
        probability = np.ones(len(shares))
        if others.any():
            probability[others] = (size - is_certain.sum()) * shares[others] / shares[others].sum()
        above = others & (probability >= 1)
        if not above.any():
            return probability
        is_certain |= above


def _systematic(probability: Floats, start: float) -> NDArray[np.bool_]:
    """Return which are drawn of a list with these probabilities, at the random start."""
    ends = np.cumsum(probability)
    whole = np.rint(ends)
    ends = np.where(np.abs(ends - whole) < 1e-9, whole, ends)  # so that rounding neither adds nor loses an item
    passed = np.floor(ends + start)
    return np.diff(passed, prepend=np.floor(start)) > 0


def _start(seed: int, numbers: NDArray[np.uint64]) -> float:
    """Return the random start, from 0 to below 1: a hash of the first number of the list."""
    if not len(numbers):
        return 0.0
    return int(random_numbers(seed, [f"start:{numbers[0]}"])[0] >> np.uint64(11)) / 2**53

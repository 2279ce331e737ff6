"""The most likely label of each item, given that raters differ in their errors (Dawid and Skene 1979).

Each rater has a table of the probability of each label given the true category; these and the labels are estimated in
turn (EM), starting from the shares of votes. The model needs several ratings per item and many items per rater: with
fewer it fits noise. Likelihoods are products of the probabilities themselves: the last digits of logarithms and
exponentials depend on the processor.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .aggregation import winners
from .proportions import Floats, count_table

# Probabilities are kept above this before they are multiplied.
MIN_PROBABILITY = 1e-10

# After so many factors a product is split into a fraction and a power of two, long before it could vanish.
FACTORS_PER_CHUNK = 16

# A rater's errors for a category need more expected items of it than this.
MIN_EXPECTED_ITEMS = 1e-6


@dataclass(frozen=True, slots=True)
class Estimate:
    """The result of EM for I items, R raters and L categories.

    `labels`: most likely category of each item, None without an answer. `posterior` (I rows of L, None
    without an answer), `class_shares` (L) among the items answered, `errors` (R tables, rows the true
    category, None where a rater never met it), `majority`: the plain vote, None for a tie or no answer.
    """

    labels: tuple[int | None, ...]
    posterior: tuple[tuple[float, ...] | None, ...]
    class_shares: tuple[float, ...]
    errors: tuple[tuple[tuple[float, ...] | None, ...], ...]
    majority: tuple[int | None, ...]


def dawid_skene(
    items: ArrayLike, raters: ArrayLike, labels: ArrayLike, shape: tuple[int, int, int], *, iterations: int = 100
) -> Estimate:
    """Estimate categories and rater errors by EM from vote shares, without smoothing, for `iterations` steps.

    `items`, `raters`, `labels`: index arrays of shape (answers,), one entry an answer; `shape` = (items,
    raters, categories). Memory grows with answers x categories, not with items x raters. Raises ValueError
    when the arrays differ in length or an index lies beyond `shape`.
    """
    item, rater, label = (np.asarray(part, dtype=np.int64).ravel() for part in (items, raters, labels))
    for name, part, size in zip(("items", "raters", "labels"), (item, rater, label), shape, strict=True):
        if len(part) != len(item):
            raise ValueError(f"{len(part)} {name} for {len(item)} items: give one of each for every answer")
        if part.size and (part.min() < 0 or part.max() >= size):
            raise ValueError(
                f"{name} hold an index beyond 0 to {size - 1}: leave out missing answers, or give a larger shape"
            )
    votes = count_table(item, label, (shape[0], shape[2]))
    answered = votes.sum(axis=1) > 0
    posterior = votes / np.maximum(votes.sum(axis=1, keepdims=True), 1)
    answer_codes, rounds = rater * shape[2] + label, _rounds(item)
    for _ in range(iterations):
        errors = np.maximum(_rater_errors(_expected_labels(posterior, item, answer_codes, shape)), MIN_PROBABILITY)
        likely = np.take(errors.transpose(0, 2, 1).reshape(-1, shape[2]), answer_codes, axis=0)
        posterior = _posterior(_class_shares(posterior, answered), likely, item, rounds, answered)
    label_counts = _expected_labels(posterior, item, answer_codes, shape)
    top = posterior.argmax(axis=1).tolist()
    is_answered = answered.tolist()
    met = (label_counts.sum(axis=2) > MIN_EXPECTED_ITEMS).tolist()
    return Estimate(
        labels=tuple(label if has else None for label, has in zip(top, is_answered, strict=True)),
        posterior=tuple(tuple(row) if has else None for row, has in zip(posterior.tolist(), is_answered, strict=True)),
        class_shares=tuple(_class_shares(posterior, answered).tolist()),
        errors=tuple(
            tuple(tuple(row) if is_met else None for row, is_met in zip(table, rows, strict=True))
            for table, rows in zip(_rater_errors(label_counts).tolist(), met, strict=True)
        ),
        majority=tuple(won if won >= 0 else None for won in winners(votes).tolist()),
    )


def _expected_labels(
    posterior: Floats, item: NDArray[np.int64], answer_codes: NDArray[np.int64], shape: tuple[int, int, int]
) -> Floats:
    """Return the expected number of items by true category, rater and label: (raters, true, label).

    `answer_codes`: rater x categories + label of each answer.
    """
    _, raters, categories = shape
    true = np.take(posterior, item, axis=0).T
    sums = [np.bincount(answer_codes, column, raters * categories).astype(np.float64) for column in true]
    return np.stack(sums).reshape(categories, raters, categories).transpose(1, 0, 2)


def _rater_errors(label_counts: Floats) -> Floats:
    """Return P(label | true category) of each rater, shape (raters, true, label); 0 for absent categories."""
    totals = label_counts.sum(axis=2, keepdims=True)
    return np.divide(label_counts, totals, out=np.zeros(label_counts.shape), where=totals > 0)


def _posterior(
    class_shares: Floats,
    likely: Floats,
    item: NDArray[np.int64],
    rounds: list[NDArray[np.int64]],
    answered: NDArray[np.bool_],
) -> Floats:
    """Return P(true category | answers), shape (items, categories); zeros for items without an answer.

    `likely`: P(answer | true category) of each answer, shape (answers, categories).
    """
    odds = np.tile(np.maximum(class_shares, MIN_PROBABILITY), (len(answered), 1))
    powers = np.zeros(odds.shape, dtype=np.int32)
    for number, answers in enumerate(rounds, start=1):
        odds[item[answers]] *= likely[answers]
        if number % FACTORS_PER_CHUNK == 0:
            odds, more = np.frexp(odds)
            powers += more
    odds = np.ldexp(odds, powers - powers.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True) * answered[:, None]


def _rounds(item: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Return the positions of the first answers of all items, of the second, and so on: no item twice in a round."""
    order = np.argsort(item, kind="stable")
    _, firsts, sizes = np.unique(item[order], return_index=True, return_counts=True)
    number = np.arange(len(item)) - np.repeat(firsts, sizes)
    return [order[number == each] for each in range(int(sizes.max(initial=0)))]


def _class_shares(posterior: Floats, answered: NDArray[np.bool_]) -> Floats:
    return posterior[answered].sum(axis=0) / max(int(answered.sum()), 1)

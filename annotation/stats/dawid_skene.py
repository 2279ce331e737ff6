"""What the items most likely are, given that raters differ in how they err (Dawid and Skene 1979).

Each rater has a table of how likely she says what when something is true; these and the labels are estimated
in turn (EM), from the shares of votes. It needs several ratings an item and many items a rater: with fewer it
fits noise.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .aggregation import winners
from .proportions import count_table

Floats = NDArray[np.float64]

# Probabilities are kept above this before logarithms are taken.
LEAST = 1e-10

# A rater's errors for a category are given when she is expected to have met more items of it than this.
LEAST_MET = 1e-6


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
    """EM from vote shares, without smoothing, for `iterations` steps.

    `items`, `raters`, `labels`: index arrays of shape (answers,), one entry an answer; `shape` = (items,
    raters, categories). Memory grows with answers x categories, not with items x raters. Raises ValueError
    when the arrays differ in length or an index lies beyond `shape`.
    """
    item, rater, label = (np.asarray(part, dtype=np.int64).ravel() for part in (items, raters, labels))
    _check_indices((item, rater, label), shape)
    votes = count_table(item, label, (shape[0], shape[2]))
    answered = votes.sum(axis=1) > 0
    posterior = votes / np.maximum(votes.sum(axis=1, keepdims=True), 1)
    for _ in range(iterations):
        errors = _rater_errors(_said(posterior, item, rater, label, shape))
        posterior = _posterior(_class_shares(posterior, answered), errors, item, rater, label, answered)
    return _estimate(posterior, answered, _said(posterior, item, rater, label, shape), votes)


def _said(
    posterior: Floats,
    item: NDArray[np.int64],
    rater: NDArray[np.int64],
    label: NDArray[np.int64],
    shape: tuple[int, int, int],
) -> Floats:
    """How many items of each true category each rater is expected to have given each label: (raters, true, said)."""
    _, raters, categories = shape
    given = rater * categories + label
    sums = [
        np.bincount(given, posterior[item, true], raters * categories).astype(np.float64) for true in range(categories)
    ]
    return np.stack(sums).reshape(categories, raters, categories).transpose(1, 0, 2)


def _rater_errors(said: Floats) -> Floats:
    """P(rater says label | true category), shape (raters, true, said); 0 where a rater never met the category."""
    totals = said.sum(axis=2, keepdims=True)
    return np.divide(said, totals, out=np.zeros(said.shape), where=totals > 0)


def _posterior(
    class_shares: Floats,
    errors: Floats,
    item: NDArray[np.int64],
    rater: NDArray[np.int64],
    label: NDArray[np.int64],
    answered: NDArray[np.bool_],
) -> Floats:
    """P(true category | answers), shape (items, categories); zeros for items without an answer."""
    log_errors = np.log(np.maximum(errors, LEAST))[rater, :, label]
    sums = [np.bincount(item, column, len(answered)) for column in log_errors.T]
    likelihood = np.stack(sums, axis=1) + np.log(np.maximum(class_shares, LEAST))
    odds = np.exp(likelihood - likelihood.max(axis=1, keepdims=True)) * answered[:, None]
    return odds / np.maximum(odds.sum(axis=1, keepdims=True), LEAST)


def _class_shares(posterior: Floats, answered: NDArray[np.bool_]) -> Floats:
    return posterior[answered].sum(axis=0) / max(int(answered.sum()), 1)


def _estimate(posterior: Floats, answered: NDArray[np.bool_], said: Floats, votes: NDArray[np.int64]) -> Estimate:
    top = posterior.argmax(axis=1).tolist()
    known = answered.tolist()
    return Estimate(
        labels=tuple(label if has else None for label, has in zip(top, known, strict=True)),
        posterior=tuple(tuple(row) if has else None for row, has in zip(posterior.tolist(), known, strict=True)),
        class_shares=tuple(_class_shares(posterior, answered).tolist()),
        errors=_known_errors(said),
        majority=tuple(won if won >= 0 else None for won in winners(votes).tolist()),
    )


def _known_errors(said: Floats) -> tuple[tuple[tuple[float, ...] | None, ...], ...]:
    met = (said.sum(axis=2) > LEAST_MET).tolist()
    return tuple(
        tuple(tuple(row) if known else None for row, known in zip(table, rows, strict=True))
        for table, rows in zip(_rater_errors(said).tolist(), met, strict=True)
    )


def _check_indices(parts: tuple[NDArray[np.int64], ...], shape: tuple[int, int, int]) -> None:
    names = ("items", "raters", "labels")
    for name, part, size in zip(names, parts, shape, strict=True):
        if len(part) != len(parts[0]):
            raise ValueError(f"{len(part)} {name} for {len(parts[0])} items: give one of each for every answer")
        if part.size and (part.min() < 0 or part.max() >= size):
            raise ValueError(
                f"{name} hold an index beyond 0 to {size - 1}: leave out missing answers, or give a larger shape"
            )

"""Other aggregations of the same ratings: a majority for each item, or averages of averages.

The report's proportions pool all ratings. A majority vote estimates the answer of a panel; a macro average gives every
sentence, response or prompt the same weight however many ratings it has. The report states when these differ.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .proportions import checked_counts, shares

UNDECIDED = -1
NO_LABEL = -2


@dataclass(frozen=True, slots=True)
class Majority:
    """The majority labels of the items.

    `items` = `no_label` + `undecided` + `decided`. `counts` and `shares`: decided items by category, shares of the
    decided ones (None when there are none).
    """

    items: int
    no_label: int
    undecided: int
    decided: int
    counts: tuple[int, ...]
    shares: tuple[float | None, ...]


def winners(counts: ArrayLike) -> NDArray[np.int64]:
    """Return the category with most labels for each row of counts (items, categories): shape (items,).

    UNDECIDED for ties, NO_LABEL without labels. Labels that are no vote, such as "can't assess", must be excluded from
    the counts.
    """
    table = np.asarray(counts)
    if table.ndim != 2 or not table.shape[1]:
        raise ValueError(f"counts have shape {table.shape}: give items x categories, one category at least")
    most = table.max(axis=1)
    first = np.where((table == most[:, None]).sum(axis=1) == 1, table.argmax(axis=1), UNDECIDED)
    return np.where(most > 0, first, NO_LABEL).astype(np.int64)


def majority(counts: ArrayLike) -> Majority:
    """Return the strict plurality of each item; ties are undecided and left out of shares; counts as for `winners`."""
    table = np.asarray(counts)
    won = winners(table)
    by_category = np.bincount(won[won >= 0], minlength=table.shape[1]).tolist()
    return Majority(
        items=len(won),
        no_label=int((won == NO_LABEL).sum()),
        undecided=int((won == UNDECIDED).sum()),
        decided=sum(by_category),
        counts=tuple(by_category),
        shares=tuple(shares(by_category)),
    )


def macro_average(k: ArrayLike, n: ArrayLike) -> float | None:
    """Return the mean of k_g / n_g over the groups with n_g > 0, shape (groups,); None without any."""
    hits, among = checked_counts(k, n)
    used = among > 0
    parts = (hits[used] / among[used]).tolist()
    return math.fsum(parts) / len(parts) if parts else None


def share_of_groups_with_any(k: ArrayLike, n: ArrayLike) -> tuple[int, int]:
    """Return (groups with any, groups) of groups (responses) with n_g > 0, for `ratio` or `share`."""
    hits, among = checked_counts(k, n)
    return int(np.count_nonzero(hits[among > 0])), int(np.count_nonzero(among))

"""A logistic model of one measure with crossed random effects: systems fixed, everything that was sampled random.

logit P(hit) = effect of the system + random intercepts of document, prompt, response, item and rater, each normal with
a variance of its own (Baayen, Davidson and Bates 2008). Its inference is about raters, prompts and documents like
these, and not only about these. Estimates maximize the Laplace approximation of the likelihood over variances and
fixed effects together, as `glmer(hit ~ system + (1 | document) + …, family = binomial, nAGQ = 1)` of lme4 does.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .crossed_factor import Floats, Indices, Layout
from .crossed_fit import NoEstimateError, minimize_deviance
from .crossed_laplace import LaplaceDeviance, Rows
from .crossed_results import NOT_FITTED, ONE_RATING_EACH, CrossedFit, components, marginal_shares, odds_ratios

NESTED = ("item", "response", "prompt", "document")
"""Groupings that lie in each other, from the inner to the outer one."""
CROSSED = "rater"
PREFERENCE = ("prompt", CROSSED, "response", "item", "document")
"""Of groupings with the same groups the first one is in the model."""
MIN_RATINGS = 50
"""With fewer ratings no model is fitted."""
MIN_SYSTEMS = 2
"""Without separated systems, a model needs so many."""


@dataclass(frozen=True)
class Ratings:
    """Arrays of shape (ratings,): whether the measure counts the rating, its system (0 to `systems` - 1), and its level
    of each grouping: any whole numbers under the names of NESTED and CROSSED.
    """

    hit: NDArray[np.bool_]
    system: Indices
    systems: int
    groupings: Mapping[str, Indices]

    @classmethod
    def of(cls, hit: ArrayLike, system: ArrayLike, systems: int, groupings: Mapping[str, ArrayLike]) -> "Ratings":
        """Convert; levels are numbered anew from 0. Raises ValueError for an unknown grouping or unequal lengths."""
        levels = {name: np.unique(np.asarray(column), return_inverse=True)[1] for name, column in groupings.items()}
        ratings = cls(np.asarray(hit, dtype=bool), np.asarray(system, dtype=np.int64), systems, levels)
        if unknown := set(levels) - {*NESTED, CROSSED}:
            raise ValueError(f"unknown groupings: {sorted(unknown)}")
        if {len(column) for column in (ratings.system, *levels.values())} - {len(ratings.hit)}:
            raise ValueError("one system and one level of each grouping for every rating are needed")
        return ratings


def crossed_model(ratings: Ratings, *, level: float = 0.95, progress: Callable[[], None] = lambda: None) -> CrossedFit:
    """Fit the model; `progress` is called before every evaluation of the deviance and may raise to stop.

    A system all or none of whose ratings are hits has no estimate (separation): where two systems or more remain, the
    model is that of their ratings. A grouping is dropped if it has a single level, if every level has one rating, or if
    its groups are those of another grouping or of the systems. Raises ValueError if a grouping of NESTED does not lie
    in the next.
    """
    separated = _separated(ratings)
    remaining = [system for system in range(ratings.systems) if system not in separated]
    if separated and len(remaining) >= MIN_SYSTEMS:
        fit = _model(_of_systems(ratings, remaining), level, progress)
        return replace(fit.renumbered(remaining), separated=tuple(separated))
    return _model(ratings, level, progress)


def _model(ratings: Ratings, level: float, progress: Callable[[], None]) -> CrossedFit:
    unfitted = CrossedFit(NOT_FITTED, len(ratings.hit))
    if len(ratings.hit) < MIN_RATINGS:
        return replace(unfitted, reason="too few ratings")
    if _separated(ratings):
        return replace(unfitted, reason="separation")
    used, dropped = _useful_groupings(ratings)
    unfitted = replace(unfitted, dropped=tuple(dropped.items()))
    if not used:
        return replace(unfitted, reason="no grouping")
    rows = _rows(ratings, used)
    try:
        hits, n = _by_system(ratings)
        optimum = minimize_deviance(LaplaceDeviance(rows), np.log(hits / (n - hits)), progress)
    except NoEstimateError as error:
        return replace(unfitted, reason=str(error))
    covariance = optimum.covariance[len(used) :, len(used) :]
    return replace(
        unfitted,
        status="singular" if (optimum.sds == 0).any() else "fitted",
        log_likelihood=-optimum.deviance / 2,
        fixed=tuple(optimum.fixed.tolist()),
        covariance=tuple(tuple(row) for row in covariance.tolist()),
        components=components(optimum, used, rows.layout.sizes),
        odds_ratios=odds_ratios(optimum.fixed, covariance, level),
        marginal=marginal_shares(optimum, level),
    )


def _separated(ratings: Ratings) -> list[int]:
    """Return the systems all or none of whose ratings are hits."""
    hits, n = _by_system(ratings)
    return np.flatnonzero((hits == 0) | (hits == n)).tolist()


def _of_systems(ratings: Ratings, systems: list[int]) -> Ratings:
    """Return the ratings of these systems, numbered anew in their order."""
    used = np.isin(ratings.system, systems)
    groupings = {name: levels[used] for name, levels in ratings.groupings.items()}
    return Ratings.of(ratings.hit[used], np.searchsorted(systems, ratings.system[used]), len(systems), groupings)


def _by_system(ratings: Ratings) -> tuple[Floats, Floats]:
    """Return the hits and the ratings of each system."""
    hits = np.bincount(ratings.system, weights=ratings.hit, minlength=ratings.systems).astype(np.float64)
    return hits, np.bincount(ratings.system, minlength=ratings.systems).astype(np.float64)


def _useful_groupings(ratings: Ratings) -> tuple[list[str], dict[str, str]]:
    """Return the groupings of the model, nested ones first, and why each other one is dropped."""
    used: dict[str, Indices] = {}
    dropped: dict[str, str] = {}
    for name in PREFERENCE:
        if name in ratings.groupings:
            reason = _redundancy(ratings.groupings[name], {"system": ratings.system, **used})
            if reason:
                dropped[name] = reason
            else:
                used[name] = ratings.groupings[name]
    return [name for name in (*NESTED, CROSSED) if name in used], dropped


def _redundancy(levels: Indices, others: Mapping[str, Indices]) -> str | None:
    """Return why a grouping tells nothing more: `one level`, `one rating each` or `same as` another one."""
    size = int(levels.max()) + 1
    if size == 1:
        return "one level"
    if size == len(levels):
        return ONE_RATING_EACH
    same = (name for name, other in others.items() if _same_groups(levels, other))
    return next((f"same as {name}" for name in same), None)


def _same_groups(a: Indices, b: Indices) -> bool:
    pairs = len(np.unique(np.stack([a, b]), axis=1).T)
    return pairs == len(np.unique(a)) == len(np.unique(b))


def _rows(ratings: Ratings, used: list[str]) -> Rows:
    """Return the ratings with equal system and levels as one row each."""
    columns = np.stack([ratings.system, *(ratings.groupings[name] for name in used)])
    distinct, row = np.unique(columns, axis=1, return_inverse=True)
    row = row.ravel()
    return Rows(
        hits=np.bincount(row, weights=ratings.hit).astype(np.float64),
        trials=np.bincount(row).astype(np.float64),
        system=distinct[0],
        systems=ratings.systems,
        layout=Layout.of(list(distinct[1:]), len([name for name in used if name != CROSSED])),
    )

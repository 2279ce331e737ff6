"""Factor the Hessian of crossed random effects: nested groupings by elimination, a crossed one as a border.

The matrix is H = I + A'WA, where A has a column for every level of every grouping, multiplied by the standard deviation
of the grouping, and W is diagonal. Items lie in responses, these in prompts, these in documents: the levels of one
nested grouping are not coupled with each other; each is coupled with one level of every outer grouping and with the
raters of its ratings. So eliminating the nested groupings from the inner to the outer one fills in nothing, and only a
matrix of raters × raters is dense (Schur complement). The entries of the inverse at the places where H is not 0 come
from the same factors, from the outer to the inner grouping (Takahashi, Fagan and Chin 1973).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .proportions import Floats

Indices = NDArray[np.int64]
Effects = list[Floats]
"""One value for each level of each grouping, the nested ones first, from the inner to the outer one."""


@dataclass(frozen=True)
class Border:
    """The pairs of a level of a nested grouping and a rater that have a row: `level`, `rater`, shape (pairs,).

    `row`: the pair of each row, (R,); `outer[h]`: the pair of each one's level of the outer grouping h and its rater.
    `first`, `second`: every two pairs of one level, also a pair with itself.
    """

    level: Indices
    rater: Indices
    row: Indices
    outer: dict[int, Indices]
    first: Indices
    second: Indices


@dataclass(frozen=True)
class Layout:
    """The groupings of R rows. `rows[g]`: the level of each row, (R,); `sizes[g]`: the number of levels.

    The first `nested` groupings are nested in each other, from the inner to the outer one; one crossed grouping, the
    raters, may follow. `outer[g][h]`: the level of grouping h that each level of the nested grouping g lies in.
    """

    rows: list[Indices]
    sizes: list[int]
    nested: int
    outer: list[dict[int, Indices]]
    borders: list[Border]

    @classmethod
    def of(cls, rows: Sequence[Indices], nested: int) -> "Layout":
        """Return the layout of levels from 0 to their number - 1. Raises ValueError where one is not nested."""
        sizes = [int(level.max()) + 1 for level in rows]
        above = [range(g + 1, nested) for g in range(nested)]
        outer = [{h: _outer_levels(rows[g], rows[h], sizes[g]) for h in above[g]} for g in range(nested)]
        return cls(list(rows), sizes, nested, outer, _borders(rows, nested))

    @property
    def raters(self) -> int:
        """The number of levels of the crossed grouping, 0 without one."""
        return self.sizes[self.nested] if len(self.rows) > self.nested else 0

    def spread(self, effects: Effects) -> Effects:
        """Return the effect of each grouping on every row."""
        return [effect[level] for effect, level in zip(effects, self.rows, strict=True)]

    def collect(self, values: Floats) -> Effects:
        """Return the sums of a value of every row, by level of each grouping."""
        return [sums_by(level, values, size) for level, size in zip(self.rows, self.sizes, strict=True)]


def sums_by(level: Indices, values: Floats, size: int) -> Floats:
    """Return the sums of values by their level, (size,)."""
    return np.bincount(level, weights=values, minlength=size).astype(np.float64, copy=False)


def dot(a: Floats, b: Floats) -> float:
    """Return the sum of products, in one thread: BLAS is slow and not the same everywhere on short vectors."""
    return float(np.sum(a * b))


def _outer_levels(inner: Indices, outer: Indices, size: int) -> Indices:
    levels = np.zeros(size, dtype=np.int64)
    levels[inner] = outer
    if (levels[inner] != outer).any():
        raise ValueError("a level of a nested grouping lies in two levels of the next")
    return levels


def _borders(rows: Sequence[Indices], nested: int) -> list[Border]:
    """Return the border of each nested grouping, without pairs where there are no raters."""
    if len(rows) == nested:
        none = np.zeros(0, dtype=np.int64)
        return [Border(none, none, none, dict.fromkeys(range(g + 1, nested), none), none, none) for g in range(nested)]
    pairs = [np.unique(np.stack([rows[g], rows[-1]]), axis=1, return_inverse=True) for g in range(nested)]
    of_row = [row.ravel() for _, row in pairs]
    return [
        Border(
            level=distinct[0],
            rater=distinct[1],
            row=of_row[g],
            outer={h: _outer_levels(of_row[g], of_row[h], distinct.shape[1]) for h in range(g + 1, nested)},
            first=first,
            second=second,
        )
        for g, (distinct, _) in enumerate(pairs)
        for first, second in [_within_levels(distinct[0])]
    ]


def _within_levels(level: Indices) -> tuple[Indices, Indices]:
    """Return the numbers of every two entries of one level; `level` is in order."""
    partners = np.bincount(level)[level]
    first = np.repeat(np.arange(len(level)), partners)
    number = np.arange(len(first)) - np.repeat(np.cumsum(partners) - partners, partners)
    return first, np.searchsorted(level, level)[first] + number


@dataclass(frozen=True)
class Factor:
    """H eliminated: `pivots[g]` (levels,), `up[g][h]` (levels,) and `border[g]` (pairs,) are the row of each level at
    its elimination; `corner` (raters, raters) is what remains.
    """

    layout: Layout
    pivots: list[Floats]
    up: list[dict[int, Floats]]
    border: list[Floats]
    corner: Floats

    def log_determinant(self) -> float:
        """Return log |H|."""
        return float(sum(np.log(pivot).sum() for pivot in self.pivots) + np.linalg.slogdet(self.corner)[1])

    def solve(self, right_side: Effects) -> Effects:
        """Return x with H x = right_side."""
        layout, x = self.layout, [values.copy() for values in right_side]
        if not layout.raters:
            x.append(np.zeros(0))
        for g, border in enumerate(layout.borders):
            scaled = x[g] / self.pivots[g]
            for h, coupling in self.up[g].items():
                x[h] -= sums_by(layout.outer[g][h], coupling * scaled, layout.sizes[h])
            x[-1] -= sums_by(border.rater, self.border[g] * scaled[border.level], layout.raters)
        x[-1] = np.asarray(np.linalg.solve(self.corner, x[-1]), dtype=np.float64)
        for g, border in reversed(list(enumerate(layout.borders))):
            explained = sums_by(border.level, self.border[g] * x[-1][border.rater], layout.sizes[g])
            for h, coupling in self.up[g].items():
                explained += coupling * x[h][layout.outer[g][h]]
            x[g] = (x[g] - explained) / self.pivots[g]
        return x if layout.raters else x[:-1]

    def row_covariances(self) -> list[list[Floats]]:
        """Return, for groupings g and h, the entry of the inverse of H at the levels of every row, (R,)."""
        layout, inverse = self.layout, self._selected_inverse()
        of_rows: list[list[Floats]] = [[np.zeros(0)] * len(layout.rows) for _ in layout.rows]
        for g, border in enumerate(layout.borders):
            for h in range(g, layout.nested):
                of_rows[g][h] = of_rows[h][g] = inverse.within[g][h][layout.rows[g]]
            if layout.raters:
                of_rows[g][-1] = of_rows[-1][g] = inverse.border[g][border.row]
        if layout.raters:
            of_rows[-1][-1] = np.diag(inverse.corner)[layout.rows[-1]]
        return of_rows

    def _selected_inverse(self) -> "_SelectedInverse":
        corner: Floats = np.linalg.inv(self.corner).astype(np.float64)
        inverse = _SelectedInverse([{} for _ in self.pivots], [np.zeros(0)] * len(self.pivots), corner)
        for g in reversed(range(self.layout.nested)):
            self._invert_level(g, inverse)
        return inverse

    def _invert_level(self, g: int, inverse: "_SelectedInverse") -> None:
        """Add the entries of grouping g, once those of the outer groupings are there."""
        outer, pivot, pairs, size = self.layout.outer[g], self.pivots[g], self.layout.borders[g], self.layout.sizes[g]
        up = {h: coupling / pivot for h, coupling in self.up[g].items()}
        border = self.border[g] / pivot[pairs.level]
        products = border[pairs.first] * inverse.corner[pairs.rater[pairs.first], pairs.rater[pairs.second]]
        with_border = sums_by(pairs.second, products, len(border))
        for h, coupling in up.items():
            with_border += coupling[pairs.level] * inverse.border[h][pairs.outer[h]]
        diagonal = 1 / pivot + sums_by(pairs.level, border * with_border, size)
        for h in up:
            entry = sums_by(pairs.level, border * inverse.border[h][pairs.outer[h]], size)
            for k, coupling in up.items():
                low, high = min(h, k), max(h, k)
                entry += coupling * inverse.within[low][high][outer[low]]
            inverse.within[g][h] = -entry
            diagonal += up[h] * entry
        inverse.within[g][g], inverse.border[g] = diagonal, -with_border


@dataclass(frozen=True)
class _SelectedInverse:
    """Entries of the inverse of H: `within[g][h]` (levels of g,), `border[g]` (pairs of g,), `corner`."""

    within: list[dict[int, Floats]]
    border: list[Floats]
    corner: Floats


def factorize(layout: Layout, sds: Floats, weights: Floats) -> Factor:
    """Factor H = I + A'WA; `sds` has one standard deviation a grouping, `weights` is the diagonal of W, (R,)."""
    totals, nested = layout.collect(weights), range(layout.nested)
    corner: Floats = np.diag(1 + sds[-1] ** 2 * totals[-1]) if layout.raters else np.zeros((0, 0))
    factor = Factor(
        layout,
        pivots=[1 + sds[g] ** 2 * totals[g] for g in nested],
        up=[{h: sds[g] * sds[h] * totals[g] for h in layout.outer[g]} for g in nested],
        border=[
            sums_by(border.row, sds[g] * sds[-1] * weights[: len(border.row)], len(border.level))
            for g, border in enumerate(layout.borders)
        ],
        corner=corner,
    )
    for g in range(layout.nested):
        _eliminate(factor, g)
    return factor


def _eliminate(factor: Factor, g: int) -> None:
    """Subtract from the outer groupings and the border what the levels of g contribute."""
    layout, up, pairs = factor.layout, factor.up[g], factor.layout.borders[g]
    scaled_border = factor.border[g] / factor.pivots[g][pairs.level]
    for h, coupling in up.items():
        scaled, outer = coupling / factor.pivots[g], layout.outer[g][h]
        factor.pivots[h] -= sums_by(outer, scaled * coupling, layout.sizes[h])
        factor.border[h] -= sums_by(pairs.outer[h], coupling[pairs.level] * scaled_border, len(factor.border[h]))
        for k in factor.up[h]:
            factor.up[h][k] -= sums_by(outer, scaled * up[k], layout.sizes[h])
    cell = pairs.rater[pairs.first] * layout.raters + pairs.rater[pairs.second]
    products = sums_by(cell, factor.border[g][pairs.first] * scaled_border[pairs.second], factor.corner.size)
    np.subtract(factor.corner, products.reshape(factor.corner.shape), out=factor.corner)

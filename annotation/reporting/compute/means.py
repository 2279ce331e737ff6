"""Means over responses: what a protocol's `means` and `correlations` say.

A response's value comes from its own ratings alone, so all of it follows from the tally: how many ratings of a response
gave which answers. Within a cell of the report a value is of the cell's ratings: by rater it is what that rater said.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...protocols import Mean
from ...stats.correlation_intervals import correlations
from ...stats.means import clustered_mean
from ..data.arrays import Indices
from ..data.table import Counts, RatingTable
from .breakdowns import by_system
from .cells import LEVEL, Cells, Groups, all_together

Floats = NDArray[np.float64]
Row = dict[str, Any]
UNIT = 2**20
"""What a value of 1 is where values are compared as whole numbers."""


@dataclass(frozen=True)
class Values:
    """The value of each response in each cell: `cell`, `source` and `cluster` have one entry for a response in a cell,
    `of` as many for each mean, NaN where the response has no value."""

    cell: Indices
    source: Indices
    cluster: Indices
    of: dict[str, Floats]


def add_means(cells: Cells, breakdowns: Sequence[tuple[Counts, Groups]], found: Sequence[Sequence[Row]]) -> None:
    """Put `means` into the cells `found` of these breakdowns, where the protocol has any."""
    if not cells.protocol.means:
        return
    for (entries, groups), rows in zip(breakdowns, found, strict=True):
        values = _values(cells, entries, groups)
        order = np.argsort(values.cell, kind="stable")
        ends = np.searchsorted(values.cell[order], np.arange(len(rows) + 1))
        for at, row in enumerate(rows):
            row["means"] = _means(cells, values, order[ends[at] : ends[at + 1]])


def _means(cells: Cells, values: Values, some: Indices) -> Row:
    return {
        key: _mean(clustered_mean(of[some], values.cluster[some], resamples=cells.resamples, level=LEVEL))
        for key, of in values.of.items()
    }


def _mean(found: Any) -> Row:
    return {name: value for name, value in asdict(found).items() if name not in ("clusters", "se")}


def is_share(mean: Mean) -> bool:
    """Whether its values lie between 0 and 1, as proportions do."""
    return all(0 <= value <= 1 for _, value in mean.values)


def by_prompt(ratings: RatingTable, cells: Cells, mean: Mean) -> tuple[Indices, Indices]:
    """The sum of a mean of shares, and how many responses have a value, by system and prompt; both in UNITs, so that
    they are whole numbers and compared as proportions are."""
    values = _values(cells, ratings.counts, by_system(ratings))
    known, shape = np.isfinite(values.of[mean.key]), (len(ratings.responses.systems), len(ratings.responses.prompts))
    place = (values.cell * shape[1] + ratings.responses.prompt_of[values.source])[known]
    whole = np.rint(values.of[mean.key][known] * UNIT)
    sums, n = (np.bincount(place, weights=w, minlength=shape[0] * shape[1]) for w in (whole, np.full(len(place), UNIT)))
    return sums.astype(np.int64).reshape(shape), n.astype(np.int64).reshape(shape)


def correlation_rows(ratings: RatingTable, cells: Cells, *, slow: bool) -> list[Row]:
    """The report's `correlations`: all systems together, then each. Without `slow`, the intervals are None."""
    if not cells.protocol.correlations:
        return []
    resamples = cells.resamples if slow else None
    groups = [(None, all_together(ratings.counts)), (ratings.responses.systems, by_system(ratings))]
    rows = []
    for names, division in groups:
        values = _values(cells, ratings.counts, division)
        for correlation in cells.protocol.correlations:
            x, y = (values.of[key] for key in correlation.between)
            for at, name in enumerate(names or [None]):
                some = (values.cell == at) & np.isfinite(x) & np.isfinite(y)
                coefficients = correlations(x[some], y[some], values.cluster[some], resamples=resamples, level=LEVEL)
                rows.append(
                    {
                        "key": correlation.key,
                        "system": name,
                        "between": list(correlation.between),
                        "n": int(some.sum()),
                        **{key: asdict(of) for key, of in coefficients.items()},
                    }
                )
    return rows


def response_rows(ratings: RatingTable, cells: Cells) -> list[Row]:
    """The report's `responses`: the value of every response, in the order of the imported ids."""
    if not cells.protocol.means:
        return []
    values, sources = _values(cells, ratings.counts, all_together(ratings.counts)), ratings.responses
    order = np.argsort(values.source, kind="stable").tolist()
    return [
        {
            "prompt": sources.prompts[sources.prompt_of[at]],
            "response": sources.rated[at].key,
            "system": sources.rated[at].made_by,
            "means": {key: _defined(of[place]) for key, of in values.of.items()},
        }
        for place, at in zip(order, values.source[order].tolist(), strict=True)
    ]


def _defined(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _values(cells: Cells, entries: Counts, groups: Groups) -> Values:
    """Of every cell's responses."""
    entry, width = groups.entries, int(entries.response.max(initial=0)) + 1
    codes, place = np.unique(groups.of * width + entries.response[entry], return_inverse=True)
    cell, source = np.divmod(codes, width)
    cluster = np.zeros(len(codes), dtype=np.int64)
    cluster[place] = entries.cluster[entry]
    answers, n = entries.answer[entry], entries.n[entry]
    table = _Table(cells, place, answers, n, len(codes))
    return Values(cell, source, cluster, {mean.key: table.value(mean) for mean in cells.protocol.means})


@dataclass(frozen=True)
class _Table:
    """Ratings by response: `n[i]` ratings of the response at `place[i]` gave the answers `answers[i]`."""

    cells: Cells
    place: Indices
    answers: Indices
    n: Indices
    size: int

    def value(self, mean: Mean) -> Floats:
        """The mean's value for each response."""
        if mean.question:
            return self._worth(mean)
        shares = [self._share(key) for key in mean.of]
        return shares[0] if len(shares) == 1 else _harmonic(*shares)

    def _sum(self, weights: Floats) -> Floats:
        """Of weights by set of answers, over the ratings of each response."""
        of_ratings = weights[self.answers] * self.n if len(weights) else np.zeros(len(self.n))
        return np.bincount(self.place, weights=of_ratings, minlength=self.size).astype(np.float64)

    def _share(self, measure: str) -> Floats:
        hits, among = self.cells.masks(self.cells.protocol.measure(measure))
        return _divided(self._sum(hits.astype(np.float64)), self._sum(among.astype(np.float64)))

    def _worth(self, mean: Mean) -> Floats:
        worth = dict(mean.values)
        given = [worth.get(answers.get(mean.question, "")) for answers in self.cells.answers]
        values = np.array([0.0 if value is None else value for value in given], dtype=np.float64)
        known = np.array([value is not None for value in given], dtype=np.float64)
        return _divided(self._sum(values), self._sum(known))


def _divided(sums: Floats, n: Floats) -> Floats:
    with np.errstate(invalid="ignore"):  # 0/0 is NaN: the response has no such rating
        return np.asarray(sums / n, dtype=np.float64)


def _harmonic(one: Floats, other: Floats) -> Floats:
    """2ab / (a + b), 0 where both are 0; undefined where one is."""
    both = one + other
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(both == 0, 0.0, 2 * one * other / both), dtype=np.float64)

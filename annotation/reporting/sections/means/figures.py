"""Means over responses and their correlations, as a protocol's `means` and `correlations` define them.

A response's value depends only on its own ratings, so the tally is enough: the number of ratings of a response with
each set of answers. Within a cell of the report only the cell's ratings count: by rater, that rater's answers.
"""

from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from ....protocols import Mean
from ....stats.bootstrap import Resamples
from ....stats.correlation_intervals import correlations
from ....stats.means import clustered_mean
from ...data.arrays import Indices
from ...data.groups import LEVEL, Cells, Groups
from ...data.study import Study
from ...parts import Cell, Coefficient, Correlation, Fields, MeanEstimate, ResponseMeans

Floats = NDArray[np.float64]
UNIT = 2**20
"""The whole number for a value of 1, where values are compared as whole numbers."""


@dataclass(frozen=True)
class Values:
    """The value of each response in each cell: `cell`, `source` and `cluster` have one entry per response and cell, and
    so has `by_mean` for each mean, NaN if the response has no value."""

    cell: Indices
    source: Indices
    cluster: Indices
    by_mean: dict[str, Floats]


def means_fields(study: Study) -> Fields:
    """Return the correlations of means and the value of each response; none under protocols without means."""
    if not study.protocol.means:
        return {}
    return {"correlations": correlation_rows(study), "responses": response_rows(study)}


def with_means(computation: Cells, groups: Groups, cells: list[Cell]) -> list[Cell]:
    """Return the cells of these groups, with `means` if the protocol has any."""
    if not computation.protocol.means:
        return cells
    values = _values(computation, groups)
    order = np.argsort(values.cell, kind="stable")
    parts = np.split(order, np.searchsorted(values.cell[order], np.arange(1, len(cells)))) if cells else []
    return [
        msgspec.structs.replace(
            cell,
            means={
                key: mean_estimate(numbers[part], values.cluster[part], computation.resamples)
                for key, numbers in values.by_mean.items()
            },
        )
        for cell, part in zip(cells, parts, strict=True)
    ]


def mean_estimate(values: Floats, clusters: Indices, resamples: Resamples | None) -> MeanEstimate:
    """Return the mean of values of responses, NaN without one, in these clusters."""
    mean = clustered_mean(values, clusters, resamples=resamples, level=LEVEL)
    return MeanEstimate(mean.value, mean.n, mean.low, mean.high, mean.method)


def by_prompt(study: Study, mean: Mean) -> tuple[Indices, Indices]:
    """Return the sum of a mean of shares, and the number of responses with a value, by system and prompt; both in
    UNITs, so that they are whole numbers and can be compared like proportions.
    """
    values = _values(study.cells, study.by_system)
    responses, defined = study.ratings.responses, np.isfinite(values.by_mean[mean.key])
    shape = (len(responses.systems), len(responses.prompts))
    index = (values.cell * shape[1] + responses.prompt_of[values.source])[defined]
    whole = np.rint(values.by_mean[mean.key][defined] * UNIT)
    sums, n = (np.bincount(index, weights=w, minlength=shape[0] * shape[1]) for w in (whole, np.full(len(index), UNIT)))
    return sums.astype(np.int64).reshape(shape), n.astype(np.int64).reshape(shape)


def correlation_rows(study: Study) -> list[Correlation]:
    """Return the correlations of all systems together, then of each. In slow reports alone they have intervals."""
    resamples = study.cells.resamples if study.is_slow else None
    rows = []
    for groups in (study.all_ratings, study.by_system) if study.protocol.correlations else ():
        values = _values(study.cells, groups)
        for correlation in study.protocol.correlations:
            x, y = (values.by_mean[key] for key in correlation.between)
            for number, cell in enumerate(groups.cells):
                part = (values.cell == number) & np.isfinite(x) & np.isfinite(y)
                estimates = correlations(x[part], y[part], values.cluster[part], resamples=resamples, level=LEVEL)
                coefficients = {
                    key: Coefficient(each.value, each.low, each.high, each.method) for key, each in estimates.items()
                }
                n = int(part.sum())
                rows.append(Correlation(correlation.key, cell.system, correlation.between, n, **coefficients))
    return rows


def response_rows(study: Study) -> list[ResponseMeans]:
    """Return the value of every response in each mean, in the order of the imported ids."""
    if not study.protocol.means:
        return []
    values, sources = _values(study.cells, study.all_ratings), study.ratings.responses
    order = np.argsort(values.source, kind="stable").tolist()
    return [
        ResponseMeans(
            prompt=sources.prompts[sources.prompt_of[source]],
            response=sources.rated[source].key,
            system=sources.rated[source].made_by,
            means={
                key: float(numbers[index]) if np.isfinite(numbers[index]) else None
                for key, numbers in values.by_mean.items()
            },
        )
        for index, source in zip(order, values.source[order].tolist(), strict=True)
    ]


def _values(cells: Cells, groups: Groups) -> Values:
    """Return the values of the responses in every cell."""
    counts, width = groups.counts, int(groups.counts.response.max(initial=0)) + 1
    codes, index = np.unique(groups.cell_of * width + counts.response, return_inverse=True)
    cell, source = np.divmod(codes, width)
    cluster = np.zeros(len(codes), dtype=np.int64)
    cluster[index] = counts.cluster
    table = _Table(cells, index, counts.answer, counts.n, len(codes))
    return Values(cell, source, cluster, {mean.key: table.value(mean) for mean in cells.protocol.means})


@dataclass(frozen=True)
class _Table:
    """Ratings by response: `n[i]` ratings of the response at `index[i]` gave the answers `answers[i]`."""

    cells: Cells
    index: Indices
    answers: Indices
    n: Indices
    size: int

    def value(self, mean: Mean) -> Floats:
        """Return the mean's value for each response."""
        if mean.question:
            return self._values_of_answers(mean)
        parts = [self._part(key) for key in mean.of]
        return parts[0] if len(parts) == 1 else _harmonic(*parts)

    def _part(self, key: str) -> Floats:
        earlier = [mean for mean in self.cells.protocol.means if mean.key == key]
        return self.value(earlier[0]) if earlier else self._share(key)

    def _sum(self, weights: Floats) -> Floats:
        """Sum weights by set of answers over the ratings of each response."""
        rating_weights = weights[self.answers] * self.n if len(weights) else np.zeros(len(self.n))
        return np.bincount(self.index, weights=rating_weights, minlength=self.size).astype(np.float64)

    def _share(self, measure: str) -> Floats:
        hits, among = self.cells.masks(self.cells.protocol.measure(measure))
        return _quotients(self._sum(hits.astype(np.float64)), self._sum(among.astype(np.float64)))

    def _values_of_answers(self, mean: Mean) -> Floats:
        worth = dict(mean.values)
        by_answers = [worth.get(answers.get(mean.question, "")) for answers in self.cells.answers]
        values = np.array([0.0 if value is None else value for value in by_answers], dtype=np.float64)
        has_value = np.array([value is not None for value in by_answers], dtype=np.float64)
        return _quotients(self._sum(values), self._sum(has_value))


def _quotients(sums: Floats, n: Floats) -> Floats:
    with np.errstate(invalid="ignore"):  # 0/0 is NaN: the response has no such rating
        return np.asarray(sums / n, dtype=np.float64)


def _harmonic(a: Floats, b: Floats) -> Floats:
    """Return 2ab / (a + b), 0 where both are 0; undefined where one is."""
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(a + b == 0, 0.0, 2 * a * b / (a + b)), dtype=np.float64)

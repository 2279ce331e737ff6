"""Means over responses and their correlations, as a protocol's `means` and `correlations` define them.

A response's value depends only on its own ratings, so the tally is enough: the number of ratings of a response with
each set of answers. Within a cell of the report only the cell's ratings count: by rater, that rater's answers.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from ....protocols import Mean
from ....stats.correlation_intervals import correlations
from ....stats.means import clustered_mean
from ...data.arrays import Indices, Mask
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
    """Return the correlations of means and the value of each response; None under protocols without means."""
    has_means = bool(study.protocol.means)
    return {
        "correlations": correlation_rows(study) if has_means else None,
        "responses": response_rows(study) if has_means else None,
    }


def with_means(computation: Cells, groups: Groups, cells: list[Cell]) -> list[Cell]:
    """Return the cells of these groups, with `means` if the protocol has any."""
    if not computation.protocol.means:
        return cells
    values = _values(computation, groups)
    order = np.argsort(values.cell, kind="stable")
    parts = np.split(order, np.searchsorted(values.cell[order], np.arange(1, len(cells)))) if cells else []
    rows = []
    for cell, part in zip(cells, parts, strict=True):
        means = {}
        for key, numbers in values.by_mean.items():
            mean = clustered_mean(numbers[part], values.cluster[part], resamples=computation.resamples, level=LEVEL)
            means[key] = MeanEstimate(mean.value, mean.n, mean.low, mean.high, mean.method)
        rows.append(msgspec.structs.replace(cell, means=means))
    return rows


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

    def quotients(*weights: Sequence[float] | Mask) -> Floats:
        """Divide the sums of two weights of each set of answers, over the ratings of each response."""
        numerator, denominator = (
            np.bincount(index, np.append(each, 0.0)[counts.answer] * counts.n, len(codes)) for each in weights
        )
        with np.errstate(invalid="ignore"):  # 0/0 is NaN: the response has no such rating
            return numerator / denominator

    by_mean: dict[str, Floats] = {}
    for mean in cells.protocol.means:
        if mean.question:
            worth = dict(mean.values)
            of_answers = [worth.get(answers.get(mean.question, "")) for answers in cells.answers]
            by_mean[mean.key] = quotients(
                [value or 0.0 for value in of_answers], [float(value is not None) for value in of_answers]
            )
            continue
        measures = {key: cells.masks(cells.protocol.measure(key)) for key in mean.of if key not in by_mean}
        a, *others = (by_mean[key] if key in by_mean else quotients(*measures[key]) for key in mean.of)
        by_mean[mean.key] = a
        for b in others:  # the harmonic mean, 0 where both are 0; undefined where one is
            with np.errstate(invalid="ignore"):
                by_mean[mean.key] = np.where(a + b == 0, 0.0, 2 * a * b / (a + b))
    return Values(cell, source, cluster, by_mean)

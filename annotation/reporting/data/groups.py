"""Cells: counts, shares and intervals of one group of ratings.

Whether a measure or a share counts a rating is decided once for each distinct set of answers, and then counted by
cluster for every cell of all breakdowns. (Not by answers and cluster first: where many questions are asked, almost
every rating has its own set of answers, and such a table is nearly all zeros.) All proportions go through
`stats.interval_choice` together: the same resamples serve all of them, in one matrix product.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ... import protocols
from ...protocols import Measure, Protocol, Question
from ...stats.bootstrap import Resamples, cache_sums
from ...stats.interval_choice import Headline, headlines
from ..choices import Choices
from ..parts import Cell, CountFields, MeasureProportion, Proportion
from .arrays import Indices, indices
from .table import Counts, RatingTable

LEVEL = 0.95
BATCH_SIZE = 500_000  # numbers in one table of proportions × clusters: 4 MB, and as much again in each of its copies

Mask = NDArray[np.bool_]


class CellName(NamedTuple):
    """The name of a cell; both fields are None for all ratings."""

    system: str | None = None
    value: str | None = None


@dataclass(frozen=True)
class Groups:
    """A way to divide ratings: `cell_of[j]` is the cell of the entry `entries[j]`; an entry may be in several cells.

    `cells` names each cell. `shares`: its cells have the shares of all options.
    """

    cells: list[CellName]
    entries: Indices
    cell_of: Indices
    shares: bool = False


@dataclass(frozen=True)
class Ratio:
    """A proportion to compute: of the sets of answers that are `among`, those that are `hits` too. `part` is the field
    of the cell for it: `measures`, `shares` or `shares_of_assessed`.
    """

    part: str
    key: str
    hits: Mask
    among: Mask


@dataclass(frozen=True)
class Table:
    """Cells with `by_answers` (cells, answers), and counts of their ratios: `k`, `n` (cells, ratios, clusters)."""

    cells: list[CellName]
    ratios: list[Ratio]
    by_answers: Indices
    k: Indices
    n: Indices


def one_group(entries: Counts) -> Groups:
    """Return the division into one cell with every rating."""
    every_entry = np.arange(len(entries.n))
    return Groups([CellName()], every_entry, np.zeros_like(every_entry), shares=True)


@dataclass(frozen=True)
class Cells:
    """Compute cells under one protocol, for one list of distinct answers and one set of clusters."""

    protocol: Protocol
    answers: list[dict[str, str]]
    clusters: int
    resamples: Resamples | None

    def compute(self, breakdowns: Sequence[tuple[Counts, Groups]]) -> list[list[Cell]]:
        """Return the cells of several breakdowns, each in the order of its groups."""
        tables = (table for entries, groups in breakdowns for table in self._tables(entries, groups))
        cells = self._compute_in_batches(tables)
        return [[next(cells) for _ in groups.cells] for _, groups in breakdowns]

    def resample(self, entries: Counts, groups: Groups) -> None:
        """Resample the measures of these cells once for proportions, comparisons and ranks."""
        if self.resamples and len(groups.cells):
            k, n = zip(*self.measures_by_cluster(entries, groups), strict=True)
            cache_sums(np.concatenate(k), np.concatenate(n), self.resamples)

    def masks(self, measure: Measure) -> tuple[Mask, Mask]:
        """For each distinct set of answers: whether the measure counts it, and whether it is in its denominator."""
        return self._masks[measure.key]

    @cached_property
    def _masks(self) -> dict[str, tuple[Mask, Mask]]:
        masks = {}
        for measure in self.protocol.measures:
            among = np.array([protocols.holds(measure.among, answers) for answers in self.answers], dtype=bool)
            counts = np.array([protocols.holds(measure.counts, answers) for answers in self.answers], dtype=bool)
            masks[measure.key] = counts & among, among
        return masks

    def measures_by_cluster(
        self, entries: Counts, groups: Groups, ratios: list[Ratio] | None = None
    ) -> list[tuple[Indices, Indices]]:
        """Return k and n of each measure, or of `ratios`, by cell and cluster, both of shape (cells, clusters)."""
        ratios = self.measure_ratios if ratios is None else ratios
        k, n = self._by_cluster(entries, groups, ratios)
        return [(k[:, i], n[:, i]) for i in range(len(ratios))]

    @cached_property
    def measure_ratios(self) -> list[Ratio]:
        """Return the measures as ratios."""
        return [Ratio("measures", measure.key, *self.masks(measure)) for measure in self.protocol.measures]

    @cached_property
    def ratios_with_shares(self) -> list[Ratio]:
        """Return the measures, and the shares of the first measured question's options among all and assessed ones."""
        first = self.protocol.first_measured_question
        left_out = self.protocol.left_out(first.key)
        options = {key: self._option_mask(first, key) for key in first.option_keys}
        answered = np.ones(len(self.answers), dtype=bool)
        if self.protocol.asks_by_kind:  # the question is not asked about items of other kinds
            answered = np.any([*options.values(), np.zeros_like(answered)], axis=0)
        assessed = {key: hits for key, hits in options.items() if key not in left_out}
        among = np.any([*assessed.values(), np.zeros_like(answered)], axis=0)
        return [
            *self.measure_ratios,
            *(Ratio("shares", key, hits, answered) for key, hits in options.items()),
            *(Ratio("shares_of_assessed", key, hits, among) for key, hits in assessed.items()),
        ]

    def _tables(self, entries: Counts, groups: Groups) -> Iterator[Table]:
        """Yield tables of a limited number of cells, so that memory stays flat."""
        ratios = self.ratios_with_shares if groups.shares else self.measure_ratios
        step = max(1, BATCH_SIZE // max(1, len(ratios) * self.clusters))
        for start in range(0, len(groups.cells), step):
            batch = groups if step >= len(groups.cells) else _slice(groups, start, start + step)
            counts = self._by_cluster(entries, batch, ratios)
            yield Table(batch.cells, ratios, self._by_answers(entries, batch), *counts)

    def _by_answers(self, entries: Counts, groups: Groups) -> Indices:
        """Return the ratings by cell and set of answers."""
        shape, entry = (len(groups.cells), len(self.answers)), groups.entries
        return _add_cells(groups.cell_of * shape[1] + entries.answer[entry], entries.n[entry], shape)

    def _by_cluster(self, entries: Counts, groups: Groups, ratios: list[Ratio]) -> tuple[Indices, Indices]:
        """Return k and n by cell, ratio and cluster."""
        entry = groups.entries
        index, answers = groups.cell_of * self.clusters + entries.cluster[entry], entries.answer[entry]
        n, shape = entries.n[entry].astype(np.float64), (len(groups.cells), self.clusters)
        masks = [ratio.hits for ratio in ratios] + [ratio.among for ratio in ratios]
        distinct = {mask.tobytes(): mask for mask in masks}  # measures often have the same denominator
        sums = {key: _add_cells(index, n * mask.astype(np.float64)[answers], shape) for key, mask in distinct.items()}
        by_cluster = [sums[mask.tobytes()] for mask in masks]
        return np.stack(by_cluster[: len(ratios)], axis=1), np.stack(by_cluster[len(ratios) :], axis=1)

    def _compute_in_batches(self, tables: Iterable[Table]) -> Iterator[Cell]:
        """Yield cells in order; the intervals of as many tables as fit are computed together."""
        batch: list[Table] = []
        for table in tables:
            batch.append(table)
            if sum(table.k.size for table in batch) > BATCH_SIZE:
                yield from self._cells(batch)
                batch = []
        yield from self._cells(batch)

    def _cells(self, tables: list[Table]) -> Iterator[Cell]:
        if not tables:
            return
        k = np.concatenate([_rows(table.k) for table in tables])
        n = np.concatenate([_rows(table.n) for table in tables])
        estimates = iter(self._headlines(k, n))
        for table in tables:
            for name, counts in zip(table.cells, table.by_answers, strict=True):
                estimated = [(ratio, next(estimates)) for ratio in table.ratios]
                yield Cell(
                    system=name.system,
                    value=name.value,
                    **self.counts(counts),
                    measures={
                        ratio.key: _measure(estimate) for ratio, estimate in estimated if ratio.part == "measures"
                    },
                    shares=_shares(estimated, "shares"),
                    shares_of_assessed=_shares(estimated, "shares_of_assessed"),
                )

    def _headlines(self, k: Indices, n: Indices) -> list[Headline]:
        """Return the estimate of each row; equal rows, as a measure and a share often are, are computed once."""
        first_rows: dict[bytes, int] = {}
        numbers = [first_rows.setdefault(row.tobytes(), i) for i, row in enumerate(np.concatenate([k, n], axis=1))]
        distinct = list(first_rows.values())
        estimates = headlines(k[distinct], n[distinct], resamples=self.resamples, level=LEVEL)
        by_row = dict(zip(distinct, estimates, strict=True))
        return [by_row[i] for i in numbers]

    def counts(self, counts: Indices) -> CountFields:
        """Return the numbers of ratings of a cell, from its ratings by set of answers."""
        first, *others = self._questions
        options = _by_option(first, counts)
        left_out = self.protocol.left_out(first[0].key)
        return {
            "ratings": int(counts.sum()),
            "assessed": self._count_assessed(counts) or sum(n for key, n in options.items() if key not in left_out),
            "options": options,
            "questions": {question[0].key: _by_option(question, counts) for question in others},
        }

    def _count_assessed(self, counts: Indices) -> int:
        """Count the ratings in some proportion, where items of different kinds are asked different questions."""
        if not self.protocol.asks_by_kind:
            return 0
        among = np.array([self.masks(measure)[1] for measure in self.protocol.measures], dtype=bool)
        return int(counts[among.any(axis=0)].sum())

    @cached_property
    def _questions(self) -> list[tuple[Question, Indices]]:
        """The choice questions, the first measured one first, with answers by option: (options, answers) of 0 and 1."""
        first = self.protocol.first_measured_question
        others = [q for q in self.protocol.questions if q.kind == "choice" and q != first]
        return [
            (q, np.array([self._option_mask(q, key) for key in q.option_keys], dtype=np.int64))
            for q in (first, *others)
        ]

    def _option_mask(self, question: Question, option: str) -> Mask:
        return np.array([answers.get(question.key) == option for answers in self.answers], dtype=bool)


def cells_of(protocol: Protocol, ratings: RatingTable, choices: Choices | None = None) -> Cells:
    """Return the computation of cells; without `choices`, or with no resamples, every interval is a closed form."""
    resamples = None
    if choices and choices.resamples and ratings.responses.clusters:
        resamples = Resamples(ratings.responses.clusters, choices.resamples, choices.seed)
    return Cells(protocol, ratings.answer_sets, ratings.responses.clusters, resamples)


def _by_option(question: tuple[Question, Indices], counts: Indices) -> dict[str, int]:
    """Count how often each option was chosen, those never chosen too."""
    definition, masks = question
    return dict(zip(definition.option_keys, (masks @ counts).tolist(), strict=True))


def _add_cells(indexes: Indices, n: Indices | NDArray[np.float64], shape: tuple[int, int]) -> Indices:
    """Sum `n` at each index of a table. Sums stay far below 2**53, so adding them as floats is exact."""
    sums = np.bincount(indexes, weights=n, minlength=shape[0] * shape[1])
    return sums.astype(np.int64).reshape(shape)


def _rows(counts: Indices) -> Indices:
    """Reshape counts by cell, ratio and cluster to one row a cell and ratio."""
    return counts.reshape(counts.shape[0] * counts.shape[1], counts.shape[2])


def ratings_asked(options: Mapping[str, int], ratings: int, overall: Cell) -> int:
    """Return the denominator of the shares of `options`: all `ratings`, or if the first measured question is about items
    of some kinds only, those that answered it. `overall` is the cell of all ratings.
    """
    of_some_kinds = any(share.n != overall.ratings for share in (overall.shares or {}).values())
    return sum(options.values()) if of_some_kinds else ratings


def _shares(estimated: list[tuple[Ratio, Headline]], part: str) -> dict[str, Proportion] | None:
    """Return the proportions of one field of a cell, None where it has none."""
    shares = {
        ratio.key: Proportion(p.value, p.k, p.n, p.low, p.high, p.method)
        for ratio, p in estimated
        if ratio.part == part
    }
    return shares or None


def _measure(p: Headline) -> MeasureProportion:
    return MeasureProportion(p.value, p.k, p.n, p.low, p.high, p.method, p.deff, p.icc)


def _slice(groups: Groups, start: int, stop: int) -> Groups:
    within = (groups.cell_of >= start) & (groups.cell_of < stop)
    return Groups(groups.cells[start:stop], groups.entries[within], groups.cell_of[within] - start, groups.shares)


RATER, WEEK = "rater", "week"
WITHIN_SYSTEM, OF_PROMPTS = "system × ", "prompt's "


def by_system(ratings: RatingTable) -> Groups:
    """Return one cell per system, with shares."""
    cells = [CellName(system=name) for name in ratings.responses.systems]
    system_of = ratings.responses.system_of[ratings.counts.response]
    return Groups(cells, np.arange(len(system_of)), system_of, shares=True)


def by_rater(ratings: RatingTable) -> Groups:
    """Return one cell per rater, over the entries of `ratings.rater_counts`, without adjudications."""
    raters = ratings.rater_counts.rater
    by_raters = np.flatnonzero(raters >= 0)
    return Groups([CellName(value=name) for name in ratings.raters], by_raters, raters[by_raters])


def by_week(ratings: RatingTable) -> Groups:
    """Return one cell per week, over the entries of `ratings.rater_counts`."""
    weeks = ratings.rater_counts.week
    return Groups([CellName(value=week) for week in ratings.weeks], np.arange(len(weeks)), weeks)


def metadata_keys(ratings: RatingTable) -> dict[str, str]:
    """Return {name in the report: metadata key}, in order, of the keys for which some prompt has a value.

    A key that collides with another breakdown of the report gets the prefix `prompt's `.
    """
    return {name_of(key): key for key in ratings.responses.values}


def name_of(key: str) -> str:
    """Return the name of a metadata key in the report; no two keys have the same name."""
    collides = key in (RATER, WEEK) or key.startswith((WITHIN_SYSTEM, OF_PROMPTS))
    return f"{OF_PROMPTS}{key}" if collides else key


def key_of(name: str) -> str:
    """Return the metadata key with this name in the report."""
    return name.removeprefix(OF_PROMPTS)


def multi_valued(ratings: RatingTable) -> list[str]:
    """Return the names of the keys with several values for some prompt, whose cells overlap."""
    by_key = ratings.responses.values.items()
    return [name_of(key) for key, by_prompt in by_key if any(len(values) > 1 for values in by_prompt)]


def without_value(ratings: RatingTable) -> dict[str, int]:
    """Return {name of a key: ratings of prompts without a value} of the keys that some prompt lacks."""
    totals = np.bincount(
        ratings.responses.prompt_of[ratings.counts.response], ratings.counts.n, minlength=len(ratings.responses.prompts)
    )
    missing = {
        name_of(key): int(totals[np.array([not values for values in by_prompt], dtype=bool)].sum())
        for key, by_prompt in ratings.responses.values.items()
    }
    return {name: n for name, n in missing.items() if n}


def by_metadata(ratings: RatingTable, key: str) -> Groups:
    """Return one cell per value of the prompts' metadata `key`."""
    values, entries, value_of = _entries_by_value(ratings, key)
    return Groups([CellName(value=value) for value in values], entries, value_of)


def by_system_and_metadata(ratings: RatingTable, key: str) -> Groups:
    """Return one cell per combination of system and value in the data."""
    values, entries, value_of = _entries_by_value(ratings, key)
    system_of = ratings.responses.system_of[ratings.counts.response[entries]]
    pairs, cell_of = np.unique(system_of * len(values) + value_of, return_inverse=True)
    names = [CellName(ratings.responses.systems[pair // len(values)], values[pair % len(values)]) for pair in pairs]
    return Groups(names, entries, cell_of)


def _entries_by_value(ratings: RatingTable, key: str) -> tuple[list[str], Indices, Indices]:
    """Return the values of a key in order, and the entries repeated for each value of their prompt, with its number."""
    by_prompt = ratings.responses.values[key]
    values = sorted({value for values in by_prompt for value in values})
    number = {value: i for i, value in enumerate(values)}
    numbers = indices(number[value] for values in by_prompt for value in values)
    sizes = indices(map(len, by_prompt))
    prompts = ratings.responses.prompt_of[ratings.counts.response]
    times = sizes[prompts]
    entries = np.repeat(np.arange(len(prompts)), times)
    within = np.arange(len(entries)) - np.repeat(np.cumsum(times) - times, times)
    return values, entries, numbers[(np.cumsum(sizes) - sizes)[prompts[entries]] + within]

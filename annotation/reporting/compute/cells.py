"""Cells: counts, shares and intervals of one group of ratings.

What a measure or a share counts is decided once for each distinct set of answers, and then counted for every cell of
all breakdowns by cluster. (Not by answers and cluster first: where many questions are asked, almost every rating has a
set of answers of its own, and such a table is nearly all zeros.) All figures go through the rule of `stats.headline`
together: the same resamples serve all of them, in one product.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import protocols
from ...protocols import Measure, Protocol, Question
from ...stats.bootstrap import Resamples, keep
from ...stats.interval_choice import Headline, headlines
from ..choices import Choices
from ..data.arrays import Indices
from ..data.table import Counts, RatingTable

LEVEL = 0.95
FIGURES_AT_ONCE = 500_000  # numbers in one table of figures × clusters: 4 MB, and as much again in each of its copies

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Groups:
    """A way to divide ratings: `of[j]` is the cell of the entry `entries[j]`, and an entry may be in several cells.

    `cells` has what names each cell, such as `{"system": "heron"}`. `shares`: its cells have the shares of all options.
    """

    cells: list[dict[str, Any]]
    entries: Indices
    of: Indices
    shares: bool = False


@dataclass(frozen=True)
class Figure:
    """A proportion: of the sets of answers that are `among`, those that are `hits` too. `part` is where in a cell it
    stands: `measures`, `shares` or `shares_of_assessed`.
    """

    part: str
    key: str
    hits: Mask
    among: Mask


@dataclass(frozen=True)
class Table:
    """Some cells with their ratings `by_answers` (cells, answers), and what their figures count: `k` and `n`, (cells,
    figures, clusters).
    """

    cells: list[dict[str, Any]]
    figures: list[Figure]
    by_answers: Indices
    k: Indices
    n: Indices


def all_together(entries: Counts) -> Groups:
    """One cell with every rating."""
    everything = np.arange(len(entries.n))
    return Groups([{}], everything, np.zeros_like(everything), shares=True)


@dataclass(frozen=True)
class Cells:
    """Makes cells under one protocol, for one list of distinct answers and one set of clusters."""

    protocol: Protocol
    answers: list[dict[str, str]]
    clusters: int
    resamples: Resamples | None

    def of(self, entries: Counts, groups: Groups) -> list[dict[str, Any]]:
        """The cells of `groups` as the report has them, in the groups' order."""
        return self.of_all([(entries, groups)])[0]

    def of_all(self, breakdowns: Sequence[tuple[Counts, Groups]]) -> list[list[dict[str, Any]]]:
        """The cells of several breakdowns."""
        tables = (table for entries, groups in breakdowns for table in self._tables(entries, groups))
        cells = self._filled(tables)
        return [[next(cells) for _ in groups.cells] for _, groups in breakdowns]

    def keep(self, entries: Counts, groups: Groups) -> None:
        """Resample the measures of these cells once for all that will ask for them: figures, comparisons, ranks."""
        if self.resamples and len(groups.cells):
            k, n = zip(*self.measures_by_cluster(entries, groups), strict=True)
            keep(np.concatenate(k), np.concatenate(n), self.resamples)

    def masks(self, measure: Measure) -> tuple[Mask, Mask]:
        """For each distinct set of answers: does the measure count it, and is it among those it is taken over?"""
        return self._masks[measure.key]

    @cached_property
    def _masks(self) -> dict[str, tuple[Mask, Mask]]:
        found = {}
        for of in self.protocol.measures:
            among = np.array([protocols.holds(of.among, answers) for answers in self.answers], dtype=bool)
            counts = np.array([protocols.holds(of.counts, answers) for answers in self.answers], dtype=bool)
            found[of.key] = counts & among, among
        return found

    def measures_by_cluster(self, entries: Counts, groups: Groups) -> list[tuple[Indices, Indices]]:
        """k and n of each measure by cell and cluster, both of shape (cells, clusters)."""
        k, n = self._by_cluster(entries, groups, self.figures)
        return [(k[:, at], n[:, at]) for at in range(len(self.figures))]

    @cached_property
    def figures(self) -> list[Figure]:
        """The measures."""
        return [Figure("measures", measure.key, *self.masks(measure)) for measure in self.protocol.measures]

    @cached_property
    def figures_with_shares(self) -> list[Figure]:
        """The measures, and the shares of the first measured question's options among all and assessed ratings."""
        first = self.protocol.first_measured_question
        left_out = self.protocol.left_out(first.key)
        chosen = {key: self._chose(first, key) for key in first.option_keys}
        everything = np.ones(len(self.answers), dtype=bool)
        if self.protocol.asks_by_kind:  # of items of other kinds it was not asked
            everything = np.any([*chosen.values(), np.zeros_like(everything)], axis=0)
        assessed = {key: hits for key, hits in chosen.items() if key not in left_out}
        among = np.any([*assessed.values(), np.zeros_like(everything)], axis=0)
        return [
            *self.figures,
            *(Figure("shares", key, hits, everything) for key, hits in chosen.items()),
            *(Figure("shares_of_assessed", key, hits, among) for key, hits in assessed.items()),
        ]

    def _tables(self, entries: Counts, groups: Groups) -> Iterator[Table]:
        """Some cells at a time, so that memory stays flat."""
        figures = self.figures_with_shares if groups.shares else self.figures
        step = max(1, FIGURES_AT_ONCE // max(1, len(figures) * self.clusters))
        for start in range(0, len(groups.cells), step):
            some = groups if step >= len(groups.cells) else _slice(groups, start, start + step)
            yield Table(some.cells, figures, self._by_answers(entries, some), *self._by_cluster(entries, some, figures))

    def _by_answers(self, entries: Counts, groups: Groups) -> Indices:
        """Ratings by cell and answers."""
        shape, entry = (len(groups.cells), len(self.answers)), groups.entries
        return _added(groups.of * shape[1] + entries.answer[entry], entries.n[entry], shape)

    def _by_cluster(self, entries: Counts, groups: Groups, figures: list[Figure]) -> tuple[Indices, Indices]:
        """What the figures count, k and n by cell, figure and cluster."""
        entry = groups.entries
        place, answers = groups.of * self.clusters + entries.cluster[entry], entries.answer[entry]
        n, shape = entries.n[entry].astype(np.float64), (len(groups.cells), self.clusters)
        masks = [of.hits for of in figures] + [of.among for of in figures]
        different = {mask.tobytes(): mask for mask in masks}  # measures are often taken over the same ratings
        sums = {key: _added(place, n * mask.astype(np.float64)[answers], shape) for key, mask in different.items()}
        by_cluster = [sums[mask.tobytes()] for mask in masks]
        k, of = by_cluster[: len(figures)], by_cluster[len(figures) :]
        return np.stack(k, axis=1), np.stack(of, axis=1)

    def _filled(self, tables: Iterable[Table]) -> Iterator[dict[str, Any]]:
        """Cells in order, with the figures of as many tables as fit computed together."""
        waiting: list[Table] = []
        for table in tables:
            waiting.append(table)
            if sum(of.k.size for of in waiting) > FIGURES_AT_ONCE:
                yield from self._written(waiting)
                waiting = []
        yield from self._written(waiting)

    def _written(self, tables: list[Table]) -> Iterator[dict[str, Any]]:
        if not tables:
            return
        k, n = (np.concatenate([_rows(getattr(table, side)) for table in tables]) for side in ("k", "n"))
        found = iter(self._headlines(k, n))
        for table in tables:
            for name, counts in zip(table.cells, table.by_answers, strict=True):
                yield {**name, **self.tallied(counts), **_parts((figure, next(found)) for figure in table.figures)}

    def _headlines(self, k: Indices, n: Indices) -> list[Headline]:
        """The headline of each row; rows that are the same, as a measure and a share often are, are computed once."""
        both = np.concatenate([k, n], axis=1)
        known: dict[bytes, int] = {}
        first = [known.setdefault(row.tobytes(), at) for at, row in enumerate(both)]
        different = list(known.values())
        found = dict(
            zip(different, headlines(k[different], n[different], resamples=self.resamples, level=LEVEL), strict=True)
        )
        return [found[at] for at in first]

    def tallied(self, counts: Indices) -> dict[str, Any]:
        """`ratings`, `assessed`, `options` and `questions` of a cell, from its ratings by answers."""
        first, *others = self._questions
        options = _by_option(first, counts)
        left_out = self.protocol.left_out(first[0].key)
        return {
            "ratings": int(counts.sum()),
            "assessed": self._assessed(counts) or sum(n for key, n in options.items() if key not in left_out),
            "options": options,
            "questions": {question[0].key: _by_option(question, counts) for question in others},
        }

    def _assessed(self, counts: Indices) -> int:
        """Where items of different kinds are asked different questions: the ratings that are in some proportion."""
        if not self.protocol.asks_by_kind:
            return 0
        among = np.array([self.masks(measure)[1] for measure in self.protocol.measures], dtype=bool)
        return int(counts[among.any(axis=0)].sum())

    @cached_property
    def _questions(self) -> list[tuple[Question, Indices]]:
        """The choice questions, the first measured one first, with which answers chose which option: (options,
        answers) of 0 and 1.
        """
        first = self.protocol.first_measured_question
        others = [q for q in self.protocol.questions if q.kind == "choice" and q != first]
        return [(q, np.array([self._chose(q, key) for key in q.option_keys], dtype=np.int64)) for q in (first, *others)]

    def _chose(self, question: Question, option: str) -> Mask:
        return np.array([answers.get(question.key) == option for answers in self.answers], dtype=bool)


def cells_of(protocol: Protocol, ratings: RatingTable, choices: Choices | None = None) -> Cells:
    """What makes the cells of a report; without `choices`, or with no resamples, every interval is a closed form."""
    drawn = None
    if choices and choices.resamples and ratings.responses.clusters:
        drawn = Resamples(ratings.responses.clusters, choices.resamples, choices.seed)
    return Cells(protocol, ratings.answer_sets, ratings.responses.clusters, drawn)


def _by_option(question: tuple[Question, Indices], counts: Indices) -> dict[str, int]:
    """How often each option was chosen, those never chosen too."""
    asked, chosen = question
    return dict(zip(asked.option_keys, (chosen @ counts).tolist(), strict=True))


def _added(places: Indices, n: NDArray[Any], shape: tuple[int, int]) -> Indices:
    """The sum of `n` at each place of a table. Sums stay far below 2**53, so adding them as floats is exact."""
    sums = np.bincount(places, weights=n, minlength=shape[0] * shape[1])
    return sums.astype(np.int64).reshape(shape)


def _rows(counts: Indices) -> Indices:
    """Counts by cell, figure and cluster as a row a cell and figure."""
    return counts.reshape(counts.shape[0] * counts.shape[1], counts.shape[2])


def _parts(found: Iterable[tuple[Figure, Headline]]) -> dict[str, dict[str, Any]]:
    parts: dict[str, dict[str, Any]] = {}
    for figure, of in found:
        written = _measure(of) if figure.part == "measures" else _share(of)
        parts.setdefault(figure.part, {})[figure.key] = written
    return parts


def ratings_asked(cell: dict[str, Any], overall: dict[str, Any]) -> int:
    """Of how many ratings of a report's cell the options are shares: of all, or where the first measured question is
    about items of some kinds only, of those that answered it. `overall` is the cell of all ratings."""
    of_some_kinds = any(share["n"] != overall["ratings"] for share in overall.get("shares", {}).values())
    asked: int = sum(cell["options"].values()) if of_some_kinds else cell["ratings"]
    return asked


def _share(of: Headline) -> dict[str, Any]:
    return {"value": of.value, "k": of.k, "n": of.n, "low": of.low, "high": of.high, "method": of.method}


def _measure(of: Headline) -> dict[str, Any]:
    return {**_share(of), "deff": of.deff, "icc": of.icc}


def _slice(groups: Groups, start: int, stop: int) -> Groups:
    within = (groups.of >= start) & (groups.of < stop)
    return Groups(groups.cells[start:stop], groups.entries[within], groups.of[within] - start, groups.shares)

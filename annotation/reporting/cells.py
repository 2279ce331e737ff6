"""Cells: counts, shares and intervals of one group of ratings.

What a measure counts is decided by the protocol's condition, once for each distinct set of answers. Every cell of a
table then comes from one table of counts (cells × answers) and two of clusters (cells × prompts) for each measure.
Intervals follow the rule of `stats.headline`, cell by cell, and the same resamples serve all cells.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import protocols
from ..protocols import Measure, Protocol, Question
from ..stats.bootstrap import Resamples
from ..stats.headline import Headline, headlines
from .tallies import Entries, Indices

LEVEL = 0.95
TABLE_SIZE = 2_000_000  # numbers in one table of cells × prompts: 16 MB


@dataclass(frozen=True)
class Groups:
    """A way to divide ratings: `of[j]` is the cell of the entry `entries[j]`, and an entry may be in several cells.

    `cells` has what names each cell, such as `{"system": "heron"}`.
    """

    cells: list[dict[str, Any]]
    entries: Indices
    of: Indices


def all_together(entries: Entries) -> Groups:
    """One cell with every rating."""
    everything = np.arange(len(entries.n))
    return Groups([{}], everything, np.zeros_like(everything))


@dataclass(frozen=True)
class Cells:
    """Makes cells under one protocol, for one list of distinct answers and one set of prompts."""

    protocol: Protocol
    answers: list[dict[str, str]]
    prompts: int
    resamples: Resamples | None

    def of(self, entries: Entries, groups: Groups) -> list[dict[str, Any]]:
        """The cells of `groups` as the report has them, in the groups' order."""
        counts = self._counts(entries, groups)
        measures = {measure.key: self._headlines(measure, entries, groups) for measure in self.protocol.measures}
        return [
            {**name, **self._tallied(row), "measures": {key: _measure(found[at]) for key, found in measures.items()}}
            for at, (name, row) in enumerate(zip(groups.cells, counts, strict=True))
        ]

    def _counts(self, entries: Entries, groups: Groups) -> NDArray[np.int64]:
        """Ratings by cell and answers: shape (cells, answers)."""
        columns = entries.answers[groups.entries]
        return _sums(groups.of, columns, entries.n[groups.entries], (len(groups.cells), len(self.answers)))

    def _tallied(self, row: NDArray[np.int64]) -> dict[str, Any]:
        first = self.protocol.first_measured_question
        others = [q for q in self.protocol.questions if q.kind == "choice" and q != first]
        options = self._options(first, row)
        left_out = self.protocol.left_out(first.key)
        return {
            "ratings": int(row.sum()),
            "assessed": sum(n for option, n in options.items() if option not in left_out),
            "options": options,
            "questions": {question.key: self._options(question, row) for question in others},
        }

    def _options(self, question: Question, row: NDArray[np.int64]) -> dict[str, int]:
        """How often each option was chosen, those never chosen too."""
        chosen = [answers.get(question.key) for answers in self.answers]
        return {
            key: int(sum(row[at] for at, option in enumerate(chosen) if option == key)) for key in question.option_keys
        }

    def _headlines(self, measure: Measure, entries: Entries, groups: Groups) -> list[Headline]:
        """One headline a cell, a slice of the cells at a time so that memory stays flat."""
        found: list[Headline] = []
        step = max(1, TABLE_SIZE // max(1, self.prompts))
        for start in range(0, len(groups.cells), step):
            hits, among = self.clusters(measure, entries, _slice(groups, start, start + step))
            found += headlines(hits, among, resamples=self.resamples, level=LEVEL)
        return found

    def clusters(self, measure: Measure, entries: Entries, groups: Groups) -> tuple[Indices, Indices]:
        """k and n of a measure by cell and prompt, both of shape (cells, prompts)."""
        shape = (len(groups.cells), self.prompts)
        prompts, n = entries.prompts[groups.entries], entries.n[groups.entries]
        hits, among = (mask[entries.answers[groups.entries]] for mask in self.masks(measure))
        return _sums(groups.of, prompts, n * hits, shape), _sums(groups.of, prompts, n * among, shape)

    def masks(self, measure: Measure) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """For each distinct set of answers: does the measure count it, and is it among those it is taken over?"""
        among = np.array([protocols.holds(measure.among, answers) for answers in self.answers], dtype=bool)
        counts = np.array([protocols.holds(measure.counts, answers) for answers in self.answers], dtype=bool)
        return counts & among, among


def _measure(of: Headline) -> dict[str, Any]:
    return {
        "value": of.value,
        "k": of.k,
        "n": of.n,
        "low": of.low,
        "high": of.high,
        "method": of.method,
        "deff": of.deff,
    }


def _sums(rows: Indices, columns: Indices, n: Indices, shape: tuple[int, int]) -> Indices:
    """Sums of `n` by row and column. They stay far below 2**53, so adding them as floats is exact."""
    sums = np.bincount(rows * shape[1] + columns, weights=n, minlength=shape[0] * shape[1])
    return sums.astype(np.int64).reshape(shape)


def _slice(groups: Groups, start: int, stop: int) -> Groups:
    within = (groups.of >= start) & (groups.of < stop)
    return Groups(groups.cells[start:stop], groups.entries[within], groups.of[within] - start)

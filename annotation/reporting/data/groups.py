"""Groups of ratings, and their cells: counts, shares, scores and intervals.

Whether a measure, a share or a score counts a rating is decided once for each distinct set of answers, and then counted
by cluster for every cell of all breakdowns. (Not by answers and cluster first: where many questions are asked, almost
every rating has its own set of answers, and such a table is nearly all zeros.) All proportions go through
`stats.interval_choice` together: the same resamples serve all of them, in one matrix product.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ... import protocols
from ...protocols import Measure, Protocol, Question
from ...protocols.schema import HUNDREDTHS
from ...stats.bootstrap import Resamples
from ...stats.interval_choice import Headline, headlines
from ..choices import Choices
from ..parts import Cell, CountFields, MeasureProportion, Proportion, ScoreEstimate
from .arrays import MISSING, Indices, Mask, indices
from .table import Counts, RatingTable

LEVEL = 0.95
BATCH_SIZE = 500_000  # numbers in one table of proportions × clusters: 4 MB, and as much again in each of its copies

RATER, WEEK = "rater", "week"
WITHIN_SYSTEM, OF_PROMPTS = "system × ", "prompt's "


class CellName(NamedTuple):
    """The name of a cell; both fields are None for all ratings."""

    system: str | None = None
    value: str | None = None


@dataclass(frozen=True)
class Groups:
    """Ratings divided into cells: those of a row of `counts` are in the cell `cells[cell_of[row]]`.

    Ratings in several cells have a row for each. `shares`: the cells have the shares of all options.
    """

    cells: list[CellName]
    cell_of: Indices
    counts: Counts
    shares: bool = False

    def batches(self, numbers: int) -> Iterator["Groups"]:
        """Yield parts of a limited number of cells, so that memory stays flat: a cell has so many `numbers`."""
        size = max(1, BATCH_SIZE // max(1, numbers))
        if size >= len(self.cells) > 0:
            yield self
            return
        for start in range(0, len(self.cells), size):
            rows = np.flatnonzero((self.cell_of >= start) & (self.cell_of < start + size))
            cells = self.cells[start : start + size]
            yield Groups(cells, self.cell_of[rows] - start, self.counts.rows(rows), self.shares)


def joined(parts: Sequence[Groups]) -> Groups:
    starts = np.cumsum([0, *(len(part.cells) for part in parts[:-1])]).tolist()
    counts = [part.counts for part in parts]
    return Groups(
        [cell for part in parts for cell in part.cells],
        np.concatenate([part.cell_of + start for part, start in zip(parts, starts, strict=True)]),
        Counts(
            *(
                np.concatenate([getattr(each, name) for each in counts])
                for name in ("response", "cluster", "answer", "n")
            )
        ),
        parts[0].shares,
    )


def breakdowns(ratings: RatingTable) -> Iterator[tuple[str, Groups]]:
    """Yield the groups by every metadata key, by rater and by week if there are several (without adjudications and only
    with single ratings), then by system and every metadata key, each with its name in the report.
    """
    by_key = {name_of(key): _entries_by_value(ratings, key) for key in ratings.responses.values}
    for name, (values, entries, value_of) in by_key.items():
        yield name, Groups([CellName(value=value) for value in values], value_of, ratings.counts.rows(entries))
    if ratings.has_single_ratings:
        counts = ratings.rater_counts
        by_raters = np.flatnonzero(counts.rater >= 0)
        names = [CellName(value=name) for name in ratings.raters]
        yield RATER, Groups(names, counts.rater[by_raters], counts.rows(by_raters))
        if len(ratings.weeks) > 1:
            yield WEEK, Groups([CellName(value=week) for week in ratings.weeks], counts.week, counts)
    for name, (values, entries, value_of) in by_key.items():
        rows, systems = ratings.counts.rows(entries), ratings.responses.systems
        system_of = ratings.responses.system_of[rows.response]
        pairs, cell_of = np.unique(system_of * len(values) + value_of, return_inverse=True)
        cells = [CellName(systems[pair // len(values)], values[pair % len(values)]) for pair in pairs.tolist()]
        yield f"{WITHIN_SYSTEM}{name}", Groups(cells, cell_of, rows)


def _entries_by_value(ratings: RatingTable, key: str) -> tuple[list[str], Indices, Indices]:
    """Return the values of a metadata key in order, and the rows of the counts, repeated for each value of their
    prompt, with its number.
    """
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


def name_of(key: str) -> str:
    """Return the name of a metadata key in the report; no two keys have the same name."""
    collides = key in (RATER, WEEK) or key.startswith((WITHIN_SYSTEM, OF_PROMPTS))
    return f"{OF_PROMPTS}{key}" if collides else key


def key_of(name: str) -> str:
    return name.removeprefix(OF_PROMPTS)


@dataclass(frozen=True)
class Ratio:
    """A proportion to compute: of the sets of answers that are `among`, those that are `hits` too. `part` is the field
    of the cell for it: `measures`, `shares`, `shares_of_assessed` or `scores`.

    A score is computed as its share of the largest one that is possible, `unit`, which lies between 0 and 1 as a
    proportion does: `hits` are the weights of the sets of answers, in whole hundredths, so that sums are exact.
    """

    part: str
    key: str
    hits: Mask | Indices
    among: Mask | Indices
    unit: int = 1

    def in_units(self, *shares: float | None) -> list[float | None]:
        """Return shares of the largest score as scores per 100 ratings; those of a measure as they are."""
        return [None if share is None else self.unit * share for share in shares]


@dataclass(frozen=True)
class Cells:
    """Compute cells under one protocol, for one list of distinct answers and one set of clusters."""

    protocol: Protocol
    answers: list[dict[str, str]]
    clusters: int
    resamples: Resamples | None
    _masks: dict[str, tuple[Mask, Mask]] = field(default_factory=dict, init=False)  # by measure

    def compute(self, divisions: Sequence[Groups]) -> list[list[Cell]]:
        """Return the cells of several divisions, each in the order of its groups. The intervals of as many parts as fit
        are computed together.
        """
        cells: list[Cell] = []
        parts: list[Groups] = []
        size = 0
        for groups in divisions:
            numbers = len(self._ratios_of(groups)) * self.clusters
            for part in groups.batches(numbers):
                parts.append(part)
                size += len(part.cells) * numbers
                if size > BATCH_SIZE:
                    cells += self._compute_together(parts)
                    parts, size = [], 0
        each = iter([*cells, *self._compute_together(parts)])
        return [[next(each) for _ in groups.cells] for groups in divisions]

    def _compute_together(self, parts: Sequence[Groups]) -> Iterator[Cell]:
        """Yield the cells of these parts; equal rows, as a measure and a share often are, are computed once."""
        rows: list[tuple[Indices, Indices, int]] = []  # k and n by cluster, and the unit
        number_of: dict[bytes, int] = {}
        numbers: list[int] = []
        for _, alike in groupby(parts, key=attrgetter("shares")):
            groups = joined(list(alike))
            counts = self.by_cluster(groups, self._ratios_of(groups))
            for k_of_cell, n_of_cell in zip(*counts, strict=True):
                for ratio, k, n in zip(self._ratios_of(groups), k_of_cell, n_of_cell, strict=True):
                    number = number_of.setdefault(b"%d " % ratio.unit + k.tobytes() + n.tobytes(), len(rows))
                    if number == len(rows):
                        rows.append((k, n, ratio.unit))
                    numbers.append(number)
        if not rows:
            return
        all_k, all_n, units = zip(*rows, strict=True)
        estimates = headlines(np.stack(all_k), np.stack(all_n), resamples=self.resamples, level=LEVEL, unit=units)
        of_rows = (estimates[number] for number in numbers)
        for part in parts:
            shape = (len(part.cells), len(self.answers))
            by_answers = _add_cells(part.cell_of * shape[1] + part.counts.answer, part.counts.n, shape)
            for name, ratings in zip(part.cells, by_answers, strict=True):
                yield self._cell(name, ratings, [(ratio, next(of_rows)) for ratio in self._ratios_of(part)])

    def _ratios_of(self, groups: Groups) -> list[Ratio]:
        return self.ratios_with_shares if groups.shares else self.ratios

    def masks(self, measure: Measure) -> tuple[Mask, Mask]:
        """For each distinct set of answers: whether the measure counts it, and whether it is in its denominator."""
        if measure.key not in self._masks:
            among, counts = (
                np.array([protocols.holds(condition, answers) for answers in self.answers], dtype=bool)
                for condition in (measure.among, measure.counts)
            )
            self._masks[measure.key] = counts & among, among
        return self._masks[measure.key]

    def answer_numbers(self, question: str, options: Iterable[str]) -> Indices:
        number = {key: i for i, key in enumerate(options)}
        return indices(number.get(answers.get(question, ""), MISSING) for answers in self.answers)

    @cached_property
    def ratios(self) -> list[Ratio]:
        """The measures, then the scores."""
        ratios = [Ratio("measures", measure.key, *self.masks(measure)) for measure in self.protocol.measures]
        for score in self.protocol.scores:
            points = [score.points(answers) for answers in self.answers]
            largest = max(1, *(round(entry.weight * HUNDREDTHS) for entry in score.weights))
            among = np.array([0 if value is None else largest for value in points], dtype=np.int64)
            weights = np.array([value or 0 for value in points], dtype=np.int64)
            ratios.append(Ratio("scores", score.key, weights, among, largest))
        return ratios

    @cached_property
    def ratios_with_shares(self) -> list[Ratio]:
        """Those, and the shares of the first measured question's options among all and assessed ones."""
        first = self.protocol.first_measured_question
        left_out = self.protocol.left_out(first.key)
        options = {key: self._option_mask(first, key) for key in first.option_keys}
        answered = np.ones(len(self.answers), dtype=bool)
        if self.protocol.asks_by_kind:  # the question is not asked about items of other kinds
            answered = np.any([*options.values(), np.zeros_like(answered)], axis=0)
        assessed = {key: hits for key, hits in options.items() if key not in left_out}
        among = np.any([*assessed.values(), np.zeros_like(answered)], axis=0)
        return [
            *self.ratios,
            *(Ratio("shares", key, hits, answered) for key, hits in options.items()),
            *(Ratio("shares_of_assessed", key, hits, among) for key, hits in assessed.items()),
        ]

    def by_cluster(self, groups: Groups, ratios: list[Ratio]) -> tuple[Indices, Indices]:
        """Return k and n, both of shape (cells, ratios, clusters)."""
        counts, shape = groups.counts, (len(groups.cells), self.clusters)
        index, n = groups.cell_of * self.clusters + counts.cluster, counts.n.astype(np.float64)
        masks = [ratio.hits for ratio in ratios] + [ratio.among for ratio in ratios]
        distinct = {mask.tobytes(): mask for mask in masks}  # measures often have the same denominator
        sums = {
            key: _add_cells(index, n * mask.astype(np.float64)[counts.answer], shape) for key, mask in distinct.items()
        }
        by_cluster = [sums[mask.tobytes()] for mask in masks]
        return np.stack(by_cluster[: len(ratios)], axis=1), np.stack(by_cluster[len(ratios) :], axis=1)

    def _cell(self, name: CellName, counts: Indices, estimates: list[tuple[Ratio, Headline]]) -> Cell:
        measures: dict[str, MeasureProportion] = {}
        scores: dict[str, ScoreEstimate] = {}
        shares: dict[str, dict[str, Proportion]] = {"shares": {}, "shares_of_assessed": {}}
        for ratio, p in estimates:
            if ratio.part == "measures":
                measures[ratio.key] = MeasureProportion(p.value, p.k, p.n, p.low, p.high, p.method, p.deff, p.icc)
            elif ratio.part == "scores":
                value, low, high = ratio.in_units(p.value, p.low, p.high)
                points, n = p.k / HUNDREDTHS, p.n // ratio.unit
                scores[ratio.key] = ScoreEstimate(value, points, n, low, high, p.method)
            else:
                shares[ratio.part][ratio.key] = Proportion(p.value, p.k, p.n, p.low, p.high, p.method)
        return Cell(
            system=name.system,
            value=name.value,
            **self.counts(counts),
            measures=measures,
            shares=shares["shares"] or None,
            shares_of_assessed=shares["shares_of_assessed"] or None,
            scores=scores or None,
        )

    def counts(self, counts: Indices) -> CountFields:
        """Return the numbers of ratings of a cell, from its ratings by set of answers."""
        (first, *_), *_ = self._questions
        by_question = {
            question.key: dict(zip(question.option_keys, (masks @ counts).tolist(), strict=True))
            for question, masks in self._questions
        }
        options = by_question.pop(first.key)
        left_out, assessed = self.protocol.left_out(first.key), 0
        if self.protocol.asks_by_kind:  # the ratings in some proportion
            among = np.array([self.masks(measure)[1] for measure in self.protocol.measures], dtype=bool)
            assessed = int(counts[among.any(axis=0)].sum())
        return {
            "ratings": int(counts.sum()),
            "assessed": assessed or sum(n for key, n in options.items() if key not in left_out),
            "options": options,
            "questions": by_question,
        }

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


def _add_cells(indexes: Indices, n: Indices | NDArray[np.float64], shape: tuple[int, int]) -> Indices:
    """Sum `n` at each index of a table. Sums stay far below 2**53, so adding them as floats is exact."""
    sums = np.bincount(indexes, weights=n, minlength=shape[0] * shape[1])
    return sums.astype(np.int64).reshape(shape)


def ratings_asked(options: Mapping[str, int], ratings: int, overall: Cell) -> int:
    """Return the denominator of the shares of `options`: all `ratings`, or if the first measured question is about
    items of some kinds only, those that answered it. `overall` is the cell of all ratings.
    """
    of_some_kinds = any(share.n != overall.ratings for share in (overall.shares or {}).values())
    return sum(options.values()) if of_some_kinds else ratings

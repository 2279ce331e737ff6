"""The cells of a report: counts, proportions, shares and means of each group of ratings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from .agreement import answer_counts
from .intervals import Inference, Proportion, mean, proportion
from .responses import values_of
from .study import Cell, Figures, Ratio, Row, Study, cluster_order, holds, numbered


class Sample:
    """Some ratings in their clusters, with the masks of each ratio."""

    def __init__(self, study: Study, rows: Sequence[Row], *, by_prompt: bool = False):
        self.study, self.rows = study, rows
        names = (f"prompt {row['prompt']}" if by_prompt else row["cluster"] for row in rows)
        self.clusters, self.cluster = numbered(names, cluster_order)

    @cached_property
    def masks(self) -> dict[tuple[str, str], tuple[np.ndarray, np.ndarray]]:
        """For each ratio, which ratings it counts and which are in its denominator."""
        return {(ratio.part, ratio.key): self._masks(ratio) for ratio in self.study.ratios}

    def _masks(self, ratio: Ratio) -> tuple[np.ndarray, np.ndarray]:
        among = np.array([holds(ratio.among, row) for row in self.rows], dtype=bool)
        counts = np.array([holds(ratio.counts, row) for row in self.rows], dtype=bool)
        return counts & among, among

    @cached_property
    def members(self) -> dict[Cell, np.ndarray]:
        """The ratings of each cell of the report, by position."""
        positions: dict[Cell, list[int]] = defaultdict(list)
        for i, row in enumerate(self.rows):
            for cell in self.study.cells_of(row):
                positions[cell].append(i)
        return {cell: np.array(part, dtype=np.int64) for cell, part in positions.items()}

    def sums(self, part: np.ndarray, ratio: tuple[str, str]) -> tuple[np.ndarray, np.ndarray]:
        """Return k and n by cluster of some ratings."""
        hits, among = self.masks[ratio]
        k, n = (np.bincount(self.cluster[part][m[part]], minlength=len(self.clusters)) for m in (hits, among))
        return k, n

    def proportion(self, part: np.ndarray, ratio: tuple[str, str], inference: Inference) -> Proportion:
        return proportion(*self.sums(part, ratio), inference)


def cell(sample: Sample, name: Cell, reported: Figures, inference: Inference) -> Figures:
    """Return the figures of one cell."""
    study = sample.study
    part = sample.members.get(name, np.zeros(0, dtype=np.int64))
    rows = [sample.rows[i] for i in part.tolist()]
    counts = answer_counts(study, rows)
    figures_of_cell: Figures = {
        "ratings": len(rows),
        "assessed": study.count_assessed(rows),
        "options": counts[study.first_question],
        "questions": {key: options for key, options in counts.items() if key != study.first_question},
    }
    for key_part in ("measures", "shares", "shares_of_assessed"):
        keys = reported.get(key_part) or {}
        figures_of_cell[key_part] = {key: _figures(sample, part, (key_part, key), inference) for key in keys}
    if reported.get("means"):
        figures_of_cell["means"] = {key: _mean(sample, rows, part, key, inference) for key in reported["means"]}
    if reported.get("scores"):
        figures_of_cell["scores"] = {key: score_of(sample, part, key, inference) for key in reported["scores"]}
    return figures_of_cell


def _figures(sample: Sample, part: np.ndarray, ratio: tuple[str, str], inference: Inference) -> Figures:
    figures = vars(sample.proportion(part, ratio, inference))
    return figures if ratio[0] == "measures" else {key: figures[key] for key in figures if key not in ("deff", "icc")}


def _mean(sample: Sample, rows: Sequence[Row], part: np.ndarray, key: str, inference: Inference) -> Figures:
    values = values_of(sample.study, key, rows)
    clusters = {(row["response"], row["against"]): int(i) for row, i in zip(rows, sample.cluster[part], strict=True)}
    cluster = np.array([clusters[response] for response in values], dtype=np.int64)
    return vars(mean(np.array(list(values.values()), dtype=float), cluster, len(sample.clusters), inference))


def score_of(sample: Sample, part: np.ndarray, key: str, inference: Inference) -> Figures:
    """Return a severity-weighted score, computed as its share of the largest one."""
    score = next(entry for entry in sample.study.protocol["scores"] if entry["key"] == key)
    points, n = np.zeros(len(sample.clusters)), np.zeros(len(sample.clusters))
    for i in part.tolist():
        if (hundredths := hundredths_of(score, sample.rows[i])) is not None:
            points[sample.cluster[i]] += hundredths
            n[sample.cluster[i]] += 1
    largest = largest_of(score)
    share = proportion(points, largest * n, inference, largest)
    value, low, high = (None if side is None else largest * side for side in (share.value, share.low, share.high))
    counts = {"points": points.sum() / 100, "n": int(n.sum())}
    return {**counts, "value": value, "low": low, "high": high, "method": share.method}


def largest_of(score: Figures) -> int:
    """Return the largest weight in hundredths: the largest score per 100 ratings."""
    return max(1, *(round(100 * entry["weight"]) for entry in score["weights"]))


def hundredths_of(score: Figures, row: Row) -> int | None:
    """Return the weight of a rating in hundredths; None where it is not in the score's denominator."""
    if not _holds(score.get("among", {}), row):
        return None
    return round(100 * next((entry["weight"] for entry in score["weights"] if _holds(entry["when"], row)), 0))


def _holds(condition: dict[str, list[str]], row: Row) -> bool:
    return all(row["answers." + question] in answers for question, answers in condition.items())

"""Whether raters agree, question by question.

An answer that no measure takes in, such as "can't assess", is missing, not a category: raters who could not judge a
sentence did not disagree about it. `accurate_or_not` is the first measured question as the measure `accurate` sees it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..protocols import Measure, Question
from ..stats import agreement as coefficients
from ..stats.proportions import count_table
from .cells import LEVEL, Cells
from .scan import Scan
from .tallies import Indices, indices

REPORTED = ("percent", "fleiss_kappa", "gwet_ac1", "krippendorff_alpha")
ACCURATE_OR_NOT, ACCURATE = "accurate_or_not", "accurate"
MISSING = -1


@dataclass(frozen=True)
class Labels:
    """What agreement is asked about: `of[a]` is the label of the a-th distinct set of answers, or MISSING."""

    key: str
    categories: list[str]
    of: Indices


@dataclass(frozen=True)
class Confusion:
    """How often two raters of one item gave two labels: `pairs[a][b]` unordered pairs for a < b, agreeing ones for
    a = b, and 0 for a > b."""

    categories: list[str]
    pairs: list[list[int]]


@dataclass(frozen=True)
class Bootstrap:
    """How the intervals are drawn."""

    resamples: int
    seed: int


def agreement(scan: Scan, cells: Cells, bootstrap: Bootstrap | None) -> dict[str, dict[str, Any]]:
    """The report's `agreement`; without `bootstrap` every interval is None."""
    return {labels.key: _agreement(scan, labels, bootstrap) for labels in all_labels(cells)}


def confusions(scan: Scan, cells: Cells) -> dict[str, Confusion]:
    """Which labels raters mix up, question by question."""
    return {labels.key: _confusion(_counts(scan, labels), labels) for labels in all_labels(cells)}


def all_labels(cells: Cells) -> Iterator[Labels]:
    """Each choice question of the protocol, and `accurate_or_not` where it has a measure `accurate`."""
    for question in cells.protocol.questions:
        if question.kind == "choice":
            yield _labels_of(question, cells)
    for measure in cells.protocol.measures:
        if measure.key == ACCURATE:
            yield _accurate_or_not(measure, cells)


def _labels_of(question: Question, cells: Cells) -> Labels:
    left_out = cells.protocol.left_out(question.key)
    categories = [key for key in question.option_keys if key not in left_out]
    number = {key: at for at, key in enumerate(categories)}
    return Labels(
        question.key,
        categories,
        indices(number.get(answers.get(question.key, ""), MISSING) for answers in cells.answers),
    )


def _accurate_or_not(measure: Measure, cells: Cells) -> Labels:
    hits, among = cells.masks(measure)
    return Labels(ACCURATE_OR_NOT, [ACCURATE, "not_accurate"], np.where(among, np.where(hits, 0, 1), MISSING))


def _agreement(scan: Scan, labels: Labels, bootstrap: Bootstrap | None) -> dict[str, Any]:
    counts = _counts(scan, labels)
    found = coefficients.agreement(counts)
    shared = (counts.sum(axis=1) > 1)[scan.items] & (_given(scan, labels) != MISSING)
    return {
        "items": found.items,
        "raters": len(np.unique(scan.raters[shared])),
        **{name: getattr(found, name) for name in REPORTED},
        "intervals": _intervals(counts, scan.prompt_of, bootstrap),
    }


def _given(scan: Scan, labels: Labels) -> Indices:
    """The label of every rating, or MISSING."""
    return labels.of[scan.answers] if len(labels.of) else scan.answers


def _counts(scan: Scan, labels: Labels) -> Indices:
    """How many raters gave each item each label: shape (items, labels)."""
    return count_table(scan.items, _given(scan, labels), (len(scan.prompt_of), len(labels.categories)))


def _confusion(counts: Indices, labels: Labels) -> Confusion:
    pairs = np.triu(counts.T @ counts, 1) + np.diag((counts * (counts - 1) // 2).sum(axis=0))
    return Confusion(labels.categories, pairs.tolist())


def _intervals(counts: Indices, clusters: Indices, bootstrap: Bootstrap | None) -> dict[str, list[float] | None]:
    if bootstrap is None:
        return dict.fromkeys(REPORTED)
    found = coefficients.agreement_intervals(
        counts, clusters, resamples=bootstrap.resamples, seed=bootstrap.seed, level=LEVEL
    )
    return {name: _as_list(found[name]) for name in REPORTED}


def _as_list(bounds: tuple[float, float] | None) -> list[float] | None:
    return None if bounds is None else list(bounds)

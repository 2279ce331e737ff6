"""Each two raters beside each other: how often they agree on the items that both answered.

Agreement of all raters together hides who disagrees with whom. For two raters Gwet's AC1 is taken over the items they
share, so it says nothing about items that only one of them saw.
"""

from dataclasses import dataclass
from typing import Any

from ...stats.raters import pair_counts, two_agree
from ..data.arrays import Indices
from ..data.report_input import ReportInput
from ..data.table import RatingTable
from .agreement import Confusion, Labels, agreement, all_labels, confusions, given_labels
from .cells import Cells

MOST_RATERS = 60
"""Above this many raters a report holds no pairs: the table would be longer than the report."""

Pair = dict[str, Any]


def rater_pairs(ratings: RatingTable, cells: Cells) -> dict[str, list[Pair]]:
    """{question: its pairs}, a < b by name, with the items that both gave a label; pairs that share none are left out.

    `ac1` is None where it is 0/0. Empty lists with more than MOST_RATERS raters.
    """
    few = len(ratings.raters) <= MOST_RATERS
    return {labels.key: _pairs(ratings, labels) if few else [] for labels in all_labels(cells)}


def _pairs(ratings: RatingTable, labels: Labels) -> list[Pair]:
    categories = len(labels.categories)
    found = pair_counts(ratings.item, ratings.rater, given_labels(ratings, labels), categories)
    return [_pair(ratings.raters[a], ratings.raters[b], found[a, b]) for a, b in sorted(found)]


def _pair(a: str, b: str, table: Indices) -> Pair:
    items, percent, ac1 = two_agree(table)
    return {"a": a, "b": b, "items": items, "percent": percent, "ac1": ac1}


@dataclass(frozen=True)
class LiveAgreement:
    """What the page about agreement shows, by question: `agreement` as in the report, `mixed` and `pairs`; and the data
    under it.
    """

    sha256: str
    ratings: int
    items: int
    raters: list[str]
    agreement: dict[str, dict[str, Any]]
    mixed: dict[str, Confusion]
    pairs: dict[str, list[Pair]]


def live_agreement_of(report_input: ReportInput, cells: Cells) -> LiveAgreement:
    """Return agreement among the raters' own answers, without intervals."""
    ratings = report_input.by_raters
    return LiveAgreement(
        sha256=report_input.sha256,
        ratings=len(ratings.item),
        items=len(ratings.items),
        raters=ratings.raters,
        agreement=agreement(ratings, cells, None),
        mixed=confusions(ratings, cells),
        pairs=rater_pairs(ratings, cells),
    )

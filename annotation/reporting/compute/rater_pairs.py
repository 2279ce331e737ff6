"""Agreement of pairs of raters on the items that both answered.

Agreement of all raters together does not show who disagrees with whom. Gwet's AC1 of a pair covers the items they
share, so it does not depend on items that only one of them rated.
"""

from dataclasses import dataclass

from ...stats.raters import pair_agreement, pair_counts
from ..data.report_input import ReportInput
from ..data.table import RatingTable
from ..report import Agreement, RaterPair
from .agreement import Confusion, Labels, agreement, all_labels, confusions, given_labels
from .cells import Cells

MAX_RATERS = 60
"""With more raters a report has no pairs: the table would be longer than the report."""


def rater_pairs(ratings: RatingTable, cells: Cells) -> dict[str, list[RaterPair]]:
    """Return {question: its pairs}, a < b by name, with the items that both gave a label; pairs that share none are
    left out.

    `ac1` is None where it is 0/0. Empty lists with more than MAX_RATERS raters.
    """
    few = len(ratings.raters) <= MAX_RATERS
    return {labels.key: _pairs(ratings, labels) if few else [] for labels in all_labels(cells)}


def _pairs(ratings: RatingTable, labels: Labels) -> list[RaterPair]:
    categories = len(labels.categories)
    tables = pair_counts(ratings.item, ratings.rater, given_labels(ratings, labels), categories)
    return [RaterPair(ratings.raters[a], ratings.raters[b], *pair_agreement(tables[a, b])) for a, b in sorted(tables)]


@dataclass(frozen=True)
class AgreementDetails:
    """Current agreement by question: the coefficients, confused labels, and pairs of raters."""

    sha256: str
    ratings: int
    items: int
    raters: list[str]
    agreement: dict[str, Agreement]
    confusions: dict[str, Confusion]
    pairs: dict[str, list[RaterPair]]


def agreement_details(report_input: ReportInput, cells: Cells) -> AgreementDetails:
    """Return agreement among the raters' own answers, without intervals."""
    ratings = report_input.by_raters
    return AgreementDetails(
        sha256=report_input.sha256,
        ratings=len(ratings.item),
        items=len(ratings.items),
        raters=ratings.raters,
        agreement=agreement(ratings, cells, None),
        confusions=confusions(ratings, cells),
        pairs=rater_pairs(ratings, cells),
    )

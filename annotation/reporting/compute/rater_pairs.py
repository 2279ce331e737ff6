"""Each two raters beside each other: how often they agree on the items that both answered.

Agreement of all raters together hides who disagrees with whom. For two raters Gwet's AC1 is taken over the items they
share, so it says nothing about items that only one of them saw.
"""

from dataclasses import dataclass
from typing import Any

from ...models import Project
from ...stats.raters import pair_counts, two_agree
from ..data.rating_columns import Scan
from ..data.report_input import Reading, read
from ..data.tallies import Indices
from ..live_cache import kept
from .agreement import Confusion, Labels, agreement, all_labels, confusions, given_labels
from .cells import Cells, cells_of

MOST_RATERS = 60
"""Above this many raters a report holds no pairs: the table would be longer than the report."""

Pair = dict[str, Any]


def rater_pairs(scan: Scan, cells: Cells) -> dict[str, list[Pair]]:
    """{question: its pairs}, a < b by name, with the items that both gave a label; pairs that share none are left out.

    `ac1` is None where it is 0/0. Empty lists with more than MOST_RATERS raters.
    """
    few = len(scan.names) <= MOST_RATERS
    return {labels.key: _pairs(scan, labels) if few else [] for labels in all_labels(cells)}


def _pairs(scan: Scan, labels: Labels) -> list[Pair]:
    categories = len(labels.categories)
    found = pair_counts(scan.items, scan.raters, given_labels(scan, labels), categories)
    return [_pair(scan.names[a], scan.names[b], found[a, b]) for a, b in sorted(found)]


def _pair(a: str, b: str, table: Indices) -> Pair:
    items, percent, ac1 = two_agree(table)
    return {"a": a, "b": b, "items": items, "percent": percent, "ac1": ac1}


@dataclass(frozen=True)
class AgreementNow:
    """What the page about agreement shows of this moment, by question: `agreement` as in the report, `mixed` and
    `pairs`; and how much it rests on.
    """

    sha256: str
    ratings: int
    items: int
    raters: list[str]
    agreement: dict[str, dict[str, Any]]
    mixed: dict[str, Confusion]
    pairs: dict[str, list[Pair]]


def agreement_of_now(project: Project) -> AgreementNow:
    """Agreement among all ratings of `project` that count, without intervals; computed once for the same data."""
    return kept(project, "agreement", lambda: _agreement_of(read(project)))


def _agreement_of(found: Reading) -> AgreementNow:
    scan, cells = found.own, cells_of(found.project.protocol.definition, found.tallies)
    return AgreementNow(
        sha256=found.sha256,
        ratings=len(scan.items),
        items=len(scan.item_ids),
        raters=scan.names,
        agreement=agreement(scan, cells, None),
        mixed=confusions(scan, cells),
        pairs=rater_pairs(scan, cells),
    )

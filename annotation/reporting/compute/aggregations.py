"""Other ways to sum up the same ratings, side by side: all pooled, a majority of each item, averages of averages.

The report's proportions pool all ratings, so what was rated more often weighs more. The others give every item,
response or prompt the same weight, ask what a panel would have said, or take into account how each rater errs. Where
they differ, the items that were rated more often, or the raters who rated more, are not like the rest.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from numpy.typing import NDArray

from ...i18n.unit_names import unit_words
from ...models import Item
from ...protocols import Measure
from ...stats.aggregation import macro_average, share_of_groups_with_any, winners
from ...stats.dawid_skene import dawid_skene
from ...stats.proportions import count_table, share
from ..data.arrays import Indices
from ..data.table import RatingTable
from .cells import Cells

FEWEST_ITEMS = 50
"""Dawid and Skene's estimate is given where at least this many items have two labels or more …"""
FEWEST_RATERS = 3
"""… by at least this many raters …"""
FEWEST_EACH = 20
"""… who gave on average this many of these labels."""
NO_LABEL = -1
OTHER, NEITHER, HIT = -1, 0, 1
MAJORITY = gettext_noop("by majority vote")
WHOLE_RESPONSES = (Item.Unit.RESPONSE, Item.Unit.PAIR)
"""Units of which a response has one item, so that an average over responses is one over items."""

Row = dict[str, Any]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Votes:
    """The ratings as one measure sees them.

    Of each distinct set of answers: `labels`, the answer to the first question that the measure counts, as a number, or
    NO_LABEL where it is not taken over such ratings; `hits`, whether it counts them. Of each item: `k` of the `n`
    ratings with a label are hits, and `majority` is HIT, OTHER or, undecided, NEITHER.
    """

    labels: Indices
    hits: Mask
    k: Indices
    n: Indices
    majority: Indices


def other_ways(of: Row, unit: str) -> dict[str, float]:
    """The ways beside pooling in which one measure of an entry of `aggregations` is known, in words."""
    ways = {
        _(MAJORITY): of["majority"]["value"],
        _("with %(units)s weighted equally") % {"units": unit_words(unit, 2)}: of["macro_item"],
        _("with responses weighted equally"): of["macro_response"] if unit not in WHOLE_RESPONSES else None,
        _("with prompts weighted equally"): of["macro_prompt"],
        _("by the model of Dawid and Skene"): (of.get("dawid_skene") or {}).get("value"),
    }
    return {way: value for way, value in ways.items() if value is not None}


def aggregations(ratings: RatingTable, cells: Cells, *, slow: bool) -> list[Row]:
    """The report's `aggregations`: all systems together, then each. Without `slow`, `dawid_skene` is None.

    `ratings` have their answers turned; an adjudication among them is a vote like any.
    """
    votes = {measure.key: _votes(measure, ratings, cells) for measure in cells.protocol.measures}
    system_of = ratings.responses.system_of[ratings.items.response]
    groups: list[tuple[str | None, Mask]] = [(None, np.ones(len(system_of), dtype=bool))]
    groups += [(name, system_of == at) for at, name in enumerate(ratings.responses.systems)]
    return [
        {"system": name, "measures": {key: _summed_up(ratings, items, of, slow=slow) for key, of in votes.items()}}
        for name, items in groups
    ]


def in_order(found: list[Row]) -> Iterator[tuple[str, Row, Row]]:
    """The report's `aggregations` as tables have them: (measure, row, of this measure), measure by measure, all systems
    together last and not beside a single one.
    """
    rows = sorted(found, key=lambda row: row["system"] is None)[: None if len(found) > 2 else 1]
    for measure in found[0]["measures"] if found else ():
        yield from ((measure, row, row["measures"][measure]) for row in rows)


def _votes(measure: Measure, ratings: RatingTable, cells: Cells) -> Votes:
    question = next(question for question in cells.protocol.questions if question.key in measure.counts)
    number = {key: at for at, key in enumerate(question.option_keys)}
    hits, among = cells.masks(measure)
    options = np.array([number.get(answers.get(question.key, ""), NO_LABEL) for answers in cells.answers], dtype=int)
    labels = np.where(among, options, NO_LABEL)
    of, shape = ratings.item_counts, (len(ratings.items), len(number))
    labelled = count_table(of.item, labels[of.answer], shape, of.n)
    hit_label = count_table(of.item, np.where(hits, labels, NO_LABEL)[of.answer], shape, of.n)
    return Votes(labels, hits, hit_label.sum(axis=1), labelled.sum(axis=1), _majority(labelled, hit_label))


def _majority(labelled: Indices, hit: Indices) -> Indices:
    """HIT, OTHER or NEITHER for each item. The most frequent label decides; where a measure counts only some of the
    ratings with that label, as the severe ones, the most of these decide.
    """
    won = winners(labelled) if labelled.size else np.zeros(0, dtype=np.int64)
    clear = np.flatnonzero(won >= 0)
    hits = hit[clear, won[clear]]
    found = np.full(len(won), NEITHER)
    found[clear] = np.sign(2 * hits - labelled[clear, won[clear]])
    return found


def _summed_up(ratings: RatingTable, items: Mask, votes: Votes, *, slow: bool) -> Row:
    """One measure over some of the items."""
    k, n = votes.k[items], votes.n[items]
    by_response, by_prompt = (
        [_sums(of[items], side) for side in (k, n)] for of in (ratings.items.response, ratings.item_prompt)
    )
    return {
        "pooled": share(int(k.sum()), int(n.sum())),
        "majority": _of_majorities(votes.majority[items], n),
        "macro_item": macro_average(k, n),
        "macro_response": macro_average(*by_response),
        "macro_prompt": macro_average(*by_prompt),
        "responses_with_any": _with_any(*by_response),
        "dawid_skene": _dawid_skene(ratings, items, votes) if slow else None,
    }


def _sums(of: Indices, counts: Indices) -> Indices:
    return np.bincount(of, weights=counts).astype(np.int64)


def _of_majorities(found: Indices, n: Indices) -> Row:
    """The share of items whose majority is a hit; ties are undecided, and in no share."""
    k, decided, labelled = (int(np.count_nonzero(of)) for of in (found == HIT, found, n))
    return {"value": share(k, decided), "k": k, "n": decided, "undecided": labelled - decided}


def _with_any(k: Indices, n: Indices) -> Row:
    with_any, responses = share_of_groups_with_any(k, n)
    return {"value": share(with_any, responses), "k": with_any, "n": responses}


def _dawid_skene(ratings: RatingTable, items: Mask, votes: Votes) -> Row | None:
    """The share of hits among what the items most likely are; None where there is too little to go by."""
    labels, hits = votes.labels[ratings.answer], votes.hits[ratings.answer]
    kept = (labels != NO_LABEL) & items[ratings.item]
    item_ids, item = np.unique(ratings.item[kept], return_inverse=True)
    raters, rater = np.unique(ratings.rater[kept], return_inverse=True)
    if not _enough(item, rater):
        return None
    codes, label = np.unique(labels[kept] * 2 + hits[kept], return_inverse=True)
    found = dawid_skene(item, rater, label, (len(item_ids), len(raters), len(codes)))
    value = sum(share for share, code in zip(found.class_shares, codes.tolist(), strict=True) if code % 2)
    return {"value": float(value), "items": len(item_ids), "raters": len(raters)}


def _enough(items: Indices, raters: Indices) -> bool:
    shared = np.bincount(items)[items] > 1 if len(items) else np.zeros(0, dtype=bool)
    given, by = len(items[shared]), len(np.unique(raters[shared]))
    return len(np.unique(items[shared])) >= FEWEST_ITEMS and by >= FEWEST_RATERS and given >= FEWEST_EACH * by

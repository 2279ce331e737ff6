"""The items that raters disagree on most, as a frozen report and its files show them.

As everywhere in a report, items are named by imported ids and come in an order that imported ids decide, so the list is
the same wherever the ratings are. It is about what raters said themselves, under the report's filters.
"""

from collections.abc import Iterator
from heapq import nsmallest
from typing import Any

import numpy as np

from ...models import Item
from ...protocols import Protocol
from ...stats.disagreement import NONE, Aspect, disagreement
from ...stats.proportions import count_table
from ..data.arrays import Indices, indices
from ..data.table import UNITS, RatingTable
from .cells import Cells

MOST = 20
"""Items in a report."""
LONGEST = 300
"""Code points of an item's text; a longer one ends with an ellipsis."""
AT_ONCE = 100_000  # numbers in one table of items × answers: 1 MB, and as much again in each of its copies

Row = dict[str, Any]


def disagreements(ratings: RatingTable, cells: Cells) -> list[Row]:
    """The report's `disagreements`: the MOST items with the largest scores; of equals those with more raters, then the
    first by imported ids. One query.

    Each: `prompt`, `response`, `against`, `unit`, `item`, `system`, the beginning of its `text`; `disagreement`, the
    score of `stats.disagreement`; and `ratings`, `assessed`, `options`, `questions` as in a cell.
    """
    worst = nsmallest(MOST, _contested(ratings, cells))
    texts = dict(
        Item.objects.filter(pk__in=[int(ratings.items.item_id[at]) for *_, at in worst]).values_list("pk", "text")
    )
    return [
        {
            **_named(ratings, item),
            "text": _beginning(texts[int(ratings.items.item_id[item])]),
            "disagreement": -score / 100,
            **cells.tallied(_counts(ratings, item, item + 1, len(cells.answers))[0]),
        }
        for score, _, item in worst
    ]


def _contested(ratings: RatingTable, cells: Cells) -> Iterator[list[int]]:
    """−score, −raters and number of the items whose ratings differ; some items at a time, so that memory stays flat."""
    aspects, width = _aspects(cells), len(cells.answers)
    step = max(1, AT_ONCE // max(1, width))
    for start in range(0, len(ratings.items), step):
        counts = _counts(ratings, start, min(start + step, len(ratings.items)), width)
        differ = np.flatnonzero(np.count_nonzero(counts, axis=1) > 1)
        scores, raters = disagreement(counts[differ], aspects), counts[differ].sum(axis=1)
        worst = np.lexsort((differ, -raters, -scores))[: np.count_nonzero(scores)][:MOST]
        yield from np.stack([-scores, -raters, start + differ], axis=1)[worst].tolist()


def _counts(ratings: RatingTable, start: int, stop: int, answers: int) -> Indices:
    """Ratings by item, from `start` to `stop`, and set of answers."""
    of = ratings.item_counts
    part = slice(*np.searchsorted(of.item, [start, stop]))
    return count_table(of.item[part] - start, of.answer[part], (stop - start, answers), of.n[part])


def _aspects(cells: Cells) -> list[Aspect]:
    """What of two ratings is compared: every choice question, and what every measure counts."""
    return [*_questions(cells.protocol, cells.answers), *(_measured(*cells.masks(m)) for m in cells.protocol.measures)]


def _questions(protocol: Protocol, answers: list[dict[str, str]]) -> Iterator[Aspect]:
    for question in protocol.questions:
        if question.kind == "choice":
            number = {key: at for at, key in enumerate(question.option_keys)}
            yield Aspect(indices(number.get(given.get(question.key, ""), NONE) for given in answers), none_differs=True)


def _measured(hits: np.ndarray, among: np.ndarray) -> Aspect:
    return Aspect(np.where(among, hits.astype(np.int64), NONE), none_differs=False)


def _named(ratings: RatingTable, item: int) -> Row:
    response = ratings.responses.rated[ratings.items.response[item]]
    return {
        "prompt": response.prompt.key,
        "response": response.key,
        "against": response.against,
        "unit": UNITS[ratings.items.unit[item] - 1],
        "item": int(ratings.items.position[item]),
        "system": response.system,
    }


def _beginning(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rstrip()}…"

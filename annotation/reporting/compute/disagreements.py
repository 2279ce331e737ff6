"""The items that raters disagree on most.

Items are named and ordered by imported ids, so the list does not depend on the database. It is about the raters' own
ratings, under the report's filters.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from heapq import nsmallest

import numpy as np

from ...protocols import Protocol
from ...stats.disagreement import NONE, Aspect, disagreement
from ...stats.proportions import count_table
from ..data.arrays import Indices, indices
from ..data.table import UNITS, RatingTable
from ..report import Disagreement, DisagreementTie
from .cells import Cells, Mask

MAX_ITEMS = 20
"""Items in a report."""
MAX_TEXT_LENGTH = 300
"""Code points of an item's text; a longer one ends with an ellipsis."""
CHUNK_SIZE = 100_000  # numbers in one table of items × answers: 1 MB, and as much again in each of its copies


def disagreements(
    ratings: RatingTable, cells: Cells, read_texts: Callable[[list[int]], dict[int, str]]
) -> tuple[list[Disagreement], DisagreementTie | None]:
    """Return the MAX_ITEMS items with the largest scores of `stats.disagreement`, and the tie of the last one with
    items that are not among them. Equal scores are ordered by the number of raters, then by imported ids. `read_texts`
    returns the texts of items by their ids.
    """
    equals: Counter[tuple[int, ...]] = Counter()
    worst = nsmallest(MAX_ITEMS, _disputed_items(ratings, cells, equals))
    texts = read_texts(ratings.items.item_id[[item for *_, item in worst]].tolist())
    rows = []
    for score, _, item in worst:
        response = ratings.responses.rated[ratings.items.response[item]]
        rows.append(
            Disagreement(
                prompt=response.prompt.key,
                response=response.key,
                against=response.against,
                unit=UNITS[ratings.items.unit[item] - 1],
                item=int(ratings.items.position[item]),
                system=response.system,
                text=beginning(texts[int(ratings.items.item_id[item])]),
                disagreement=-score / 100,
                **cells.counts(_counts(ratings, item, item + 1, len(cells.answers))[0]),
            )
        )
    return rows, _tie(rows, equals)


def _tie(rows: list[Disagreement], equals: Counter[tuple[int, ...]]) -> DisagreementTie | None:
    """Return the tie of the last item with items that are not in `rows`; None without one."""
    if not rows:
        return None
    last = rows[-1]
    listed = sum((row.disagreement, row.ratings) == (last.disagreement, last.ratings) for row in rows)
    items = equals[-round(100 * last.disagreement), -last.ratings]
    return DisagreementTie(items=items, shown=listed) if items > listed else None


def _disputed_items(ratings: RatingTable, cells: Cells, equals: Counter[tuple[int, ...]]) -> Iterator[list[int]]:
    """Yield −score, −raters and number of the items whose ratings differ, in batches of items, without those that
    cannot be among the MAX_ITEMS first. Count all of them in `equals`, by −score and −raters.
    """
    aspects, width = _aspects(cells), len(cells.answers)
    step = max(1, CHUNK_SIZE // max(1, width))
    for start in range(0, len(ratings.items), step):
        counts = _counts(ratings, start, min(start + step, len(ratings.items)), width)
        differ = np.flatnonzero(np.count_nonzero(counts, axis=1) > 1)
        scores, raters = disagreement(counts[differ], aspects), counts[differ].sum(axis=1)
        disputed = np.stack([-scores, -raters, start + differ], axis=1)[scores > 0]
        keys, numbers = np.unique(disputed[:, :2], axis=0, return_counts=True)
        equals.update({tuple(key): n for key, n in zip(keys.tolist(), numbers.tolist(), strict=True)})
        yield from disputed[np.lexsort(disputed.T[::-1])[:MAX_ITEMS]].tolist()


def _counts(ratings: RatingTable, start: int, stop: int, answers: int) -> Indices:
    """Count ratings by item, from `start` to `stop`, and set of answers."""
    by_item = ratings.item_counts
    part = slice(*np.searchsorted(by_item.item, [start, stop]))
    return count_table(by_item.item[part] - start, by_item.answer[part], (stop - start, answers), by_item.n[part])


def _aspects(cells: Cells) -> list[Aspect]:
    """Return the aspects in which two ratings are compared: every choice question, and every measure."""
    return [
        *_question_aspects(cells.protocol, cells.answers),
        *(_measure_aspect(*cells.masks(m)) for m in cells.protocol.measures),
    ]


def _question_aspects(protocol: Protocol, answers: list[dict[str, str]]) -> Iterator[Aspect]:
    for question in protocol.questions:
        if question.kind == "choice":
            number = {key: i for i, key in enumerate(question.option_keys)}
            options = indices(number.get(of_item.get(question.key, ""), NONE) for of_item in answers)
            yield Aspect(options, none_differs=True)


def _measure_aspect(hits: Mask, among: Mask) -> Aspect:
    return Aspect(np.where(among, hits.astype(np.int64), NONE), none_differs=False)


def beginning(text: str) -> str:
    """Return the first characters of an item's text."""
    return text if len(text) <= MAX_TEXT_LENGTH else f"{text[:MAX_TEXT_LENGTH].rstrip()}…"

"""Items on which raters disagree, most disagreement first, with the votes.

`disagreement_ranking` defines the order. A page of the list costs a few queries, whatever the number of ratings and
rows.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.db import connection
from django.db.models import Count
from django.db.models.functions import Length

from ..models import Item, Project, Rating
from ..protocols import Option, Protocol
from ..qualification.gold_comparison import options_of
from ..rating.counting import counted_ratings
from .disagreement_ranking import COUNTED, ORDER, ReviewSelection, ranking_sql
from .lead_ratings import current_ratings

PAGE = 25


@dataclass(frozen=True)
class Vote:
    """An answer with the number `n` of its counted raters: the choices, and their options in the protocol's order."""

    choices: Mapping[str, str]
    options: tuple[Option, ...]
    n: int

    @property
    def label(self) -> str:
        """The options' labels: Inaccurate, Severe."""
        return ", ".join(option.label for option in self.options)


@dataclass(frozen=True)
class ContestedItem:
    """One item of the list. `score` is 0 if raters agree, `votes` are in the protocol's order."""

    item: Item
    score: float
    raters: int
    votes: tuple[Vote, ...]
    comments: int
    adjudication: Rating | None
    gold: Rating | None


@dataclass(frozen=True)
class ReviewCounts:
    """Counts of items with a counted rating, with two or more, contested, and adjudicated among the contested."""

    rated: int
    shared: int
    disputed: int
    adjudicated: int

    @property
    def open(self) -> int:
        return self.disputed - self.adjudicated


@dataclass(frozen=True)
class Listing:
    """One page of a list, and the number of all rows; `counts` of all items, unless it is a list of gold answers."""

    rows: list[ContestedItem]
    total: int
    counts: ReviewCounts | None = None


_COUNTS = """
    count(*) AS rated, count(*) FILTER (WHERE raters > 1) AS shared, count(*) FILTER (WHERE is_contested) AS disputed,
    count(*) FILTER (WHERE is_contested AND item_id IN (
        SELECT r.item_id FROM annotation_rating r WHERE r.project_id = %s AND r.role = 'adjudicator')) AS adjudicated
"""


def items_needing_review(
    project: Project, selection: ReviewSelection | None = None, *, offset: int = 0, limit: int = PAGE
) -> Listing:
    """Return a range of the selected items (by default contested and not adjudicated), most disagreement first."""
    ranking = ranking_sql(project, selection or ReviewSelection())
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            {ranking.sql}
            SELECT item_id, score, (SELECT count(*) FROM ranked), rated, shared, disputed, adjudicated
            FROM (SELECT {_COUNTS} FROM scored) counts
            LEFT JOIN (SELECT * FROM ranked ORDER BY {ORDER} LIMIT %s OFFSET %s) page ON TRUE
            ORDER BY {ORDER}
            """,  # noqa: S608 - only constants
            [*ranking.params, project.pk, limit, offset],
        )
        rows = cursor.fetchall()
    [(_item, _score, total, *counts), *_others] = rows
    scores = {item: score for item, score, *_ in rows if item is not None}  # without a row of the list, one of NULLs
    return Listing(_rows(project, scores), total, ReviewCounts(*counts))


def count_reviewable(project: Project) -> ReviewCounts:
    """Return the counts of items to review. One query."""
    sql = f"""
        SELECT {_COUNTS}
        FROM (
            SELECT r.item_id, count(*) AS raters, min(r.choices::text) <> max(r.choices::text) AS is_contested
            FROM annotation_rating r WHERE {COUNTED} GROUP BY 1
        ) of_item
    """  # noqa: S608 - only constants
    with connection.cursor() as cursor:
        cursor.execute(sql, [project.pk, project.pk])
        return ReviewCounts(*cursor.fetchone())


@dataclass(frozen=True)
class Neighbors:
    """The position of an item in a list: the items before and after it, the number before it, the total, and whether
    the list contains it. An adjudicated item has left the open list but keeps its position: `after` is the next open
    item, `before` may also be an adjudicated one."""

    before: Item | None
    after: Item | None
    passed: int
    total: int
    is_listed: bool


def neighbors(project: Project, selection: ReviewSelection, item: Item) -> Neighbors:
    """Return the items around `item` in the order of the list, which need not contain it."""
    is_open = selection.show == "open"
    ranking = ranking_sql(project, replace(selection, show="disputed") if is_open else selection)
    decided = "SELECT r.item_id FROM annotation_rating r WHERE r.project_id = %s AND r.role = 'adjudicator'"
    sql = f"""
        {ranking.sql},
        here AS MATERIALIZED ( -- else it is asked once a row
            SELECT COALESCE(max(score), 0) AS s, COALESCE(max(raters), 0) AS r
            FROM scored WHERE item_id = %s AND is_contested
        ),
        placed AS (
            SELECT *, (-score, -raters, item_id) < (-s, -r, %s) AS comes_before, item_id = %s AS is_here,
                NOT %s OR item_id NOT IN ({decided}) AS is_listed
            FROM ranked, here
        )
        SELECT
            (SELECT item_id FROM placed WHERE comes_before ORDER BY score, raters, item_id DESC LIMIT 1),
            (SELECT item_id FROM placed WHERE is_listed AND NOT comes_before AND NOT is_here ORDER BY {ORDER} LIMIT 1),
            count(*) FILTER (WHERE is_listed AND comes_before), count(*) FILTER (WHERE is_listed),
            COALESCE(bool_or(is_here AND is_listed), FALSE)
        FROM placed
    """  # noqa: S608 - only constants; values are parameters
    with connection.cursor() as cursor:
        cursor.execute(sql, [*ranking.params, item.pk, item.pk, item.pk, is_open, project.pk])
        before, after, passed, total, is_listed = cursor.fetchone()
    items = Item.objects.in_bulk([before or 0, after or 0])
    return Neighbors(items.get(before), items.get(after), passed, total, is_listed)


def rows_of(project: Project, items: Sequence[int]) -> list[ContestedItem]:
    """Return the rows of items (primary keys) in the given order, without computing their scores (0)."""
    return _rows(project, dict.fromkeys(items, 0))


def _rows(project: Project, scores: dict[int, int]) -> list[ContestedItem]:
    """Return the rows of these items (primary key to score in hundredths), in their order."""
    items = Item.objects.select_related("response__prompt", "response__system", "against__system").in_bulk(scores)
    protocol = project.protocol.translated
    votes: dict[int, list[Vote]] = defaultdict(list)
    rows = counted_ratings(project).filter(item__in=list(scores)).order_by().values_list("item", "choices")
    for item, choices, n in rows.annotate(n=Count("pk")):
        votes[item].append(Vote(choices, options_of(protocol, choices), n))
    for votes_of_item in votes.values():
        votes_of_item.sort(key=lambda vote: _option_positions(protocol, vote.choices))
    commented = counted_ratings(project).annotate(length=Length("comment")).filter(item__in=list(scores), length__gt=0)
    comments = dict(commented.order_by().values_list("item").annotate(n=Count("pk")))
    adjudications, gold = (
        {rating.item_id: rating for rating in current_ratings(project, role).filter(item__in=scores)}
        for role in (Rating.Role.ADJUDICATOR, Rating.Role.GOLD)
    )
    return [
        ContestedItem(
            item=items[pk],
            score=score / 100,
            raters=sum(vote.n for vote in votes[pk]),
            votes=tuple(votes[pk]),
            comments=comments.get(pk, 0),
            adjudication=adjudications.get(pk),
            gold=gold.get(pk),
        )
        for pk, score in scores.items()
    ]


def _option_positions(protocol: Protocol, choices: Mapping[str, str]) -> list[int]:
    """Return the sort key of a set of answers: the positions of its options."""
    questions = [q for q in protocol.questions if q.kind == "choice"]
    keys = [q.option_keys for q in questions]
    return [
        options.index(choices[q.key]) if choices.get(q.key) in options else -1
        for q, options in zip(questions, keys, strict=True)
    ]

"""Compare answers with gold answers.

An item is right when the answer to the protocol's checked question is the gold answer's: a sentence correctly called
inaccurate is right even if the severity differs, and so is one correctly called free of facts, whose accuracy is not
asked. The person who gave a gold answer is not compared with it. Reports compare the same question
(`reporting.data.filters.checked_answers`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.db import connection
from django.db.models import Q, QuerySet

from ..models import Item, Project, Rating, RatingEvent, User
from ..protocols import Answers, Option, Protocol, are_swapped, in_rater_order

Verdict = Literal["right", "partly", "wrong"]


@dataclass(frozen=True)
class Score:
    """`right` of `items` answered items that have a gold answer."""

    right: int = 0
    items: int = 0

    @property
    def share(self) -> float | None:
        return self.right / self.items if self.items else None

    def reaches(self, threshold: float) -> bool:
        """Return whether the share is `threshold` or more, within rounding: 4 of 5 reaches 0.8. False for no items."""
        return bool(self.items) and self.right + 1e-9 >= threshold * self.items


@dataclass(frozen=True)
class Comparison:
    """One answered item with its gold answer and the reason for it.

    Options about a pair are in the rater's order; with `is_swapped` the text of the reason is in the data's order.
    """

    item: Item
    answer: tuple[Option, ...]
    gold: tuple[Option, ...]
    reason: str
    verdict: Verdict
    is_swapped: bool = False

    @property
    def is_right(self) -> bool:
        """Return whether the checked question agrees; `partly` means that another one differs."""
        return self.verdict != "wrong"


def options_of(protocol: Protocol, answers: Answers) -> tuple[Option, ...]:
    """Return the options of the answers in the order of the questions."""
    return tuple(
        option
        for question in protocol.questions
        if question.kind == "choice"
        for option in question.options
        if option.key == answers.get(question.key)
    )


def has_checked_answer(protocol: Protocol) -> Q:
    """Return a condition on gold ratings: the checked question is answered, which imported ratings may omit."""
    return Q() if protocol.may_skip_checked else Q(choices__has_any_keys=[q.key for q in protocol.checked_questions])


def gold_answers(project: Project, items: Iterable[int] | QuerySet[Item]) -> dict[int, Rating]:
    """Return the newest gold answer by item id."""
    is_usable = has_checked_answer(project.protocol.definition)
    ratings = Rating.objects.filter(is_usable, project=project, role=Rating.Role.GOLD, item__in=items)
    newest = ratings.order_by("item_id", "-rated_at", "-pk").distinct("item_id")
    return {rating.item_id: rating for rating in newest}


def compare_with_gold(protocol: Protocol, item: Item, answers: Answers, gold: Rating, assignment: UUID) -> Comparison:
    """Compare stored `answers` of the rater of this assignment (a public id) with the gold answer."""
    verdict = verdict_on(protocol, answers, gold.choices)
    own, agreed = (options_of(protocol, in_rater_order(protocol, assignment, each)) for each in (answers, gold.answers))
    return Comparison(item, own, agreed, gold.comment, verdict, are_swapped(protocol, assignment))


def verdict_on(protocol: Protocol, answers: Answers, gold: Answers) -> Verdict:
    """Return how `answers` compare with the gold answers to choice questions."""
    if protocol.checked_answer(answers) != protocol.checked_answer(gold):
        return "wrong"
    return "right" if all(answers.get(question) == choice for question, choice in gold.items()) else "partly"


def compare_answers(
    project: Project, rater: User, items: QuerySet[Item], *, first_since: datetime | None = None
) -> list[Comparison]:
    """Compare the rater's answers with the gold answers of `items`, in order. At most four queries.

    With `first_since` the first answer since then, before any feedback, else the current answer.
    """
    gold = gold_answers(project, items)
    own = {"project": project, "rater": rater, "role": Rating.Role.RATER, "item__in": list(gold)}
    rows: QuerySet[Any] = Rating.objects.filter(**own)
    if first_since:
        events = RatingEvent.objects.filter(**own, rated_at__gte=first_since).exclude(pgh_label="delete")
        rows = events.order_by("item_id", "version", "pgh_id").distinct("item_id")
    rows = rows.exclude(assignment=None).values_list("item_id", "answers", "assignment__public_id")
    answers = {item: (stored_answers, assignment) for item, stored_answers, assignment in rows}
    protocol = project.protocol.translated
    compared = [pk for pk in gold if pk in answers and gold[pk].rater_id != rater.pk]
    return [
        compare_with_gold(protocol, item, answers[item.pk][0], gold[item.pk], answers[item.pk][1])
        for item in items.filter(pk__in=compared)
    ]


def score_of(marks: Iterable[Comparison]) -> Score:
    """Return how many comparisons are right."""
    verdicts = [each.is_right for each in marks]
    return Score(sum(verdicts), len(verdicts))


# As `Protocol.checked_answer`.
_CHECKED = "(SELECT choices ->> key FROM unnest(%(questions)s::text[]) key WHERE choices ? key LIMIT 1)"
_HIDDEN = f"""
    SELECT r.rater_id, count(*) FILTER (WHERE given.answer IS NOT DISTINCT FROM gold.answer), count(*)
    FROM annotation_assignment a
    JOIN annotation_rating r ON r.assignment_id = a.id AND r.role = 'rater'
    JOIN annotation_item item ON item.id = r.item_id AND item.retired_at IS NULL
    JOIN (
        SELECT DISTINCT ON (item_id) item_id, rater_id, {_CHECKED} AS answer
        FROM annotation_rating
        WHERE project_id = %(project)s AND role = 'gold' AND (choices ?| %(questions)s::text[] OR %(may_skip)s)
        ORDER BY item_id, rated_at DESC, id DESC
    ) gold ON gold.item_id = r.item_id AND gold.rater_id <> r.rater_id
    CROSS JOIN LATERAL (SELECT {_CHECKED.replace("choices", "r.choices")} AS answer) given
    LEFT JOIN annotation_membership m ON m.project_id = a.project_id AND m.user_id = a.rater_id
    WHERE a.project_id = %(project)s AND a.purpose = 'gold' AND a.finished_at IS NOT NULL
        AND (%(rater)s::bigint IS NULL OR a.rater_id = %(rater)s)
        AND (NOT %(since_lift)s OR m.gold_since IS NULL OR a.finished_at > m.gold_since)
    GROUP BY r.rater_id
"""  # noqa: S608 - only constants of this file


def hidden_gold_scores(project: Project, rater: User | None = None, *, since_lift: bool = False) -> dict[int, Score]:
    """Return the scores of finished hidden gold by rater id, or of one `rater`. One query.

    With `since_lift` only responses finished after the rater's last pause was lifted.
    """
    protocol = project.protocol.definition
    values = {
        "project": project.pk,
        "rater": rater.pk if rater else None,
        "questions": [question.key for question in protocol.checked_questions],
        "may_skip": protocol.may_skip_checked,
        "since_lift": since_lift,
    }
    with connection.cursor() as cursor:
        cursor.execute(_HIDDEN, values)
        return {pk: Score(right, items) for pk, right, items in cursor.fetchall()}

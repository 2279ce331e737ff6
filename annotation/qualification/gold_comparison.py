"""How answers compare with gold answers.

An item is right when the answer to the protocol's checked question is the gold answer's: a sentence that was rightly
called inaccurate is right, also where the severity differs, and so is one that was rightly called free of facts, so
that its accuracy is not asked. Whoever gave the gold answer is not measured with it. Reports compare by the same
question (`reporting.checked`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import Q, QuerySet

from ..models import Item, Project, Rating, RatingEvent, User
from ..protocols import Option, Protocol, are_swapped, as_seen

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
    """One answered item beside its gold answer, and why that is the answer. Of a pair both are from the rater's side;
    `is_swapped`: the words of the reason are not, as they are about the data's order."""

    item: Item
    given: tuple[Option, ...]
    gold: tuple[Option, ...]
    reason: str
    verdict: Verdict
    is_swapped: bool = False

    @property
    def is_right(self) -> bool:
        """By the checked question; `partly` means that another one differs."""
        return self.verdict != "wrong"


def options_of(protocol: Protocol, answers: Mapping[str, Any]) -> tuple[Option, ...]:
    """The options that were chosen, in the order of the questions."""
    return tuple(
        option
        for question in protocol.questions
        if question.kind == "choice"
        for option in question.options
        if option.key == answers.get(question.key)
    )


def has_checked_answer(protocol: Protocol) -> Q:
    """Gold answers to compare with: imported ones may have a gap just where raters are checked."""
    return Q() if protocol.may_skip_checked else Q(choices__has_any_keys=[q.key for q in protocol.checked_questions])


def gold_answers(project: Project, items: Iterable[int] | QuerySet[Item]) -> dict[int, Rating]:
    """By item: the gold answer that stands, the newest."""
    enough = has_checked_answer(project.protocol.definition)
    found = Rating.objects.filter(enough, project=project, role=Rating.Role.GOLD, item__in=items)
    newest = found.order_by("item_id", "-rated_at", "-pk").distinct("item_id")
    return {rating.item_id: rating for rating in newest}


def compare_with_gold(
    protocol: Protocol, item: Item, given: Mapping[str, Any], gold: Rating, assignment: UUID
) -> Comparison:
    """Compare a stored answer with the gold answer, for the rater who gave it under this assignment (a public id)."""
    is_right = protocol.checked_answer(given) == protocol.checked_answer(gold.choices)
    is_same = all(given.get(question) == choice for question, choice in gold.choices.items())
    verdict: Verdict = "wrong" if not is_right else "right" if is_same else "partly"
    own, agreed = (options_of(protocol, as_seen(protocol, assignment, answers)) for answers in (given, gold.answers))
    return Comparison(item, own, agreed, gold.comment, verdict, are_swapped(protocol, assignment))


def compare_answers(
    project: Project, rater: User, items: QuerySet[Item], *, first_since: datetime | None = None
) -> list[Comparison]:
    """The rater's answers to those of `items` that have a gold answer, in order: four queries at most.

    With `first_since` the first answer given since then, before any feedback; else the one that stands.
    """
    gold = gold_answers(project, items)
    given = _first_answers(project, rater, gold, first_since) if first_since else _answers(project, rater, gold)
    protocol = project.protocol.worded
    found = items.filter(pk__in=[pk for pk in gold if pk in given])
    others = [item for item in found if gold[item.pk].rater_id != rater.pk]
    return [
        compare_with_gold(protocol, item, given[item.pk].answers, gold[item.pk], given[item.pk].assignment)
        for item in others
    ]


class _Given(NamedTuple):
    """What a rater answered, and the public id of the assignment under which."""

    answers: Mapping[str, Any]
    assignment: UUID


_GIVEN = ("item_id", "answers", "assignment__public_id")


def _answers(project: Project, rater: User, items: Iterable[int]) -> dict[int, _Given]:
    own = Rating.objects.filter(project=project, rater=rater, role=Rating.Role.RATER, item__in=list(items))
    return {item: _Given(*rest) for item, *rest in own.exclude(assignment=None).values_list(*_GIVEN)}


def _first_answers(project: Project, rater: User, items: Iterable[int], since: datetime) -> dict[int, _Given]:
    events = RatingEvent.objects.filter(
        project=project, rater=rater, role=Rating.Role.RATER, item__in=list(items), rated_at__gte=since
    ).exclude(pgh_label="delete")
    first = events.order_by("item_id", "version", "pgh_id").distinct("item_id")
    return {item: _Given(*rest) for item, *rest in first.exclude(assignment=None).values_list(*_GIVEN)}


def score_of(marks: Iterable[Comparison]) -> Score:
    """How many are right."""
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
    """By rater (or of one): finished hidden gold against the gold answers; with `since_lift` only what was finished
    after a lead last lifted the rater's pause. One query."""
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

"""Store many ratings at once, such as imported ones.

The rules of a single save apply: answers to hidden questions are removed, the protocol validates, only rated items
accept answers. A batch takes a few statements. These ratings have no lease: a rater's count at once unless the response
is excluded, those of other roles never. An equal stored rating is left as it is; a different one is an error unless it
may be replaced. A rating that its author gave after verdicts of a judge about the response were shown is marked.
"""

import dataclasses
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import Max, Q

from .. import protocols
from ..i18n.numbers import localized
from ..i18n.protocol_translation import validate_answers
from ..i18n.unit_names import unit_words
from ..models import Exclusion, Item, Project, Rating, RatingEvent, Slot, User, VerdictsShown
from ..models.rated_items import can_be_rated, rated_among
from ..queue.slots import lock_slots
from ..site.database_clock import database_now
from .evidence import Passage
from .submit import COMMENT_LENGTH
from .whole_response_questions import last_items, whole_response_ratings

Key = tuple[int, int, str]  # item, rater, role
Pair = tuple[int, int | None]  # response, second response
WholeKey = tuple[int, int | None, tuple[int, str] | None]  # response, second response, (rater, role)
DETAIL_FIELDS = ("comment", "evidence", "suggestions", "verdict_shown", "guidelines", "seconds", "rated_at")
"""The fields of a rating besides its answers."""


@dataclass(frozen=True, slots=True)
class NewRating:
    """A rating to store. None for a field of DETAIL_FIELDS: not given. `source` names its location in the file."""

    item: Item
    rater: User
    answers: protocols.SentAnswers
    role: str = Rating.Role.RATER
    comment: str | None = None
    evidence: list[Passage] | None = None
    suggestions: str | None = None
    verdict_shown: bool | None = None
    guidelines: int | None = None
    seconds: float | None = None
    rated_at: datetime | None = None
    source: str = ""

    @property
    def key(self) -> Key:
        return self.item.pk, self.rater.pk, self.role

    @property
    def details(self) -> dict[str, object]:
        """The given fields besides the answers."""
        return {name: value for name in DETAIL_FIELDS if (value := getattr(self, name)) is not None}


@dataclass(frozen=True)
class StoredCounts:
    """Numbers of new, changed and unchanged ratings."""

    new: int = 0
    changed: int = 0
    unchanged: int = 0

    def __add__(self, other: "StoredCounts") -> "StoredCounts":
        return StoredCounts(self.new + other.new, self.changed + other.changed, self.unchanged + other.unchanged)


class CannotStore(ValueError):
    """Some ratings are invalid, so none was stored. `.problems` are pairs of a rating's source and a message."""

    def __init__(self, problems: list[tuple[str, str]]):
        super().__init__("; ".join(f"{source}: {message}" for source, message in problems))
        self.problems = problems


@transaction.atomic
def store_ratings(project: Project, ratings: Sequence[NewRating], *, replace: bool = False) -> StoredCounts:
    """Store ratings of one project, at most some thousands. Raises CannotStore; then none is stored.

    `ratings` has at most one for each item, rater and role. The caller of raters' ratings has locked the project, so
    that no response is excluded meanwhile.
    """
    answers, problems = _validate(project, ratings)
    stored = _lock_stored(project, ratings)
    fresh, differing = [], []
    for rating in ratings:
        if rating.key not in stored:
            fresh.append(rating)
        elif _differs(stored[rating.key], rating, answers.get(rating.key)):
            differing.append(rating)
    if not replace:
        problems += [(rating.source, _difference_message(rating, stored[rating.key])) for rating in differing]
    if problems:
        raise CannotStore(problems)
    excluded, shown = _excluded_responses(project), _verdicts_shown([*fresh, *differing])
    _create(project, [_marked(rating, shown) for rating in fresh], answers, excluded)
    _replace(project, [_marked(rating, shown) for rating in differing], answers, stored, excluded)
    return StoredCounts(len(fresh), len(differing), len(ratings) - len(fresh) - len(differing))


def _validate(
    project: Project, ratings: Sequence[NewRating]
) -> tuple[dict[Key, protocols.Answers], list[tuple[str, str]]]:
    """Return the answers without those to hidden questions, and the problems."""
    whole = project.protocol.definition
    whole_keys, problems = _whole_response_keys(project, ratings) if whole.asks_once else (None, [])
    answers: dict[Key, protocols.Answers] = {}
    asked_items = rated_among(project, [rating.item for rating in ratings])
    for rating in ratings:
        protocol = whole.for_item(is_last=whole_keys is None or rating.key in whole_keys, kind=rating.item.kind)
        visible, wrong = validate_answers(protocol, rating.answers, may_have_gaps=protocol.imports_may_have_gaps)
        answers[rating.key] = visible
        if not visible and not wrong:
            problems.append((rating.source, "no question is answered; remove the rating"))
        problems += [(rating.source, f"{key}: {message}") for key, messages in wrong.items() for message in messages]
        if not can_be_rated(project, rating.item):
            problems.append((rating.source, _not_rated(rating.item)))
        elif rating.role == Rating.Role.RATER and rating.item.pk not in asked_items:
            problems.append((rating.source, _not_drawn(rating.item)))
        if rating.comment and len(rating.comment) > COMMENT_LENGTH:
            message = "the comment has more than %(most)s characters"
            problems.append((rating.source, message % {"most": localized(f"{COMMENT_LENGTH:,}")}))
    return answers, problems


def _whole_response_keys(project: Project, ratings: Sequence[NewRating]) -> tuple[set[Key], list[tuple[str, str]]]:
    """Return the keys of the ratings that answer questions about the whole response, and the problems.

    These are the ratings with such answers, and those of a last item if no other has them. A rater answers once.
    """
    protocol = project.protocol.definition
    answering = {rating.key for rating in ratings if any(rating.answers.get(key) for key in protocol.once_keys)}
    answered = _answered_items(project, [rating for rating in ratings if rating.key in answering], ratings)
    last = set(last_items(project, {rating.item.pk for rating in ratings}).values_list("pk", flat=True))
    keys, problems = set(answering), []
    for rating in ratings:
        other_items = answered[_whole_key(rating.item, rating.rater.pk, rating.role)] - {rating.item.pk}
        if rating.item.pk in last and not other_items:
            keys.add(rating.key)
        if other_items and rating.key in answering and rating.role == Rating.Role.RATER:
            questions = ", ".join(protocol.once_keys)
            problems.append(
                (
                    rating.source,
                    f"{questions}: already answered with another {unit_words(protocol.unit)} of the response",
                )
            )
    return keys, problems


def _answered_items(
    project: Project, answering: Sequence[NewRating], ratings: Sequence[NewRating]
) -> dict[WholeKey, set[int]]:
    """Return the items with answers about the whole response, once `ratings` are stored."""
    people = Rating.objects.filter(project=project).exclude(role=Rating.Role.JUDGE)
    stored = whole_response_ratings(
        project, project.protocol.definition, people, {rating.item.response_id for rating in ratings}
    )
    replaced = {rating.key for rating in ratings}
    items: dict[WholeKey, set[int]] = defaultdict(set)
    for rating in answering:
        items[_whole_key(rating.item, rating.rater.pk, rating.role)].add(rating.item.pk)
    for row in stored.select_related("item"):
        if (row.item_id, row.rater_id, row.role) not in replaced:
            for role in (row.role, Rating.Role.GOLD):
                items[_whole_key(row.item, row.rater_id, role)].add(row.item_id)
    return items


def _whole_key(item: Item, rater: int, role: str) -> WholeKey:
    """Return the key of answers about a whole response: one for each rater or judge, one for all gold answers."""
    is_personal = role in (Rating.Role.RATER, Rating.Role.JUDGE)
    return item.response_id, item.against_id, (rater, role) if is_personal else None


def _not_rated(item: Item) -> str:
    values = {"unit": unit_words(item.unit), "position": item.position, "kind": item.kind.replace("_", " ")}
    is_retired = "%(unit)s %(position)s was removed, and raters are not asked about it"
    if item.rate and not item.retired_at:
        message = (
            "%(unit)s %(position)s is marked as likely free of claims (%(reason)s), and this project skips such items"
        )
        return message % {**values, "reason": Item.ClaimFree(item.claim_free).label}
    is_not_rated = "%(unit)s %(position)s is a %(kind)s, and raters are not asked about it"
    return (is_retired if item.retired_at else is_not_rated) % values


def _not_drawn(item: Item) -> str:
    return (
        f"{unit_words(item.unit)} {item.position} is not in the project's sample, and raters are not asked about "
        "it: remove the rating"
    )


def _lock_stored(project: Project, ratings: Sequence[NewRating]) -> dict[Key, Rating]:
    """Return the stored ratings of these items and raters, locked.

    Their slots are locked first, as in every save, finish and deletion, which prevents deadlocks.
    """
    rows = Rating.objects.filter(_of_items_and_raters(project, ratings))
    slots = Slot.objects.filter(holder__in=rows.exclude(assignment=None).values("assignment"))
    lock_slots(slots)
    return {(row.item_id, row.rater_id, row.role): row for row in rows.select_for_update(of=("self",)).order_by("pk")}


def _of_items_and_raters(project: Project, ratings: Sequence[NewRating]) -> Q:
    # By the project's slug: PostgreSQL's statistics have no rows of a new project, and it would read all of its rows.
    items, raters = {rating.item.pk for rating in ratings}, {rating.rater.pk for rating in ratings}
    return Q(project__slug=project.slug, item__in=items, rater__in=raters)


def _differs(row: Rating, rating: NewRating, answers: protocols.Answers | None) -> bool:
    return row.answers != answers or any(getattr(row, name) != value for name, value in rating.details.items())


def _difference_message(rating: NewRating, row: Rating) -> str:
    stored_answers = json.dumps(row.answers, ensure_ascii=False)
    message = (
        "%(rater)s (%(role)s) has already rated %(unit)s %(position)s differently (%(shown)s); "
        "--replace uses the file's answer"
    )
    values = {"rater": rating.rater.username, "role": rating.role, "shown": stored_answers[:200]}
    return message % {**values, "unit": unit_words(rating.item.unit), "position": rating.item.position}


def _excluded_responses(project: Project) -> set[Pair]:
    return set(Exclusion.objects.filter(project=project).values_list("sheet__response", "sheet__against"))


def _verdicts_shown(ratings: Sequence[NewRating]) -> dict[tuple[int, Pair], datetime]:
    """Return when verdicts about a response were first shown to a person, by both. One query; none for judges."""
    by_people = [rating for rating in ratings if rating.role != Rating.Role.JUDGE]
    if not by_people:
        return {}
    people, responses = {rating.rater.pk for rating in by_people}, {rating.item.response_id for rating in by_people}
    rows = VerdictsShown.objects.filter(person__in=people, response__in=responses)
    return {(row.person_id, (row.response_id, row.against_id)): row.first_shown_at for row in rows}


def _marked(rating: NewRating, shown: dict[tuple[int, Pair], datetime]) -> NewRating:
    """Return the rating, marked if it was given after verdicts were shown; without a time it is given now."""
    since = shown.get((rating.rater.pk, (rating.item.response_id, rating.item.against_id)))
    if since is None or (rating.rated_at and rating.rated_at < since):
        return rating
    return dataclasses.replace(rating, verdict_shown=True)


def _create(
    project: Project, fresh: list[NewRating], answers: dict[Key, protocols.Answers], excluded: set[Pair]
) -> None:
    versions = _last_versions(project, fresh)
    rows = []
    for rating in fresh:
        version = versions.get(rating.key, 0) + 1
        row = Rating(project=project, item=rating.item, rater=rating.rater, role=rating.role, version=version)
        _set_values(project, row, rating, answers[rating.key], excluded)
        rows.append(row)
    try:
        with transaction.atomic():
            Rating.objects.bulk_create(rows)
    except IntegrityError:
        message = "another person rated the same items at the same time; import the file again"
        raise CannotStore([(fresh[0].source, message)]) from None


def _last_versions(project: Project, fresh: list[NewRating]) -> dict[Key, int]:
    """Return the last version of each rating, deleted ones too, because versions never decrease."""
    events = RatingEvent.objects.filter(_of_items_and_raters(project, fresh))
    last = events.values_list("item", "rater", "role").annotate(Max("version"))
    return {(item, rater, role): version for item, rater, role, version in last}


def _replace(
    project: Project,
    differing: list[NewRating],
    answers: dict[Key, protocols.Answers],
    stored: dict[Key, Rating],
    excluded: set[Pair],
) -> None:
    rows = []
    for rating in differing:
        row = stored[rating.key]
        row.version += 1
        _set_values(project, row, rating, answers[rating.key], excluded)
        rows.append(row)
    fields = ["answers", "choices", "counted", "assignment", "version", "idempotency_key", "request_sha256"]
    Rating.objects.bulk_update(rows, [*fields, *DETAIL_FIELDS], batch_size=500)


def _set_values(
    project: Project, row: Rating, rating: NewRating, answers: protocols.Answers, excluded: set[Pair]
) -> None:
    row.answers = answers
    row.choices = protocols.choices(project.protocol.definition, answers)
    is_excluded = (rating.item.response_id, rating.item.against_id) in excluded
    row.counted = rating.role == Rating.Role.RATER and not is_excluded
    row.assignment, row.idempotency_key, row.request_sha256 = None, "", ""
    row.rated_at = database_now()
    for name, value in rating.details.items():
        setattr(row, name, value)

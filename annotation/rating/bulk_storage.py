"""Store many ratings at once, such as imported ones.

The rules of a single save apply: answers to hidden questions are removed, the protocol validates, only rated items
accept answers. A batch takes a few statements. These ratings have no lease: a rater's count at once unless the response
is excluded, those of other roles never. An equal stored rating is left as it is; a different one is an error unless it
may be replaced. A rating that its author gave after verdicts of a judge about the response were shown is marked.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, connection, transaction
from django.db.models import Max, Q

from .. import protocols
from ..i18n.protocol_translation import validate_answers
from ..i18n.unit_names import unit_words
from ..models import Exclusion, Item, Project, Rating, RatingEvent, Slot, User, VerdictsShown
from ..models.rated_items import can_be_rated, rated_among
from ..models.tally import APPLY_DEFERRED, DEFERRED, KEY
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
        return {name: value for name in DETAIL_FIELDS if (value := getattr(self, name)) is not None}


@dataclass(frozen=True)
class StoredCounts:
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
    # Slots are locked before ratings, as in every save, finish and deletion, which prevents deadlocks.
    rows = Rating.objects.filter(_of_items_and_raters(project, ratings))
    slots = Slot.objects.filter(holder__in=rows.exclude(assignment=None).values("assignment"))
    lock_slots(slots)
    stored = {(row.item_id, row.rater_id, row.role): row for row in rows.select_for_update(of=("self",)).order_by("pk")}
    fresh, differing = [], []
    for rating in ratings:
        if rating.key not in stored:
            fresh.append(rating)
            continue
        row = stored[rating.key]
        details = {name: getattr(row, name) for name in rating.details}
        if row.answers != answers.get(rating.key) or details != rating.details:
            differing.append(rating)
            if not replace:
                stored_answers = json.dumps(row.answers, ensure_ascii=False)[:200]
                message = (
                    f"{rating.rater.username} ({rating.role}) has already rated {unit_words(rating.item.unit)} "
                    f"{rating.item.position} differently ({stored_answers}); --replace uses the file's answer"
                )
                problems.append((rating.source, message))
    if problems:
        raise CannotStore(problems)
    # Versions never decrease: a rating that was deleted has one in the history.
    events = RatingEvent.objects.filter(_of_items_and_raters(project, fresh))
    last = events.values_list("item", "rater", "role").annotate(Max("version"))
    versions = {(item, rater, role): version for item, rater, role, version in last}
    new_rows = [
        Rating(project=project, item=each.item, rater=each.rater, role=each.role, version=versions.get(each.key, 0))
        for each in fresh
    ]
    changed_rows = [stored[rating.key] for rating in differing]
    _set_values(project, [*zip(fresh, new_rows, strict=True), *zip(differing, changed_rows, strict=True)], answers)
    try:
        with transaction.atomic():
            Rating.objects.bulk_create(new_rows)
    except IntegrityError:
        message = "another person rated the same items at the same time; import the file again"
        raise CannotStore([(fresh[0].source, message)]) from None
    fields = ["answers", "choices", "counted", "assignment", "version", "idempotency_key", "request_sha256"]
    Rating.objects.bulk_update(changed_rows, [*fields, *DETAIL_FIELDS], batch_size=500)
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
            message = f"{unit_words(rating.item.unit)} {rating.item.position} is not in the project's sample"
            problems.append((rating.source, f"{message}, and raters are not asked about it: remove the rating"))
        if rating.comment and len(rating.comment) > COMMENT_LENGTH:
            problems.append((rating.source, f"the comment has more than {COMMENT_LENGTH:,} characters"))
    return answers, problems


def _whole_response_keys(project: Project, ratings: Sequence[NewRating]) -> tuple[set[Key], list[tuple[str, str]]]:
    """Return the keys of the ratings that answer questions about the whole response, and the problems.

    These are the ratings with such answers, and those of a last item if no other has them. A rater answers once.
    """
    protocol = project.protocol.definition
    answering = {rating.key for rating in ratings if any(rating.answers.get(key) for key in protocol.once_keys)}
    people = Rating.objects.filter(project=project).exclude(role=Rating.Role.JUDGE)
    stored = whole_response_ratings(project, protocol, people, {rating.item.response_id for rating in ratings})
    replaced = {rating.key for rating in ratings}
    answered: dict[WholeKey, set[int]] = defaultdict(set)
    for rating in ratings:
        if rating.key in answering:
            answered[_whole_key(rating.item, rating.rater.pk, rating.role)].add(rating.item.pk)
    for row in stored.select_related("item"):
        if (row.item_id, row.rater_id, row.role) not in replaced:
            for role in (row.role, Rating.Role.GOLD):
                answered[_whole_key(row.item, row.rater_id, role)].add(row.item_id)
    last = set(last_items(project, {rating.item.pk for rating in ratings}).values_list("pk", flat=True))
    keys, problems = set(answering), []
    for rating in ratings:
        other_items = answered[_whole_key(rating.item, rating.rater.pk, rating.role)] - {rating.item.pk}
        if rating.item.pk in last and not other_items:
            keys.add(rating.key)
        if other_items and rating.key in answering and rating.role == Rating.Role.RATER:
            message = f"already answered with another {unit_words(protocol.unit)} of the response"
            problems.append((rating.source, f"{', '.join(protocol.once_keys)}: {message}"))
    return keys, problems


def _whole_key(item: Item, rater: int, role: str) -> WholeKey:
    """Return the key of answers about a whole response: one for each rater or judge, one for all gold answers."""
    is_personal = role in (Rating.Role.RATER, Rating.Role.JUDGE)
    return item.response_id, item.against_id, (rater, role) if is_personal else None


def _not_rated(item: Item) -> str:
    name = f"{unit_words(item.unit)} {item.position}"
    if item.retired_at:
        return f"{name} was removed, and raters are not asked about it"
    if item.rate:
        reason = Item.ClaimFree(item.claim_free).label
        return f"{name} is marked as likely free of claims ({reason}), and this project skips such items"
    return f"{name} is a {item.kind.replace('_', ' ')}, and raters are not asked about it"


def _of_items_and_raters(project: Project, ratings: Sequence[NewRating]) -> Q:
    # By the project's slug: PostgreSQL's statistics have no rows of a new project, and it would read all of its rows.
    items, raters = {rating.item.pk for rating in ratings}, {rating.rater.pk for rating in ratings}
    return Q(project__slug=project.slug, item__in=items, rater__in=raters)


def _set_values(
    project: Project, pairs: Sequence[tuple[NewRating, Rating]], answers: dict[Key, protocols.Answers]
) -> None:
    """Set the values of the rows, as a new version. A person's rating is marked if a verdict was shown before it."""
    by_people = [rating for rating, _ in pairs if rating.role != Rating.Role.JUDGE]
    excluded = set(Exclusion.objects.filter(project=project).values_list("sheet__response", "sheet__against"))
    verdicts = VerdictsShown.objects.filter(
        person__in={rating.rater.pk for rating in by_people},
        response__in={rating.item.response_id for rating in by_people},
    )
    shown_at = {(row.person_id, row.response_id, row.against_id): row.first_shown_at for row in verdicts}
    now = database_now()
    for rating, row in pairs:
        response = rating.item.response_id, rating.item.against_id
        row.version += 1
        row.answers = answers[rating.key]
        row.choices = protocols.choices(project.protocol.definition, row.answers)
        row.counted = rating.role == Rating.Role.RATER and response not in excluded
        row.assignment, row.idempotency_key, row.request_sha256, row.rated_at = None, "", "", now
        for name, value in rating.details.items():
            setattr(row, name, value)
        since = shown_at.get((rating.rater.pk, *response))
        if since is not None and (rating.rated_at is None or rating.rated_at >= since):
            row.verdict_shown = True


_CHANGES = f"""
    CREATE TEMPORARY TABLE tally_change ON COMMIT DROP AS SELECT {KEY}, n FROM annotation_tally WITH NO DATA
"""  # noqa: S608 - only the constants of models/tally.py


@contextmanager
def deferred_tally() -> Iterator[None]:
    """Run a transaction whose ratings are added to the tally when it ends. Inside, the tally does not have them."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_CHANGES)
        cursor.execute(f"SET LOCAL {DEFERRED} = 'on'")
        yield
        cursor.execute(APPLY_DEFERRED)
        cursor.execute(f"SET LOCAL {DEFERRED} = 'off'")
        cursor.execute("DROP TABLE tally_change")

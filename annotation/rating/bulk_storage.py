"""Storing many ratings at once: what an import brings, and what judges and gold answers will.

The same rules as for a single save (hidden answers pruned, the protocol asked, rated items only), the same columns
filled, in a few statements a batch. These ratings have no lease: a rater's count at once, the other roles' never do.
A rating that is stored already is left alone if it is the same, and refused if it differs, unless it may be replaced.
"""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from .. import protocols
from ..i18n.numbers import localised
from ..i18n.protocol_translation import problems_with
from ..i18n.unit_names import unit_words
from ..models import Item, Project, Rating, RatingEvent, Slot, User
from ..queue.slots import lock_slots
from .submit import COMMENT_LENGTH
from .whole_response_questions import last_items, whole_response_ratings

Key = tuple[int, int, str]  # item, rater, role
Speaker = tuple[int, int | None, tuple[int, str] | None]  # response, opponent, and who
DETAIL_FIELDS = ("comment", "evidence", "suggestions", "guidelines", "seconds", "rated_at")
"""What a rating says beside its answers."""


@dataclass(frozen=True, slots=True)
class NewRating:
    """One rating that came in. None for what it says beside the answers: not said. `place` is for messages."""

    item: Item
    rater: User
    answers: Mapping[str, Any]
    role: str = Rating.Role.RATER
    comment: str | None = None
    evidence: list[Any] | None = None
    suggestions: str | None = None
    guidelines: int | None = None
    seconds: float | None = None
    rated_at: datetime | None = None
    place: str = ""

    @property
    def key(self) -> Key:
        return self.item.pk, self.rater.pk, self.role

    @property
    def said(self) -> dict[str, Any]:
        """What was said beside the answers."""
        values = {name: getattr(self, name) for name in DETAIL_FIELDS}
        return {name: value for name, value in values.items() if value is not None}


@dataclass(frozen=True)
class StoredCounts:
    """How many ratings were new, changed, and the same as before."""

    new: int = 0
    changed: int = 0
    unchanged: int = 0

    def __add__(self, other: "StoredCounts") -> "StoredCounts":
        return StoredCounts(self.new + other.new, self.changed + other.changed, self.unchanged + other.unchanged)


class CannotStore(ValueError):
    """Some ratings cannot be stored, so none was. `.problems` are pairs of a rating's place and what is wrong."""

    def __init__(self, problems: list[tuple[str, str]]):
        super().__init__("; ".join(f"{place}: {message}" for place, message in problems))
        self.problems = problems


@transaction.atomic
def store_ratings(project: Project, given: Sequence[NewRating], *, replace: bool = False) -> StoredCounts:
    """Store ratings of one project, some thousands at most at once. Raises CannotStore; then none is stored.

    A rating of one item by one rater in one role comes once in `given`.
    """
    answers, problems = _checked(project, given)
    stored = _stored(project, given)
    fresh, differing = [], []
    for rating in given:
        if rating.key not in stored:
            fresh.append(rating)
        elif _differs(stored[rating.key], rating, answers.get(rating.key)):
            differing.append(rating)
    if not replace:
        problems += [(rating.place, _why_not(rating, stored[rating.key])) for rating in differing]
    if problems:
        raise CannotStore(problems)
    _create(project, fresh, answers)
    _replace(project, differing, answers, stored)
    return StoredCounts(len(fresh), len(differing), len(given) - len(fresh) - len(differing))


def _checked(project: Project, given: Sequence[NewRating]) -> tuple[dict[Key, dict[str, Any]], list[tuple[str, str]]]:
    """The pruned answers, and what is wrong."""
    whole = project.protocol.definition
    asked_once, problems = _asked_once(project, given) if whole.asks_once else (None, [])
    answers: dict[Key, dict[str, Any]] = {}
    for rating in given:
        protocol = whole.about(last=asked_once is None or rating.key in asked_once, kind=rating.item.kind)
        answers[rating.key] = kept = protocols.prune(protocol, rating.answers)
        wrong = problems_with(protocol, kept, may_have_gaps=protocol.imports_may_have_gaps)
        if not kept and not wrong:
            problems.append((rating.place, _("no question is answered; leave the rating out")))
        problems += [(rating.place, f"{key}: {message}") for key, messages in wrong.items() for message in messages]
        if not rating.item.rate or rating.item.retired_at:
            problems.append((rating.place, _not_rated(rating.item)))
        if rating.comment and len(rating.comment) > COMMENT_LENGTH:
            message = _("the comment has more than %(most)s characters")
            problems.append((rating.place, message % {"most": localised(f"{COMMENT_LENGTH:,}")}))
    return answers, problems


def _asked_once(project: Project, given: Sequence[NewRating]) -> tuple[set[Key], list[tuple[str, str]]]:
    """The ratings that are asked about the whole response (those that speak of it, and those of a last item where no
    other does), and what is wrong: a rater speaks of it once."""
    protocol = project.protocol.definition
    speaking = {rating.key for rating in given if any(rating.answers.get(key) for key in protocol.once_keys)}
    spoken = _spoken_of(project, [rating for rating in given if rating.key in speaking], given)
    last = set(last_items({rating.item.pk for rating in given}).values_list("pk", flat=True))
    asked, problems = set(speaking), []
    for rating in given:
        elsewhere = spoken[_speaker(rating.item, rating.rater.pk, rating.role)] - {rating.item.pk}
        if rating.item.pk in last and not elsewhere:
            asked.add(rating.key)
        if elsewhere and rating.key in speaking and rating.role == Rating.Role.RATER:
            keys = ", ".join(protocol.once_keys)
            said = _("%(questions)s: answered with another %(unit)s of the response already")
            problems.append((rating.place, said % {"questions": keys, "unit": unit_words(protocol.unit)}))
    return asked, problems


def _spoken_of(project: Project, speaking: Sequence[NewRating], given: Sequence[NewRating]) -> dict[Speaker, set[int]]:
    """By response and who: the items with which something is said about the whole, with the given ratings stored."""
    people = Rating.objects.filter(project=project).exclude(role=Rating.Role.JUDGE)
    stored = whole_response_ratings(project.protocol.definition, people, {rating.item.response_id for rating in given})
    replaced = {rating.key for rating in given}
    found: dict[Speaker, set[int]] = defaultdict(set)
    for rating in speaking:
        found[_speaker(rating.item, rating.rater.pk, rating.role)].add(rating.item.pk)
    for row in stored.select_related("item"):
        if (row.item_id, row.rater_id, row.role) not in replaced:
            for role in (row.role, Rating.Role.GOLD):
                found[_speaker(row.item, row.rater_id, role)].add(row.item_id)
    return found


def _speaker(item: Item, rater: int, role: str) -> Speaker:
    """Raters and judges speak for themselves; a verdict speaks where anybody did."""
    speaks_alone = role in (Rating.Role.RATER, Rating.Role.JUDGE)
    return item.response_id, item.against_id, (rater, role) if speaks_alone else None


def _not_rated(item: Item) -> str:
    what = {"unit": unit_words(item.unit), "position": item.position, "kind": item.kind.replace("_", " ")}
    taken_out = _("%(unit)s %(position)s was taken out, and raters are not asked about it")
    of_a_kind = _("%(unit)s %(position)s is a %(kind)s, and raters are not asked about it")
    return (taken_out if item.retired_at else of_a_kind) % what


def _stored(project: Project, given: Sequence[NewRating]) -> dict[Key, Rating]:
    """The ratings that are stored of those items and raters, locked. Their slots come first, as in every save, finish
    and take-back: else two who lock several ratings could wait for each other."""
    rows = Rating.objects.filter(
        project=project, item__in={g.item.pk for g in given}, rater__in={g.rater.pk for g in given}
    )
    slots = Slot.objects.filter(holder__in=rows.exclude(assignment=None).values("assignment"))
    lock_slots(slots)
    return {(row.item_id, row.rater_id, row.role): row for row in rows.select_for_update().order_by("pk")}


def _differs(row: Rating, rating: NewRating, answers: dict[str, Any] | None) -> bool:
    said = {"answers": answers, **rating.said}
    return any(getattr(row, name) != value for name, value in said.items())


def _why_not(rating: NewRating, row: Rating) -> str:
    shown = json.dumps(row.answers, ensure_ascii=False)
    message = _(
        "%(rater)s (%(role)s) has rated %(unit)s %(position)s already, and otherwise (%(shown)s); --replace puts the "
        "file's answer in its place"
    )
    of = {"rater": rating.rater.username, "role": rating.role, "shown": shown[:200]}
    return message % {**of, "unit": unit_words(rating.item.unit), "position": rating.item.position}


def _create(project: Project, fresh: list[NewRating], answers: dict[Key, dict[str, Any]]) -> None:
    versions = _last_versions(project, fresh)
    rows = []
    for rating in fresh:
        values = _values(project, rating, answers[rating.key])
        values.setdefault("rated_at", timezone.now())
        rows.append(
            Rating(
                project=project,
                item=rating.item,
                rater=rating.rater,
                role=rating.role,
                version=versions.get(rating.key, 0) + 1,
                **values,
            )
        )
    try:
        with transaction.atomic():
            Rating.objects.bulk_create(rows)
    except IntegrityError:
        message = _("somebody rated the same items at this moment; load the file again")
        raise CannotStore([(fresh[0].place, message)]) from None


def _last_versions(project: Project, fresh: list[NewRating]) -> dict[Key, int]:
    """Versions never go back, also where an answer was taken back before."""
    events = RatingEvent.objects.filter(
        project=project, item__in={g.item.pk for g in fresh}, rater__in={g.rater.pk for g in fresh}
    )
    last = events.values_list("item", "rater", "role").annotate(Max("version"))
    return {(item, rater, role): version for item, rater, role, version in last}


def _replace(
    project: Project, differing: list[NewRating], answers: dict[Key, dict[str, Any]], stored: dict[Key, Rating]
) -> None:
    rows = []
    for rating in differing:
        row = stored[rating.key]
        row.version += 1
        values = {"rated_at": timezone.now(), **_values(project, rating, answers[rating.key])}
        for name, value in values.items():
            setattr(row, name, value)
        rows.append(row)
    fields = ["answers", "choices", "counted", "assignment", "version", "idempotency_key", "request_sha256"]
    Rating.objects.bulk_update(rows, [*fields, *DETAIL_FIELDS], batch_size=500)


def _values(project: Project, rating: NewRating, answers: dict[str, Any]) -> dict[str, Any]:
    return {
        "answers": answers,
        "choices": protocols.choices(project.protocol.definition, answers),
        "counted": rating.role == Rating.Role.RATER,
        "assignment": None,
        "idempotency_key": "",
        "request_sha256": "",
        **rating.said,
    }

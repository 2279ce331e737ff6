"""Saving one answer under a lease: what the workspace and programs do at every key press.

The save is safe to repeat: its idempotency key is stored with the answer, the history keeps the key of every version,
and a repeated key is answered from there before anything else is looked at. No lock is taken: the answer is written
only if the stored version still is the one that was read, in one statement that the database sees through or not at
all. Versions never go back, also when an answer was taken back, so a stale tab can never overwrite what it has not
seen.
"""

import hashlib
import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import psycopg
from django.db import IntegrityError, transaction
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import JSONObject
from django.utils import timezone

from .. import protocols
from ..assigning.leases import LeaseLost, expiry, locked_place
from ..models import Assignment, Item, Place, Rating, RatingEvent

COMMENT_LENGTH = 10_000


class NotAllowed(ValueError):
    """The protocol does not allow these answers. `.errors` is `{field: [what is wrong]}`."""

    def __init__(self, errors: dict[str, list[str]]):
        super().__init__("These answers cannot be saved.")
        self.errors = errors


class Outdated(ValueError):
    """Another tab or device was first. `.version` and `.answers` are what is stored (0 and {} for nothing)."""

    def __init__(self, version: int, answers: dict):
        super().__init__("This sentence was answered in another tab or on another device meanwhile.")
        self.version, self.answers = version, answers


class KeyReused(ValueError):
    """The idempotency key came before with another body."""


class NoSuchItem(LookupError):
    """The item is not on this sheet."""


@dataclass(frozen=True)
class Submission:
    """What came in. `None` for comment, evidence or seconds leaves what is stored."""

    answers: dict[str, Any]
    base_version: int
    comment: str | None = None
    evidence: list | None = None
    seconds: float | None = None
    key: str = ""
    fingerprint: str = ""


def fingerprint(item: UUID, body: Any) -> str:
    """What a request said, as a SHA-256: the same key with the same fingerprint is the same request."""
    return hashlib.sha256(json.dumps([str(item), body], sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class Saved:
    """The answers as stored (pruned) and their version."""

    answers: dict[str, Any]
    version: int


@dataclass(frozen=True)
class _Stored:
    """An assignment and one of its items, with what is known of the rater's answer to it."""

    assignment: Assignment
    item: dict[str, Any]
    rating: dict[str, Any] | None
    receipt: dict[str, Any] | None
    last_version: int

    @property
    def version(self) -> int:
        return self.rating["version"] if self.rating else 0

    @property
    def answers(self) -> dict:
        return self.rating["answers"] if self.rating else {}

    @property
    def protocol(self) -> protocols.Protocol:
        return self.assignment.project.protocol.definition


def save(assignments: QuerySet[Assignment], assignment: UUID, item: UUID, submission: Submission) -> Saved:
    """Store an answer under one of `assignments` (those of the caller) and renew its lease.

    Raises NoSuchItem, KeyReused, LeaseLost, NotAllowed or Outdated, in this order; then nothing is stored.
    """
    stored = _fetch(assignments, assignment, item, submission.key)
    if stored.receipt:
        return _answer_again(stored.receipt, submission.fingerprint)
    _require_lease(stored.assignment)
    answers = _allowed(stored, submission)
    if stored.version != submission.base_version:
        raise Outdated(stored.version, stored.answers)
    if not _write(stored, answers, submission):  # somebody was faster: look again, and say so or show the receipt
        return save(assignments, assignment, item, submission)
    Place.objects.filter(holder=stored.assignment).update(expires_at=expiry())
    return Saved(answers, stored.last_version + 1)


@transaction.atomic
def take_back(assignments: QuerySet[Assignment], assignment: UUID, item: UUID, base_version: int) -> None:
    """Delete an answer; the history keeps it. Nothing to delete is fine: the request may have come twice.

    Raises NoSuchItem, LeaseLost, NotAllowed (when the response is finished) or Outdated.
    """
    found = assignments.filter(public_id=assignment).first()
    if found is None:
        raise NoSuchItem("There is no such assignment of yours.")
    place = locked_place(found)  # no finishing while an answer goes away
    if place.finished_at:
        raise NotAllowed({"item": ["This response is finished. Change the answer instead of taking it back."]})
    stored = _fetch(assignments, assignment, item, "")
    if stored.rating and stored.version != base_version:
        raise Outdated(stored.version, stored.answers)
    if stored.rating and not _delete(stored):  # a save has come between, which does not wait for the lock
        now = _fetch(assignments, assignment, item, "")
        raise Outdated(now.version, now.answers)
    Place.objects.filter(pk=place.pk).update(expires_at=expiry())


def _delete(stored: _Stored) -> bool:
    return bool(_seen(stored).delete()[0])


def answered_before(
    assignments: QuerySet[Assignment], assignment: UUID, item: UUID, key: str, fingerprint: str
) -> Saved | None:
    """What the request with this key was answered, if it came before. Raises KeyReused.

    A save looks for itself; this is for requests that are refused before they get that far.
    """
    receipt = _fetch(assignments, assignment, item, key).receipt if key else None
    return _answer_again(receipt, fingerprint) if receipt else None


def _fetch(assignments: QuerySet[Assignment], assignment: UUID, item: UUID, key: str) -> _Stored:
    """Everything a save must know, in one query."""
    mine = Q(rater=OuterRef("rater"), project=OuterRef("project"), role=Rating.Role.RATER, item__public_id=item)
    items = Item.objects.filter(public_id=item, response=OuterRef("sheet__response"))
    events = RatingEvent.objects.filter(mine)
    receipts = RatingEvent.objects.filter(assignment=OuterRef("pk"), idempotency_key=key).exclude(pgh_label="delete")
    found = (
        assignments.filter(public_id=assignment)
        .annotate(
            item=_row(items, "id", "unit", "against", "rate", "retired_at"),
            rating=_row(Rating.objects.filter(mine), "id", "version", "answers", "assignment"),
            receipt=_row(
                receipts.order_by("pgh_id") if key else receipts.none(), "version", "answers", "request_sha256"
            ),
            last_version=Subquery(events.order_by("-version").values("version")[:1]),
        )
        .first()
    )
    if found is None or found.item is None or not _is_asked_about(found):
        raise NoSuchItem("There is no such item on a sheet of yours.")
    return _Stored(found, found.item, found.rating, found.receipt, found.last_version or 0)


def _row(rows: QuerySet, *fields: str) -> Subquery:
    return Subquery(rows.values(json=JSONObject(**{name: name for name in fields}))[:1])


def _is_asked_about(found: Any) -> bool:
    return (
        found.item["unit"] == found.project.protocol.definition.unit and found.item["against"] == found.sheet.against_id
    )


def _require_lease(assignment: Assignment) -> None:
    if not hasattr(assignment, "place"):
        raise LeaseLost("Somebody else has taken this response meanwhile. Your answers are kept.")


def _answer_again(receipt: dict, fingerprint: str) -> Saved:
    if receipt["request_sha256"] != fingerprint:
        raise KeyReused("This idempotency key was used for another request. Use a new key for each answer.")
    return Saved(receipt["answers"], receipt["version"])


def _allowed(stored: _Stored, submission: Submission) -> dict[str, Any]:
    """The answers without those to hidden questions, or NotAllowed with all that is wrong."""
    answers = protocols.prune(stored.protocol, submission.answers)
    errors = protocols.problems(stored.protocol, answers)
    if not stored.item["rate"] or stored.item["retired_at"]:
        errors["item"] = ["Raters are not asked about this part of the response."]
    if submission.comment and len(submission.comment) > COMMENT_LENGTH:
        errors["comment"] = [f"At most {COMMENT_LENGTH:,} characters."]
    if errors:
        raise NotAllowed(errors)
    if not answers:
        raise NotAllowed({"answers": ["Answer at least one question."]})
    return answers


def _write(stored: _Stored, answers: dict, submission: Submission) -> bool:
    """Whether the answer was stored. It is not when another save has come between."""
    given = {"comment": submission.comment, "evidence": submission.evidence, "seconds": submission.seconds}
    values = {
        "assignment": stored.assignment,
        "answers": answers,
        "choices": protocols.choices(stored.protocol, answers),
        "rated_at": timezone.now(),
        "version": stored.last_version + 1,
        "idempotency_key": submission.key,
        "request_sha256": submission.fingerprint,
        **{name: value for name, value in given.items() if value is not None},
    }
    return _update(stored, values) if stored.rating else _insert(stored, values)


def _seen(stored: _Stored) -> QuerySet[Rating]:
    """The rating, if it still is as it was read."""
    assert stored.rating is not None
    return Rating.objects.filter(pk=stored.rating["id"], version=stored.version)


def _update(stored: _Stored, values: dict[str, Any]) -> bool:
    assert stored.rating is not None
    if stored.rating["assignment"] is not None:
        return bool(_seen(stored).update(**values))
    with transaction.atomic():  # an imported rating, which counted at once: from now on its lease decides
        finished = locked_place(stored.assignment).finished_at is not None
        return bool(_seen(stored).update(counted=finished, **values))


def _insert(stored: _Stored, values: dict[str, Any]) -> bool:
    lease = stored.assignment
    finished = lease.finished_at is not None
    rating = Rating(
        project_id=lease.project_id, item_id=stored.item["id"], rater_id=lease.rater_id, counted=finished, **values
    )
    try:
        rating.save(force_insert=True)
    except IntegrityError as error:
        if _violated(error) != "one_rating_a_rater":
            raise
        return False
    return True


def _violated(error: IntegrityError) -> str | None:
    """The name of the constraint."""
    return error.__cause__.diag.constraint_name if isinstance(error.__cause__, psycopg.Error) else None

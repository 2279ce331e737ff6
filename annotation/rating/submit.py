"""Saving one answer under a lease: what the workspace and programs do at every key press.

The save is safe to repeat: its idempotency key is stored with the answer, the history keeps the key of every version,
and a repeated key is answered from there before anything else is looked at. The answer is written only if the lease is
still held and the stored version still is the one that was read, in one statement that the database sees through or
not at all. Versions never go back, also when an answer was taken back, so a stale tab can never overwrite what it has
not seen.
"""

import hashlib
import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection, transaction
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
    return Saved(answers, stored.last_version + 1)


@transaction.atomic
def take_back(assignments: QuerySet[Assignment], assignment: UUID, item: UUID, base_version: int) -> None:
    """Delete an answer; the history keeps it. Nothing to delete is fine: the request may have come twice.

    Raises NoSuchItem, LeaseLost, NotAllowed (when the response is finished) or Outdated.
    """
    found = assignments.filter(public_id=assignment).first()
    if found is None:
        raise NoSuchItem("There is no such assignment of yours.")
    place = locked_place(found)  # nothing is saved or finished while an answer goes away
    if place.finished_at:
        raise NotAllowed({"item": ["This response is finished. Change the answer instead of taking it back."]})
    stored = _fetch(assignments, assignment, item, "")
    if stored.rating and stored.version != base_version:
        raise Outdated(stored.version, stored.answers)
    if stored.rating and not Rating.objects.filter(pk=stored.rating["id"], version=base_version).delete()[0]:
        now = _fetch(assignments, assignment, item, "")  # an import has come between, which asks for no lease
        raise Outdated(now.version, now.answers)
    Place.objects.filter(pk=place.pk).update(expires_at=expiry())


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
            rating=_row(Rating.objects.filter(mine), "id", "version", "answers"),
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


# A save renews its lease and writes under it, in one statement: whoever takes the place over waits for it, or comes
# first, and then nothing is written. Every save, finish and take-back locks the place before the rating.
_LEASE = """
    WITH lease AS (
        UPDATE annotation_place SET expires_at = %(expires_at)s WHERE holder_id = %(assignment)s RETURNING finished_at
    )
"""
_INSERT = f"""{_LEASE}
    INSERT INTO annotation_rating (
        project_id, item_id, rater_id, role, assignment_id, answers, choices, counted, comment, evidence, seconds,
        rated_at, version, idempotency_key, request_sha256
    )
    SELECT %(project)s, %(item)s, %(rater)s, 'rater', %(assignment)s, %(answers)s::jsonb, %(choices)s::jsonb,
        lease.finished_at IS NOT NULL, COALESCE(%(comment)s, ''), COALESCE(%(evidence)s::jsonb, '[]'),
        %(seconds)s::double precision, %(now)s, %(version)s, %(key)s, %(fingerprint)s
    FROM lease
    ON CONFLICT (project_id, item_id, rater_id, role) DO NOTHING
"""  # noqa: S608 - only the constants of this file
_UPDATE = f"""{_LEASE}
    UPDATE annotation_rating SET
        assignment_id = %(assignment)s, answers = %(answers)s::jsonb, choices = %(choices)s::jsonb,
        counted = lease.finished_at IS NOT NULL, comment = COALESCE(%(comment)s, comment),
        evidence = COALESCE(%(evidence)s::jsonb, evidence), seconds = COALESCE(%(seconds)s::double precision, seconds),
        rated_at = %(now)s, version = %(version)s, idempotency_key = %(key)s, request_sha256 = %(fingerprint)s
    FROM lease
    WHERE id = %(rating)s AND version = %(seen)s
"""  # noqa: S608


def _write(stored: _Stored, answers: dict, submission: Submission) -> bool:
    """Whether the answer was stored. It is not when another save has come between, or the lease was lost."""
    now, lease = timezone.now(), stored.assignment
    values = {
        "expires_at": expiry(now),
        "assignment": lease.pk,
        "project": lease.project_id,
        "rater": lease.rater_id,
        "item": stored.item["id"],
        "rating": stored.rating and stored.rating["id"],
        "seen": stored.version,
        "version": stored.last_version + 1,
        "answers": json.dumps(answers),
        "choices": json.dumps(protocols.choices(stored.protocol, answers)),
        "comment": submission.comment,
        "evidence": None if submission.evidence is None else json.dumps(submission.evidence),
        "seconds": submission.seconds,
        "now": now,
        "key": submission.key,
        "fingerprint": submission.fingerprint,
    }
    with connection.cursor() as cursor:
        cursor.execute(_UPDATE if stored.rating else _INSERT, values)
        return cursor.rowcount == 1

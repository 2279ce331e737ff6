"""Saving one answer under a lease: what the workspace and programs do at every key press.

The save is safe to repeat: its idempotency key is stored with the answer, the history keeps the key of every version,
and a repeated key is answered from there before anything else is looked at. The place's row is locked by renewing the
lease, so two saves on one sheet come one after the other; `base_version` then tells whether another tab was first.
Versions never go back, also when an answer was taken back, so a stale tab can never overwrite what it has not seen.
"""

import hashlib
import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import OuterRef, Q, Subquery
from django.db.models.functions import JSONObject
from django.utils import timezone

from .. import protocols
from ..assigning.leases import LeaseLost, expiry
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

    def sha256(self, item: UUID) -> str:
        """A fingerprint of the request: same key and same fingerprint is the same request."""
        body = [str(item), self.answers, self.base_version, self.comment, self.evidence, self.seconds]
        return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class Saved:
    """The answers as stored (pruned) and their version."""

    answers: dict[str, Any]
    version: int


@dataclass(frozen=True)
class _Stored:
    """An item with what is known of this rater's answer to it."""

    item: Item
    rating: dict | None = None
    receipt: dict | None = None
    last_version: int = 0

    @property
    def version(self) -> int:
        return self.rating["version"] if self.rating else 0

    @property
    def answers(self) -> dict:
        return self.rating["answers"] if self.rating else {}


@transaction.atomic
def save(assignment: Assignment, item: UUID, submission: Submission) -> Saved:
    """Store an answer and renew the lease.

    Raises LeaseLost, NoSuchItem, KeyReused, NotAllowed or Outdated; then nothing is stored.
    """
    _renew_lease(assignment)
    stored = _fetch(assignment, item, submission.key)
    if stored.receipt:
        return _answer_again(stored.receipt, submission, item)
    answers = allowed_answers(assignment, stored.item, submission)
    if stored.version != submission.base_version:
        raise Outdated(stored.version, stored.answers)
    return _store(assignment, stored, answers, submission)


@transaction.atomic
def take_back(assignment: Assignment, item: UUID, base_version: int) -> None:
    """Delete an answer; the history keeps it. Nothing to delete is fine: the request may have come twice."""
    _renew_lease(assignment)
    if Place.objects.filter(holder=assignment, finished_at__isnull=False).exists():
        raise NotAllowed({"item": ["This response is finished. Change the answer instead of taking it back."]})
    stored = _fetch(assignment, item, "")
    if stored.rating and stored.version != base_version:
        raise Outdated(stored.version, stored.answers)
    if stored.rating:
        Rating.objects.filter(pk=stored.rating["id"]).delete()


def _renew_lease(assignment: Assignment) -> None:
    """Renew the lease, and so lock the place to the end of the transaction."""
    if not Place.objects.filter(holder=assignment).update(expires_at=expiry()):
        raise LeaseLost("Somebody else has taken this response meanwhile. Your answers are kept.")


def _fetch(assignment: Assignment, public_id: UUID, key: str) -> _Stored:
    """The item, the rater's rating of it, the last version it ever had, and the receipt of `key`: one query."""
    sheet, mine = assignment.sheet, Q(rater=assignment.rater_id, project=assignment.project_id)
    ratings = Rating.objects.filter(mine, item=OuterRef("pk"), role=Rating.Role.RATER)
    events = RatingEvent.objects.filter(mine, item=OuterRef("pk"), role=Rating.Role.RATER)
    receipts = RatingEvent.objects.filter(assignment=assignment.pk, idempotency_key=key).exclude(pgh_label="delete")
    as_json = JSONObject(id="id", version="version", answers="answers")
    receipt = JSONObject(version="version", answers="answers", request_sha256="request_sha256")
    items = Item.objects.filter(
        public_id=public_id,
        response=sheet.response_id,
        against=sheet.against_id,
        unit=assignment.project.protocol.definition.unit,
    )
    item = items.annotate(
        rating=Subquery(ratings.values(json=as_json)[:1]),
        last_version=Subquery(events.order_by("-version").values("version")[:1]),
        receipt=Subquery((receipts if key else receipts.none()).order_by("-pgh_id").values(json=receipt)[:1]),
    ).first()
    if item is None:
        raise NoSuchItem("There is no such item on this sheet.")
    return _Stored(item, item.rating, item.receipt, item.last_version or 0)


def _answer_again(receipt: dict, submission: Submission, item: UUID) -> Saved:
    if receipt["request_sha256"] != submission.sha256(item):
        raise KeyReused("This idempotency key was used for another request. Use a new key for each answer.")
    return Saved(receipt["answers"], receipt["version"])


def allowed_answers(assignment: Assignment, item: Item, submission: Submission) -> dict[str, Any]:
    """The answers without those to hidden questions, or NotAllowed with all that is wrong."""
    protocol = assignment.project.protocol.definition
    answers = protocols.prune(protocol, submission.answers)
    errors = protocols.problems(protocol, answers)
    if not item.rate or item.retired_at:
        errors["item"] = ["Raters are not asked about this part of the response."]
    if submission.comment and len(submission.comment) > COMMENT_LENGTH:
        errors["comment"] = [f"At most {COMMENT_LENGTH:,} characters."]
    if errors:
        raise NotAllowed(errors)
    return answers


def _store(assignment: Assignment, stored: _Stored, answers: dict, submission: Submission) -> Saved:
    version = max(stored.last_version, stored.version) + 1
    given = {"comment": submission.comment, "evidence": submission.evidence, "seconds": submission.seconds}
    values = {
        "assignment": assignment,
        "answers": answers,
        "choices": protocols.choices(assignment.project.protocol.definition, answers),
        "rated_at": timezone.now(),
        "version": version,
        "idempotency_key": submission.key,
        "request_sha256": submission.sha256(stored.item.public_id),
        **{name: value for name, value in given.items() if value is not None},
    }
    if stored.rating:
        Rating.objects.filter(pk=stored.rating["id"]).update(**values)
    else:
        Rating.objects.bulk_create(
            [
                Rating(
                    project_id=assignment.project_id,
                    item=stored.item,
                    rater_id=assignment.rater_id,
                    counted=assignment.finished_at is not None,
                    **values,
                )
            ]
        )
    return Saved(answers, version)

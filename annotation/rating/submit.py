"""Save one rating under a lease: the workspace and API clients do it at every answer.

A save is idempotent: its key is stored with the rating, the history has the key of every version, and a repeated key
returns the stored result before any other check. One statement writes the rating only if the lease is still held and
the stored version is still the one that was read. Versions never decrease, even after an answer is deleted, so a stale
tab cannot overwrite an answer that it has not read.
"""

import hashlib
import json
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models.functions import Greatest
from django.utils.translation import gettext as _

from .. import protocols
from ..access import OWN_ASSIGNMENT, assignments_for
from ..i18n.english import localized
from ..i18n.protocol_translation import validate_answers
from ..models import Project, ProtocolVersion, Rating, Slot, User
from ..models.rated_items import is_rated_sql
from ..queue.errors import ARCHIVED, ProjectArchived
from ..queue.leases import expiry, lock_held_slot, lost_lease_error
from ..site.database_clock import database_now
from .evidence import Passage, evidence_problems
from .whole_response_questions import protocol_for_item

COMMENT_LENGTH = 10_000


class NotAllowed(ValueError):
    """The protocol does not allow these answers. `.errors` is `{field: [messages]}`."""

    def __init__(self, errors: dict[str, list[str]]):
        super().__init__(_("These answers cannot be saved."))
        self.errors = errors


class Outdated(ValueError):
    """Another tab or device has stored another version: `.version`, `.answers`, `.evidence` and `.comment`.

    They are 0, {}, [] and "" if nothing is stored.
    """

    def __init__(self, version: int, answers: protocols.Answers, evidence: list[Passage], comment: str):
        super().__init__(_("This sentence was answered in another tab or on another device in the meantime."))
        self.version, self.answers, self.evidence, self.comment = version, answers, evidence, comment


class KeyReused(ValueError):
    """The idempotency key was used with another body."""


class NoSuchItem(LookupError):
    """The item is not on this sheet."""


@dataclass(frozen=True)
class Submission:
    """A rating to save.

    None for comment, evidence, suggestions or seconds leaves the stored value. `guidelines` is the version number that
    the page showed, None for the newest.
    """

    answers: protocols.SentAnswers
    base_version: int
    comment: str | None = None
    evidence: list[Passage] | None = None
    suggestions: str | None = None
    guidelines: int | None = None
    seconds: float | None = None
    key: str = ""
    fingerprint: str = ""


def fingerprint(item: UUID, body: Any) -> str:
    """Return the SHA-256 of a request's item and body; requests with the same key and fingerprint are the same."""
    return hashlib.sha256(json.dumps([str(item), body], sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class Saved:
    """The stored answers, without those to hidden questions, and their version. `is_replayed`: stored before."""

    answers: protocols.Answers
    version: int
    is_replayed: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class _Stored:
    """An assignment, one of its items and the rater's stored answer.

    `rating` is None before the first answer, `receipt_version` None for a new key.
    """

    assignment: int
    public_id: UUID
    project: int
    protocol: protocols.Protocol
    has_slot: bool
    item: int
    is_rated: bool
    rating: int | None
    version: int
    answers: protocols.Answers
    evidence: list[Passage]
    comment: str
    receipt_version: int | None
    receipt_answers: protocols.Answers
    receipt_fingerprint: str | None
    last_version: int
    is_archived: bool
    is_paused: bool
    guidelines: int | None
    skips_claim_free: bool


def save(rater: User, assignment: UUID, item: UUID, submission: Submission) -> Saved:
    """Store a rating under one of the rater's assignments and renew its lease.

    `submission` and the result have a pair's responses in the rater's order, the stored rating in the data's order.

    Raises NoSuchItem, KeyReused, ProjectArchived, LeaseLost or RaterPaused, NotAllowed or Outdated, in this order;
    then nothing is stored.
    """
    stored = _fetch(rater, assignment, item, submission.key)
    if stored.receipt_version:
        return _receipt(stored, submission.fingerprint)
    if stored.is_archived:
        raise ProjectArchived(ARCHIVED)
    if stored.is_paused or not stored.has_slot:
        raise lost_lease_error(stored.assignment)
    answers = _allowed(rater, stored, submission)
    if stored.version != submission.base_version:
        raise _outdated(stored)
    if not _write(rater, stored, answers, submission):  # retry: another request stored a version in the meantime
        return save(rater, assignment, item, submission)
    return Saved(_as_seen(stored, answers), stored.last_version + 1)


@transaction.atomic
def delete_answer(rater: User, assignment: UUID, item: UUID, base_version: int) -> None:
    """Delete an answer; the history keeps it. An answer that does not exist is no error, as requests may repeat.
    Raises NoSuchItem, LeaseLost, ProjectArchived, NotAllowed or Outdated. NotAllowed: the response is finished, or the
    answer counts while the response is offered again, which would then be finished with an item unanswered.
    """
    row = assignments_for(rater).filter(public_id=assignment).first()
    if row is None:
        raise NoSuchItem(_("You have no such assignment."))
    slot = lock_held_slot(row)  # prevents saving and finishing until the answer is deleted
    if slot.finished_at:
        raise NotAllowed({"item": [_("This response is finished. Change the answer instead of clearing it.")]})
    stored = _fetch(rater, assignment, item, "")
    if stored.rating and stored.version != base_version:
        raise _outdated(stored)
    if stored.rating and Rating.objects.filter(pk=stored.rating, counted=True, assignment=row).exists():
        raise NotAllowed({"item": [_("This answer counts. Change it instead of clearing it.")]})
    if stored.rating and not Rating.objects.filter(pk=stored.rating, version=base_version).delete()[0]:
        raise _outdated(_fetch(rater, assignment, item, ""))  # an import, which needs no lease, has changed it
    Slot.objects.filter(pk=slot.pk).update(expires_at=Greatest("expires_at", expiry()))


def find_receipt(rater: User, assignment: UUID, item: UUID, key: str, fingerprint: str) -> Saved | None:
    """Return the result of the earlier request with this key, or None. Raises KeyReused.

    `save` checks this itself; other callers use it for requests that they refuse earlier.
    """
    stored = _fetch(rater, assignment, item, key) if key else None
    return _receipt(stored, fingerprint) if stored and stored.receipt_version else None


_IS_RATED = is_rated_sql(
    "i", skips="assignment.skips_claim_free", design="assignment.sampling_design", project="assignment.project_id"
)
# Everything that a save needs, in one query. Written as SQL because Django took five times as long to compose it as the
# database takes to run it, and in steps (MATERIALIZED) because planning one join of nine tables took fifteen times as
# long as running it.
_SAVE_CONTEXT = f"""
    WITH assignment AS MATERIALIZED (
        SELECT a.id, a.project_id, a.rater_id, s.response_id, s.against_id, p.skips_claim_free, p.sampling_design
        FROM annotation_assignment a JOIN annotation_sheet s ON s.id = a.sheet_id
        JOIN annotation_project p ON p.id = a.project_id
        WHERE a.public_id = %(assignment)s AND {OWN_ASSIGNMENT}
    ), item AS MATERIALIZED (
        SELECT i.id, {_IS_RATED} AS is_rated, i.unit
        FROM assignment JOIN annotation_item i ON i.public_id = %(item)s
            AND i.response_id = assignment.response_id AND i.against_id IS NOT DISTINCT FROM assignment.against_id
    )
    SELECT assignment.id, assignment.project_id, protocol.source,
        EXISTS (SELECT FROM annotation_slot WHERE holder_id = assignment.id), item.id, item.is_rated, item.unit,
        r.id, COALESCE(r.version, 0), COALESCE(r.answers, '{{}}'), COALESCE(r.evidence, '[]'),
        COALESCE(r.comment, ''), receipt.version, receipt.answers, receipt.request_sha256,
        COALESCE((
            SELECT version FROM annotation_ratingevent e
            WHERE e.item_id = item.id AND e.rater_id = assignment.rater_id AND e.project_id = assignment.project_id
                AND e.role = 'rater'
            ORDER BY version DESC LIMIT 1
        ), 0),
        project.archived_at IS NOT NULL,
        EXISTS (
            SELECT FROM annotation_membership
            WHERE project_id = assignment.project_id AND user_id = assignment.rater_id
                AND role = 'rater' AND paused_at IS NOT NULL
        ),
        (SELECT max(number) FROM annotation_guidelineversion g WHERE g.project_id = assignment.project_id),
        assignment.skips_claim_free
    FROM assignment CROSS JOIN item
    JOIN annotation_project project ON project.id = assignment.project_id
    JOIN annotation_protocolversion protocol ON protocol.id = project.protocol_id
    LEFT JOIN annotation_rating r
        ON r.project_id = assignment.project_id AND r.item_id = item.id
            AND r.rater_id = assignment.rater_id AND r.role = 'rater'
    LEFT JOIN LATERAL (
        SELECT version, answers, request_sha256 FROM annotation_ratingevent e
        WHERE e.assignment_id = assignment.id AND e.idempotency_key = %(key)s AND e.idempotency_key > ''
            AND e.pgh_label <> 'delete'
        ORDER BY pgh_id LIMIT 1
    ) receipt ON TRUE
"""  # noqa: S608 - only constants


def _fetch(rater: User, assignment: UUID, item: UUID, key: str) -> _Stored:
    with connection.cursor() as cursor:
        cursor.execute(_SAVE_CONTEXT, {"rater": rater.pk, "assignment": assignment, "item": item, "key": key})
        row = cursor.fetchone()
    protocol = ProtocolVersion(source=row[2]).definition if row else None
    if protocol is None or row[6] != protocol.unit:
        raise NoSuchItem(_("You have no such item."))
    return _Stored(
        assignment=row[0],
        public_id=assignment,
        project=row[1],
        protocol=protocol,
        has_slot=row[3],
        item=row[4],
        is_rated=row[5],
        rating=row[7],
        version=row[8],
        answers=json.loads(row[9]),
        evidence=json.loads(row[10]),
        comment=row[11],
        receipt_version=row[12],
        receipt_answers=json.loads(row[13] or "{}"),
        receipt_fingerprint=row[14],
        last_version=row[15],
        is_archived=row[16],
        is_paused=row[17],
        guidelines=row[18],
        skips_claim_free=row[19],
    )


def _outdated(stored: _Stored) -> Outdated:
    return Outdated(stored.version, _as_seen(stored, stored.answers), stored.evidence, stored.comment)


def _receipt(stored: _Stored, fingerprint: str) -> Saved:
    if stored.receipt_fingerprint != fingerprint:
        raise KeyReused(_("This idempotency key was used for another request. Use a new key for each answer."))
    return Saved(_as_seen(stored, stored.receipt_answers), stored.receipt_version or 0, is_replayed=True)


def _as_seen(stored: _Stored, answers: protocols.Answers) -> protocols.Answers:
    return protocols.in_rater_order(stored.protocol, stored.public_id, answers)


def _allowed(rater: User, stored: _Stored, submission: Submission) -> protocols.Answers:
    """Return the answers to store, without those to hidden questions. Raises NotAllowed with all errors."""
    protocol = stored.protocol
    if protocol.varies_by_item:
        ratings = Rating.objects.filter(project=stored.project, rater=rater, role=Rating.Role.RATER)
        project = Project(pk=stored.project, skips_claim_free=stored.skips_claim_free)  # without a query
        protocol = protocol_for_item(project, protocol, stored.item, ratings, submission.answers)
    answers, errors = validate_answers(
        protocol, protocols.in_rater_order(stored.protocol, stored.public_id, submission.answers)
    )
    if not stored.is_rated:
        errors["item"] = [_("Raters are not asked about this part of the response.")]
    if submission.comment and len(submission.comment) > COMMENT_LENGTH:
        errors["comment"] = [_("Use at most %(most)s characters.") % {"most": localized(f"{COMMENT_LENGTH:,}")}]
    if evidence_errors := evidence_problems(stored.assignment, submission.evidence or []):
        errors["evidence"] = evidence_errors
    if submission.suggestions not in (None, *Rating.Suggestions.values):
        errors["suggestions"] = [_("Choose one of %(known)s.") % {"known": ", ".join(Rating.Suggestions.values)}]
    if submission.guidelines is not None and not 1 <= submission.guidelines <= (stored.guidelines or 0):
        errors["guidelines"] = [_("The project's guidelines have no such version.")]
    if errors:
        raise NotAllowed(errors)
    if not answers:
        raise NotAllowed({"answers": [_("Answer at least one question.")]})
    return answers


# One statement renews the lease and writes the rating: a transaction that leases the slot to another rater waits for
# it, or comes first, and then nothing is written. Every save, finish and deletion locks the slot before the rating.
_LEASE = """
    WITH lease AS (
        UPDATE annotation_slot SET expires_at = greatest(expires_at, %(expires_at)s)
        WHERE holder_id = %(assignment)s
        RETURNING finished_at IS NOT NULL AND project_id IS NOT NULL AS counts,
            was_finished_at IS NOT NULL AS is_offered_again
    )
"""
# What the server has sent counts, in whichever project and whatever the client says. A page that is sent while this
# statement runs was not read.
_VERDICT_SHOWN = """EXISTS (
            SELECT FROM annotation_verdictsshown shown
            JOIN annotation_item i ON i.response_id = shown.response_id
                AND i.against_id IS NOT DISTINCT FROM shown.against_id
            WHERE shown.person_id = %(rater)s AND i.id = %(item)s
        )"""
_INSERT = f"""{_LEASE}
    INSERT INTO annotation_rating (
        project_id, item_id, rater_id, role, assignment_id, answers, choices, counted, comment, evidence, suggestions,
        verdict_shown, guidelines, seconds, rated_at, version, idempotency_key, request_sha256
    )
    SELECT %(project)s, %(item)s, %(rater)s, 'rater', %(assignment)s, %(answers)s::jsonb, %(choices)s::jsonb,
        lease.counts, COALESCE(%(comment)s, ''), COALESCE(%(evidence)s::jsonb, '[]'),
        COALESCE(%(suggestions)s, ''), {_VERDICT_SHOWN}, %(guidelines)s::integer, %(seconds)s::double precision,
        %(now)s, %(version)s, %(key)s, %(fingerprint)s
    FROM lease
    ON CONFLICT (project_id, item_id, rater_id, role) DO NOTHING
"""  # noqa: S608 - only the constants of this file
_UPDATE = f"""{_LEASE}
    UPDATE annotation_rating SET
        assignment_id = %(assignment)s, answers = %(answers)s::jsonb, choices = %(choices)s::jsonb,
        counted = lease.counts OR lease.is_offered_again AND counted, comment = COALESCE(%(comment)s, comment),
        evidence = COALESCE(%(evidence)s::jsonb, evidence), suggestions = COALESCE(%(suggestions)s, suggestions),
        verdict_shown = verdict_shown OR {_VERDICT_SHOWN},
        guidelines = %(guidelines)s::integer, seconds = COALESCE(%(seconds)s::double precision, seconds),
        rated_at = %(now)s, version = %(version)s, idempotency_key = %(key)s, request_sha256 = %(fingerprint)s
    FROM lease
    WHERE id = %(rating)s AND version = %(base_version)s
"""  # noqa: S608 - only the constants of this file


def _write(rater: User, stored: _Stored, answers: protocols.Answers, submission: Submission) -> bool:
    """Write the answer. Return False if another save came first or the lease was lost."""
    now = database_now()
    values: dict[str, str | int | float | datetime | None] = {
        "expires_at": expiry(now),
        "assignment": stored.assignment,
        "project": stored.project,
        "rater": rater.pk,
        "item": stored.item,
        "rating": stored.rating,
        "base_version": stored.version,
        "version": stored.last_version + 1,
        "answers": json.dumps(answers),
        "choices": json.dumps(protocols.choices(stored.protocol, answers)),
        "comment": submission.comment,
        "evidence": None if submission.evidence is None else json.dumps(submission.evidence),
        "suggestions": submission.suggestions,
        "guidelines": stored.guidelines if submission.guidelines is None else submission.guidelines,
        "seconds": submission.seconds,
        "now": now,
        "key": submission.key,
        "fingerprint": submission.fingerprint,
    }
    with connection.cursor() as cursor:
        cursor.execute(_UPDATE if stored.rating else _INSERT, values)
        return cursor.rowcount == 1

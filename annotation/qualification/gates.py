"""Gates that a rater must pass before the work, and the rater's status at each.

A new rater completes the training, then must pass the qualification; a paused rater gets no work until a lead lifts the
pause. Leads who rate, and raters whom a lead exempted, need neither training nor qualification. Unfinished work is
returned before the gates are checked, except to paused raters, so no gate interrupts a response.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from ..access import HAS_GATES
from ..models import Assignment, Attempt, Membership, Project, Purpose, Rating, Sheet, User
from ..models.queue import NOT_WORK
from ..queue.open_work import imported_ratings_of

Gate = Literal["paused", "training", "qualification", "failed"]
GATES = (Purpose.TRAINING, Purpose.QUALIFICATION)
WORK_OR_GOLD = (Purpose.WORK, Purpose.GOLD)
"""Purposes that a rater cannot tell apart: the responses of the queue."""


class BlockedByGate(ValueError):
    """A gate blocks the rater: `.gate` names it, `.status` is the rater's status."""

    def __init__(self, status: "QualificationStatus"):
        assert status.gate
        super().__init__(status.message)
        self.gate, self.status = status.gate, status


@dataclass(frozen=True)
class QualificationStatus:
    """One rater's status at the gates of one project.

    `training`, `qualification`: how many responses of each the rater can get; `attempts`: all attempts at both, in
    order; `has_worked`: whether the rater has finished a response of the queue.
    """

    project: Project
    membership: Membership
    training: int = 0
    qualification: int = 0
    attempts: tuple[Attempt, ...] = ()
    has_worked: bool = False

    def attempts_for(self, purpose: str) -> list[Attempt]:
        return [attempt for attempt in self.attempts if attempt.purpose == purpose]

    @property
    def open_attempt(self) -> Attempt | None:
        """The attempt that has not ended; of two, the one at the training."""
        attempts = [attempt for attempt in self.attempts if attempt.ended_at is None]
        return next(iter(sorted(attempts, key=lambda attempt: attempt.purpose != Purpose.TRAINING)), None)

    @property
    def is_trained(self) -> bool:
        return any(attempt.ended_at for attempt in self.attempts_for(Purpose.TRAINING))

    @property
    def is_qualified(self) -> bool:
        return any(attempt.passed for attempt in self.attempts_for(Purpose.QUALIFICATION))

    @property
    def tries_left(self) -> int:
        """How many attempts at the qualification remain; an open attempt is used."""
        return max(0, self.project.tries + self.membership.more_tries - len(self.attempts_for(Purpose.QUALIFICATION)))

    @property
    def gate(self) -> Gate | None:
        """The gate that blocks the rater, or None."""
        if self.membership.role != Membership.Role.RATER:
            return None
        if self.membership.paused_at:
            return "paused"
        if self.membership.let_in_at:
            return None
        if self.training and not self.is_trained and not self.has_worked:
            return "training"
        if self.qualification and not self.is_qualified:
            is_open = any(attempt.ended_at is None for attempt in self.attempts_for(Purpose.QUALIFICATION))
            return "qualification" if is_open or self.tries_left else "failed"
        return None

    @property
    def pause_reason(self) -> str:
        """The reason for a pause in the reader's language; the row stores English."""
        return _(self.membership.pause_reason) if self.membership.pause_reason else ""

    @property
    def message(self) -> str:
        """The gate as a sentence for API clients."""
        paused = _("You are paused in this project.")
        return {
            "paused": f"{paused} {self.pause_reason}".strip(),
            "training": _("Complete the training first: start it on the project page."),
            "qualification": _("Take the qualification test first: start it on the project page."),
            "failed": _(
                "You did not pass the qualification test, and no attempts are left. A lead can grant another one."
            ),
            None: "",
        }[self.gate]


def qualification_statuses(memberships: Collection[Membership]) -> dict[int, QualificationStatus]:
    """Return the status of each membership by its primary key.

    One query where no project has training or qualification, else three, however many memberships.
    """
    sheets = Sheet.objects.filter(NOT_WORK, purpose__in=GATES, project__memberships__in=memberships)
    sheets = sheets.annotate(membership=F("project__memberships"), rater=F("project__memberships__user"))
    sheets = sheets.filter(_is_unknown_to(OuterRef("rater"), OuterRef("purpose"))).order_by()
    available: dict[int, dict[str, int]] = {}
    for membership, purpose, n in sheets.values_list("membership", "purpose").annotate(n=Count("pk")):
        available.setdefault(membership, {})[purpose] = n
    gated = [membership for membership in memberships if membership.pk in available]
    finished = Assignment.objects.filter(**_rows_of(gated), purpose__in=WORK_OR_GOLD, finished_at__isnull=False)
    attempts, worked = (
        (attempts_of(gated), set(finished.order_by().values_list("project", "rater").distinct()))
        if gated
        else ({}, set())
    )
    return {
        membership.pk: QualificationStatus(
            membership.project,
            membership,
            available.get(membership.pk, {}).get(Purpose.TRAINING, 0),
            available.get(membership.pk, {}).get(Purpose.QUALIFICATION, 0),
            tuple(attempts.get((membership.project_id, membership.user_id), ())),
            (membership.project_id, membership.user_id) in worked,
        )
        for membership in memberships
    }


def qualification_status(project: Project, rater: User) -> QualificationStatus | None:
    """Return the rater's status in one project, or None for a user who is not a member.

    One query where the project has no training or qualification; none if the membership was locked with the project.
    """
    membership = project.locked_membership
    if membership is None or membership.user_id != rater.pk:
        memberships = Membership.objects.filter(project=project, user=rater)
        membership = memberships.annotate(has_gates=HAS_GATES).first()
    if membership is None:
        return None
    membership.project, membership.user = project, rater
    if not membership.has_gates:
        return QualificationStatus(project, membership)
    return qualification_statuses([membership])[membership.pk]


def available_sheets(rater: User, purpose: str) -> QuerySet[Sheet]:
    """Return the sheets with `purpose` that the rater can get."""
    return Sheet.objects.filter(NOT_WORK, _is_unknown_to(rater, purpose), purpose=purpose)


def _is_unknown_to(rater: User | OuterRef, purpose: str | OuterRef) -> Q:
    """Return the condition that the rater can get a sheet with this purpose.

    Not those that the rater had for another purpose, as they may know the gold answers, and not those of which they
    have imported ratings.
    """
    other_use = Assignment.objects.filter(sheet=OuterRef("pk"), rater=rater).exclude(purpose=purpose)
    imported = imported_ratings_of(rater).filter(role=Rating.Role.RATER)
    return Q(~Exists(other_use), ~Exists(imported))


def attempts_of(memberships: Collection[Membership]) -> dict[tuple[int, int], list[Attempt]]:
    """Return the attempts by project and rater, in order."""
    attempts: dict[tuple[int, int], list[Attempt]] = {}
    for attempt in Attempt.objects.filter(**_rows_of(memberships)):
        attempts.setdefault((attempt.project_id, attempt.rater_id), []).append(attempt)
    return attempts


def _rows_of(memberships: Collection[Membership]) -> dict[str, set[int]]:
    """Return a filter of rows with `project` and `rater` that all rows of these memberships pass, and maybe others."""
    return {
        "project__in": {membership.project_id for membership in memberships},
        "rater__in": {membership.user_id for membership in memberships},
    }

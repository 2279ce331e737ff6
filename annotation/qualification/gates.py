"""What stands between a rater and the work: a pause, training, qualification.

A new rater goes through the training first, then must pass the qualification; a rater who was paused gets nothing
until a lead lifts it. Leads who rate are not asked for any of it, and whoever a lead let in neither. Begun work is
given back before the gates are looked at, except to the paused: so nobody is stopped in the middle of a response.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from django.db.models import Count, Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from ..access import HAS_GATES
from ..models import Assignment, Attempt, Membership, Project, Purpose, Rating, Sheet, User
from ..models.queue import NOT_WORK
from ..queue.imported_ratings import imported_ratings_of

Gate = Literal["paused", "training", "qualification", "failed"]
WORK_OR_GOLD = (Purpose.WORK, Purpose.GOLD)
"""What a rater takes for the same thing: the queue's responses."""


class BlockedByGate(ValueError):
    """The rater gets no work now. `.gate` says why."""

    def __init__(self, status: "QualificationStatus"):
        assert status.gate
        super().__init__(status.message)
        self.gate, self.status = status.gate, status


@dataclass(frozen=True)
class QualificationStatus:
    """One rater before the gates of one project. `training`, `qualification`: responses of each that they can be
    given; `attempts`: all of both, in order; `has_worked`: whether they have finished a response already."""

    project: Project
    membership: Membership
    training: int = 0
    qualification: int = 0
    attempts: tuple[Attempt, ...] = ()
    has_worked: bool = False

    def attempts_for(self, purpose: str) -> list[Attempt]:
        """The attempts at one of the two."""
        return [attempt for attempt in self.attempts if attempt.purpose == purpose]

    @property
    def open_attempt(self) -> Attempt | None:
        """The one that is under way; of two the training."""
        under_way = [attempt for attempt in self.attempts if attempt.ended_at is None]
        return next(iter(sorted(under_way, key=lambda attempt: attempt.purpose != Purpose.TRAINING)), None)

    @property
    def is_trained(self) -> bool:
        return any(attempt.ended_at for attempt in self.attempts_for(Purpose.TRAINING))

    @property
    def is_qualified(self) -> bool:
        return any(attempt.passed for attempt in self.attempts_for(Purpose.QUALIFICATION))

    @property
    def tries_left(self) -> int:
        """Of the qualification; the one under way is used."""
        return max(0, self.project.tries + self.membership.more_tries - len(self.attempts_for(Purpose.QUALIFICATION)))

    @property
    def gate(self) -> Gate | None:
        """What is in the way; None lets the rater work."""
        if self.membership.role != Membership.Role.RATER:
            return None
        if self.membership.paused_at:
            return "paused"
        if self.membership.let_in_at:
            return None
        if self.training and not self.is_trained and not self.has_worked:
            return "training"
        if self.qualification and not self.is_qualified:
            is_under_way = any(attempt.ended_at is None for attempt in self.attempts_for(Purpose.QUALIFICATION))
            return "qualification" if is_under_way or self.tries_left else "failed"
        return None

    @property
    def pause_reason(self) -> str:
        """What the rater is told of a pause, in their language; the row keeps it in English."""
        return _(self.membership.pause_reason) if self.membership.pause_reason else ""

    @property
    def message(self) -> str:
        """The gate in a sentence, for a program."""
        paused = _("You are paused in this project.")
        return {
            "paused": f"{paused} {self.pause_reason}".strip(),
            "training": _("The training comes first: begin it on the project's page."),
            "qualification": _("The qualification comes first: begin it on the project's page."),
            "failed": _("The qualification was not passed, and no try is left. A lead can grant another one."),
            None: "",
        }[self.gate]


def qualification_statuses(rater: User, memberships: Collection[Membership]) -> dict[int, QualificationStatus]:
    """By project: the rater's status. One query where no sheets are set aside for training or qualification, four
    otherwise, however many projects."""
    projects = [membership.project_id for membership in memberships]
    to_do = _to_do(rater, projects)
    gated = {project for project, _ in to_do}
    attempts = list(Attempt.objects.filter(rater=rater, project__in=gated)) if gated else []
    worked = _have_worked(rater, gated) if gated else set()
    return {
        membership.project_id: QualificationStatus(
            membership.project,
            membership,
            to_do.get((membership.project_id, Purpose.TRAINING), 0),
            to_do.get((membership.project_id, Purpose.QUALIFICATION), 0),
            tuple(attempt for attempt in attempts if attempt.project_id == membership.project_id),
            membership.project_id in worked,
        )
        for membership in memberships
    }


def qualification_status(project: Project, rater: User) -> QualificationStatus | None:
    """The rater's status in one project; None for somebody who is no member. One query where nothing is set aside,
    and none if the rater's membership was locked with the project."""
    membership = project.locked
    if membership is None or membership.user_id != rater.pk:
        found = Membership.objects.filter(project=project, user=rater)
        membership = found.annotate(has_gates=HAS_GATES).first()
    if membership is None:
        return None
    membership.project, membership.user = project, rater
    if not membership.has_gates:
        return QualificationStatus(project, membership)
    return qualification_statuses(rater, [membership])[project.pk]


def available_sheets(rater: User, purpose: str) -> QuerySet[Sheet]:
    """The sheets that are set aside for `purpose` and can be given to the rater: not those they have had for anything
    else, when they may know the gold answers, nor such as they have imported ratings of."""
    had = Assignment.objects.filter(sheet=OuterRef("pk"), rater=rater).exclude(purpose=purpose)
    imported = imported_ratings_of(rater).filter(role=Rating.Role.RATER)
    return Sheet.objects.filter(~Exists(had), ~Exists(imported), purpose=purpose)


def _to_do(rater: User, projects: Collection[int]) -> dict[tuple[int, str], int]:
    aside = Sheet.objects.filter(NOT_WORK, project__in=projects).order_by().values_list("project", "purpose")
    wanted = {(project, purpose) for project, purpose in aside.distinct() if purpose != Purpose.GOLD}
    found: dict[tuple[int, str], int] = {}
    for purpose in sorted({purpose for _project, purpose in wanted}):
        sheets = available_sheets(rater, purpose).filter(project__in=[pk for pk, of in wanted if of == purpose])
        counts = sheets.order_by().values_list("project").annotate(n=Count("pk"))
        found |= {(project, purpose): n for project, n in counts}
    return found


def _have_worked(rater: User, projects: Collection[int]) -> set[int]:
    finished = Assignment.objects.filter(
        rater=rater, project__in=projects, purpose__in=WORK_OR_GOLD, finished_at__isnull=False
    )
    return set(finished.values_list("project", flat=True).distinct())

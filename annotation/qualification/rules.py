"""A project's rules for training, qualification and hidden gold, and its raters' results under them."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.postgres.aggregates import BoolOr
from django.db.models import Count

from ..models import Attempt, Membership, Project, Purpose, User
from .gates import Gate, attempts_of, qualification_statuses
from .gold_comparison import Score, hidden_gold_scores


@dataclass(frozen=True)
class RaterChecks:
    """One rater: attempts, hidden gold scores in all and since the last lifted pause, and the gate that blocks them."""

    membership: Membership
    training: tuple[Attempt, ...]
    qualification: tuple[Attempt, ...]
    gold: Score
    gold_since: Score
    gate: Gate | None
    tries_left: int

    @property
    def rater(self) -> User:
        return self.membership.user


def rater_checks(project: Project) -> list[RaterChecks]:
    """Return the project's raters by name. At most seven queries."""
    members = project.memberships.select_related("user").filter(role=Membership.Role.RATER, user__is_active=True)
    raters = list(members.order_by("user__username"))
    for member in raters:
        member.project = project
    gold, since = hidden_gold_scores(project), hidden_gold_scores(project, since_lift=True)
    statuses, attempts = qualification_statuses(raters), attempts_of(raters)
    # Not the attempts of the statuses, which have none once no response is used for training or qualification.
    own_attempts = [attempts.get((project.pk, member.user_id), []) for member in raters]
    return [
        RaterChecks(
            member,
            tuple(attempt for attempt in own if attempt.purpose == Purpose.TRAINING),
            tuple(attempt for attempt in own if attempt.purpose == Purpose.QUALIFICATION),
            gold.get(member.user_id, Score()),
            since.get(member.user_id, Score()),
            statuses[member.pk].gate,
            statuses[member.pk].tries_left,
        )
        for member, own in zip(raters, own_attempts, strict=True)
    ]


def hidden_gold_by_name(project: Project) -> list[tuple[str, Score]]:
    """Return the hidden gold scores by user name. Two queries."""
    scores = hidden_gold_scores(project)
    names = dict(User.objects.filter(pk__in=scores).values_list("username", "pk"))
    return [(name, scores[pk]) for name, pk in sorted(names.items())]


@dataclass(frozen=True)
class StoppedRater:
    """A rater who waits for a lead's decision: paused, or without an attempt left."""

    membership: Membership
    gate: Gate


def stopped_raters(projects: Iterable[Project]) -> dict[int, list[StoppedRater]]:
    """Return by project the raters who wait for a lead, by name. At most five queries."""
    by_pk = {project.pk: project for project in projects}
    members = Membership.objects.select_related("user").filter(
        project__in=by_pk, role=Membership.Role.RATER, user__is_active=True
    )
    ended = Attempt.objects.filter(project__in=by_pk, purpose=Purpose.QUALIFICATION, ended_at__isnull=False)
    counts = ended.order_by().values_list("project", "rater").annotate(n=Count("pk"), has_passed=BoolOr("passed"))
    failed = {(project, rater): n for project, rater, n, has_passed in counts if not has_passed}
    waiting = []
    for member in members.order_by("user__username"):
        member.project = by_pk[member.project_id]
        allowed = member.project.tries + member.more_tries
        if member.paused_at or failed.get((member.project_id, member.user_id), 0) >= allowed:
            waiting.append(member)
    statuses = qualification_statuses(waiting) if waiting else {}
    stopped: dict[int, list[StoppedRater]] = {}
    for member in waiting:
        gate = statuses[member.pk].gate
        if gate in ("paused", "failed"):
            stopped.setdefault(member.project_id, []).append(StoppedRater(member, gate))
    return stopped

"""The definition of the ratings that count.

A rating counts if a rater gave it (role `rater`), its assignment is finished or it was imported, its item is not
retired, and its response not excluded. Ratings in training, qualification or on hidden gold never count. All others are
counted by reason. The tally has the same distinction in its columns `role` and `counted`, so reports need not read the
ratings.
"""

from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum

from ..models import Assignment, Exclusion, Project, Purpose, Rating, Tally
from ..models.queue import NOT_WORK
from ..queue.exclusion import count_by_reason, excluded_ratings

VERDICT_NOT_SHOWN = Q(verdict_shown=False)
"""Condition on the ratings that can be compared with a judge: their raters were shown no verdict before."""
COUNTS = Q(role=Rating.Role.RATER, counted=True)
REASONS = {Purpose.TRAINING: "training", Purpose.QUALIFICATION: "qualification", Purpose.GOLD: "hidden gold"}
RATED_OUTSIDE_WORK = Exists(Assignment.objects.filter(NOT_WORK, pk=OuterRef("assignment")))


def counted_ratings(project: Project) -> QuerySet[Rating]:
    return Rating.objects.filter(COUNTS, project=project)


def counted_tallies(project: Project) -> QuerySet[Tally]:
    """Return the tally of the ratings that count, by response and choices."""
    return Tally.objects.filter(COUNTS, project=project, n__gt=0)


def left_out(project: Project) -> dict[str, int]:
    """Return how many ratings do not count, by reason.

    The reasons are `unfinished`, `retired`, `excluded`, `training`, `qualification`, `hidden gold`, or another role.
    """
    tallies = Tally.objects.filter(project=project, n__gt=0).exclude(COUNTS).order_by()
    by_role = dict(tallies.values_list("role").annotate(n=Sum("n")))
    uncounted = by_role.pop(Rating.Role.RATER, 0)
    if uncounted:
        # The tally does not tell items retired since from unfinished ones.
        ratings = Rating.objects.filter(project=project, role=Rating.Role.RATER, counted=False)
        retired = ratings.filter(~RATED_OUTSIDE_WORK, item__retired_at__isnull=False).count()
        others = {"retired": retired, "excluded": excluded_ratings(project).count(), **count_outside_work(project)}
        by_role |= {"unfinished": uncounted - sum(others.values()), **others}
    return {reason: n for reason, n in by_role.items() if n}


@dataclass(frozen=True)
class ExcludedCounts:
    """Responses excluded for one reason, and the raters' ratings of them."""

    reason: str
    responses: int
    ratings: int


def count_excluded(project: Project) -> list[ExcludedCounts]:
    """Return the excluded responses and their ratings by reason, most responses first. Two queries."""
    exclusions = Exclusion.objects.filter(project=project).order_by()
    responses = dict(exclusions.values_list("reason").annotate(n=Count("pk")))
    ratings = count_by_reason(project) if responses else {}
    counts = [ExcludedCounts(reason, n, ratings.get(reason, 0)) for reason, n in responses.items()]
    return sorted(counts, key=lambda row: (-row.responses, row.reason))


def count_outside_work(project: Project) -> dict[str, int]:
    """Return how many ratings raters gave in training, qualification or on hidden gold, by reason."""
    ratings = Rating.objects.filter(
        assignment__project=project, assignment__purpose__in=list(REASONS), role=Rating.Role.RATER
    ).order_by()
    counts = dict(ratings.values_list("assignment__purpose").annotate(n=Count("pk")))
    return {reason: counts[purpose] for purpose, reason in REASONS.items() if purpose in counts}

"""What counts, defined once.

A rating counts when a rater gave it (role `rater`), its lease is finished or it was imported, and its item is not
retired. What a rater took for training, qualification or, without knowing, as hidden gold never counts.
Everything else is left out, and is counted by reason. The tally holds the same distinction in its `role` and
`counted` columns, so a report need not read the ratings.
"""

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum

from ..models import Assignment, Project, Purpose, Rating, Tally
from ..models.queue import NOT_WORK

COUNTS = Q(role=Rating.Role.RATER, counted=True)
REASONS = {Purpose.TRAINING: "training", Purpose.QUALIFICATION: "qualification", Purpose.GOLD: "hidden gold"}
RATED_OUTSIDE_WORK = Exists(Assignment.objects.filter(NOT_WORK, pk=OuterRef("assignment")))


def counted_ratings(project: Project) -> QuerySet[Rating]:
    """The ratings of `project` that count."""
    return Rating.objects.filter(COUNTS, project=project)


def counted_tallies(project: Project) -> QuerySet[Tally]:
    """The same ratings as counts by response and choices."""
    return Tally.objects.filter(COUNTS, project=project, n__gt=0)


def left_out(project: Project) -> dict[str, int]:
    """How many ratings do not count, by reason: `unfinished`, `retired`, `training`, `qualification`, `hidden gold`, or
    the role that gave them."""
    others = Tally.objects.filter(project=project, n__gt=0).exclude(COUNTS).order_by()
    found = dict(others.values_list("role").annotate(n=Sum("n")))
    uncounted = found.pop(Rating.Role.RATER, 0)
    aside = count_outside_work(project) if uncounted else {}
    retired = _retired(project) if uncounted else 0
    unfinished = uncounted - retired - sum(aside.values())
    return {reason: n for reason, n in {**found, "unfinished": unfinished, "retired": retired, **aside}.items() if n}


def count_outside_work(project: Project) -> dict[str, int]:
    """How many of the raters' ratings were given in training, qualification or on hidden gold, by reason."""
    ratings = Rating.objects.filter(
        assignment__project=project, assignment__purpose__in=list(REASONS), role=Rating.Role.RATER
    ).order_by()
    counts = dict(ratings.values_list("assignment__purpose").annotate(n=Count("pk")))
    return {reason: counts[purpose] for purpose, reason in REASONS.items() if purpose in counts}


def _retired(project: Project) -> int:
    """Raters' ratings of items that were retired since: the tally cannot tell them from unfinished ones."""
    uncounted = Rating.objects.filter(project=project, role=Rating.Role.RATER, counted=False)
    return uncounted.filter(~RATED_OUTSIDE_WORK, item__retired_at__isnull=False).count()

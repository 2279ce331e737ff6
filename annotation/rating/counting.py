"""What counts, defined once.

A rating counts when a rater gave it (role `rater`), its lease is finished or it was imported, and its item is not
retired. Everything else is left out, and is counted by reason. The tally holds the same distinction in its `role` and
`counted` columns, so a report need not read the ratings.
"""

from django.db.models import Count, Q, QuerySet

from ..models import Project, Rating, Tally

COUNTS = Q(role=Rating.Role.RATER, counted=True)


def counted_ratings(project: Project) -> QuerySet[Rating]:
    """The ratings of `project` that count."""
    return Rating.objects.filter(COUNTS, project=project)


def counted_tallies(project: Project) -> QuerySet[Tally]:
    """The same ratings as counts by response and choices."""
    return Tally.objects.filter(COUNTS, project=project, n__gt=0)


def left_out(project: Project) -> dict[str, int]:
    """How many ratings do not count, by reason: `unfinished`, `retired`, or the role that gave them."""
    others = Rating.objects.filter(project=project).exclude(COUNTS)
    raters = Q(role=Rating.Role.RATER)
    rows = others.aggregate(
        unfinished=Count("pk", filter=raters & Q(item__retired_at=None)),
        retired=Count("pk", filter=raters & Q(item__retired_at__isnull=False)),
        **{role: Count("pk", filter=Q(role=role)) for role in ("judge", "gold", "adjudicator")},
    )
    return {reason: n for reason, n in rows.items() if n}

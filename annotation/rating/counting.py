"""What counts, defined once.

A rating counts when a rater gave it (role `rater`), its lease is finished or it was imported, and its item is not
retired. Everything else is left out, and is counted by reason. The tally holds the same distinction in its `role` and
`counted` columns, so a report need not read the ratings.
"""

from django.db.models import Q, QuerySet, Sum

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
    others = Tally.objects.filter(project=project, n__gt=0).exclude(COUNTS).order_by()
    found = dict(others.values_list("role").annotate(n=Sum("n")))
    uncounted = found.pop(Rating.Role.RATER, 0)
    retired = _retired(project) if uncounted else 0
    return {reason: n for reason, n in {**found, "unfinished": uncounted - retired, "retired": retired}.items() if n}


def _retired(project: Project) -> int:
    """Raters' ratings of items that were retired since: the tally cannot tell them from unfinished ones."""
    uncounted = Rating.objects.filter(project=project, role=Rating.Role.RATER, counted=False)
    return uncounted.filter(item__retired_at__isnull=False).count()

"""Raters' ratings that came by import: they count in the report, and fill no slot of the queue."""

from dataclasses import dataclass

from django.db.models import Count, OuterRef, Q, QuerySet

from ..models import Project, Rating, User


@dataclass(frozen=True)
class ImportedCounts:
    """How many ratings, and by how many raters."""

    ratings: int
    raters: int


def count_imported_ratings(project: Project) -> ImportedCounts:
    """One query, through the index of assignments: its cost follows the imported ratings alone."""
    found = Rating.objects.filter(project=project, role=Rating.Role.RATER, assignment=None)
    return ImportedCounts(**found.aggregate(ratings=Count("pk"), raters=Count("rater", distinct=True)))


def imported_ratings_of(rater: User, sheet: str = "") -> QuerySet[Rating]:
    """For a subquery about what has a project and, at `sheet` ("" or "sheet__"), a sheet: the rater's imported ratings
    of a response on it, whichever of a pair's two. The queue has the same in SQL."""
    about = Q()
    for shown in (OuterRef(f"{sheet}response"), OuterRef(f"{sheet}against")):
        about |= Q(item__response=shown) | Q(item__against=shown)
    return Rating.objects.filter(about, project=OuterRef("project"), rater=rater, assignment=None)

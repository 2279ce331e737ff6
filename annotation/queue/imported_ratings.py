"""Raters' imported ratings: they count in the report and use no slot."""

from dataclasses import dataclass

from django.db.models import Count, OuterRef, Q, QuerySet

from ..models import Project, Rating, User


@dataclass(frozen=True)
class ImportedCounts:
    """Numbers of imported ratings and of their raters."""

    ratings: int
    raters: int


def count_imported_ratings(project: Project) -> ImportedCounts:
    """Count the project's imported ratings. One query by an index; its cost depends on the imported ratings only."""
    ratings = Rating.objects.filter(project=project, role=Rating.Role.RATER, assignment=None)
    return ImportedCounts(**ratings.aggregate(ratings=Count("pk"), raters=Count("rater", distinct=True)))


def imported_ratings_of(rater: User | OuterRef, sheet: str = "") -> QuerySet[Rating]:
    """Return a subquery: the rater's imported ratings of the outer row's sheet, of either response of a pair.

    `sheet` is the prefix of the sheet's fields in the outer query: "" or "sheet__". `next_slot` has the same in SQL.
    """
    is_on_sheet = Q()
    for response in (OuterRef(f"{sheet}response"), OuterRef(f"{sheet}against")):
        is_on_sheet |= Q(item__response=response) | Q(item__against=response)
    return Rating.objects.filter(is_on_sheet, project=OuterRef("project"), rater=rater, assignment=None)

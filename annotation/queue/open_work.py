"""What work is open for a rater: conditions on one slot for the search (`next_slot`), and sets of sheets to count it.

A search tries slots one by one and stops at the first, so it asks for the rater's own rows by index, slot by slot. A
count is about all sheets: asking each of them for the rater's assignments and imported ratings took seconds in a
project of 30,000 items with an overlap of 20. So it reads the rater's rows once, and asks each sheet that is left for
an open slot. Tests hold both equal.
"""

from collections.abc import Collection
from dataclasses import dataclass

from django.db import connection
from django.db.models import Count, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from ..models import Project, Rating, User

# A finished slot that is offered to its rater again is open for no other rater.
IS_FREE_SQL = "(slot.holder_id IS NULL OR slot.expires_at < {now} AND slot.was_finished_at IS NULL)"
"""SQL: whether an unfinished `slot` can be leased, at the time `now`. The same as IS_FREE."""
IS_FREE = Q(holder=None) | Q(finished_at=None, was_finished_at=None, expires_at__lt=Now())
IS_LEASED = Q(finished_at=None, holder__isnull=False, expires_at__gte=Now())


def count_open_responses(rater: User, projects: Collection[Project]) -> dict[int, int]:
    """Return by project id the number of responses that the queue would give to the rater, with those leased."""
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, {"rater": rater.pk, "projects": [p.pk for p in projects if not p.archived_at]})
        return dict(cursor.fetchall())


# A rater reads a response only once: a sheet is done if they have finished it, or had it for another purpose than work.
_DONE_OR_HELD = """
    SELECT own.sheet_id AS sheet, NOT is_done AND held.id IS NOT NULL AS is_held
    FROM annotation_assignment own
    LEFT JOIN annotation_slot held
        ON held.holder_id = own.id AND held.finished_at IS NULL AND held.project_id IS NOT NULL  -- NULL: not work
    CROSS JOIN LATERAL (SELECT own.finished_at IS NOT NULL OR own.purpose <> 'work') done(is_done)
    WHERE own.rater_id = %(rater)s AND own.project_id = ANY(%(projects)s) AND (is_done OR held.id IS NOT NULL)
"""
# Of the response, or of one of the pair's two. The same as `imported_ratings_of`.
_IMPORTED = """
    SELECT read.id AS sheet FROM annotation_rating rating
    JOIN annotation_item item ON item.id = rating.item_id
    CROSS JOIN LATERAL (VALUES (item.response_id), (item.against_id)) response(id)
    JOIN annotation_sheet read
        ON read.project_id = rating.project_id AND response.id IN (read.response_id, read.against_id)
    WHERE rating.rater_id = %(rater)s AND rating.project_id = ANY(%(projects)s) AND rating.assignment_id IS NULL
"""
_RESERVED = """
    SELECT reservation.sheet_id AS sheet FROM annotation_reservation reservation
    WHERE reservation.rater_id = %(rater)s AND reservation.project_id = ANY(%(projects)s)
"""
_COUNT = f"""
    WITH own AS MATERIALIZED ({_DONE_OR_HELD}), imported AS MATERIALIZED ({_IMPORTED}),
        reserved AS MATERIALIZED ({_RESERVED})
    SELECT open.project_id, count(*) FROM (
        SELECT sheet.project_id FROM annotation_sheet sheet JOIN own ON own.sheet = sheet.id AND own.is_held
        WHERE sheet.purpose = 'work'
        UNION ALL
        SELECT sheet.project_id FROM annotation_sheet sheet
        WHERE sheet.project_id = ANY(%(projects)s) AND sheet.purpose = 'work'
            AND NOT EXISTS (SELECT FROM own WHERE own.sheet = sheet.id)
            AND NOT EXISTS (SELECT FROM imported WHERE imported.sheet = sheet.id)
            AND EXISTS (
                SELECT FROM annotation_slot slot
                WHERE slot.sheet_id = sheet.id AND slot.project_id = sheet.project_id AND slot.finished_at IS NULL
                    AND {IS_FREE_SQL.format(now="statement_timestamp()")}
                    -- A rank below zero is reserved.
                    AND (slot.rank >= 0 OR EXISTS (SELECT FROM reserved WHERE reserved.sheet = slot.sheet_id))
            )
    ) open
    GROUP BY 1
"""  # noqa: S608 - only constants of this file


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

"""The queue: which sheet a rater gets next.

Somebody who has unfinished work gets it back. Else the next open place of the document they read last, so that a long
article is read once; else the next in the project's order; else one that they gave back earlier, so that nothing stays
unserved. The place itself is locked with SKIP LOCKED: thirty-two raters who ask at once get thirty-two different
places, and no count can be wrong because nothing is counted.
"""

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from ..models import Assignment, Place, Project, Rating, User
from .leases import expiry

SHEET = ("sheet__response__prompt", "sheet__against", "sheet__document")


def take_next(project: Project, rater: User) -> Assignment | None:
    """The rater's next work in `project`: an unfinished lease resumed, or a new one. None when nothing is left.

    Called inside the transaction in which the project was fetched with `lock=True`: so a rater's own requests come one
    after the other, and two tabs get the same work.
    """
    place = _unfinished(project, rater)
    if place is not None:
        return _renew(place)
    place = _next_open(project, rater)
    return lease(place, rater) if place else None


def _unfinished(project: Project, rater: User) -> Place | None:
    return (
        Place.objects.select_for_update(of=("self",))
        .select_related("holder", *SHEET)
        .filter(project=project, holder__rater=rater, finished_at=None)
        .order_by("-expires_at")
        .first()
    )


def _next_open(project: Project, rater: User) -> Place | None:
    """The next open place, locked: of the document read last, else in the project's order, else one given back.

    One statement: the three are tried in turn inside it, each by its index, and only the one that is found is locked.
    """
    mine = Assignment.objects.filter(sheet=OuterRef("sheet"), rater=rater)
    fresh = _open_places(project, rater).exclude(Exists(mine.exclude(finished_at=None, released_at=None)))
    given_back = _open_places(project, rater).filter(Exists(mine.filter(finished_at=None, released_at__isnull=False)))
    read_last = Assignment.objects.filter(project=project, rater=rater).order_by("-taken_at")
    same_document = fresh.filter(document=read_last.values("sheet__document")[:1])
    found = Coalesce(*(Subquery(places.values("pk")[:1]) for places in (same_document, fresh, given_back)))
    return Place.objects.select_related(*SHEET).filter(pk=found).first()


def _open_places(project: Project, rater: User) -> QuerySet[Place]:
    """Free places and those whose lease ran out, but none of a response that the rater's imported ratings are about."""
    imported = Rating.objects.filter(
        project=project, rater=rater, assignment=None, item__response=OuterRef("sheet__response")
    )
    return (
        Place.objects.select_for_update(skip_locked=True, of=("self",))
        .filter(Q(holder=None) | Q(expires_at__lt=timezone.now()), project=project, finished_at=None)
        .exclude(Exists(imported))
        .order_by("rank", "k")
    )


def _renew(place: Place) -> Assignment:
    place.expires_at = expiry()
    place.save(update_fields=["expires_at"])
    return _assignment(place)


def lease(place: Place, rater: User) -> Assignment:
    """Give the locked open `place` to `rater`."""
    now = timezone.now()
    [assignment] = Assignment.objects.bulk_create(
        [Assignment(sheet_id=place.sheet_id, project_id=place.project_id, rater=rater, taken_at=now)],
        update_conflicts=True,
        unique_fields=["sheet", "rater"],
        update_fields=["taken_at", "released_at"],
    )
    place.holder = assignment
    place.expires_at = expiry(now)
    place.save(update_fields=["holder", "expires_at"])
    return _assignment(place)


def _assignment(place: Place) -> Assignment:
    """The holder, with everything a page needs of the sheet already fetched."""
    assignment = place.holder
    assert assignment is not None  # a leased place has a holder
    assignment.sheet, assignment.place = place.sheet, place
    return assignment

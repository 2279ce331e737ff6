"""Offering finished responses again, to those who finished them: for new items, or because the guidelines have changed.

Unlike a reopened response, what was answered goes on counting, each rating until it is changed: nobody's work is lost
because a lead asks for a little more. The place is kept for its rater for two weeks. When it goes to somebody else
after all, the database takes the earlier ratings out of what counts (a trigger of `Place`).
"""

from collections.abc import Sequence
from datetime import timedelta

from django.db import connection
from django.utils import timezone

from ..models import Assignment, Membership, Place
from ..models.work import REOPENING

KEPT_FOR = timedelta(days=14)


def offer_again(places: Sequence[Place]) -> list[Place]:
    """Open those of the places that are finished and whose rater is still there; returns these.

    The caller has locked the places in the order of their ids, in its transaction.
    """
    finished = [place for place in places if place.finished_at]
    holders = {a.pk: a for a in Assignment.objects.filter(pk__in=[place.holder_id for place in finished])}
    there = set(
        Membership.objects.filter(user__is_active=True, user__in=[a.rater_id for a in holders.values()]).values_list(
            "project", "user"
        )
    )
    again = [p for p in finished if p.holder_id and (p.project_id, holders[p.holder_id].rater_id) in there]
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL {REOPENING} = 'on'")
        Place.objects.filter(pk__in=[place.pk for place in again]).update(
            finished_at=None, expires_at=timezone.now() + KEPT_FOR
        )
        cursor.execute(f"SET LOCAL {REOPENING} = 'off'")
    Assignment.objects.filter(pk__in=[place.holder_id for place in again]).update(finished_at=None)
    return again

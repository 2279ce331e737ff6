"""Offering finished responses again, to those who finished them: for new items, or because the guidelines have changed.

Unlike a reopened response, what was answered goes on counting, a changed answer in the place of the earlier one:
nobody's work is lost because a lead asks for a little more. So nobody else gets the place. Whoever does not look again
within two weeks, gives it back or leaves has finished the response as before (`leases.end_offers`).
"""

from collections.abc import Collection, Sequence
from datetime import timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from ..models import Assignment, Dataset, Item, Membership, Place
from .leases import ProjectArchived, end_offers
from .places import lock_in_order, lock_project

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
    Place.objects.filter(pk__in=[place.pk for place in again]).update(
        finished_at=None, was_finished_at=F("finished_at"), expires_at=timezone.now() + KEPT_FOR
    )
    Assignment.objects.filter(pk__in=[place.holder_id for place in again]).update(finished_at=None)
    return again


@transaction.atomic
def end_lapsed_offers() -> int:
    """Take back what was offered for long enough. Returns how many responses."""
    lapsed = Place.objects.filter(was_finished_at__isnull=False, expires_at__lt=timezone.now())
    lock_in_order(lapsed)
    return end_offers(lapsed)


def offer_for_new_facts(dataset: Dataset, responses: Collection[int]) -> dict[int, int]:
    """Offer these responses (primary keys), which have new facts, again in every project that rates facts. Returns how
    many finished ones each project offers again, by the project's primary key.

    Raises ProjectArchived where an archived project has finished such a response, as nobody rates in it.
    """
    asked = {}
    for project in dataset.projects.select_related("protocol").order_by("pk"):
        if project.protocol.definition.unit != Item.Unit.FACT:
            continue
        locked = lock_project(project)
        places = Place.objects.filter(project=locked, sheet__response__in=responses, sheet__against=None)
        found = list(places.select_for_update(of=("self",)).order_by("pk"))
        if locked.archived_at and any(place.finished_at for place in found):
            raise ProjectArchived(
                _("project %(slug)s is archived, and responses finished in it would get new facts: unarchive it first")
                % {"slug": repr(locked.slug)}
            )
        asked[locked.pk] = len(offer_again(found))
    return {pk: n for pk, n in asked.items() if n}

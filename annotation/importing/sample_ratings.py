"""The ratings of the sample, stored as raters give them, and dated on the days before today."""

import json
from collections import defaultdict
from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from ..models import Assignment, Item, Project, Rating, Slot, User
from ..queue.leases import LEASE, lease
from ..rating.finish import finish
from ..rating.submit import Submission, save
from ..site.database_clock import database_now
from ..site.database_transactions import ignored_triggers

SAMPLE = settings.BASE_DIR / "fixtures" / "demo"


def sample_ratings(*files: str) -> dict[tuple[str, str], list[dict]]:
    """Return the ratings in these files of the sample by response and rater, in the order in which they were given."""
    rows_by_rater = defaultdict(list)
    for file in files:
        for line in (SAMPLE / file).read_text(encoding="utf-8").splitlines():
            rating = json.loads(line)
            rows_by_rater[rating["response"], rating["rater"]].append(rating)
    return dict(rows_by_rater)


def rate(project: Project, response: str, rater: User, ratings: list[dict]) -> None:
    """Rate as a rater does in the workspace: lease the response, answer every sentence, finish."""
    slot = Slot.objects.select_related("sheet").filter(
        sheet__project=project, sheet__response__key=response, holder=None
    )
    assignment = lease(slot.order_by("k")[0], rater)
    items = dict(Item.objects.filter(response__sheets=assignment.sheet).values_list("position", "public_id"))
    for rating in ratings:
        submission = Submission(rating["answers"], base_version=0, seconds=rating["seconds"])
        save(rater, assignment.public_id, items[rating["item"]], submission)
    finish(assignment)


DAYS_BEFORE, SESSION_BEGINS = 4, timedelta(hours=14)
RATING_TIME = timedelta(minutes=13)


def backdate(project: Project) -> None:
    """Date the sample's assignments on the days before today, one afternoon per rater and day, so that today's work is
    only the user's own. The history does not record this: no answer changes.
    """
    midnight = timezone.localtime(database_now()).replace(hour=0, minute=0, second=0, microsecond=0)
    finished_slots = Slot.objects.filter(project=project, finished_at__isnull=False).order_by("pk")
    raters = dict.fromkeys(finished_slots.values_list("holder__rater", flat=True))
    with ignored_triggers("annotation.Rating:update_update"):
        for late, rater in enumerate(raters):
            slots = list(finished_slots.filter(holder__rater=rater))
            a_day = -(-len(slots) // DAYS_BEFORE)
            for number, slot in enumerate(slots):
                day, position = divmod(number, a_day)
                begin = midnight - timedelta(days=DAYS_BEFORE - day) + SESSION_BEGINS + late * RATING_TIME / 2
                leased_at = begin + position * RATING_TIME
                finished = leased_at + RATING_TIME
                Slot.objects.filter(pk=slot.pk).update(finished_at=finished, expires_at=finished + LEASE)
                assert slot.holder_id  # finished work has a time
                Assignment.objects.filter(pk=slot.holder_id).update(taken_at=leased_at, finished_at=finished)
                Rating.objects.filter(assignment=slot.holder_id).update(rated_at=finished)

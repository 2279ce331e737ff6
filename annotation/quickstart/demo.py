"""The content of a new quickstart site: the sample accounts, and a project with responses and ratings."""

import json
from collections import defaultdict
from collections.abc import Callable
from datetime import datetime, timedelta

import pgtrigger
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from annotation import importing
from annotation.models import Assignment, Dataset, Item, Project, Rating, Slot, User
from annotation.projects.create import create_project
from annotation.projects.members import add_member
from annotation.projects.protocol_versions import newest_protocol
from annotation.queue.leases import LEASE, lease
from annotation.quickstart.accounts import SAMPLE_ACCOUNTS
from annotation.rating.finish import finish
from annotation.rating.submit import Submission, save

SAMPLE = settings.BASE_DIR / "fixtures" / "demo"


def is_empty() -> bool:
    """Return whether the site has no data yet."""
    return not (Dataset.objects.exists() or Project.objects.exists())


def load(report_progress: Callable[[str], None]) -> None:
    """Load the whole sample project in one transaction; `report_progress` is called at each step."""
    with transaction.atomic():
        report_progress("importing four articles, ten prompts and the answers of three systems")
        importing.load_dataset("qasper", [SAMPLE / "articles.json"], "demo", title="Four invented articles")
        dataset = Dataset.objects.get(slug="demo")
        importing.load_responses(SAMPLE / "responses.jsonl", dataset)
        project = make_project(dataset)
        report_progress("rating some responses as Ravi, Rosa and Tom")
        for (response, rater), ratings in sample_ratings().items():
            rate(project, response, User.objects.get(username=rater), ratings)
        backdate(project)


def make_project(dataset: Dataset) -> Project:
    """Create the sample project, in which two of three raters rate every answer."""
    protocol = newest_protocol("article-accuracy")
    assert protocol is not None  # built-in
    project = create_project("demo", dataset, protocol, title="Answers about four articles", overlap=2)
    for account in SAMPLE_ACCOUNTS:
        if not account.is_admin:
            add_member(project, User.objects.get(username=account.username), account.does)
    return project


def sample_ratings() -> dict[tuple[str, str], list[dict]]:
    """Return the ratings of the sample by response and rater, in the order in which they were given."""
    rows_by_rater = defaultdict(list)
    for line in (SAMPLE / "ratings.jsonl").read_text(encoding="utf-8").splitlines():
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
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    done = Slot.objects.filter(project=project, finished_at__isnull=False).order_by("pk")
    raters = dict.fromkeys(done.values_list("holder__rater", flat=True))
    with pgtrigger.ignore("annotation.Rating:update_update"):
        for late, rater in enumerate(raters):
            slots = list(done.filter(holder__rater=rater))
            a_day = -(-len(slots) // DAYS_BEFORE)
            for number, slot in enumerate(slots):
                day, position = divmod(number, a_day)
                begin = midnight - timedelta(days=DAYS_BEFORE - day) + SESSION_BEGINS + late * RATING_TIME / 2
                _date(slot, begin + position * RATING_TIME)


def _date(slot: Slot, leased_at: datetime) -> None:
    finished = leased_at + RATING_TIME
    Slot.objects.filter(pk=slot.pk).update(finished_at=finished, expires_at=finished + LEASE)
    assert slot.holder_id  # finished work has a time
    Assignment.objects.filter(pk=slot.holder_id).update(taken_at=leased_at, finished_at=finished)
    Rating.objects.filter(assignment=slot.holder_id).update(rated_at=finished)

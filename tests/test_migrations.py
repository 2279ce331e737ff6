"""Migrations over data that is there: what they make of it, and that going back loses nothing silently."""

from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import DatabaseError, connection
from django.db.models import Max
from django.utils import timezone

from annotation.models import Assignment, Bookmark, DatasetImport, RaterQuestion, Rating, Slot
from annotation.projects.guidelines import Affected, publish_guidelines, reoffer_affected
from annotation.rating.bookmarks import add_bookmark as bookmark
from annotation.reviewing.rater_questions import ask
from tests.cast import study
from tests.golden import aside, does, start, take
from tests.web.pages import rates

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def back_to_the_newest() -> Iterator[None]:
    yield
    migrate()


def migrate(to: str = "") -> None:
    call_command("migrate", *(["annotation", to] if to else []), verbosity=0)


def test_what_was_offered_again_before_the_upgrade_counts_afterwards_too():
    june = study(prompts=2, overlap=1)
    work = rates(june.people["ravi"], june.project)
    publish_guidelines(june.project, "New words.")
    assert reoffer_affected(june.project, Affected()) == (1, 3)
    begun = take(june.project, june.people["rosa"])
    migrate("0009")
    migrate()
    newest = Rating.objects.aggregate(last=Max("rated_at"))["last"]
    assert Slot.objects.get(holder=work).was_finished_at == newest
    assert Slot.objects.get(holder=begun).was_finished_at is None


def test_going_back_behind_the_training_says_why_it_cannot():
    june = study(prompts=2, overlap=1, sentences=2)
    aside(june, "training", 0)
    start(june.project, june.people["ravi"], "training")
    does(june, "ravi")
    with pytest.raises(CommandError, match="0008_training_and_checks cannot be taken back: raters have taken"):
        migrate("0007")
    migrate()
    assert Assignment.objects.get().purpose == "training"
    assert Rating.objects.filter(role="rater").count() == 2


def test_where_nobody_was_trained_it_goes_back_and_forth():
    june = study(overlap=1)
    rates(june.people["ravi"], june.project)
    migrate("0006")
    migrate()
    assert Rating.objects.filter(counted=True).count() == 3


def test_renamed_tables_keep_their_rows_and_triggers():
    june = study(prompts=2, overlap=1)
    assignment = rates(june.people["ravi"], june.project, sentences=1)
    item = june.items()[1].public_id
    bookmark(june.people["ravi"], assignment.public_id, item)
    question = ask(june.people["ravi"], assignment.public_id, item, "Is this one sentence?")
    dataset_import = DatasetImport.objects.create(dataset=june.project.dataset, kind="ratings")
    migrate("0012")
    with connection.cursor() as cursor:
        cursor.execute("SELECT why FROM annotation_mark")
        assert cursor.fetchall() == [("unsure",)]
    migrate()
    assert Bookmark.objects.get().reason == "unsure"
    assert RaterQuestion.objects.get() == question
    assert DatasetImport.objects.get() == dataset_import
    assert Slot.objects.get(holder=assignment).project == june.project
    other = Slot.objects.get(holder=None)
    with pytest.raises(DatabaseError, match=r"its holder .* is of another sheet"):
        Slot.objects.filter(pk=other.pk).update(holder=assignment, expires_at=timezone.now())

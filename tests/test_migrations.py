"""Migrations over data that is there: what they make of it, and that going back loses nothing silently."""

from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import DatabaseError, connection
from django.db.models import Max
from django.utils import timezone

from annotation.models import Bookmark, DatasetImport, Item, RaterQuestion, Rating, Slot
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


def test_data_survives_the_way_back_to_0009_and_forward() -> None:
    """What was offered again counts afterwards too; renamed tables keep their rows and triggers."""
    june = study(prompts=2, overlap=1)
    work = rates(june.people["ravi"], june.project)
    publish_guidelines(june.project, "New words.")
    assert reoffer_affected(june.project, Affected()) == (1, 3)
    begun = take(june.project, june.people["rosa"])
    item = Item.objects.filter(response=begun.sheet.response).first()
    bookmark(june.people["rosa"], begun.public_id, item.public_id)
    question = ask(june.people["rosa"], begun.public_id, item.public_id, "Is this one sentence?")
    dataset_import = DatasetImport.objects.create(dataset=june.project.dataset, kind="ratings")
    migrate("0009")
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM annotation_mark WHERE why = 'unsure'")
        assert cursor.fetchall() == [(1,)]
    migrate()
    newest = Rating.objects.aggregate(last=Max("rated_at"))["last"]
    assert Slot.objects.get(holder=work).was_finished_at == newest
    slot = Slot.objects.get(holder=begun)
    assert (slot.was_finished_at, slot.project) == (None, june.project)
    assert Bookmark.objects.filter(reason="unsure").count() == 1
    assert RaterQuestion.objects.get() == question
    assert DatasetImport.objects.get() == dataset_import
    with pytest.raises(DatabaseError, match=r"its holder .* is of another sheet"):
        Slot.objects.filter(pk=slot.pk).update(holder=work, expires_at=timezone.now())


def test_training_goes_back_only_while_no_rater_has_taken_it() -> None:
    june = study(overlap=1)
    rates(june.people["ravi"], june.project)
    july = study("july", prompts=2, overlap=1, sentences=2)
    aside(july, "training", 0)
    start(july.project, july.people["rosa"], "training")
    does(july, "rosa")
    with pytest.raises(CommandError, match="0008_training_and_checks cannot be taken back: raters have taken"):
        migrate("0007")
    with connection.cursor() as cursor:
        cursor.execute("SELECT purpose FROM annotation_assignment ORDER BY id")
        assert cursor.fetchall() == [("work",), ("training",)]
        cursor.execute("DELETE FROM annotation_rating WHERE project_id = %s", [july.project.pk])
        assert cursor.rowcount == 4  # two of gold
        cursor.execute(
            "DELETE FROM annotation_place WHERE sheet_id IN (SELECT id FROM annotation_sheet WHERE project_id = %s)",
            [july.project.pk],
        )
        for table in ("assignment", "attempt", "sheet"):
            cursor.execute(f"DELETE FROM annotation_{table} WHERE project_id = %s", [july.project.pk])
    migrate("0006")
    migrate()
    assert Rating.objects.filter(counted=True).count() == 3

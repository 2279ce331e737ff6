"""Migrations over data that is there: what they make of it, and that going back loses nothing silently."""

from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from annotation.accounts.users import rename_user
from annotation.models import Bookmark, DatasetImport, Item, RaterQuestion, Rating, Slot, User
from annotation.models.rated_items import is_rated
from annotation.rating.bookmarks import add_bookmark
from annotation.reviewing.rater_questions import ask_leads
from tests.cast import person, study
from tests.gold_studies import take_work
from tests.web.pages import rates

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("as_owner")]
OF_0_7_1 = "0001_squashed_0012_changes_name_their_items"


@pytest.fixture(autouse=True)
def back_to_the_newest() -> Iterator[None]:
    yield
    migrate()


def migrate(to: str = "") -> None:
    call_command("migrate", *(["annotation", to] if to else []), verbosity=0)


def rows(query: str, *parameters: object) -> list[tuple[object, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, parameters)
        return cursor.fetchall()


def test_data_survives_the_way_back_to_0_7_1_and_forward(capsys: pytest.CaptureFixture[str]) -> None:
    """Go back once, and forward with a stop before each migration that reads what is there: each way takes seconds."""
    june = study(prompts=2, overlap=1)
    work = rates(june.people["ravi"], june.project)
    begun = take_work(june.project, june.people["rosa"])
    item = Item.objects.filter(response=begun.sheet.response).first()
    add_bookmark(june.people["rosa"], begun.public_id, item.public_id)
    question = ask_leads(june.people["rosa"], begun.public_id, item.public_id, "Is this one sentence?")
    dataset_import = DatasetImport.objects.create(dataset=june.project.dataset, kind="ratings")
    agnes, ines = person("agnes"), person("ines")
    for name in ("ana", "anna"):
        rename_user(agnes, name)
    closed, unused, open_, admin, russ = (person(name) for name in ("one", "two", "three", "four", "russ"))
    User.objects.filter(pk=closed.pk).update(is_active=False)
    User.objects.filter(pk=unused.pk).update(password="!none")
    User.objects.filter(pk=admin.pk).update(is_superuser=True)

    migrate(OF_0_7_1)
    assert rows("SELECT why FROM annotation_mark") == [("unsure",)]

    migrate("0040_run_failures")
    rows("UPDATE annotation_assignment SET verdicts_sent_at = now() WHERE id = %s RETURNING id", begun.pk)
    shown = "SELECT person_id, response_id, against_id FROM annotation_verdictsshown"
    migrate("0041_verdicts_shown")
    assert rows(shown) == [(begun.rater_id, begun.sheet.response_id, None)]
    migrate("0040_run_failures")
    assert rows("SELECT id FROM annotation_assignment WHERE verdicts_sent_at IS NOT NULL") == [(begun.pk,)]

    migrate("0044_generation")
    for account, name in ((closed, "TOM"), (unused, "Tom"), (open_, "tom"), (admin, "tOm"), (russ, "ru\u017fs")):
        rows("UPDATE annotation_user SET username = %s WHERE id = %s RETURNING id", name, account.pk)
    capsys.readouterr()
    migrate("0048_job_kills")
    listed = capsys.readouterr().out
    rows("UPDATE annotation_user SET username = 'ana' WHERE id = %s RETURNING id", ines.pk)
    migrate()

    assert Rating.objects.filter(counted=True).count() == 3
    assert Bookmark.objects.get().reason == "unsure"
    assert RaterQuestion.objects.get() == question
    assert DatasetImport.objects.get() == dataset_import
    slot = Slot.objects.get(holder=begun)
    assert slot.project == june.project
    with pytest.raises(DatabaseError, match=r"its holder .* is of another sheet"):
        Slot.objects.filter(pk=slot.pk).update(holder=work, expires_at=timezone.now())

    june.project.refresh_from_db()  # which was older than samples: it asks about all items
    assert (june.project.sampling_design, june.project.sample_size) == ("", None)
    assert Item.objects.filter(is_rated(june.project)).count() == 6

    # Of accounts with one name, the one that can sign in gets the key, and the others are listed.
    accounts = User.objects.filter(pk__in=[user.pk for user in (closed, unused, open_, admin, russ)])
    others = {name: f"tom#{account.pk}" for name, account in (("TOM", closed), ("Tom", unused), ("tom", open_))}
    assert dict(accounts.values_list("username", "name_key")) == {"tOm": "tom", "ru\u017fs": "russ", **others}
    for name in others:
        assert f"user {name!r} has a spelling of the name of user 'tOm': rename one (manage.py rename_user)" in listed
    assert "russ" not in listed

    # Former names are those of the audit that no other account has.
    assert User.objects.get(pk=agnes.pk).former_names == ["agnes"]
    assert User.objects.get(pk=ines.pk).former_names == []


def test_a_site_older_than_0_7_1_is_told_to_upgrade_to_it_first() -> None:
    recorder = MigrationRecorder(connection)
    recorder.record_applied("annotation", "0001_initial")
    recorder.record_unapplied("annotation", "0012_changes_name_their_items")
    try:
        with pytest.raises(SystemCheckError, match="Install Factuary 0\\.7\\.1, run"):
            call_command("migrate", skip_checks=False, verbosity=0)
    finally:
        recorder.record_applied("annotation", "0012_changes_name_their_items")

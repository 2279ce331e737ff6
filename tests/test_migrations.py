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

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("as_owner"), pytest.mark.slow]
OF_0_7_1 = "0001_squashed_0012_changes_name_their_items"


@pytest.fixture(autouse=True)
def back_to_the_newest() -> Iterator[None]:
    yield
    migrate()


def migrate(to: str = "") -> None:
    call_command("migrate", *(["annotation", to] if to else []), verbosity=0)


def test_data_survives_the_way_back_to_0_7_1_and_forward() -> None:
    june = study(prompts=2, overlap=1)
    work = rates(june.people["ravi"], june.project)
    begun = take_work(june.project, june.people["rosa"])
    item = Item.objects.filter(response=begun.sheet.response).first()
    add_bookmark(june.people["rosa"], begun.public_id, item.public_id)
    question = ask_leads(june.people["rosa"], begun.public_id, item.public_id, "Is this one sentence?")
    dataset_import = DatasetImport.objects.create(dataset=june.project.dataset, kind="ratings")
    migrate(OF_0_7_1)
    with connection.cursor() as cursor:
        cursor.execute("SELECT why FROM annotation_mark")
        assert cursor.fetchall() == [("unsure",)]
    migrate()
    assert Rating.objects.filter(counted=True).count() == 3
    assert Bookmark.objects.get().reason == "unsure"
    assert RaterQuestion.objects.get() == question
    assert DatasetImport.objects.get() == dataset_import
    slot = Slot.objects.get(holder=begun)
    assert slot.project == june.project
    with pytest.raises(DatabaseError, match=r"its holder .* is of another sheet"):
        Slot.objects.filter(pk=slot.pk).update(holder=work, expires_at=timezone.now())


def test_a_project_older_than_samples_asks_about_all_items() -> None:
    june = study(overlap=1)
    rates(june.people["ravi"], june.project)
    migrate("0030_job_created_at")
    migrate()
    june.project.refresh_from_db()
    assert (june.project.sampling_design, june.project.sample_size) == ("", None)
    assert Item.objects.filter(is_rated(june.project)).count() == 3


def test_a_site_older_than_0_7_1_is_told_to_upgrade_to_it_first() -> None:
    recorder = MigrationRecorder(connection)
    recorder.record_applied("annotation", "0001_initial")
    recorder.record_unapplied("annotation", "0012_changes_name_their_items")
    try:
        with pytest.raises(SystemCheckError, match="Install Factuary 0\\.7\\.1, run"):
            call_command("migrate", skip_checks=False, verbosity=0)
    finally:
        recorder.record_applied("annotation", "0012_changes_name_their_items")


def test_verdicts_that_an_assignment_showed_are_recorded_by_response_and_back() -> None:
    june = study()
    work = take_work(june.project, june.people["ravi"])
    migrate("0040_run_failures")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE annotation_assignment SET verdicts_sent_at = now() WHERE id = %s", [work.pk])
    migrate("0041_verdicts_shown")
    with connection.cursor() as cursor:
        cursor.execute("SELECT person_id, response_id, against_id FROM annotation_verdictsshown")
        assert cursor.fetchall() == [(work.rater_id, work.sheet.response_id, None)]
    migrate("0040_run_failures")
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM annotation_assignment WHERE verdicts_sent_at IS NOT NULL")
        assert cursor.fetchall() == [(work.pk,)]
    migrate()


def test_of_accounts_with_one_name_the_one_that_can_sign_in_gets_the_key_and_the_others_are_listed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    closed, unused, open_, admin, rosa = (person(name) for name in ("one", "two", "three", "four", "rosa"))
    User.objects.filter(pk=closed.pk).update(is_active=False)
    User.objects.filter(pk=unused.pk).update(password="!none")
    User.objects.filter(pk=admin.pk).update(is_superuser=True)
    migrate("0044_generation")
    with connection.cursor() as cursor:
        for account, name in ((closed, "TOM"), (unused, "Tom"), (open_, "tom"), (admin, "tOm"), (rosa, "ro\u017fa")):
            cursor.execute("UPDATE annotation_user SET username = %s WHERE id = %s", [name, account.pk])
    capsys.readouterr()
    migrate()
    listed = capsys.readouterr().out
    keys = dict(User.objects.values_list("username", "name_key"))
    others = {name: f"tom#{account.pk}" for name, account in (("TOM", closed), ("Tom", unused), ("tom", open_))}
    assert keys == {"tOm": "tom", "ro\u017fa": "rosa", **others}
    for name in others:
        assert f"user {name!r} has a spelling of the name of user 'tOm': rename one (manage.py rename_user)" in listed
    assert "rosa" not in listed


def test_former_names_are_those_of_the_audit_that_no_other_account_has() -> None:
    tom, ravi = person("tom"), person("ravi")
    for name in ("thomas", "tommy"):
        rename_user(tom, name)
    migrate("0048_job_kills")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE annotation_user SET username = 'thomas' WHERE id = %s", [ravi.pk])
    migrate()
    assert User.objects.get(pk=tom.pk).former_names == ["tom"]
    assert User.objects.get(pk=ravi.pk).former_names == []

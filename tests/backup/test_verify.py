"""verify_backup: what was restored equals the manifest, or each difference is named."""

import uuid

import msgspec
import pytest
from django.core.management import call_command
from django.db import connection

from annotation import reporting
from annotation.backup.archive import check_archive
from annotation.backup.verify import Outcome, compare_restored
from annotation.models import Project, Rating
from annotation.reporting import Choices
from tests.cast import person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("as_owner"), pytest.mark.slow]


def test_a_backup_is_verified_with_a_server_of_its_own(site, tmp_path, capsys):
    own = connection.settings_dict["NAME"]
    reporting.freeze(Project.objects.get(), Choices(resamples=100))
    call_command("backup", output=tmp_path / "site.backup")
    assert "1 files, not encrypted" in capsys.readouterr().err
    Rating.objects.all().delete()  # the site's database is not used
    call_command("verify_backup", tmp_path / "site.backup")
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["equal"] * 4
    assert "hashes of the dump and of 1 files" in lines[0]
    assert "rows of" in lines[1]
    assert "the tally equals a recount" in lines[2]
    assert "rebuilt to the same bytes" in lines[3]
    assert not Rating.objects.exists() and connection.settings_dict["NAME"] == own


def test_a_backup_without_a_report_that_can_be_rebuilt_is_not_equal_but_warned_of(site, tmp_path, capsys):
    reporting.freeze(Project.objects.get(), Choices(resamples=100))
    Rating.objects.first().delete()
    call_command("backup", output=tmp_path / "site.backup")
    call_command("verify_backup", tmp_path / "site.backup")
    output = capsys.readouterr()
    assert output.out.splitlines()[-1].startswith("not checked no report is rebuilt: none of the newest 20 ")
    assert "warning: not checked: no report is rebuilt: none of the newest 20 " in output.err


def test_a_report_is_not_rebuilt_after_data_changed_that_it_counts_as_left_out(site, tmp_path, capsys):
    reporting.freeze(Project.objects.get(), Choices(resamples=100))
    gold = Rating.objects.first()
    gold.pk, gold.public_id, gold.role, gold.rater = None, uuid.uuid4(), Rating.Role.GOLD, person("eve")
    gold.counted = False
    gold.save(force_insert=True)
    call_command("backup", output=tmp_path / "site.backup")
    call_command("verify_backup", tmp_path / "site.backup")
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["equal"] * 3 + ["not"]


def test_each_difference_is_named(backup, empty_site, monkeypatch):
    manifest = check_archive(backup)
    rows = manifest.rows | {"annotation_rating": 1}
    compared = list(compare_restored(backup, "", msgspec.structs.replace(manifest, rows=rows)))
    assert [line.text for line in compared if line.outcome == Outcome.DIFFERS] == [
        f"table annotation_rating: 1 rows in the manifest, {manifest.rows['annotation_rating']} restored"
    ]

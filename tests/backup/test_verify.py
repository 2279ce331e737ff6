import tarfile
import uuid

import msgspec
import pytest
from django.core.management import call_command
from django.db import connection

from annotation import reporting
from annotation.backup.archive import FILES, check_archive
from annotation.backup.verify import Outcome, _rebuilt_report, compare_restored
from annotation.jobs import Progress, Refused
from annotation.models import Project, Rating, Report
from annotation.reporting import Choices
from tests.cast import person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("as_owner")]


@pytest.fixture
def report(site) -> Report:
    return reporting.freeze(Project.objects.get(), Choices(resamples=100))


def test_a_backup_is_verified_with_a_server_of_its_own_and_a_report_without_its_data_is_warned_of(
    site, report, tmp_path, capsys
):
    own = connection.settings_dict["NAME"]
    gold = Rating.objects.first()  # one more is counted as left out
    gold.pk, gold.public_id, gold.role, gold.rater = None, uuid.uuid4(), Rating.Role.GOLD, person("eve")
    gold.counted = False
    gold.save(force_insert=True)
    call_command("backup", output=tmp_path / "site.backup")
    assert "1 files, not encrypted" in capsys.readouterr().err
    Rating.objects.all().delete()  # the site's database is not used
    call_command("verify_backup", tmp_path / "site.backup")
    output = capsys.readouterr()
    lines = output.out.splitlines()
    assert [line.split()[0] for line in lines] == ["equal"] * 3 + ["not"]
    assert "hashes of the dump and of 1 files" in lines[0]
    assert "rows of" in lines[1]
    assert "the tally equals a recount" in lines[2]
    assert lines[3].startswith("not checked no report is rebuilt: none of the newest 20 ")
    assert "warning: not checked: no report is rebuilt: none of the newest 20 " in output.err
    assert not Rating.objects.exists() and connection.settings_dict["NAME"] == own


def test_a_report_is_rebuilt_to_the_same_bytes_unless_its_ratings_changed(report):
    rebuilt = _rebuilt_report(Progress())
    assert rebuilt.outcome == Outcome.EQUAL and "rebuilt to the same bytes" in rebuilt.text
    Rating.objects.first().delete()
    assert _rebuilt_report(Progress()).outcome == Outcome.NOT_CHECKED


def test_each_difference_is_named(backup, empty_site, monkeypatch):
    manifest = check_archive(backup)
    rows = manifest.rows | {"annotation_rating": 1}
    compared = list(compare_restored(backup, "", msgspec.structs.replace(manifest, rows=rows)))
    assert [line.text for line in compared if line.outcome == Outcome.DIFFERS] == [
        f"table annotation_rating: 1 rows in the manifest, {manifest.rows['annotation_rating']} restored"
    ]


def test_a_file_of_the_manifest_that_the_backup_lacks_is_named(backup, tmp_path):
    lacking = tmp_path / "lacking.backup"
    with tarfile.open(backup) as whole, tarfile.open(lacking, "w") as tar:
        for member in whole:
            if not member.name.startswith(FILES):
                tar.addfile(member, whole.extractfile(member))
    with pytest.raises(Refused, match=r"the file uploads/.* is damaged, missing or not in the manifest"):
        check_archive(lacking)

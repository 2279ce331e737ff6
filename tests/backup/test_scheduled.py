import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from annotation import jobs
from annotation.backup import scheduled
from annotation.backup.archive import check_archive
from annotation.backup.scheduled import BACKUP, NAME, last_due, select_retained, start_if_due, stored_backups
from annotation.doctor.installation import backup_finding
from annotation.models import Job
from tasks import schedule
from tasks.app import app

NOW = datetime(2026, 11, 27, 9, 30, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def folder(settings, tmp_path) -> Path:
    settings.BACKUP_DIR, settings.BACKUP_HOUR = str(tmp_path / "backups"), 3
    settings.BACKUP_KEEP_DAILY, settings.BACKUP_KEEP_WEEKLY = 3, 2
    (tmp_path / "backups").mkdir()
    return tmp_path / "backups"


def store(folder: Path, at: datetime) -> Path:
    path = folder / at.strftime(NAME)
    path.write_bytes(b"x")
    return path


@pytest.mark.django_db
def test_a_backup_is_due_once_a_day_and_a_site_that_was_off_at_that_hour_gets_it_later(folder):
    assert last_due(NOW) == NOW.replace(hour=3, minute=0)
    assert last_due(NOW.replace(hour=2)) == NOW.replace(hour=3, minute=0) - DAY
    store(folder, NOW - DAY)
    job = start_if_due(NOW)
    assert job and job.kind == BACKUP
    assert start_if_due(NOW) is None, "one is being written"
    Job.objects.update(state="failed", ended_at=NOW)
    assert start_if_due(NOW + HOUR / 2) is None, "it failed a moment ago"
    assert start_if_due(NOW + 2 * HOUR)
    Job.objects.all().delete()
    store(folder, NOW - HOUR)
    assert start_if_due(NOW) is None, "today's is there"


@pytest.mark.django_db
def test_without_a_folder_there_is_no_schedule_and_an_old_backup_is_a_failure(folder, settings):
    assert "none in" in backup_finding().message
    store(folder, timezone.now() - 3 * DAY)
    assert backup_finding().state == "failed"
    settings.BACKUP_DIR = ""
    assert start_if_due(NOW) is None and schedule.start_backup_if_due() is False
    assert backup_finding().state == "warning"


def test_the_newest_of_some_days_and_weeks_are_kept():
    times = [NOW - n * DAY / 2 for n in range(60)]  # two a day for a month
    retained = select_retained(times, daily=3, weekly=2)
    assert [f"{at:%d %H}" for at in sorted(retained, reverse=True)] == ["27 09", "26 21", "25 21", "22 21"]
    assert select_retained([NOW - 300 * DAY], daily=1, weekly=0) == {NOW - 300 * DAY}
    assert select_retained([], daily=3, weekly=2) == set()


@pytest.mark.django_db(transaction=True)
def test_the_job_writes_a_backup_and_deletes_old_ones(site, folder, monkeypatch):
    monkeypatch.setattr("tasks.jobs._send", lambda job: app.tasks["tasks.backups.write_backup"](job.pk))
    old = [store(folder, timezone.now() - n * DAY) for n in (100, 200, 300, 400)]
    other, part = folder / "factuary-notes.txt", folder / ".factuary-part"
    for path in (other, part):
        path.write_text("mine")
        os.utime(path, (time.time() - 1e6,) * 2)
    assert schedule.start_backup_if_due() is True
    job = Job.objects.get()
    assert job.state == "done", job.problems
    assert job.result["deleted"] == 2 and job.result["files"] == 1
    stored = [path for _at, path in stored_backups(folder)]
    assert stored[0].name == job.result["name"] and check_archive(stored[0]).rows["annotation_upload"] == 1
    assert stored[1:] == old[:2] and other.exists() and not part.exists()
    assert stored[0].stat().st_mode & 0o777 == 0o600
    assert backup_finding().line().startswith("ok       backups     the newest of 3 is 0 hours old")


@pytest.mark.django_db
def test_a_full_disk_ends_the_job_and_leaves_no_part(folder, monkeypatch):
    def fill(file, passphrase, progress):
        file.write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(scheduled, "write_backup", fill)
    job = jobs.create(BACKUP)
    jobs.run(job.pk, scheduled.backup_job)
    job.refresh_from_db()
    assert job.problems[0].startswith("The disk is full")
    assert list(folder.iterdir()) == []

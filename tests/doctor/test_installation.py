"""Checks of settings, folders and the content of the database."""

import errno
import os

import pytest
from django.core.files.storage import FileSystemStorage
from django.db.migrations.recorder import MigrationRecorder

from annotation import jobs
from annotation.doctor import installation
from annotation.models import Job
from tests.silent_jobs import silent


def test_settings_are_complete_or_those_that_miss_are_named(monkeypatch):
    assert installation.settings_finding().line() == "ok       settings    complete, for this machine only"
    monkeypatch.delenv("SECRET_KEY")
    line = installation.settings_finding().line()
    assert line.startswith("failed   settings    SECRET_KEY is not set: set them as docs/deploy.md says")


@pytest.mark.django_db
@pytest.mark.usefixtures("as_owner")
def test_migrations_are_complete_missing_or_of_a_newer_version():
    assert installation.migrations_finding().state == "ok"
    MigrationRecorder.Migration.objects.create(app="annotation", name="9999_newer")
    assert "of a newer version: annotation.9999_newer" in installation.migrations_finding().message
    MigrationRecorder.Migration.objects.filter(name="9999_newer").delete()
    newest = MigrationRecorder.Migration.objects.filter(app="annotation").order_by("name").last()
    newest.delete()
    finding = installation.migrations_finding()
    assert (finding.state, finding.message) == ("failed", f"not applied: annotation.{newest.name}")
    assert finding.remedy == "run `manage.py migrate`"


@pytest.mark.django_db
@pytest.mark.parametrize(("seconds", "state"), [(0, "ok"), (45, "warning"), (-45, "warning")])
def test_clocks_are_compared(monkeypatch, seconds, state):
    now = installation.time.time
    monkeypatch.setattr(installation.time, "time", lambda: now() - seconds)
    finding = installation.clock_finding()
    assert finding.state == state
    assert f"differs by {seconds:+}" in finding.message or seconds == 0


@pytest.mark.django_db
def test_jobs_that_no_worker_runs_are_counted():
    job = jobs.create("count")
    assert installation.jobs_finding().state == "ok"
    silent(job, seconds=300)
    assert installation.jobs_finding().message == "1 wait for more than two minutes"
    Job.objects.filter(pk=job.pk).update(state="done", ended_at=job.created_at)
    assert installation.jobs_finding().state == "ok"


def test_a_file_is_stored_and_deleted(settings, tmp_path, monkeypatch):
    settings.MEDIA_ROOT = tmp_path
    assert installation.storage_finding().state == "ok"
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []

    def refuse(*arguments):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(FileSystemStorage, "_save", refuse)
    finding = installation.storage_finding()
    assert (finding.state, finding.message) == ("failed", "no file can be stored: Read-only file system")


@pytest.mark.parametrize(("free", "state"), [(99, "failed"), (399, "warning"), (400, "ok")])
def test_free_space_is_compared_with_the_largest_upload(settings, monkeypatch, free, state):
    settings.MAX_UPLOAD_MB = 100
    monkeypatch.setattr(installation, "free_mb", lambda folder: free)
    finding = installation.disk_finding()
    assert finding.state == state
    assert f"{free} MB free for uploads and exports" in finding.message

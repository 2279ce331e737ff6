"""What ends with a full disk leaves no part of a file behind, and the page or the job says so."""

import errno
import os
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, default_storage

from annotation import jobs
from annotation.exporting import export_jobs
from annotation.importing import uploads
from annotation.models import Export, Job, Upload
from tests.cast import person
from tests.reporting.project_rows import project_of, worked_example
from tests.web.datasets.files import JSONL, QASPER, file, form


class Unfinished(ContentFile):
    """A file with which the disk is full when half of it is written."""

    def chunks(self, chunk_size: int | None = None):
        content = self.read()
        yield content[: len(content) // 2]
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.fixture(autouse=True)
def media(settings, tmp_path) -> Path:
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


@pytest.fixture
def disk_full_at(monkeypatch):
    """Return `fill(n)`: the disk is full in the middle of the n-th stored file."""

    def fill(number: int) -> None:
        stored, save = [], FileSystemStorage._save

        def save_in_part(self, name, content):
            stored.append(name)
            return save(self, name, Unfinished(content.read()) if len(stored) == number else content)

        monkeypatch.setattr(FileSystemStorage, "_save", save_in_part)

    return fill


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_a_part_of_a_file_is_removed_and_a_stored_file_of_the_same_name_stays(media):
    for is_stored in (False, True):
        names = [default_storage.save("part", ContentFile(b"whole"))] if is_stored else []
        with pytest.raises(OSError, match="No space left"):
            default_storage.save("part", Unfinished(b"0123456789"))
        assert [path.name for path in files_in(media)] == names


@pytest.mark.django_db
def test_an_upload_that_fills_the_disk_is_removed_and_the_page_says_so(client, media, disk_full_at):
    client.force_login(person("ada", admin=True))
    disk_full_at(2)
    page = client.post("/datasets/import/", form(upload=[file(QASPER), file(QASPER, "more.json")]))
    assert page.status_code == 507
    assert "<h1>The disk is full</h1>" in page.content.decode()
    assert (files_in(media), Upload.objects.count(), Job.objects.count()) == ([], 0, 0)


@pytest.mark.django_db
def test_files_of_a_job_that_cannot_be_stored_are_removed(media, monkeypatch):
    monkeypatch.setattr(jobs, "create", lambda *arguments, **options: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        uploads.start_import(uploads.LOAD_DATASET, [file(JSONL)], {}, person("ada", admin=True))
    assert files_in(media) == []


@pytest.mark.django_db
def test_an_export_that_fills_the_disk_is_removed_and_its_job_says_so(media, disk_full_at):
    params = {"what": "ratings", "format": "csv"}
    job = jobs.create(export_jobs.EXPORT, project=project_of(worked_example()), params=params)
    disk_full_at(1)
    jobs.run(job.pk, export_jobs.export_job)
    job.refresh_from_db()
    assert job.state == "failed"
    assert "The disk is full" in job.problems[0] and "Free space" in job.problems[0]
    assert (files_in(media), Export.objects.count()) == ([], 0)

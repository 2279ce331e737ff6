"""Uploads, exports and backups in an S3-compatible object store: a local server of the same API."""

from collections.abc import Iterator
from datetime import timedelta
from io import BytesIO

import boto3
import pytest
from django.core.files import File
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import override_settings
from django.utils import timezone
from moto.server import ThreadedMotoServer

from annotation import jobs
from annotation.backup.restore import _Chunks
from annotation.doctor.installation import storage_finding
from annotation.exporting.export_jobs import EXPORT, delete_old_exports, export_job
from annotation.importing.uploads import LOAD_DATASET, delete_old_uploads, run_import, start_import, start_load
from annotation.jobs import Progress
from annotation.models import Dataset, Export, Upload
from annotation.settings import STORAGES
from annotation.site import file_storage
from annotation.site.file_storage import delete_unnamed_files
from annotation.site.object_storage import ObjectStorage
from tests.cast import person, study
from tests.gold_studies import rate_next

BUCKET = "factuary-files"
ROWS = b'{"id": "q1", "text": "Why?", "document": {"id": "d1", "title": "T", "sections": []}, "responses": []}\n'


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    moto = ThreadedMotoServer("127.0.0.1", port=0)
    moto.start()
    host, port = moto.get_host_and_port()
    yield f"http://{host}:{port}"
    moto.stop()


@pytest.fixture
def bucket(server: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    boto3.client("s3", endpoint_url=server, region_name="us-east-1").create_bucket(Bucket=BUCKET)
    with override_settings(S3_BUCKET=BUCKET, STORAGES=stored_at(server)):
        yield
        for folder in ("uploads", "exports"):
            delete_unnamed_files(folder, (), timezone.now() + timedelta(days=1))


def stored_at(url: str) -> dict:
    options = {"bucket_name": BUCKET, "location": "site", "endpoint_url": url, "region_name": "us-east-1"}
    backend = {"BACKEND": "annotation.site.object_storage.ObjectStorage", "OPTIONS": options}
    return {**STORAGES, "default": backend}


def objects(folder: str) -> set[str]:
    return set(file_storage._stored_names(folder))


@pytest.mark.django_db
def test_an_upload_is_stored_loaded_and_deleted(bucket: None) -> None:
    ada = person("ada", admin=True)
    params = {"format": "jsonl", "slug": "far", "title": "Far", "subset": "all", "sample": None, "seed": 0}
    dry_run = start_import(LOAD_DATASET, [SimpleUploadedFile("far.jsonl", ROWS)], params, ada)
    assert objects("uploads") == {Upload.objects.get().file.name}
    jobs.run(dry_run.pk, run_import)
    assert not Dataset.objects.exists()
    dry_run.refresh_from_db()
    jobs.run(start_load(dry_run, ada)[0].pk, run_import)
    assert Dataset.objects.get().prompts.count() == 1
    assert delete_old_uploads() == 1 and objects("uploads") == set()


@pytest.mark.django_db(transaction=True)
def test_an_export_is_written_read_and_deleted(bucket: None) -> None:
    june = study()
    rate_next(june, "ravi", {"accuracy": "accurate"})
    job = jobs.create(EXPORT, project=june.project, params={"what": "ratings", "format": "csv"})
    export_job(job, Progress())
    export = Export.objects.get()
    with export.file.open("rb") as file:
        assert file.read().count(b"\n") == 4
    Export.objects.update(made_at="2026-01-01T00:00:00Z")
    assert delete_old_exports() == 1 and objects("exports") == set()


def test_objects_without_a_row_are_deleted_once_they_are_old(bucket: None) -> None:
    kept, _lost = (default_storage.save(f"uploads/{name}", ContentFile(b"x")) for name in ("kept", "lost"))
    for days, deleted in ((-1, 0), (1, 1)):
        assert delete_unnamed_files("uploads", {kept}, timezone.now() + timedelta(days=days)) == deleted
    assert objects("uploads") == {"uploads/kept"}


def test_two_files_of_one_name_are_both_kept_and_a_missing_one_is_a_missing_file(bucket: None) -> None:
    first, second = (default_storage.save("uploads/same", BytesIO(text)) for text in (b"1", b"2"))
    assert first != second
    for name, text in ((first, b"1"), (second, b"2")):
        with default_storage.open(name) as file:
            default_storage.delete(name)
            assert file.read() == text  # an open object is read without the store
    with pytest.raises(FileNotFoundError), default_storage.open(first):
        pass


def test_the_doctor_names_the_bucket_or_what_to_check(bucket: None) -> None:
    assert storage_finding().message == f"bucket {BUCKET} is writable"
    with override_settings(STORAGES=stored_at("http://127.0.0.1:9")):
        finding = storage_finding()
    assert "the object store refused or did not answer" in finding.message
    assert finding.remedy == "check S3_BUCKET, S3_ENDPOINT_URL and the credentials"


def test_a_store_that_refuses_is_an_error_of_the_disk(bucket: None, server: str) -> None:
    storage = ObjectStorage(**stored_at(server)["default"]["OPTIONS"] | {"bucket_name": "no-such-bucket"})
    for ask in (
        lambda: storage.listdir("uploads"),
        lambda: storage.get_modified_time("uploads/a"),
        lambda: storage.save("uploads/a", ContentFile(ROWS)),
    ):
        with pytest.raises(OSError, match="the object store refused or did not answer"):
            ask()


def test_a_backup_stores_files_in_the_bucket(bucket: None) -> None:
    stream = _Chunks(BytesIO(b"from a backup"))
    name = default_storage.save("exports/2026/11/one", File(stream, "one"))
    assert name == "exports/2026/11/one"
    with default_storage.open(name) as file:
        assert file.read() == b"from a backup" and file.size == 13

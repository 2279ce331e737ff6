"""A backup restored into an empty database: every row, file, trigger and constraint, or nothing at all."""

import gc
import io
import re
import tarfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import IntegrityError, connection

from annotation.backup import create, restore
from annotation.backup.archive import ArchiveWriter, check_archive
from annotation.backup.create import count_rows, write_backup
from annotation.backup.restore import restore_backup
from annotation.jobs import Refused
from annotation.judging.judges import create_judge, find_judge
from annotation.judging.run import run_judge
from annotation.model_calls.errors import ModelError
from annotation.model_calls.keys import key_of
from annotation.model_calls.runs import RunLimits
from annotation.models import Job, Judge, Project, Rating, SampledItem, Tally, Upload, User
from annotation.projects.create import create_project
from annotation.rating.tally_check import find_tally_differences
from annotation.site.file_storage import whole_file
from tests.backup.conftest import CONTENT
from tests.judging.fake_endpoint import fake_endpoint

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("as_owner")]

SCHEMA = """
    SELECT 'trigger', tgrelid::regclass::text, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT 'constraint', conrelid::regclass::text, conname || pg_get_constraintdef(oid) FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT 'index', tablename, indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT 'function', proname, pg_get_functiondef(oid) FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace AND prokind = 'f'
    ORDER BY 1, 2, 3
"""


CASTS = re.compile(r"::(character varying|text)(\[\])?|[()]")
"""PostgreSQL writes `ANY ((ARRAY['a'::character varying])::text[])` in another way when it reads its own definition."""


@dataclass
class Content:
    rows: dict[str, int]
    ratings: list[tuple]
    schema: set[tuple]


def content() -> Content:
    rows = connection.cursor().execute(SCHEMA).fetchall()
    schema = {(*names, CASTS.sub("", definition)) for *names, definition in rows}
    return Content(count_rows(), list(Rating.objects.order_by("pk").values_list()), schema)


@pytest.fixture
def before(backup) -> Content:
    return content()


def test_rows_files_triggers_and_constraints_are_restored(backup, before, empty_site):
    default_storage.save(next(iter(check_archive(backup).files)), ContentFile(b"half, of an interrupted restore"))
    manifest = restore_backup(backup)
    assert content().schema ^ before.schema == set()
    assert content() == before
    assert manifest.rows == before.rows and before.rows["annotation_rating"] > 0
    assert find_tally_differences() == []
    assert Upload.objects.get().file.read() == CONTENT
    # Triggers work, and new keys follow the old ones.
    tallied = sum(Tally.objects.values_list("n", flat=True))
    Rating.objects.order_by("pk").last().delete()
    assert sum(Tally.objects.values_list("n", flat=True)) == tallied - 1
    newest = User.objects.latest("pk").pk
    assert User.objects.create(username="new").pk > newest
    with pytest.raises(IntegrityError, match="violates check constraint"):
        Job.objects.create(kind="count", state="unknown")


@pytest.fixture
def judged(site, tmp_path) -> Path:
    """Write an encrypted backup of a site with a sample, and a judge with a stored key that has rated a project."""
    with fake_endpoint() as endpoint:
        settings = Judge(name="small", base_url=endpoint.url, model="tiny")
        judge, _is_new = create_judge(settings, key="sk-secret")
        project = Project.objects.get()
        run_judge(judge, project, RunLimits(limit=2))
        create_project("part", project.dataset, project.protocol, sampling_design="uniform", sample_size=2)
    with whole_file(tmp_path / "judged") as file:
        write_backup(file, "correct horse")
    return tmp_path / "judged"


def test_judges_and_their_keys_are_restored_from_an_encrypted_backup_by_its_passphrase(judged, empty_site, settings):
    with pytest.raises(Refused, match="is encrypted: set BACKUP_PASSPHRASE"):
        restore_backup(judged)
    with pytest.raises(Refused, match="the passphrase is wrong"):
        restore_backup(judged, "another")
    manifest = restore_backup(judged, "correct horse")
    tables = ("judge", "judgerun", "judgecall", "verdict")
    assert [manifest.rows[f"annotation_{table}"] for table in tables] == [1, 1, 2, 2]
    assert count_rows() == manifest.rows
    assert SampledItem.objects.filter(project__slug="part", is_drawn=True).count() == 2
    judge = find_judge("small")
    assert key_of(judge) == "sk-secret"
    settings.SECRET_KEY = "the-key-of-another-site-which-cannot-decrypt-it"
    with pytest.raises(ModelError, match="key of small@1 cannot be decrypted with this SECRET_KEY"):
        key_of(judge)


def test_data_is_replaced_only_when_asked(backup, before):
    Rating.objects.all().delete()
    User.objects.create(username="later")
    with pytest.raises(Refused, match=r"the database has data, and nothing was changed.*--replace"):
        restore_backup(backup)
    assert User.objects.filter(username="later").exists()
    connection.cursor().execute("CREATE TABLE newer (id int)")
    connection.cursor().execute("CREATE VIEW view_of_newer AS SELECT * FROM newer")
    restore_backup(backup, replace=True)
    assert content() == before


@pytest.mark.parametrize("failing", ["pg_restore", "psql"])
def test_a_failure_in_the_middle_changes_no_row(backup, before, monkeypatch, tmp_path, failing):
    own, program = restore.program_path, tmp_path / failing
    if failing == "pg_restore":
        program.write_text(f"#!/bin/sh\n{own(failing)} \"$@\" | head -c 200000\necho 'it broke' >&2\nexit 1\n")
    else:
        program.write_text("#!/bin/sh\nhead -c 100000 > /dev/null\necho 'it broke' >&2\nexit 3\n")
    program.chmod(0o755)
    monkeypatch.setattr(restore, "program_path", lambda name: str(program) if name == failing else own(name))
    with pytest.raises(Refused, match=r"the database was not changed.*it broke"):
        restore_backup(backup, replace=True)
    assert content() == before


DAMAGES = [
    (lambda data: data[: len(data) // 2], "damaged|incomplete"),
    (lambda data: data[:2000] + bytes([data[2000] ^ 1]) + data[2001:], "the file uploads/.* is damaged"),
    (lambda data: data.replace(b"PGDMP", b"PGDMQ"), "the dump of the database is damaged"),
    (lambda data: b"no tar" * 1000, "is not a backup"),
    (lambda data: b"", "is not a backup"),
]


def test_damaged_and_newer_backups_and_a_database_in_use_are_refused_before_anything_is_changed(
    backup, before, monkeypatch
):
    with tarfile.open(backup) as tar:
        assert tar.getnames()[-2:] == ["database/00000001", "manifest.json"]
        assert tar.extractfile("database/00000001").read(5) == b"PGDMP"
    whole, manifest = backup.read_bytes(), check_archive(backup)
    for change, problem in DAMAGES:
        backup.write_bytes(change(whole))
        with pytest.raises(Refused, match=problem):
            restore_backup(backup, replace=True)
    backup.write_bytes(whole)
    with closing(connection.copy()) as other:
        other.cursor().execute("SELECT 1")
        with pytest.raises(Refused, match="1 other connections use the database, and nothing was changed: stop web"):
            restore_backup(backup, replace=True)
    monkeypatch.setattr(restore, "__version__", "0.1")
    with pytest.raises(Refused, match=r"is of Factuary .*, and this is 0.1: restore it with that version"):
        restore_backup(backup, replace=True)
    monkeypatch.undo()
    manifest.migrations.append("annotation.9999_newer")
    with pytest.raises(Refused, match="restore it with that version"):
        restore.refuse_newer(backup, manifest)
    assert content() == before


def test_a_dump_of_several_parts_is_one_again(monkeypatch, tmp_path):
    monkeypatch.setattr("annotation.backup.archive.PART", 10)
    sink = io.BytesIO()
    member = ArchiveWriter(sink).add_database([b"0123456", b"789abcdef", b"ghijklmnopqrstuvwxyz"])
    assert member.size == 36


@pytest.fixture
def during(site, tmp_path, monkeypatch) -> Path:
    """Write a backup while a rating is deleted: after the rows were counted and before they are dumped."""
    names, before = create.stored_names, Rating.objects.count()

    def delete_one() -> list[str]:
        with closing(connection.copy()) as other:
            other.cursor().execute("DELETE FROM annotation_rating WHERE id = (SELECT max(id) FROM annotation_rating)")
        return names()

    monkeypatch.setattr(create, "stored_names", delete_one)
    with whole_file(tmp_path / "during") as file:
        manifest = write_backup(file)
    assert (manifest.rows["annotation_rating"], Rating.objects.count()) == (before, before - 1)
    return tmp_path / "during"


def test_a_backup_is_of_one_moment(during, empty_site):
    manifest = restore_backup(during)
    assert count_rows() == manifest.rows
    assert find_tally_differences() == []


def test_a_full_disk_leaves_nothing_to_write_later(site):
    class FullDisk:
        written = closed = 0

        def write(self, data: bytes) -> None:
            if self.closed:
                raise AssertionError("written after the end")
            self.written += len(data)
            if self.written > 20_000:
                raise OSError(28, "No space left on device")

    disk = FullDisk()
    with pytest.raises(OSError, match="No space left"):
        write_backup(disk)
    disk.closed = 1
    gc.collect()  # a tar that was not abandoned would write its end now, and the failure would be a warning of pytest
    assert disk.written > 20_000

"""The bundle from the command line."""

import io
import zipfile
from uuid import uuid4

import pytest
from django.core.management import call_command

from annotation import reporting
from annotation.models import Job
from annotation.reporting import Choices
from tests.seeds import seeded

pytestmark = [pytest.mark.django_db, pytest.mark.seeded]


def names(path) -> set[str]:
    with zipfile.ZipFile(io.BytesIO(path.read_bytes())) as archive:
        return {name.split("/", 1)[1] for name in archive.namelist()}


def test_a_bundle_has_the_newest_report_and_a_project_without_one_has_none(tmp_path):
    path = tmp_path / "bundle.zip"
    with pytest.raises(SystemExit):
        call_command("export_bundle", project="other", output=path)
    assert not path.exists()
    call_command("export_bundle", project="june", output=path)
    assert {"report.json", "ratings.csv", "SHA256SUMS"} <= names(path)


def test_a_report_by_its_id_or_that_of_its_job(tmp_path, capsys):
    project, path = seeded("june"), tmp_path / "bundle.zip"
    older = project.reports.get()
    reporting.freeze(project, Choices(resamples=100, seed=2))
    job = Job.objects.create(kind=reporting.FREEZE, project=project, report=older)
    for public_id in (older.public_id, job.public_id):
        call_command("export_bundle", project="june", report=str(public_id), output=path)
        assert f"report {older.public_id}" in capsys.readouterr().err
    for unknown in ("newest", str(uuid4())):
        with pytest.raises(SystemExit):
            call_command("export_bundle", project="june", report=unknown, output=path)
        assert f"has no frozen report '{unknown}'" in capsys.readouterr().err


def test_a_data_set_folder(tmp_path):
    path = tmp_path / "dataset.zip"
    call_command("export_bundle", project="june", dataset=True, output=path)
    assert {"README.md", "data/ratings.parquet"} <= names(path)

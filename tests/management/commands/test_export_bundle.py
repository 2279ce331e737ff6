"""The bundle from the command line."""

import io
import zipfile
from uuid import uuid4

import pytest
from django.core.management import call_command

from annotation import reporting
from annotation.models import Job, Report
from annotation.reporting import Choices
from tests.reporting.project_rows import project_of, worked_example

pytestmark = pytest.mark.django_db


def names(path) -> set[str]:
    with zipfile.ZipFile(io.BytesIO(path.read_bytes())) as archive:
        return {name.split("/", 1)[1] for name in archive.namelist()}


def test_a_bundle_of_the_newest_report_or_of_a_new_one(tmp_path):
    project = project_of(worked_example())
    path = tmp_path / "bundle.zip"
    with pytest.raises(SystemExit):
        call_command("export_bundle", project="june", output=path)
    assert not path.exists()
    reporting.freeze(project, Choices(resamples=100))
    call_command("export_bundle", project="june", output=path)
    assert {"report.json", "ratings.csv", "SHA256SUMS"} <= names(path)
    assert Report.objects.count() == 1


def test_a_report_by_its_id_or_that_of_its_job(tmp_path, capsys):
    project, path = project_of(worked_example()), tmp_path / "bundle.zip"
    older = reporting.freeze(project, Choices(resamples=100))
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
    project_of(worked_example())
    path = tmp_path / "dataset.zip"
    call_command("export_bundle", project="june", dataset=True, output=path)
    assert {"README.md", "data/ratings.parquet"} <= names(path)

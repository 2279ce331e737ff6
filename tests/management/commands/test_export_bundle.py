"""The bundle from the command line."""

import io
import zipfile

import pytest
from django.core.management import call_command

from annotation import reporting
from annotation.models import Report
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


def test_a_data_set_folder(tmp_path):
    project_of(worked_example())
    path = tmp_path / "dataset.zip"
    call_command("export_bundle", project="june", dataset=True, output=path)
    assert {"README.md", "data/ratings.parquet"} <= names(path)

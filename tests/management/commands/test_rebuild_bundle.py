"""A bundle is verified with a PostgreSQL of its own."""

import json
import zipfile
from pathlib import Path

import pytest
from django.db import connection

from annotation.models import Project
from tests.exporting.bundles import emptied_database
from tests.management.command_runs import run

BUNDLE = Path(__file__).parents[3] / "fixtures" / "0.7.1" / "bundle.zip"


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("as_owner")
def test_it_prints_what_it_found_and_leaves_the_site_alone(capsys):
    own = dict(connection.settings_dict)
    code, out, err = run(capsys, "rebuild_bundle", BUNDLE)
    assert code == 0, err  # a slow machine logs slow queries
    assert [line.split()[0] for line in out.splitlines()] == ["equal", "explained", "explained", "explained", "equal"]
    assert connection.settings_dict == own and not Project.objects.exists()


@pytest.mark.django_db
def test_a_difference_is_named_and_the_exit_code_is_1(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr("annotation.management.commands.rebuild_bundle.scratch_site", emptied_database)
    with zipfile.ZipFile(BUNDLE) as archive:
        archive.extractall(tmp_path)
    path = next(tmp_path.iterdir()) / "report.json"
    report = json.loads(path.read_text(encoding="utf-8"))
    report["overall"]["measures"]["accurate"]["k"] -= 1
    path.write_text(json.dumps(report), encoding="utf-8")
    code, out, err = run(capsys, "rebuild_bundle", path.parent)
    assert code == 1 and err.endswith("4 differences that nothing explains\n")
    assert "differs     report.json differs from its checksum" in out and "accurate / k is" in out


def test_a_file_that_is_no_bundle_is_one_line(capsys, tmp_path):
    (tmp_path / "some.zip").write_bytes(b"PK")
    code, out, err = run(capsys, "rebuild_bundle", tmp_path / "some.zip")
    assert (code, out) == (1, "") and err.endswith("create it again\n") and "some.zip: this is not a zip archive" in err

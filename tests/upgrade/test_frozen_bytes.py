"""Reports and exports of data of 0.7.1: byte for byte those of 0.7.1, except for the versions of the software.

A method that changes on purpose changes what is recorded: `fixtures/0.7.1/README.md` says how to record a study anew.
"""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from annotation import reporting
from annotation.models import Project
from annotation.reporting import Choices
from annotation.reporting.report import Report
from tests.database_time import set_database_time
from tests.exporting.bundles import frozen, run, unpacked
from tests.upgrade.public_studies import SHARED_STUDIES, digest_of
from tests.upgrade.recorded import RECORDED, first_difference, first_different_key, outputs_of
from tests.upgrade.studies import SHARED, STUDIES, Study

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def day_of_the_recording(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the clock to the day of the recording: a report has weeks, and ratings may get the time of their import."""
    set_database_time(monkeypatch, datetime(2026, 11, 22, 12, tzinfo=UTC))


@pytest.fixture(autouse=True)
def one_report_for_all_formats(monkeypatch: pytest.MonkeyPatch) -> None:
    """Build the report of the same choices once: its formats are written from it."""
    build, built = reporting.build, dict[tuple[int, Choices], Report]()

    def build_once(project: Project, choices: Choices, **options: Any) -> Report:
        key = (project.pk, choices)
        if key not in built:
            built[key] = build(project, choices, **options)
        return built[key]

    monkeypatch.setattr(reporting, "build", build_once)


def load(study: Study, folder: Path) -> None:
    for arguments in study.commands(folder):
        call_command(*arguments)


def output_now(study: Study, output: str, folder: Path) -> str:
    path = folder / "output"
    call_command(*study.arguments(output), "--output", str(path))
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.slug)
def test_the_outputs_of_a_study_have_the_bytes_that_0_7_1_wrote(study: Study, tmp_path: Path) -> None:
    before = outputs_of(study.slug)
    assert list(before) == list(study.outputs)
    load(study, tmp_path)
    for output in study.outputs:
        differs = first_difference(before[output], output_now(study, output, tmp_path))
        assert differs is None, f"{study.slug}: {output}: {differs}"
    if study.slug == "facts":  # and the program of a bundle finds its figures
        done = run(unpacked(frozen(Project.objects.get(slug="facts")), tmp_path / "bundle", tables=False))
        assert done.returncode == 0, done.stdout


if SHARED.is_dir():  # collected only where the data is

    @pytest.mark.exhaustive
    @pytest.mark.parametrize("study", SHARED_STUDIES, ids=lambda study: study.slug)
    def test_the_reports_of_public_data_have_the_bytes_that_0_7_1_wrote(study: Study, tmp_path: Path) -> None:
        before = json.loads((RECORDED / "shared-data.json").read_text())[study.slug]
        load(study, tmp_path)
        for output in study.outputs:
            now = digest_of(output_now(study, output, tmp_path))
            differing = [part for part in before[output] if before[output][part] != now.get(part)]
            assert differing == [], f"{study.slug}: {output}: these parts differ"


@pytest.mark.parametrize(
    ("now", "says"),
    [
        ({"a": [{"b": 1}, {"b": 2}]}, None),
        ({"a": [{"b": 1}, {"b": 2.0}]}, "report.a[1].b is 2 in 0.7.1, 2.0 now"),
        ({"a": [{"b": 1}]}, "report.a has 2 entries in 0.7.1, 1 now"),
        ({"a": [{"c": 1}, {"b": 2}]}, "report.a[0] has the keys ['b'] in 0.7.1, ['c'] now"),
        ({"a": None}, "report.a is [{'b': 1}, {'b': 2}] in 0.7.1, None now"),
    ],
)
def test_the_first_key_that_differs_is_named(now: dict, says: str | None) -> None:
    assert first_different_key({"a": [{"b": 1}, {"b": 2}]}, now) == says

"""The programs of a bundle find a report's means over responses in its ratings: precision, recall, F1 and score."""

import json

import pytest

from annotation.importing import load_ratings
from annotation.models import Project, Report
from annotation.reporting import Choices
from tests.exporting.test_bundle import frozen, run, unpacked
from tests.reporting.compute.test_means import HERE, facts_project

pytestmark = pytest.mark.django_db


def facts_report() -> Report:
    project: Project = facts_project()
    load_ratings(HERE / "fact-ratings.jsonl", project)
    return frozen(project, Choices(resamples=200))


def test_a_bundle_of_facts_recomputes_its_means(tmp_path):
    folder = unpacked(facts_report(), tmp_path)
    assert (folder / "means.csv").read_text(encoding="utf-8").splitlines()[1:4] == [
        '"fact_precision","supported_by_reference","","",""',
        '"fact_recall","supported_by_response","","",""',
        '"fact_f1","supported_by_reference","","",""',
    ]
    ended = run(folder)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    cells = [report["overall"], *report["systems"], *(cell for cells in report["by"].values() for cell in cells)]
    assert int(ended.stdout.split()[0]) >= sum(4 * len(cell["means"]) + 6 * len(cell["measures"]) for cell in cells)


@pytest.mark.parametrize("program", ["recompute.py"])
def test_a_mean_that_differs_is_named(tmp_path, program):
    folder = unpacked(facts_report(), tmp_path)
    path = folder / "protocol.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("part = 0.5", "part = 0.75"), encoding="utf-8")
    ended = run(folder, program)
    assert ended.returncode == 1
    assert "overall / means / human_f1 / value is" in ended.stdout

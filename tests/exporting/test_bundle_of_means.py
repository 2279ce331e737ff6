"""The program of a bundle finds a report's means over responses in its ratings: precision, recall, F1 and score."""

import pytest

from tests.exporting.bundles import facts_report, read_report, run, unpacked

pytestmark = pytest.mark.django_db


def test_a_bundle_of_facts_recomputes_its_means_and_names_one_that_differs(tmp_path):
    folder = unpacked(facts_report(), tmp_path)
    assert (folder / "means.csv").read_text(encoding="utf-8").splitlines()[1:4] == [
        '"fact_precision","supported_by_reference","","",""',
        '"fact_recall","supported_by_response","","",""',
        '"fact_f1","supported_by_reference","","",""',
    ]
    done = run(folder)
    assert done.returncode == 0, done.stdout
    report = read_report(folder)
    cells = [report["overall"], *report["systems"], *(cell for cells in report["by"].values() for cell in cells)]
    assert int(done.stdout.split()[0]) >= sum(4 * len(cell["means"]) + 6 * len(cell["measures"]) for cell in cells)
    path = folder / "protocol.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("part = 0.5", "part = 0.75"), encoding="utf-8")
    done = run(folder)
    assert done.returncode == 1
    assert "overall / means / human_f1 / value is" in done.stdout

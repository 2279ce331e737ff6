"""The program of a bundle finds means over responses, and wins and losses of pairs, in the ratings."""

import pytest

from annotation.exporting.rating_inclusion import InclusionReader
from annotation.reporting import Choices, build
from tests.exporting.bundles import facts_report, frozen, read_report, run, unpacked
from tests.importing.lfqa_files import experts

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


def test_a_bundle_of_pairs_recomputes_and_a_choice_of_pairs_goes_by_their_one_name_whichever_way_turned(tmp_path):
    project = experts()
    folder = unpacked(frozen(project), tmp_path, tables=False)
    assert '"human vs model"' in (folder / "report.json").read_text(encoding="utf-8")
    done = run(folder)
    assert (done.returncode, " 0 differ" in done.stdout) == (0, True), done.stdout
    choices = Choices(resamples=100, systems=("human vs model",))
    assert build(project, choices).data.ratings == 4
    rating = {"system": "model", "against_system": "human", "prompt": "q", "role": "rater", "seconds": None}
    rating |= {"rater_name": "ravi", "document": None}
    (columns,) = InclusionReader(project, choices).columns_of([rating])
    expected = {"in_report": True, "report_system": "human vs model", "is_turned": True, "cluster": "prompt q"}
    assert columns == expected

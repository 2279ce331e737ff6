"""The programs of a bundle find a report's wins and losses in its ratings, whichever way a pair is turned."""

import pytest

from annotation.exporting.rating_inclusion import InclusionReader
from annotation.reporting import Choices, build
from tests.exporting.test_bundle import frozen, run, unpacked
from tests.importing.test_lfqa_eval import experts

pytestmark = pytest.mark.django_db


def test_a_bundle_of_pairs_recomputes(tmp_path):
    project = experts()
    report = frozen(project, Choices(resamples=200))
    folder = unpacked(report, tmp_path)
    assert '"human vs model"' in (folder / "report.json").read_text(encoding="utf-8")
    ended = run(folder)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert " 0 differ" in ended.stdout


def test_a_choice_of_pairs_goes_by_their_one_name():
    project = experts()
    choices = Choices(resamples=200, systems=("human vs model",))
    assert build(project, choices).data.ratings == 4
    rating = {"system": "model", "against_system": "human", "prompt": "q", "role": "rater", "seconds": None}
    rating |= {"rater_name": "ravi", "document": None}
    (columns,) = InclusionReader(project, choices).columns_of([rating])
    assert columns == {
        "in_report": True,
        "report_system": "human vs model",
        "is_turned": True,
        "cluster": "prompt q",
    }

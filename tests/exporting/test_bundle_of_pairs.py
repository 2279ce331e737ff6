"""The program of a bundle finds a report's wins and losses in its ratings, whichever way a pair is turned."""

import pytest

from annotation.exporting.rating_inclusion import InclusionReader
from annotation.reporting import Choices, build
from tests.exporting.bundles import frozen, run, unpacked
from tests.importing.lfqa_files import experts

pytestmark = pytest.mark.django_db


def test_a_bundle_of_pairs_recomputes_and_a_choice_of_pairs_goes_by_their_one_name(tmp_path):
    project = experts()
    folder = unpacked(frozen(project), tmp_path)
    assert '"human vs model"' in (folder / "report.json").read_text(encoding="utf-8")
    done = run(folder)
    assert done.returncode == 0, done.stdout
    assert " 0 differ" in done.stdout
    choices = Choices(resamples=100, systems=("human vs model",))
    assert build(project, choices).data.ratings == 4
    rating = {"system": "model", "against_system": "human", "prompt": "q", "role": "rater", "seconds": None}
    rating |= {"rater_name": "ravi", "document": None}
    (columns,) = InclusionReader(project, choices).columns_of([rating])
    expected = {"in_report": True, "report_system": "human vs model", "is_turned": True, "cluster": "prompt q"}
    assert columns == expected

"""The public raw annotations of lfqa_eval: every pair is found, and agreement is what was published."""

import pytest

from annotation.importing import load_dataset, load_ratings
from annotation.models import Dataset, Item, Prompt
from annotation.projects.create import create_project
from annotation.reporting.build import build
from annotation.reporting.choices import Choices
from tests.cast import newest_version

from .files import SHARED

RAW = SHARED / "lfqa_eval" / "raw_annotation_data"
LISTS = sorted((RAW / "Annotated_Dataset").glob("*.json"))
TABLES = sorted((RAW / "Label_Studio").glob("*.tsv"))
KAPPA = {"Biology": 0.5200, "History": 0.6475, "Economics": 0.4000, "Physics": 0.4987}
"""Published as .520, .648 (.64747 to more digits, so .647 rounded once), .400 and .499."""
pytestmark = pytest.mark.django_db

if RAW.is_dir():

    def test_thirteen_experts_judged_140_pairs_and_agree_as_published():
        counts = load_dataset("lfqa_eval", [*LISTS, *TABLES], "experts")
        assert counts.totals["prompts"] == 140 and counts.totals["responses"] == 280
        assert counts.excluded.counts["identical row"] == 260 + 140 - 140
        assert counts.excluded.counts["another system's name for the same answer"] == 2 * 2
        assert Item.objects.filter(unit="pair").count() == 140
        assert set(Prompt.objects.values_list("metadata__field", flat=True)) == {
            *KAPPA, "Chemistry", "Law", "TechCS",
        }  # fmt: skip
        project = create_project("experts", Dataset.objects.get(slug="experts"), newest_version("pairwise-preference"))
        for path in LISTS:
            assert load_ratings(path, project, format="lfqa_eval").new == 20
        for field, kappa in KAPPA.items():
            report = build(project, Choices(resamples=100, metadata=(("field", (field,)),)))
            assert report.data.items == 20
            assert round(report.agreement["preference"].fleiss_kappa, 4) == kappa
        whole = build(project, Choices(resamples=100))
        assert whole.data.ratings == 260 and whole.data.raters == 12
        measures = {cell.system: cell.measures for cell in whole.systems}
        assert list(measures) == ["human vs human-fewer-upvotes", "human vs model"]
        for measure in measures.values():
            win, loss, tie = (measure[key] for key in ("win", "loss", "tie"))
            assert win.k + loss.k == win.n and tie.k == 0
            assert win.low < win.value < win.high and win.method == "bca"

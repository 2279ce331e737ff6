"""The public files of ExpertQA, where they are beside the checkout: what comes in, is reported, and goes out again."""

import gzip
import json
from collections import Counter

import pytest
from django.db import connection

from annotation.exporting.datasets import DatasetExport
from annotation.importing import load_dataset, load_ratings
from annotation.models import Dataset, Item, Project
from annotation.projects.create import create_project
from annotation.protocols import builtin
from annotation.reporting.build import build
from annotation.reporting.choices import Choices
from annotation.reporting.report import Cell, Report
from tests.cast import newest_version
from tests.importing.files import SHARED

FILES = sorted((SHARED / "expertqa").glob("r2-shape.*.jsonl.gz"))
LABELS = {
    "support": {"Complete": 1587, "Missing": 482, "Incomplete": 448, "Partial": 142, "N/A": 123},
    "correctness": {
        "Definitely correct": 1540, "Probably correct": 825, "Unsure": 268, "Definitely incorrect": 86,
        "Likely incorrect": 63,
    },
    "informativeness": {"Very relevant": 1719, "A bit relevant": 616, "Uninformative": 237, "Not too important": 210},
    "worthiness": {"Yes": 2190, "No": 592},
    "reliability": {
        "Reliable": 1111, "Somewhat reliable": 788, "Missing": 560, "Not reliable at all": 200, "N/A": 123
    },
    "usefulness": {"Useful": 382, "Partially useful": 78, "Not useful at all": 18},
}  # fmt: skip

if FILES:

    @pytest.fixture
    def loaded(db: None) -> Project:
        """Load all four files with their annotations."""
        load_dataset("expertqa", FILES, "expertqa")
        project = create_project("expertqa", Dataset.objects.get(slug="expertqa"), newest_version("claim-attribution"))
        for path in FILES:
            load_ratings(path, project, format="expertqa")
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # autovacuum does not see the rows of an open transaction
        return project

    def rows() -> list[tuple[str, dict]]:
        """Return line and content of every distinct row, in the order of the files."""
        texts = (gzip.decompress(path.read_bytes()).decode() for path in FILES)
        lines = dict.fromkeys(line + "\n" for text in texts for line in text.split("\n") if line)
        return [(line, json.loads(line)) for line in lines]

    def test_what_comes_in_is_counted_reported_and_goes_out_again(loaded: Project) -> None:
        check_what_came_in()
        check_the_report(build(loaded, Choices(resamples=100)))
        assert b"".join(DatasetExport(loaded, "expertqa")).decode() == "".join(line for line, _ in rows())

    def check_what_came_in() -> None:
        """Check that every distinct row is a prompt with one response and its claims."""
        counts = load_dataset("expertqa", FILES, "expertqa").as_json()
        totals = {"documents": 0, "prompts": 479, "responses": 479, "items": 2788}
        assert counts == {**totals, "left_out": {"identical row": 406}, "new": 0}
        assert Item.objects.filter(unit="claim", start=None).count() == 153
        assert all(item.text == item.response.text[item.start : item.end] for item in placed())

    def placed() -> list[Item]:
        return list(Item.objects.filter(unit="claim", start__isnull=False).select_related("response"))

    def check_the_report(report: Report) -> None:
        """Check that the report has the published counts of every label, by system and field too."""
        assert in_labels(report.overall) == LABELS
        assert report.data.raters == 321
        for key, counts in (
            ("field", lambda row: row["metadata"]["field"]),
            ("systems", lambda row: next(iter(row["answers"]))),
        ):
            cells = report.systems if key == "systems" else report.by[key]
            support = {cell.system or cell.value: in_labels(cell)["support"] for cell in cells}
            assert support == supports(counts)

    def in_labels(cell: Cell) -> dict[str, dict[str, int]]:
        shares = {"support": cell.options, **cell.questions}
        return {
            key: {builtin()["claim-attribution"].question(key).option(option).label: n for option, n in count.items()}
            for key, count in shares.items()
        }

    def supports(shares_of) -> dict[str, dict[str, int]]:
        """Count the labels of support in the files."""
        counts: dict[str, Counter[str]] = {}
        for _, row in rows():
            for answer in row["answers"].values():
                count = counts.setdefault(shares_of(row), Counter(dict.fromkeys(LABELS["support"], 0)))
                count.update(claim["support"] for claim in answer["claims"] if claim["support"])
        return {key: dict(count) for key, count in counts.items()}

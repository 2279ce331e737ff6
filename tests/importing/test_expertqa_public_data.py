"""The public files of ExpertQA, where they are beside the checkout: what comes in, is reported, and goes out again."""

import gzip
import json

from django.db import connection

from annotation.exporting.datasets import DatasetExport
from annotation.importing import load_dataset, load_ratings
from annotation.models import Dataset, Item
from annotation.projects.create import create_project
from annotation.protocols import builtin
from annotation.reporting.build import build
from annotation.reporting.choices import Choices
from annotation.reporting.report import Report
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

    def test_what_comes_in_is_counted_reported_and_goes_out_again(db: None) -> None:
        counts = load_dataset("expertqa", FILES, "expertqa").as_json()
        totals = {"documents": 0, "prompts": 479, "responses": 479, "items": 2788}
        assert counts == {**totals, "left_out": {"identical row": 406}, "new": 958}
        claims = Item.objects.filter(unit="claim").select_related("response")
        assert claims.filter(start=None).count() == 153
        assert all(each.text == each.response.text[each.start : each.end] for each in claims.exclude(start=None))
        project = create_project("expertqa", Dataset.objects.get(slug="expertqa"), newest_version("claim-attribution"))
        for path in FILES:
            load_ratings(path, project, format="expertqa")
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # autovacuum does not see the rows of an open transaction
        check_the_report(build(project, Choices(resamples=100)))
        assert b"".join(DatasetExport(project, "expertqa")).decode() == "".join(line for line, _ in rows())

    def rows() -> list[tuple[str, dict]]:
        """Return line and content of every distinct row, in the order of the files."""
        texts = (gzip.decompress(path.read_bytes()).decode() for path in FILES)
        lines = dict.fromkeys(line + "\n" for text in texts for line in text.split("\n") if line)
        return [(line, json.loads(line)) for line in lines]

    def check_the_report(report: Report) -> None:
        """Check that the report has the published counts of every label."""
        assert report.data.raters == 321
        protocol = builtin()["claim-attribution"]
        shares = {"support": report.overall.options, **report.overall.questions}
        assert {
            key: {protocol.question(key).option(option).label: n for option, n in count.items()}
            for key, count in shares.items()
        } == LABELS

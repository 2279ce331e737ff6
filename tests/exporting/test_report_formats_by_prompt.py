"""Tables with prompts as units beside those of documents."""

import csv
import io

import pytest

from annotation.exporting.report_formats import render
from annotation.reporting.text.figure_format import interval
from tests.reporting.project_rows import documents_of_prompts, project_of, report_of, two_systems

pytestmark = pytest.mark.django_db


def test_both_tables_have_the_bounds_by_prompt_also_as_tidy_rows():
    """The report of 60 prompts about 12 documents, which are its units."""
    project = documents_of_prompts(project_of(two_systems(60)), {f"q{n:03}": f"d{n // 5:02}" for n in range(60)})
    report = report_of(project)
    text = render(report, "markdown")
    table = text.partition("## Proportions by system, prompts as units")[2].partition("\n## ")[0]
    bounds = report.systems[0].measures["accurate"].by_prompt
    assert f"66.7 % [{interval(bounds.low, bounds.high)}]" in table
    assert "further prompts about these documents" in table
    assert "## Differences between systems, prompts as units" in text
    rows = list(csv.DictReader(io.StringIO(render(report, "csv"))))
    (row,) = [r for r in rows if (r["table"], r["system"], r["key"]) == ("systems_by_prompt", "heron", "accurate")]
    assert float(row["low"]) == bounds.low
    assert {r["system"] for r in rows if r["table"] == "comparisons_by_prompt"} == {"heron"}
    assert "prompts as units" not in render(report_of(project, cluster="prompt"), "markdown")

"""Tables with prompts as units beside those of documents."""

import csv
import io

import pytest

from annotation.exporting.report_formats import render
from annotation.reporting.text.figure_format import interval
from tests.reporting.project_rows import documents_of_prompts, project_of, report_of, two_systems

pytestmark = pytest.mark.django_db


def test_both_tables_have_the_bounds_by_prompt_also_as_tidy_rows():
    """The report of 120 prompts about 24 documents, which are its units."""
    rows = two_systems()
    documents = {row.prompt: f"d{int(row.prompt[1:]) // 5:02}" for row in rows}
    report = report_of(documents_of_prompts(project_of(rows), documents))
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
    of_prompts = report_of(project_of(two_systems(), "apart"))
    assert "prompts as units" not in render(of_prompts, "markdown")

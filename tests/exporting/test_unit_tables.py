"""Tables with prompts as units beside those of documents."""

import csv
import io

import pytest

from annotation.exporting.report_formats import render
from annotation.reporting.text.figure_format import interval
from tests.reporting.project_rows import documents_of_prompts, project_of, report_of, two_systems

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def report(module_rows):
    """Return the report of 120 prompts about 24 documents, which are its units."""
    rows = two_systems()
    return report_of(documents_of_prompts(project_of(rows), {r.prompt: f"d{int(r.prompt[1:]) // 5:02}" for r in rows}))


def test_both_tables_have_the_bounds_by_prompt(report):
    text = render(report, "markdown")
    table = text.partition("## Proportions by system, prompts as units")[2].partition("\n## ")[0]
    bounds = report.systems[0].measures["accurate"].by_prompt
    assert f"66.7 % [{interval(bounds.low, bounds.high)}]" in table
    assert "further prompts about these documents" in table
    assert "## Differences between systems, prompts as units" in text


def test_the_tidy_rows_have_them_too(report):
    rows = list(csv.DictReader(io.StringIO(render(report, "csv"))))
    (row,) = [r for r in rows if (r["table"], r["system"], r["key"]) == ("systems_by_prompt", "heron", "accurate")]
    assert float(row["low"]) == report.systems[0].measures["accurate"].by_prompt.low
    assert {r["system"] for r in rows if r["table"] == "comparisons_by_prompt"} == {"heron"}


def test_reports_by_prompt_have_no_such_table(report):
    assert "prompts as units" not in render(report_of(project_of(two_systems(), "apart")), "markdown")

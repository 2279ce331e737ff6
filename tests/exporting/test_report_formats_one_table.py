"""One table of a report: its names, formats and styles."""

import json
import math

import pytest
from msgspec import structs

from annotation.exporting.report_formats import (
    STYLES,
    UnknownTable,
    filename,
    render,
    render_table,
    table_files,
    table_names,
)
from annotation.reporting.frozen_reports import stored_report
from annotation.reporting.parts import MeasureProportion
from annotation.reporting.provenance_record import FamilyTest
from annotation.reporting.report import Report
from annotation.reporting.sections.all_tables import shown_tables
from annotation.reporting.text.names import Names
from tests.exporting.bundles import csv_rows
from tests.reporting import report_builders
from tests.reporting.report_builders import PLAN, RECORD
from tests.seeds import seeded

pytestmark = [pytest.mark.django_db, pytest.mark.seeded]


NUMBERS = ("k", "n", "estimate", "low", "high", "deff", "icc", "p", "p_holm")


@pytest.fixture(scope="module")
def report(module_rows) -> Report:
    return stored_report(seeded("june").reports.get())


def test_every_table_has_a_name_and_every_format_and_others_are_refused(report):
    names = table_names(report)
    assert {"systems", "comparisons", "agreement", "ranks", "question_type", "system × question_type"} <= set(names)
    for name in names:
        for format in ("json", "csv", "markdown", "latex", "html"):
            assert render_table(report, name, format)
    with pytest.raises(UnknownTable, match="no full table 'sytems': choose one of systems, comparisons, "):
        render_table(report, "sytems", "csv")
    with pytest.raises(UnknownTable, match="no compact table 'raters': choose one of systems, "):
        render_table(report, "raters", "csv", "compact")


def test_a_full_table_is_that_of_the_documents(report):
    assert render_table(report, "systems", "markdown").strip() in render(report, "markdown")
    grid = json.loads(render_table(report, "systems", "json"))
    assert grid["head"][1:6] == ["Accurate", "Inaccurate", "Severely inaccurate", "Disputed", "Unsupported"]
    assert all(len(row) == len(grid["head"]) for row in grid["rows"])


def test_a_table_as_csv_has_rows_of_the_report_and_plain_numbers(report):
    whole = csv_rows(render(report, "csv"))
    for name in table_names(report):
        rows = csv_rows(render_table(report, name, "csv"))
        assert rows and all(row in whole for row in rows), name
        for row in rows:
            numbers = [row[column] for column in NUMBERS if row[column]]
            assert all(math.isfinite(float(number)) for number in numbers), name
    compared = csv_rows(render_table(report, "comparisons", "csv"))
    assert [float(row["estimate"]) for row in compared] == [row.difference for row in report.comparisons]
    assert any(row["estimate"].startswith("-") for row in compared)


def test_answers_by_breakdown_and_large_breakdowns_are_tables_of_their_own(report):
    name = "answers to severity by question_type"
    assert name in table_names(report)
    assert {row["figure"] for row in csv_rows(render_table(report, name, "csv"))} == {"severity"}
    markdown = render_table(report, "options by question_type", "markdown")
    assert "| Question type | Accurate |" in markdown and "Distribution of answers by question type" in markdown
    cells = [structs.replace(report.by["question_type"][0], value=f"v{n:03}") for n in range(70)]
    large = structs.replace(report, by={"question_type": cells})
    assert "v069" in render_table(large, "question_type", "latex")
    assert "v069" not in render(large, "latex")


def test_a_bundle_has_the_same_tables_with_the_same_numbers_in_every_format(report):
    names: dict[str, set[str]] = {}
    for name, text in table_files(report):
        format, _, file = name.partition("/")
        names.setdefault(format, set()).add(file.rpartition(".")[0])
        if format == "csv":
            plain = file.partition("-")[2].rpartition(".")[0]  # of 10-system-question_type.csv
            table = next(name for name in table_names(report) if filename(name) == plain)
            assert text == render_table(report, table, "csv"), file
    assert names["csv"] == names["latex"] == names["markdown"] and len(names["csv"]) > 15
    assert len({name.partition("-")[0] for name in names["csv"]}) == len(names["csv"])


def test_ranks_are_in_a_table_of_their_own_and_in_no_document(report):
    note = "A one-value rank interval does not imply a significant difference."
    assert note in render_table(report, "ranks", "markdown")
    for format in ("markdown", "latex", "html"):
        assert "Ranks of the systems" not in render(report, format)


def test_the_compact_table_has_one_figure_a_cell_and_is_not_scaled(report):
    text = render_table(report, "systems", "latex", "compact")
    alder = report.systems[0].measures["accurate"]
    half = 100 * (alder.high - alder.low) / 2
    assert rf"Alder & {100 * alder.value:.1f} $\pm$ {half:.1f} & " in text
    assert "interval, with prompts as sampling units." in text
    assert r"\begin{tabular}{@{}lrrr@{}}" in text and r"\toprule" in text and "resizebox" not in text
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") and text.count("{") == text.count("}")
    assert max(len(line) for line in text.splitlines() if line.endswith(r"\\")) < 100
    assert r"\resizebox" in render_table(report, "systems", "latex")


def test_differences_have_a_compact_table_that_names_the_family_of_the_plan(report):
    latex = render_table(report, "comparisons", "latex", "compact")
    assert r"\begin{tabularx}{\linewidth}{@{}XXrr@{}}" in latex and r"\usepackage{booktabs,tabularx}" in latex
    row = report.comparisons[0]
    line = render_table(report, "comparisons", "markdown", "compact").splitlines()[4]
    assert f"± {100 * (row.high - row.low) / 2:.1f} |" in line and f"| {row.a} − {row.b} |" in line
    plan = structs.replace(PLAN, family="report", family_size=9, tests=[FamilyTest("a", "b", "accurate", 0.01, 0.09)])
    record = structs.replace(RECORD, plan=plan)
    family = "The family of the analysis plan is all comparisons on all measures (9 tests)"
    for style in STYLES:
        text = render_table(report, "comparisons", "markdown", style, record)
        assert "adjusted over all pairs of a measure (Holm)" in text and family in text
        assert family not in render_table(report, "comparisons", "markdown", style)
        assert family not in render_table(report, "systems", "markdown", style, record)


def test_the_published_style_and_its_asymmetric_intervals():
    """86.9 ± 0.9 as published; an interval from 0.5 to 4.0 around 1.0 is named below the table."""
    bounds = {"a": (0.869, 0.860, 0.878), "b": (0.01, 0.005, 0.04)}
    measures = {
        name: MeasureProportion(value, 90, 100, *both, "bca", 1.0, None) for name, (value, *both) in bounds.items()
    }
    systems = [report_builders.cell({"accurate": measure}, name) for name, measure in measures.items()]
    table = next(shown_tables(report_builders.report(systems=systems), Names(None))).compact()
    assert table.texts == [["a", "86.9 ± 0.9"], ["b", "1.0 ± 1.8"]]
    assert "Asymmetric intervals: b, accurate: 0.5 – 4.0." in table.note
    assert "a, accurate" not in table.note

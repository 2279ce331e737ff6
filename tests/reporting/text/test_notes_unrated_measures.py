"""Measures that nobody has given a rating for have no column, and are named below the table."""

import pytest

from annotation.reporting.frozen_reports import stored_report
from annotation.reporting.report import Report
from annotation.reporting.sections.all_tables import shown_tables
from annotation.reporting.text.names import Names
from annotation.reporting.text.notes import without_unrated_measures
from annotation.web.reports.breakdowns import ReportView
from annotation.web.reports.sections import report_page
from tests.cast import article_accuracy
from tests.seeds import seeded

pytestmark = [pytest.mark.django_db, pytest.mark.seeded]


@pytest.fixture
def whole() -> Report:
    return stored_report(seeded("june").reports.get())


def without(report: Report, *measures: str) -> Report:
    report = report.to_dict()
    of_all = [report["overall"], *report["systems"], *(each for cells in report["by"].values() for each in cells)]
    for of_cell in of_all:
        for key in measures:
            of_cell["measures"][key] |= {"k": 0, "n": 0, "value": None, "low": None, "high": None}
    return Report.from_dict(report)


def test_they_have_no_column_in_any_table_of_page_and_files_and_are_named(whole):
    report, names = without(whole, "severely_inaccurate"), Names(article_accuracy().definition)
    page = report_page(report, names, ReportView())
    sections = {section.anchor: section for section in page["sections"]}
    assert "No column, because no rating is assessed: Severely inaccurate." in sections["proportions"].details
    assert sections["proportions"].tables[0].head[1:3] == ["Accurate", "Inaccurate"]
    assert "Severely inaccurate" not in sections["by"].tables[0].head
    measures = {row[0] for key in ("comparisons", "aggregations") for row in page["shown"][key].texts}
    assert measures == {"Accurate", "Inaccurate"}
    by_key = {grid.key: grid for grid in shown_tables(report, names)}
    assert not any("Severely inaccurate" in grid.head for grid in by_key.values())
    assert not any("Severely inaccurate" in row for key in ("aggregations", "ranks") for row in by_key[key].texts)
    assert "no rating is assessed: Severely inaccurate." in by_key["systems"].note


def test_where_all_are_rated_or_none_is_the_report_stays_as_it_is(whole):
    for unchanged in (whole, without(whole, *whole.overall.measures)):
        assert without_unrated_measures(unchanged) == (unchanged, [])

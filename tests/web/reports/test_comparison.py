"""Two frozen reports side by side."""

import re

import pytest

from annotation.models import Rating, Report
from annotation.reporting import Choices
from tests.exporting.bundles import csv_rows
from tests.exporting.bundles import frozen as freeze
from tests.seeds import seeded
from tests.web.pages import queries, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.seeded]
THERE = "/projects/june/reports/compare/"
PART = Choices(resamples=200, without_raters=("tom",), cluster="document")


@pytest.fixture
def newer(frozen) -> Report:
    """Return a report frozen after a rating was deleted."""
    Rating.objects.filter(project=frozen.project, answers__accuracy="accurate").first().delete()
    return freeze(frozen.project, Choices(resamples=200))


def query(a: Report, b: Report) -> str:
    return f"?a={a.public_id}&b={b.public_id}"


def test_what_differs_and_by_how_much_is_shown(lena, frozen, newer):
    text = text_of(lena.get(THERE + query(frozen, newer)))
    for part in ("Data SHA-256", "Data ratings 153 152", "Every measure", "All systems", "Krippendorff"):
        assert part in text, part
    assert "The same bytes" not in text
    for coefficient in ("Fleiss’ kappa", "Gwet’s AC1"):  # with three digits, as everywhere
        assert re.search(rf"{coefficient} −?\.\d{{3}} −?\.\d{{3}} [+−]?\.\d{{3}} ", text)
    assert "Data ratings 153 152" in text_of(lena.get(THERE)), "without being asked the two newest are compared"
    two = queries(lena, THERE + query(frozen, newer))
    Report.objects.create(project=frozen.project, document=frozen.document, data_sha256=frozen.data_sha256)
    assert queries(lena, THERE + query(frozen, newer)) == two, "whatever the number of reports"


def test_what_was_chosen_and_left_out_is_told_in_words(lena, frozen):
    part = freeze(frozen.project, PART)
    text = text_of(lena.get(THERE + query(frozen, part)))
    assert "Data not counted none 51 by raters excluded by name" in text
    assert "Filters raters excluded none without the ratings of tom" in text
    assert "Method cluster prompt document" in text
    assert f"{part.frozen_at:%Y}" in text
    assert "· without the ratings of tom; documents as the sampling unit · data" in text


def test_reports_with_the_same_bytes_are_said_to_be_the_same_and_one_is_not_compared(lena, frozen):
    assert "Two frozen reports are needed" in text_of(lena.get(THERE))
    again = Report.objects.create(project=frozen.project, document=frozen.document, data_sha256=frozen.data_sha256)
    assert "The same bytes." in text_of(lena.get(THERE + query(frozen, again)))
    assert "You chose the same report twice" in text_of(lena.get(THERE + query(again, again)))
    frozen.project.reports.all().delete()
    assert "Two frozen reports are needed" in text_of(lena.get(THERE))


def test_the_csv_has_both_values_and_the_change_with_all_digits(lena, frozen, newer):
    response = lena.get(f"{THERE}differences.csv{query(frozen, newer)}")
    rows = csv_rows(response.content.decode())
    overall = next(row for row in rows if (row["table"], row["system"], row["key"]) == ("measures", "", "accurate"))
    assert int(overall["old_k"]) - int(overall["new_k"]) == 1
    assert float(overall["change"]) == float(overall["new_value"]) - float(overall["old_value"])
    assert {row["table"] for row in rows} == {"origin", "measures", "agreement"}
    assert response.content.startswith(b'"table","system",')
    assert "attachment" in response["Content-Disposition"]


def test_reports_of_another_project_and_nonsense_are_not_found(lena, frozen):
    for a in (seeded("judged").reports.get().public_id, "nonsense"):
        for page in (THERE, f"{THERE}differences.csv"):
            assert lena.get(f"{page}?a={a}&b={frozen.public_id}").status_code == 404
    assert lena.get(f"{THERE}differences.csv").status_code == 404

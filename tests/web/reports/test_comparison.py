"""Two frozen reports side by side."""

import csv
import io
import re

import pytest
from django.test import Client

from annotation import reporting
from annotation.models import Rating
from annotation.reporting import Choices
from tests.cast import person
from tests.reporting.project_rows import project_of, worked_example
from tests.web.pages import queries, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
THERE = "/projects/june/reports/compare/"
FEW = Choices(resamples=100)


@pytest.fixture
def project():
    return project_of(worked_example())


@pytest.fixture
def lena(project) -> Client:
    client = Client()
    client.force_login(person("lena"))
    return client


def pair(project) -> str:
    """Return the query for the report before and after a rating was deleted."""
    a = reporting.freeze(project, FEW)
    Rating.objects.filter(project=project, answers__accuracy="accurate").first().delete()
    return f"?a={a.public_id}&b={reporting.freeze(project, FEW).public_id}"


def test_what_differs_and_by_how_much_is_shown(project, lena):
    text = text_of(lena.get(THERE + pair(project)))
    for part in ("Data SHA-256", "Data ratings 153 152", "Every measure", "All systems", "Krippendorff"):
        assert part in text, part
    assert "The same bytes" not in text


def test_coefficients_have_three_digits_as_everywhere_and_so_have_their_changes(project, lena):
    text = text_of(lena.get(THERE + pair(project)))
    assert re.search(r"Fleiss’ kappa −?\.\d{3} −?\.\d{3} [+−]?\.\d{3} ", text)
    assert re.search(r"Gwet’s AC1 −?\.\d{3} −?\.\d{3} [+−]?\.\d{3} ", text)


def test_what_was_chosen_and_left_out_is_told_in_words(project, lena):
    a = reporting.freeze(project, FEW)
    b = reporting.freeze(project, Choices(resamples=100, without_raters=("tom",), cluster="document"))
    text = text_of(lena.get(f"{THERE}?a={a.public_id}&b={b.public_id}"))
    assert "Data not counted none 51 by raters excluded by name" in text
    assert "Filters raters excluded none without the ratings of tom" in text
    assert "Method cluster prompt document" in text
    assert f"{b.frozen_at:%Y}" in text and "· without the ratings of tom; documents as the sampling unit · data" in text


def test_without_being_asked_the_two_newest_are_compared(project, lena):
    pair(project)
    assert "Data ratings 153 152" in text_of(lena.get(THERE))


def test_reports_with_the_same_bytes_are_said_to_be_the_same(project, lena):
    a, b = (reporting.freeze(project, FEW).public_id for _ in range(2))
    assert "The same bytes." in text_of(lena.get(f"{THERE}?a={a}&b={b}"))
    assert "You chose the same report twice" in text_of(lena.get(f"{THERE}?a={a}&b={a}"))


def test_with_fewer_than_two_reports_the_page_says_what_to_do(project, lena):
    assert "Two frozen reports are needed" in text_of(lena.get(THERE))
    reporting.freeze(project, FEW)
    assert "Two frozen reports are needed" in text_of(lena.get(THERE))


def test_the_csv_has_both_values_and_the_change_with_all_digits(project, lena):
    response = lena.get(f"{THERE}differences.csv{pair(project)}")
    rows = list(csv.DictReader(io.StringIO(response.content.decode(), newline="")))
    overall = next(row for row in rows if (row["table"], row["system"], row["key"]) == ("measures", "", "accurate"))
    assert int(overall["old_k"]) - int(overall["new_k"]) == 1
    assert float(overall["change"]) == float(overall["new_value"]) - float(overall["old_value"])
    assert {row["table"] for row in rows} == {"origin", "measures", "agreement"}
    assert response.content.startswith(b'"table","system",')
    assert "attachment" in response["Content-Disposition"]


def test_reports_of_another_project_and_nonsense_are_not_found(project, lena):
    other = reporting.freeze(project_of(worked_example()[:9], "other"), FEW)
    frozen = reporting.freeze(project, FEW)
    for a in (other.public_id, "nonsense"):
        assert lena.get(f"{THERE}?a={a}&b={frozen.public_id}").status_code == 404
        assert lena.get(f"{THERE}differences.csv?a={a}&b={frozen.public_id}").status_code == 404
    assert lena.get(f"{THERE}differences.csv").status_code == 404


def test_more_reports_take_no_more_queries(project, lena):
    query = pair(project)
    two = queries(lena, THERE + query)
    reporting.freeze(project, FEW)
    assert queries(lena, THERE + query) == two

"""The API of the quality of raters."""

import pytest

from annotation.reporting.live import live_figures
from annotation.reporting.sections.raters.figures import raters_of
from tests.api.clients import send
from tests.web.pages import rates

pytestmark = pytest.mark.django_db


def test_the_quality_of_raters_is_that_of_the_page(june, lena) -> None:
    for name in ("ravi", "rosa"):
        rates(june.people[name], june.project)
    status, answer = send(lena, "GET", "projects/june/raters/")
    expected = [(row.rater, row.ratings, list(row.flags)) for row in live_figures(june.project, raters_of)]
    assert status == 200 and [row[0] for row in expected] == ["ravi", "rosa"]
    assert [(row["rater"], row["ratings"], row["flags"]) for row in answer["raters"]] == expected

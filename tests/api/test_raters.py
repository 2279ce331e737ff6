"""The API of the quality of raters."""

import pytest

from annotation.reporting.compute.raters import raters_of
from annotation.reporting.live import live_figures
from tests.api.clients import program, send
from tests.cast import study
from tests.web.pages import rates

pytestmark = pytest.mark.django_db
RATERS = "projects/june/raters/"


def test_the_quality_of_raters_is_that_of_the_page() -> None:
    june = study()
    for name in ("ravi", "rosa"):
        rates(june.people[name], june.project)
    status, answer = send(program("lena"), "GET", RATERS)
    expected = live_figures(june.project, raters_of)
    assert status == 200
    assert [(row["rater"], row["ratings"], row["flags"]) for row in answer["raters"]] == [
        (row.rater, row.ratings, list(row.flags)) for row in expected
    ]
    assert [row["rater"] for row in answer["raters"]] == ["ravi", "rosa"]


def test_raters_get_none_of_it() -> None:
    study()
    assert send(program("ravi"), "GET", RATERS)[0] == 403

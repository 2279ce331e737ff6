"""Trends on the overview and the drift on a rater's page: a figure, the same numbers as a table, and n everywhere."""

from datetime import date, datetime, timedelta

import pytest
from django.utils import timezone

from annotation.models import Assignment, Rating
from annotation.reporting import live
from annotation.web.projects.trends import monday_of, project_trend, rater_trend
from tests.cast import study
from tests.web.pages import html_of, rates, text_of

pytestmark = pytest.mark.django_db
LATE = "/projects/june/late/"


@pytest.fixture
def june():
    """Two raters finish a response of twelve sentences in each of two weeks, with a week between."""
    june = study(prompts=2, sentences=12)
    for weeks in (3, 1):
        for name in ("ravi", "rosa"):
            move(rates(june.people[name], june.project), timezone.now() - timedelta(weeks=weeks))
    return june


def move(assignment: Assignment, moment: datetime) -> None:
    Rating.objects.filter(assignment=assignment).update(rated_at=moment)
    Assignment.objects.filter(pk=assignment.pk).update(finished_at=moment)


def test_the_overview_and_the_page_of_a_rater_have_figures_and_tables(lena, june):
    answer = lena.get(LATE)
    page, text = html_of(answer), text_of(answer)
    assert 'id="trend-light-title">Trends by week<' in page and 'id="trend-narrow-light-title"' in page
    trend = project_trend(june.project)
    assert [(row.annotations, row.same and row.same.n) for row in trend.rows] == [(2, 24), (2, 24)]
    assert "View as table" in text and "100.0 % 24 of 24" in text
    assert "fewer than 10 comparable ratings has no share" in text
    answer = lena.get("/projects/june/raters/ravi/")
    page = html_of(answer)
    assert 'id="drift-light-title">Drift by week<' in page and ">n 12<" in page
    assert "100.0 % 12 of 12" in text_of(answer)
    trend = rater_trend(june.project, "ravi")
    assert trend.wide and "Accuracy on gold" not in trend.wide


def test_before_work_it_says_what_will_be_there(client):
    june = study()
    client.force_login(june.people["lena"])
    assert "Finished annotations and agreement by week appear here" in text_of(client.get(LATE))
    rates(june.people["ravi"], june.project)
    page = text_of(client.get(LATE))
    assert "View as table" in page and "Finished annotations" not in page  # one week is no trend


def test_a_large_project_has_throughput_only(june, monkeypatch):
    monkeypatch.setattr(live, "MANY_RATINGS", 3)
    trend = project_trend(june.project)
    assert trend.wide and "Finished annotations" in trend.wide and "Agreement" not in trend.wide
    assert all(row.same is None for row in trend.rows)


def test_the_monday_of_an_iso_week():
    assert monday_of("2026-W01") == date(2025, 12, 29)

"""Ratings that were given after their raters had got verdicts: they count, and a report states how many there are."""

import json

import pytest

from annotation.models import Rating
from annotation.reporting.text.notes import verdicts_note
from tests.reporting.project_rows import opposite_raters, project_of, report_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    return project_of(opposite_raters())


def mark(project, n: int) -> None:
    own = Rating.objects.filter(project=project, role="rater", counted=True, rater__username="kim").order_by("pk")
    own.filter(pk__in=[rating.pk for rating in own[:n]]).update(saw_verdict=True)


def test_without_any_the_report_says_nothing(project):
    report = report_of(project)
    assert "saw_verdict" not in json.loads(report.to_json())["data"]
    assert verdicts_note(report) == ""


def test_they_count_and_their_number_is_stated(project):
    before = report_of(project)
    mark(project, 3)
    report = report_of(project)
    assert report.data.saw_verdict == 3
    assert report.overall == before.overall and report.data.ratings == before.data.ratings
    assert verdicts_note(report).startswith(f"3 of {before.data.ratings} ratings were given or changed after the rater")


def test_only_those_in_the_report_are_counted(project):
    mark(project, 3)
    assert report_of(project, without_raters=("kim",)).data.saw_verdict is None

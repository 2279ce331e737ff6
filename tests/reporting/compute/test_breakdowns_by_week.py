"""The breakdown by week."""

from datetime import UTC, datetime

import pytest

from annotation.models import Project, Rating
from tests.cast import ACCURATE
from tests.reporting.project_rows import MILD, Row, project_of, report_of

pytestmark = pytest.mark.django_db


class TestWeeks:
    def rated(self, project: Project, *times: datetime) -> Project:
        for rating, time in zip(Rating.objects.filter(project=project).order_by("pk"), times, strict=True):
            Rating.objects.filter(pk=rating.pk).update(rated_at=time)
        return project

    def rows(self) -> list[Row]:
        return [Row("q1", "heron", "ravi", answers, item) for item, answers in enumerate((ACCURATE, MILD, ACCURATE))]

    def test_weeks_are_those_of_iso_8601_in_utc(self):
        project = self.rated(
            project_of(self.rows()),
            datetime.fromisoformat("2027-01-03T23:30:00-01:00"),  # Monday in UTC
            datetime(2027, 1, 3, 23, 59, 59, 999_999, tzinfo=UTC),
            datetime(2026, 12, 28, tzinfo=UTC),
        )
        cells = report_of(project).by["week"]
        assert [(cell.value, cell.ratings, cell.options["accurate"]) for cell in cells] == [
            ("2026-W53", 2, 1),
            ("2027-W01", 1, 1),
        ]

    def test_one_week_is_no_breakdown(self):
        moment = datetime(2026, 11, 18, tzinfo=UTC)
        assert "week" not in report_of(self.rated(project_of(self.rows()), *[moment] * 3)).by

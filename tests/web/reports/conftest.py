"""The worked example of the seeded database and its frozen report."""

import pytest

from annotation import jobs
from annotation.models import Project, Report
from annotation.reporting import live
from tests.seeds import seeded


@pytest.fixture(autouse=True)
def slow_heartbeat(monkeypatch):
    """Make the heartbeat slow: its own connection cannot see the job of a test's open transaction."""
    monkeypatch.setattr(jobs, "HEARTBEAT", 600.0)


@pytest.fixture
def june(request, db) -> Project:
    """Return the worked example, without its frozen report unless the test asks for `frozen`."""
    project = seeded("june")
    if "frozen" not in request.fixturenames:
        project.reports.all().delete()
    return project


@pytest.fixture
def frozen(june) -> Report:
    return june.reports.get()


@pytest.fixture
def large(june, monkeypatch):
    monkeypatch.setattr(live, "MANY_RATINGS", 100)
    return june

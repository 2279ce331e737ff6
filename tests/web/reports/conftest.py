"""The worked example, its frozen report, and Lena signed in."""

import pytest

from annotation import jobs, reporting
from annotation.models import Membership, Project
from annotation.projects.members import add_member
from annotation.reporting import live
from tests.cast import person
from tests.reporting.project_rows import project_of, worked_example


@pytest.fixture(autouse=True)
def slow_heartbeat(monkeypatch):
    """Make the heartbeat slow: its own connection cannot see the job of a test's open transaction."""
    monkeypatch.setattr(jobs, "HEARTBEAT", 600.0)


@pytest.fixture
def june() -> Project:
    project = project_of(worked_example())
    add_member(project, person("ravi"), Membership.Role.RATER)
    other = project_of([], "other")
    add_member(other, person("otto"), Membership.Role.LEAD)
    return project


@pytest.fixture
def frozen(june):
    return reporting.freeze(june, reporting.Choices(resamples=200), actor=person("lena"))


@pytest.fixture
def lena(client):
    client.force_login(person("lena"))
    return client


@pytest.fixture
def large(june, monkeypatch):
    monkeypatch.setattr(live, "MANY_RATINGS", 100)
    return june

"""The worked example of the seeded database and its frozen report, and a study with automatic metrics."""

import pytest
from django.test import Client

from annotation.metrics.compute import compute_metrics
from annotation.models import Project, Report
from annotation.projects.members import add_member
from annotation.reporting import live
from tests.cast import person, signed_in
from tests.reporting.metric_studies import rated_study
from tests.seeds import seeded


@pytest.fixture
def june(request, db) -> Project:
    """Return the worked example, without its frozen report unless the test asks for `frozen`."""
    project = seeded("june")
    if "frozen" not in request.fixturenames:
        project.reports.all().delete()
    return project


@pytest.fixture
def lena(request, db) -> Client:
    """Return a client in which Lena, who leads all these projects, is signed in."""
    if request.node.get_closest_marker("seeded"):
        request.getfixturevalue("june")
    return signed_in("lena")


@pytest.fixture
def frozen(june) -> Report:
    return june.reports.get()


@pytest.fixture
def large(june, monkeypatch):
    monkeypatch.setattr(live, "MANY_RATINGS", 100)
    return june


@pytest.fixture(scope="module")
def birds(module_rows, tmp_path_factory) -> Project:
    """Return a project that people rated and whose responses have metrics."""
    project = rated_study(tmp_path_factory.mktemp("birds"))
    add_member(project, person("lena"), "lead")
    compute_metrics(project.dataset)
    return project

"""The section of automatic metrics in a report: page, files, Methods, and its freezing."""

import pytest
from django.core.cache import cache
from django.test import Client

from annotation import reporting
from annotation.exporting.report_formats import render
from annotation.metrics.score_files import load_metric_scores
from annotation.models import MetricScore
from annotation.reporting import Choices
from annotation.reporting.frozen_reports import stored_report
from annotation.reporting.report import Report
from annotation.reporting.report_comparison import rebuild
from annotation.reporting.sections.metrics.figures import metric_report
from annotation.reporting.shared_links import make_link
from tests.exporting.bundles import FEW, frozen
from tests.importing.files import lines
from tests.web.pages import html_of, queries
from tests.web.reports.pages import get_page

pytestmark = pytest.mark.django_db
MOST_STATEMENTS = 45
LIVE = "/projects/birds/report/?live=1"


@pytest.fixture(scope="module")
def project(birds, tmp_path_factory):
    """Return the project with metrics and an imported score."""
    row = {"response": "q00-wren", "metric": "bleurt", "value": 0.5}
    load_metric_scores(lines(tmp_path_factory.mktemp("scores") / "own.jsonl", [row]), birds.dataset)
    return birds


@pytest.fixture(scope="module")
def stored(project):
    return frozen(project)


@pytest.fixture(scope="module")
def figures(project):
    return metric_report(project, FEW)


def test_a_live_page_has_the_correlations_without_intervals(lena, project, figures):
    part = reporting.build(project, FEW).metrics
    values = [(row.metric, row.figure, row.over, row.n, row.spearman.value) for row in figures.correlations]
    assert [(row.metric, row.figure, row.over, row.n, row.spearman.value) for row in part.correlations] == values
    assert {row.spearman.low for row in part.correlations} == {None}
    text = html_of(lena.get(LIVE))
    assert '<a href="#metrics">Automatic metrics</a>' in text and "/projects/birds/metrics/" in text
    assert "Frozen reports have their intervals." in text
    part = reporting.build(project, Choices(resamples=100, systems=("wren", "tern"))).metrics
    counts = {(row.over, row.n) for row in part.correlations if row.metric != "bleurt"}
    assert counts == {("responses", 30), ("systems", 2)}, "of the chosen systems"
    assert queries(lena, LIVE) <= MOST_STATEMENTS
    MetricScore.objects.all().delete()
    cache.clear()
    assert reporting.build(project, FEW).metrics is None and 'id="metrics"' not in html_of(lena.get(LIVE))


def test_a_frozen_report_its_files_and_its_methods_have_the_figures_of_the_page_about_people(lena, stored, figures):
    report = stored_report(stored)
    part = report.metrics
    assert part.metrics == figures.metrics and part.correlations == figures.correlations != []
    assert any(row.spearman.low is not None for row in part.correlations)
    for format in ("markdown", "latex", "html"):
        text = render(report, format)
        assert "Automatic metrics: rank correlation with people" in text and "imported: bleurt" in text
    rows = [line for line in render(report, "csv").splitlines() if line.startswith('"metric_correlations",')]
    assert len(rows) == 2 * len(part.correlations)
    assert Report.from_json(render(report, "json")).metrics == part
    table = lena.get(f"/reports/{stored.public_id}/tables/?table=metric_correlations&format=csv")
    assert table.status_code == 200 and "rougeL: systems" in table.content.decode()
    assert "/projects/birds/metrics/" in get_page(lena, "frozen_report", stored.public_id)
    shared = get_page(Client(), "shared_report", make_link(stored)[1])
    assert 'id="metrics"' in shared and "/projects/birds/metrics/" not in shared


def test_a_rebuilt_report_is_the_same_until_scores_change(stored):
    assert rebuild(stored).identical
    score = MetricScore.objects.get(metric="length", response__key="q00-wren")
    MetricScore.objects.filter(pk=score.pk).update(value=score.value + 100)
    result = rebuild(stored)
    assert not result.identical and result.data_changed

"""The section of automatic metrics in a report: page, files, Methods, and its freezing."""

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from annotation import reporting
from annotation.exporting.report_formats import render
from annotation.metrics.compute import compute_metrics
from annotation.metrics.score_files import load_metric_scores
from annotation.models import MetricScore
from annotation.projects.members import add_member
from annotation.reporting import Choices
from annotation.reporting.frozen_reports import stored_report
from annotation.reporting.metric_report import metric_report
from annotation.reporting.report import Report
from annotation.reporting.report_comparison import rebuild
from annotation.reporting.shared_links import make_link
from tests.cast import person, signed_in
from tests.exporting.bundles import frozen
from tests.importing.files import FIXTURES, lines
from tests.reporting.metric_studies import pair_study, rated_study
from tests.web.pages import html_of, queries

pytestmark = pytest.mark.django_db
MOST_STATEMENTS = 45
FEW = Choices(resamples=100)


@pytest.fixture(scope="module")
def project(module_rows, tmp_path_factory):
    """Return a project with metrics and an imported score."""
    folder = tmp_path_factory.mktemp("birds")
    project = rated_study(folder)
    add_member(project, person("lena"), "lead")
    compute_metrics(project.dataset)
    row = {"response": "q00-wren", "metric": "bleurt", "value": 0.5}
    load_metric_scores(lines(folder / "own.jsonl", [row]), project.dataset)
    return project


@pytest.fixture(scope="module")
def stored(project):
    return frozen(project, FEW)


@pytest.fixture
def lena(project):
    return signed_in("lena")


def live_page(client, slug: str) -> str:
    return html_of(client.get(reverse("report", args=[slug]), {"live": "1"}))


def test_a_frozen_report_has_what_the_page_of_metrics_has_about_people(project, stored):
    figures, part = metric_report(project, FEW), stored_report(stored).metrics
    assert part.metrics == figures.metrics and part.correlations == figures.correlations != []
    assert any(row.spearman.low is not None for row in part.correlations)


def test_a_live_page_has_the_correlations_without_intervals(lena, project):
    figures, part = metric_report(project, FEW), reporting.build(project, FEW).metrics
    values = [(row.metric, row.figure, row.over, row.n, row.spearman.value) for row in figures.correlations]
    assert [(row.metric, row.figure, row.over, row.n, row.spearman.value) for row in part.correlations] == values
    assert {row.spearman.low for row in part.correlations} == {None}
    text = live_page(lena, "birds")
    assert '<a href="#metrics">Automatic metrics</a>' in text and "/projects/birds/metrics/" in text
    assert "Frozen reports have their intervals." in text
    assert queries(lena, "/projects/birds/report/?live=1") <= MOST_STATEMENTS
    MetricScore.objects.all().delete()
    cache.clear()
    assert reporting.build(project, FEW).metrics is None and 'id="metrics"' not in live_page(lena, "birds")


def test_a_report_of_pairs_has_the_predicted_preferences(lena):
    pairs = pair_study(sorted((FIXTURES / "lfqa_eval").glob("Botany_*_Common4.json")))
    add_member(pairs, person("lena"), "lead")
    compute_metrics(pairs.dataset)
    report = reporting.build(pairs, FEW)
    of_all = [row for row in metric_report(pairs, FEW).predictions if row.key is None]
    assert report.metrics.predictions == of_all != [] and report.metrics.correlations == []
    assert f"{of_all[0].predicted.k} of {of_all[0].predicted.n}" in live_page(lena, "experts")
    document = render(report, "markdown")
    assert "Automatic metrics: predicted preferences" in document and "| length |" in document


def test_choices_of_a_report_apply_to_its_metrics(project):
    part = reporting.build(project, Choices(resamples=100, systems=("wren", "tern"))).metrics
    assert {row.n for row in part.correlations if row.over == "responses" and row.metric != "bleurt"} == {30}
    assert {row.n for row in part.correlations if row.over == "systems" and row.metric != "bleurt"} == {2}


def test_the_files_and_the_methods_have_the_figures(lena, stored):
    report = stored_report(stored)
    title = "Automatic metrics: rank correlation with people"
    for format in ("markdown", "latex", "html"):
        text = render(report, format)
        assert title in text and "imported: bleurt" in text
    rows = [line for line in render(report, "csv").splitlines() if line.startswith('"metric_correlations",')]
    assert len(rows) == 2 * len(report.metrics.correlations)
    assert Report.from_json(render(report, "json")).metrics == report.metrics
    table = lena.get(f"/reports/{stored.public_id}/tables/?table=metric_correlations&format=csv")
    assert table.status_code == 200 and "rougeL: systems" in table.content.decode()


def test_a_shared_report_has_the_section_without_a_link(lena, stored):
    assert "/projects/birds/metrics/" in html_of(lena.get(reverse("frozen_report", args=[stored.public_id])))
    shared = html_of(Client().get(f"/r/{make_link(stored)[1]}/"))
    assert 'id="metrics"' in shared and "/projects/birds/metrics/" not in shared


def test_a_rebuilt_report_is_the_same_until_scores_change(stored):
    assert rebuild(stored).identical
    score = MetricScore.objects.get(metric="length", response__key="q00-wren")
    MetricScore.objects.filter(pk=score.pk).update(value=score.value + 100)
    result = rebuild(stored)
    assert not result.identical and result.data_changed

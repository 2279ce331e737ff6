"""The page of automatic metrics, its files and its job."""

import csv
import io
import json

import pytest
from django.urls import reverse

from annotation.metrics.compute import compute_metrics
from annotation.models import AuditEvent, Job, MetricScore
from annotation.projects.members import add_member
from annotation.reporting.metric_report import metric_report
from tests.api.clients import program, send
from tests.cast import person, signed_in
from tests.importing.files import FIXTURES
from tests.reporting.metric_studies import pair_study, rated_study
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def project(module_rows, tmp_path_factory):
    project = rated_study(tmp_path_factory.mktemp("birds"))
    add_member(project, person("lena"), "lead")
    compute_metrics(project.dataset)
    return project


@pytest.fixture(scope="module")
def report(project):
    return metric_report(project)


@pytest.fixture
def lena(project):
    return signed_in("lena")


def page(client, project) -> str:
    return text_of(client.get(reverse("project_metrics", args=[project.slug])))


def test_without_scores_the_page_offers_to_compute_them(lena, project):
    MetricScore.objects.all().delete()
    shown = page(lena, project)
    assert "No scores yet" in shown and "Compute metrics" in shown and "Export CSV" not in shown


def test_a_post_starts_one_job(lena, project, monkeypatch):
    monkeypatch.setattr("tasks.jobs._send", lambda job: None)
    address = reverse("project_metrics", args=[project.slug])
    for _time in range(2):
        assert lena.post(address).status_code == 302
    job = Job.objects.get(kind="compute_metrics")
    assert (job.project, job.started_by.username) == (project, "lena")
    shown = page(lena, project)
    assert "Computing metrics" in shown and "The metrics are being computed already." in shown


def test_the_page_shows_means_and_correlations(lena, project, report):
    shown = page(lena, project)
    mean = next(row.mean for row in report.means if row.metric == "rougeL" and row.system == "wren" and not row.key)
    assert f"{mean.value:.3f} {mean.low:.3f} – {mean.high:.3f} n = {mean.n}" in shown
    assert "Over responses" in shown and "Over systems" in shown and "field" in shown
    assert "Predicted preferences" not in shown


def test_the_page_of_pairs_shows_predicted_preferences(lena):
    project = pair_study(sorted((FIXTURES / "lfqa_eval").glob("Botany_*_Common4.json")))
    add_member(project, person("lena"), "lead")
    compute_metrics(project.dataset)
    row = next(row for row in metric_report(project).predictions if row.metric == "length")
    shown = page(lena, project)
    assert "Predicted preferences" in shown and f"{row.predicted.k} of {row.predicted.n}" in shown
    assert "Rank correlation with people" not in shown


def test_the_files_have_every_figure(lena, project, report):
    as_json = lena.get(reverse("metrics_file", args=[project.slug, "json"]))
    assert as_json.content == report.to_json()
    as_csv = lena.get(reverse("metrics_file", args=[project.slug, "csv"]))
    rows = list(csv.DictReader(io.StringIO(as_csv.content.decode("utf-8-sig"))))
    assert len(rows) == len(report.means) + len(report.predictions) + 2 * len(report.correlations)
    row = next(row for row in rows if row["figure"] == "spearman" and row["over"] == "systems")
    estimate = next(each for each in report.correlations if each.over == "systems")
    assert (row["metric"], row["human_figure"], row["n"]) == (estimate.metric, estimate.figure, "4")
    assert AuditEvent.objects.filter(project=project, action="download file").count() == 2
    assert lena.get(reverse("metrics_file", args=[project.slug, "xlsx"])).status_code == 404


def test_the_api_has_the_same_figures_and_starts_the_job(project, report, monkeypatch):
    monkeypatch.setattr("tasks.jobs._send", lambda job: None)
    status, figures = send(program("lena"), "GET", f"projects/{project.slug}/metrics/")
    assert (status, figures) == (200, json.loads(report.to_json()))
    status, job = send(program("lena"), "POST", f"projects/{project.slug}/metrics/")
    assert (status, job["kind"], job["state"]) == (202, "compute_metrics", "queued")
    assert send(program("lena"), "POST", f"projects/{project.slug}/metrics/")[1]["id"] == job["id"]

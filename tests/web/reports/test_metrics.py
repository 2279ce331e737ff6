"""The page of automatic metrics, its files and its job."""

import csv
import io
import json

import pytest

from annotation import reporting
from annotation.exporting.report_formats import render
from annotation.metrics.compute import compute_metrics
from annotation.models import AuditEvent, Job, MetricScore
from annotation.projects.members import add_member
from annotation.reporting import Choices
from annotation.reporting.sections.metrics.figures import metric_report
from tests.api.clients import program, send
from tests.cast import person
from tests.importing.files import FIXTURES
from tests.reporting.metric_studies import pair_study
from tests.web.pages import text_of
from tests.web.reports.pages import get_page

pytestmark = pytest.mark.django_db
PAGE = "/projects/birds/metrics/"


@pytest.fixture(scope="module")
def report(birds):
    return metric_report(birds)


def test_without_scores_the_page_offers_to_compute_them_and_posts_start_one_job(lena, birds, monkeypatch):
    monkeypatch.setattr("tasks.jobs._send", lambda job: None)
    MetricScore.objects.all().delete()
    shown = text_of(lena.get(PAGE))
    assert "No scores yet" in shown and "Compute metrics" in shown and "Export CSV" not in shown
    for _time in range(2):
        assert lena.post(PAGE).status_code == 302
    job = Job.objects.get(kind="compute_metrics")
    assert (job.project, job.started_by.username) == (birds, "lena")
    status, sent = send(program("lena"), "POST", PAGE[1:])
    assert (status, sent["id"], sent["kind"], sent["state"]) == (202, str(job.public_id), job.kind, "queued")
    shown = text_of(lena.get(PAGE))
    assert "Computing metrics" in shown and "The metrics are being computed already." in shown


def test_page_files_and_api_have_every_figure(lena, birds, report):
    shown = text_of(lena.get(PAGE))
    mean = next(row.mean for row in report.means if row.metric == "rougeL" and row.system == "wren" and not row.key)
    assert f"{mean.value:.3f} {mean.low:.3f} – {mean.high:.3f} n = {mean.n}" in shown
    assert "Over responses" in shown and "Over systems" in shown and "field" in shown
    assert "Predicted preferences" not in shown
    assert lena.get(f"{PAGE}figures.json").content == report.to_json()
    as_csv = lena.get(f"{PAGE}figures.csv").content.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(as_csv)))
    assert len(rows) == len(report.means) + len(report.predictions) + 2 * len(report.correlations)
    row = next(row for row in rows if row["figure"] == "spearman" and row["over"] == "systems")
    estimate = next(each for each in report.correlations if each.over == "systems")
    assert (row["metric"], row["human_figure"], row["n"]) == (estimate.metric, estimate.figure, "4")
    assert AuditEvent.objects.filter(project=birds, action="download file").count() == 2
    assert lena.get(f"{PAGE}figures.xlsx").status_code == 404
    assert send(program("lena"), "GET", PAGE[1:]) == (200, json.loads(report.to_json()))


def test_metrics_and_report_of_pairs_have_the_predicted_preferences(lena):
    pairs = pair_study(sorted((FIXTURES / "lfqa_eval").glob("Botany_*_Common4.json")))
    add_member(pairs, person("lena"), "lead")
    compute_metrics(pairs.dataset)
    few = Choices(resamples=100)
    predictions, report = metric_report(pairs, few).predictions, reporting.build(pairs, few)
    of_all = [row for row in predictions if row.key is None]
    assert report.metrics.predictions == of_all != [] and report.metrics.correlations == []
    figures = {row.metric: f"{row.predicted.k} of {row.predicted.n}" for row in of_all}
    shown = text_of(lena.get("/projects/experts/metrics/"))
    assert "Predicted preferences" in shown and figures["length"] in shown
    assert "Rank correlation with people" not in shown
    assert figures[of_all[0].metric] in get_page(lena, "report", "experts", query="?live=1")
    document = render(report, "markdown")
    assert "Automatic metrics: predicted preferences" in document and "| length |" in document

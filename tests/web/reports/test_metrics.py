"""The page of automatic metrics, its files, its job, and the import of scores."""

import json

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation import reporting
from annotation.exporting.metric_scores import export_metric_scores
from annotation.exporting.report_formats import render
from annotation.metrics import score_files
from annotation.metrics.compute import compute_metrics
from annotation.metrics.score_files import load_metric_scores
from annotation.models import AuditEvent, Job, MetricScore
from annotation.projects.members import add_member
from annotation.reporting import Choices
from annotation.reporting.frozen_reports import stored_report
from annotation.reporting.report import Report
from annotation.reporting.report_comparison import rebuild
from annotation.reporting.sections.metrics.figures import metric_report
from annotation.reporting.shared_links import make_link
from tests.api.clients import program, send
from tests.cast import person
from tests.exporting.bundles import FEW, csv_rows, frozen
from tests.importing.files import FIXTURES, lines
from tests.reporting.metric_studies import pair_study
from tests.web.pages import html_of, queries, text_of
from tests.web.reports.pages import get_page

pytestmark = pytest.mark.django_db
PAGE = "/projects/birds/metrics/"
IMPORT = f"{PAGE}scores/"
ROW = b'{"response": "q00-wren", "metric": "bleurt", "value": 0.5}\n'


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
    rows = csv_rows(as_csv)
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


def post(client, content: bytes, **form: str):
    upload = SimpleUploadedFile("scores.jsonl", content)
    return client.post(IMPORT, {"upload": upload, **form}, follow=True)


def test_a_file_is_stored_and_shown_replaced_only_if_the_box_is_checked_and_taken_home(lena, birds):
    answer = post(lena, ROW)
    assert answer.redirect_chain == [(reverse("project_metrics", args=["birds"]), 302)]
    shown = text_of(answer)
    assert "Scores imported: 1 new, 0 changed." in shown and "bleurt" in shown
    assert AuditEvent.objects.get(action="import metric scores").project == birds
    other = ROW.replace(b"0.5", b"0.75")
    assert "choose to replace values that differ" in text_of(post(lena, other))
    assert "Scores imported: 0 new, 1 changed." in text_of(post(lena, other, replace="on"))
    assert MetricScore.objects.get(metric="bleurt").value == 0.75
    answer = lena.get(reverse("metric_scores_file", args=["birds", "jsonl"]))
    assert answer.content == b"".join(export_metric_scores(birds, "jsonl")) != b""
    assert answer["Content-Disposition"] == 'attachment; filename="birds-metric-scores.jsonl"'
    assert AuditEvent.objects.filter(action="download file", project=birds).count() == 1
    assert lena.get(reverse("metric_scores_file", args=["birds", "xlsx"])).status_code == 404


def test_each_problem_is_shown_by_its_line_and_nothing_is_stored(lena, birds, settings, monkeypatch):
    computed = b'{"response": "q99", "metric": "rouge1", "value": 1}\n{"response": "q00-wren"}\n'
    shown = text_of(post(lena, ROW + computed))
    assert "scores.jsonl:2: rouge1 is computed by the site; give the imported metric another name" in shown
    assert "scores.jsonl:3: " in shown
    assert "This field is required." in text_of(lena.post(IMPORT))
    other = Client(enforce_csrf_checks=True)
    other.force_login(person("lena"))
    assert post(other, ROW).status_code == 403
    monkeypatch.setattr(score_files, "MAX_IN_A_REQUEST", 1)
    shown = text_of(post(lena, ROW + ROW.replace(b"wren", b"tern")))
    assert "scores.jsonl:2: there are more than 1 scores; use the command import_metric_scores" in shown
    settings.MAX_UPLOAD_MB = 0
    assert "The files are larger than 0 MB" in text_of(post(lena, ROW))
    assert not MetricScore.objects.filter(metric="bleurt").exists()


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

"""The exports page: what a lead takes home, at once where it is small and by a job where it is not."""

import io
import re
import zipfile
from datetime import timedelta

import pytest
from django.test import Client

from annotation import jobs
from annotation.exporting import export_jobs
from annotation.exporting.bundle import Bundle
from annotation.models import AuditEvent, Export, Job, Project, Report
from annotation.reporting import Choices
from tests.cast import person
from tests.exporting.bundles import frozen as freeze
from tests.seeds import seeded
from tests.web.pages import queries, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.seeded]
THERE = "/projects/june/exports/"


@pytest.fixture(autouse=True)
def june(settings, tmp_path, monkeypatch, db) -> Project:
    settings.MEDIA_ROOT = tmp_path
    monkeypatch.setattr("tasks.jobs._send", lambda job: None)
    monkeypatch.setattr(Bundle, "_figures", lambda bundle: iter(()))
    return seeded("june")


@pytest.fixture
def report(june) -> Report:
    return june.reports.get()


def body(response) -> bytes:
    return b"".join(response.streaming_content)


def test_ratings_are_pseudonymous_unless_names_are_asked_for_and_the_audit_says_so(lena):
    for format in ("jsonl", "csv"):
        posted = {"what": "ratings", "format": format}
        text = body(lena.post(f"{THERE}make/", posted))
        assert b"rater-" in text and b"ravi" not in text
        assert b"ravi" in body(lena.post(f"{THERE}make/", {**posted, "with_names": "1"}))
    lena.get(f"{THERE}ratings/?format=jsonl")
    lena.get(f"{THERE}ratings/?format=jsonl&pseudonymous")
    events = AuditEvent.objects.filter(action="download file", actor=person("lena"), project__slug="june")
    after = [event.after for event in events.order_by("pk")]
    assert [file["with_names"] for file in after] == [False, True, False, True, True, False]
    assert [file["name"].rpartition(".")[2] for file in after] == ["jsonl"] * 2 + ["csv"] * 2 + ["jsonl"] * 2


def names_in_zip(response) -> set[str]:
    with zipfile.ZipFile(io.BytesIO(body(response))) as archive:
        assert archive.testzip() is None
        return {name.partition("/")[2] for name in archive.namelist()}


def test_a_bundle_of_the_chosen_report_and_a_data_set_folder_come_as_zips(lena, report):
    response = lena.post(f"{THERE}make/", {"what": "bundle", "report": str(report.public_id)})
    assert response["Content-Type"] == "application/zip"
    assert {"README.md", "ratings.csv", "recompute.py"} <= names_in_zip(response)
    assert "data/ratings.parquet" in names_in_zip(lena.post(f"{THERE}make/", {"what": "dataset"}))


def test_the_report_of_all_ratings_is_offered_first_for_a_bundle(june, lena, report):
    part = freeze(june, Choices(resamples=100, without_raters=("ravi",)))
    for address, chosen in ((THERE, report), (f"{THERE}?report={part.public_id}", part)):
        html = lena.get(address).content.decode()
        assert re.search(rf'<option\s+value="{chosen.public_id}"\s+selected\s*>', html)


def test_what_cannot_be_made_is_said(june, lena, report):
    june.ratings.first().delete()
    for posted, says in [
        ({}, ["choose one of jsonl, csv, parquet"]),
        ({"what": "ratings", "format": "xlsx"}, ["choose one of jsonl, csv, parquet"]),
        ({"what": "everything"}, ["choose one of ratings, bundle, dataset"]),
        ({"what": "bundle"}, ["Choose a frozen report"]),
        ({"what": "bundle", "report": "x"}, ["Choose a frozen report"]),
        ({"what": "bundle", "report": "00000000-0000-0000-0000-000000000000"}, ["no such frozen report"]),
        (
            {"what": "bundle", "report": str(report.public_id)},
            ["The ratings have changed since this report was frozen", "Freeze a new report"],
        ),
    ]:
        page = text_of(lena.post(f"{THERE}make/", posted, follow=True))
        assert [words for words in says if words not in page] == []


def large_export(lena: Client, monkeypatch, posted: dict) -> Export:
    """Return the file of a large project."""
    monkeypatch.setattr(export_jobs, "MAX_DIRECT_RATINGS", 10)
    monkeypatch.setattr(jobs, "HEARTBEAT", 600.0)  # its thread sees nothing of a test's transaction
    assert lena.post(f"{THERE}make/", posted).url == f"{THERE}#made"
    job = Job.objects.get(kind=export_jobs.EXPORT)
    jobs.run(job.pk, export_jobs.export_job)
    job.refresh_from_db()
    assert (job.state, job.problems) == ("done", [])
    assert job.done == job.total
    return Export.objects.get(job=job)


@pytest.mark.parametrize("kind", ["ratings", "dataset", "bundle"])
def test_a_large_file_is_made_by_a_job_and_is_the_same_file(lena, report, monkeypatch, kind):
    posted = {"what": kind, "format": "csv", "report": str(report.public_id)}
    at_once = body(lena.post(f"{THERE}make/", posted))
    export = large_export(lena, monkeypatch, posted)
    response = lena.get(f"/exports/{export.public_id}/")
    assert body(response) == at_once
    event = AuditEvent.objects.filter(action="download file", target=f"export:{export.public_id}").get()
    assert (event.actor, event.after) == (person("lena"), {"name": export.name, "with_names": False})
    assert f'filename="{export.name}"' in response["Content-Disposition"]
    assert export.size == len(at_once)
    assert export.name in text_of(lena.get(THERE))
    assert AuditEvent.objects.filter(action="make export", actor=person("lena")).count() == 1


def test_a_second_click_waits_for_the_same_job(lena, monkeypatch):
    monkeypatch.setattr(export_jobs, "MAX_DIRECT_RATINGS", 10)
    for _ in range(2):
        lena.post(f"{THERE}make/", {"what": "dataset"})
    assert Job.objects.filter(kind=export_jobs.EXPORT).count() == 1
    assert "Writing a file" in text_of(lena.get(THERE))
    Job.objects.all().delete()
    for query, params in (("", {"with_names": True}), ("?pseudonymous=1", {})):  # the address of all ratings
        for _ in range(2):
            assert lena.get(f"{THERE}ratings/{query}").url == f"{THERE}#made"
        assert Job.objects.get().params == {"what": "ratings", "format": "jsonl", **params}
        Job.objects.all().delete()


def test_the_file_of_a_job_is_deleted_after_a_week_and_when_asked(
    lena, monkeypatch, tmp_path, django_capture_on_commit_callbacks
):
    export = large_export(lena, monkeypatch, {"what": "ratings", "format": "csv"})
    assert lena.get(f"/jobs/{export.job.public_id}/").url == f"{THERE}?file={export.public_id}#made"
    Job.objects.update(state="queued", ended_at=None)
    jobs.run(export.job_id, export_jobs.export_job)
    assert Export.objects.get() == export, "a job that is taken up again keeps its file"
    assert export_jobs.delete_old_exports() == 0
    Export.objects.update(made_at=export.made_at - export_jobs.RETENTION - timedelta(hours=1))
    with django_capture_on_commit_callbacks(execute=True):
        assert export_jobs.delete_old_exports() == 1
    assert not Export.objects.exists() and not [path for path in tmp_path.rglob("*") if path.is_file()]
    Job.objects.all().delete()
    export = large_export(lena, monkeypatch, {"what": "ratings", "format": "csv"})
    assert "is deleted" in text_of(lena.post(f"/exports/{export.public_id}/delete/", follow=True))
    assert lena.get(f"/exports/{export.public_id}/").status_code == 404


def test_frozen_reports_and_files_take_no_more_queries_when_there_are_more(june, lena, report):
    def add_file(name: str) -> None:
        Export.objects.create(project=june, kind="ratings", name="a.csv", size=1, sha256="", made_by=person(name))

    add_file("lena")
    queries_of_one = queries(lena, THERE)
    for index in range(2):
        Report.objects.create(project=june, document=report.document, data_sha256=report.data_sha256)
        add_file(f"x{index}")
    assert queries(lena, THERE) == queries_of_one

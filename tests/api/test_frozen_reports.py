"""Frozen reports, their files and links, by a program."""

import json

import pytest
from django.test import Client

from annotation import jobs
from annotation.models import AuditEvent, Job, Project
from annotation.reporting import Choices
from annotation.reporting.report_comparison import rebuild_job
from tests.api.clients import send
from tests.cast import signed_in
from tests.exporting.bundles import frozen as freeze
from tests.seeds import seeded

pytestmark = [pytest.mark.django_db, pytest.mark.seeded]


@pytest.fixture
def frozen():
    return seeded("june").reports.get()


def test_reports_are_listed_and_read(frozen, lena):
    [row] = send(lena, "GET", "projects/june/reports/")[1]["results"]
    assert row["id"] == str(frozen.public_id) and row["data_sha256"] == frozen.data_sha256
    status, whole = send(lena, "GET", f"projects/june/reports/{row['id']}/")
    assert status == 200 and whole["report"]["schema"] == "factuary-report/1"
    assert whole["provenance"]
    assert send(lena, "GET", f"projects/judged/reports/{row['id']}/")[0] == 404


def test_files_have_the_bytes_of_the_pages(frozen, lena):
    browser = signed_in("lena")
    for name in ("report.json", "report.csv", "report.md", "report.tex", "report.bib", "provenance.json"):
        file = lena.get(f"/api/v1/projects/june/reports/{frozen.public_id}/files/{name}/")
        assert file.status_code == 200
        assert file.content == browser.get(f"/reports/{frozen.public_id}/{name}").content
    assert lena.get(f"/api/v1/projects/june/reports/{frozen.public_id}/files/report.pdf/").status_code == 404
    assert AuditEvent.objects.filter(action="download file").count() == 12


def test_a_link_is_made_read_and_revoked(frozen, lena):
    address = f"projects/june/reports/{frozen.public_id}/links/"
    status, link = send(lena, "POST", address, {"note": "For reviewers"})
    assert status == 201
    path = link["address"].removeprefix("http://testserver")
    assert Client().get(path).status_code == 200
    [listed] = send(lena, "GET", address)[1]["results"]
    assert listed == {name: value for name, value in link.items() if name != "address"}
    assert send(lena, "DELETE", f"{address}{link['id']}/")[1]["revoked_at"]
    assert Client().get(path).status_code == 404


def test_a_report_is_rebuilt_in_a_job(frozen, lena):
    address = f"projects/june/reports/{frozen.public_id}/rebuild/"
    status, job = send(lena, "POST", address)
    assert (status, job["kind"], job["state"]) == (202, "rebuild_report", "queued")
    assert send(lena, "POST", address)[1]["id"] == job["id"]
    stored = Job.objects.get(public_id=job["id"])
    jobs.run(stored.pk, rebuild_job)
    assert send(lena, "GET", f"jobs/{job['id']}/")[1]["result"] == {"identical": True, "differences": []}
    Project.objects.filter(slug="june").update(hides_raters=True)
    named = [{"part": part, "name": "x", "old": "ravi", "new": None} for part in ("filters", "method")]
    Job.objects.filter(pk=stored.pk).update(result={"identical": False, "differences": named})
    assert send(lena, "GET", f"jobs/{job['id']}/")[1]["result"]["differences"] == named[1:]


def test_two_reports_are_compared(frozen, lena):
    frozen.project.ratings.filter(answers__accuracy="accurate").first().delete()
    newer = freeze(frozen.project, Choices(resamples=100))
    address = f"projects/june/reports/{newer.public_id}/comparison/"
    status, found = send(lena, "GET", f"{address}?earlier={frozen.public_id}")
    assert status == 200 and found["same_bytes"] is False
    changed = {(row["part"], row["name"]): (row["old"], row["new"]) for row in found["origins"]}
    assert changed["method", "resamples"] == (200, 100)
    old, new = (json.loads(each.document)["overall"]["measures"] for each in (frozen, newer))
    rows = {row["measure"]: row for row in found["measures"] if row["system"] is None}
    assert {key: row["old"]["n"] for key, row in rows.items()} == {key: cell["n"] for key, cell in old.items()}
    assert {key: row["new"]["n"] for key, row in rows.items()} == {key: cell["n"] for key, cell in new.items()}
    assert send(lena, "GET", f"{address}?earlier={newer.public_id}")[1]["same_bytes"] is True
    assert send(lena, "GET", address)[0] == 400
    assert (
        send(lena, "GET", f"projects/judged/reports/{newer.public_id}/comparison/?earlier={frozen.public_id}")[0] == 404
    )

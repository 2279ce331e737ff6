"""Jobs, by a program."""

import pytest

from annotation import jobs, reporting
from annotation.importing import uploads
from annotation.models import Job
from tests.api.clients import send
from tests.cast import study

pytestmark = pytest.mark.django_db


def fail(job: Job, progress: object) -> None:
    raise jobs.Refused(["No."])


def test_leads_see_the_jobs_of_their_project_and_admins_all(ada, june, lena):
    july = study("july", raters=())
    jobs.create(reporting.FREEZE, project=june.project, actor=june.people["lena"])
    jobs.create(uploads.LOAD_DATASET, params={"slug": "x", "dry_run": True})
    other = jobs.create(reporting.FREEZE, project=july.project)
    july.project.memberships.all().delete()
    [own] = send(lena, "GET", "projects/june/jobs/")[1]["results"]
    assert (own["kind"], own["project"], own["started_by"], own["state"]) == ("freeze_report", "june", "lena", "queued")
    assert send(lena, "GET", f"jobs/{other.public_id}/")[0] == 404
    kinds = [row["kind"] for row in send(ada, "GET", "jobs/")[1]["results"]]
    assert kinds == ["freeze_report", "load_dataset", "freeze_report"]
    assert len(send(ada, "GET", "jobs/?kind=load_dataset&state=open")[1]["results"]) == 1
    assert send(ada, "GET", "jobs/?state=done")[1]["results"] == []


def test_an_admin_cancels_and_retries_jobs(june, ada):
    job = jobs.create(reporting.FREEZE, project=june.project)
    address = f"jobs/{job.public_id}/"
    assert send(ada, "POST", f"{address}retry/")[0] == 409
    jobs.run(job.pk, fail)
    assert send(ada, "GET", address)[1]["problems"] == ["No."]
    assert send(ada, "POST", f"{address}retry/")[1]["state"] == "queued"
    assert send(ada, "DELETE", address)[1]["state"] == "cancelled"
    assert send(ada, "DELETE", address)[0] == 409

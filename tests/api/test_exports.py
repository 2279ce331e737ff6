"""Exported files, by a program."""

import pytest

from annotation import jobs
from annotation.exporting import export_jobs
from annotation.models import Export, Job
from annotation.projects.project_settings import change_settings
from annotation.rating.finish import finish
from tests.api.clients import send
from tests.cast import person
from tests.web.pages import rates

pytestmark = pytest.mark.django_db
EXPORTS = "projects/june/exports/"


def run(job: dict[str, object]) -> Job:
    stored = Job.objects.get(public_id=job["id"])
    jobs.run(stored.pk, export_jobs.export_job)
    return Job.objects.get(pk=stored.pk)


@pytest.fixture(autouse=True)
def _rated(june, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    finish(rates(june.people["ravi"], june.project, sentences=3))


def test_a_file_is_written_read_and_deleted(june, lena):
    status, job = send(lena, "POST", EXPORTS, {"format": "csv", "with_names": True})
    assert status == 202 and send(lena, "POST", EXPORTS, {"format": "csv", "with_names": True})[1]["id"] == job["id"]
    export = f"{EXPORTS}{run(job).result['export']}/"
    status, row = send(lena, "GET", export)
    assert (status, row["what"], row["name"]) == (200, "ratings", "june-ratings.csv")
    content = b"".join(lena.get(f"/api/v1/{export}file/").streaming_content)
    assert len(content) == row["size"] and b"ravi" in content
    assert [listed["id"] for listed in send(lena, "GET", EXPORTS)[1]["results"]] == [row["id"]]
    assert send(lena, "DELETE", export) == (200, {})
    assert not Export.objects.exists()


def test_a_file_that_cannot_be_made_is_refused(lena):
    for body in ({"what": "bundle"}, {"format": "xlsx"}, {"what": "nothing"}):
        assert send(lena, "POST", EXPORTS, body)[0] == 400
    assert not Job.objects.exists()


def test_where_raters_are_hidden_leads_get_no_names(june, lena, ada):
    named = run(send(lena, "POST", EXPORTS, {"format": "csv", "with_names": True})[1]).result["export"]
    change_settings(june.project, {"hides_raters": True}, actor=person("ada", admin=True))
    assert send(lena, "GET", EXPORTS)[1]["results"] == []
    assert send(lena, "GET", f"{EXPORTS}{named}/")[0] == 404
    hidden = run(send(lena, "POST", EXPORTS, {"format": "csv", "with_names": True})[1])
    assert "with_names" not in hidden.params
    assert [row["id"] for row in send(lena, "GET", EXPORTS)[1]["results"]] == [hidden.result["export"]]
    assert len(send(ada, "GET", EXPORTS)[1]["results"]) == 2

"""Frozen reports, their files and links, by a program."""

import pytest
from django.test import Client

from annotation import reporting
from annotation.models import AuditEvent
from tests.api.clients import program, send
from tests.cast import study
from tests.web.pages import rates

pytestmark = pytest.mark.django_db
CHOICES = reporting.Choices(resamples=100)


@pytest.fixture
def frozen():
    june = study()
    rates(june.people["ravi"], june.project, sentences=3)
    return reporting.freeze(june.project, CHOICES)


def test_reports_are_listed_and_read(frozen):
    lena = program("lena")
    [row] = send(lena, "GET", "projects/june/reports/")[1]["results"]
    assert row["id"] == str(frozen.public_id) and row["data_sha256"] == frozen.data_sha256
    status, whole = send(lena, "GET", f"projects/june/reports/{row['id']}/")
    assert status == 200 and whole["report"]["schema"] == "factuary-report/1"
    assert whole["provenance"]
    study("july")
    assert send(lena, "GET", f"projects/july/reports/{row['id']}/")[0] == 404


def test_files_have_the_bytes_of_the_pages(frozen):
    lena, browser = program("lena"), Client()
    browser.force_login(frozen.project.members.get(username="lena"))
    for name in ("report.json", "report.csv", "report.md", "report.tex", "report.bib", "provenance.json"):
        file = lena.get(f"/api/v1/projects/june/reports/{frozen.public_id}/files/{name}/")
        assert file.status_code == 200
        assert file.content == browser.get(f"/reports/{frozen.public_id}/{name}").content
    assert lena.get(f"/api/v1/projects/june/reports/{frozen.public_id}/files/report.pdf/").status_code == 404
    assert AuditEvent.objects.filter(action="download file").count() == 12


def test_a_link_is_made_read_and_revoked(frozen):
    lena, address = program("lena"), f"projects/june/reports/{frozen.public_id}/links/"
    status, link = send(lena, "POST", address, {"note": "For reviewers"})
    assert status == 201
    path = link["address"].removeprefix("http://testserver")
    assert Client().get(path).status_code == 200
    [listed] = send(lena, "GET", address)[1]["results"]
    assert listed == {name: value for name, value in link.items() if name != "address"}
    assert send(lena, "DELETE", f"{address}{link['id']}/")[1]["revoked_at"]
    assert Client().get(path).status_code == 404

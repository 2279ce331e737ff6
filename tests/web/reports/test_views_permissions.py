"""Who may see the report and take it home; that names are text; and how many queries it takes."""

import json
import re
import uuid

import pytest
from django.urls import reverse

from annotation import jobs, reporting
from annotation.models import Job
from tests.cast import ACCURATE, person, signed_in
from tests.reporting.project_rows import Row, project_of, worked_example
from tests.web.pages import queries
from tests.web.reports.pages import get_page

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.seeded]


PAGES = ["report", "exports"]


def page_addresses(frozen) -> list[str]:
    job = jobs.create(reporting.FREEZE, project=frozen.project, actor=person("lena"))
    return [
        *(reverse(name, args=["june"]) for name in [*PAGES, "export_ratings"]),
        *(reverse("report_file", args=[frozen.public_id, name]) for name in ("report.json", "options-light.svg")),
        reverse("report_figure", args=["june", "options-light.svg"]),
        reverse("frozen_report", args=[frozen.public_id]),
        reverse("job", args=[job.public_id]),
    ]


@pytest.mark.parametrize(("name", "status"), [("lena", 200), ("ada", 200), ("ravi", 403), ("otto", 404)])
def test_leads_and_admins_see_the_report_raters_may_not_and_strangers_find_nothing(frozen, name, status):
    client = signed_in(name, admin=name == "ada")
    for address in page_addresses(frozen):
        assert client.get(address).status_code == status, address


def test_nobody_sees_anything_without_signing_in(client, frozen):
    for address in page_addresses(frozen):
        response = client.get(address)
        assert response.status_code == 302 and "/login/" in response["Location"], address


@pytest.mark.parametrize(("name", "status"), [("ravi", 403), ("otto", 404)])
def test_only_leads_freeze(name, status):
    assert signed_in(name).post(reverse("freeze_report", args=["june"])).status_code == status
    assert not Job.objects.exists()


def test_a_page_has_no_inline_style_or_script_and_a_hostile_name_is_text(lena, frozen):
    name = "<script>alert(1)</script>\"'"
    project_of([Row("q1", name, r, ACCURATE, metadata={name: name}) for r in ("ravi", "rosa")], "odd")
    pages = [get_page(lena, page, slug) for page in PAGES for slug in ("june", "odd")]
    for text in [*pages, get_page(lena, "frozen_report", frozen.public_id)]:
        assert " style=" not in text and "onclick" not in text
        assert not re.search(r"<script(?![^>]*\bsrc=)", text)


def test_ratings_can_be_taken_home_as_a_stream_also_under_pseudonyms(lena, june):
    address = reverse("export_ratings", args=["june"])
    for format in ("jsonl", "csv"):
        response = lena.get(address, {"format": format})
        assert response.streaming
        assert response["Content-Disposition"].startswith("attachment")
        assert len(b"".join(response.streaming_content).decode().splitlines()) == 153 + (format == "csv")
    assert lena.get(address, {"format": "docx"}).status_code == 404
    response = lena.get(address, {"format": "jsonl", "pseudonymous": "1"})
    raters = {json.loads(line)["rater"] for line in b"".join(response.streaming_content).splitlines()}
    assert len(raters) == 3 and not raters & {"ravi", "rosa", "tom"}


def test_a_report_and_a_job_that_do_not_exist_are_not_found(lena):
    for name in ("frozen_report", "job"):
        assert lena.get(reverse(name, args=[uuid.uuid4()])).status_code == 404


def test_a_page_asks_the_database_as_often_for_few_ratings_as_for_many(lena):
    project_of(worked_example()[:12], "few")
    for name in PAGES:
        few, many = (queries(lena, reverse(name, args=[slug])) for slug in ("few", "june"))
        assert few == many <= 45, name

"""A report shared by a link: without names, project or a way into the site, for anybody until it is revoked."""

import json
import re
from dataclasses import replace
from html import unescape

import pytest
from django.test import Client

from annotation import jobs, reporting
from annotation.models import Job, Report, ReportLink
from annotation.pseudonyms import Pseudonyms
from annotation.reporting import Choices
from annotation.reporting.report_comparison import rebuild_job
from annotation.reporting.shared_links import make_link, revoke_link
from annotation.web.reports import shared as shared_reports
from tests.cast import person
from tests.exporting.bundles import frozen
from tests.reporting.project_rows import project_of, worked_example
from tests.web.pages import queries, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def report(module_rows) -> Report:
    rows = [replace(row, rater=f"{row.rater}-surname") for row in worked_example()]
    return reporting.freeze(project_of(rows, "secret-project"), Choices(resamples=100), actor=person("lena"))


@pytest.fixture
def key(report) -> str:
    return make_link(report)[1]


def test_anybody_reads_a_shared_report_without_an_account_broken_down_and_mapped_as_they_ask(key):
    text = text_of(Client().get(f"/r/{key}/"))
    assert "87.1 %" in text and "61 of 70" in text and "under pseudonyms" in text
    assert "Report: Accuracy according to the article" in text
    assert "Disputed" in text and "3 raters judged 51 sentences" in text
    html = Client().get(f"/r/{key}/?by=rater&measure=inaccurate").content.decode()
    assert "By rater" in html and "surname" not in html
    addresses = re.findall(rf'href="(/r/{key}/heat-light.svg[^"]*)"', html)
    assert addresses and "measure=inaccurate" in addresses[0]
    assert Client().get(unescape(addresses[0])).content != Client().get(f"/r/{key}/heat-light.svg").content


def test_nothing_leads_from_it_into_the_site_and_no_name_is_in_it(report):
    _, key = make_link(report, note="for the editor")
    response = Client().get(f"/r/{key}/")
    html = response.content.decode()
    for secret in ("secret-project", "surname", "lena", "for the editor", report.data_sha256):
        assert secret not in html, secret
    links = re.findall(r'(?:href|action|src)="(/[^"]*)"', html)
    inward = [link for link in links if not link.startswith(("/static/", "/language/", "/accessibility/"))]
    assert inward and all(where.startswith(f"/r/{key}/") for where in inward)
    assert not response.cookies


def test_its_files_are_pseudonymous_too_and_with_names_those_of_the_frozen_report(report, key):
    html = Client().get(f"/r/{key}/").content.decode()
    files = sorted({unescape(path) for path in re.findall(rf'href="(/r/{key}/[^"]+)"', html)})
    assert len(files) >= 5 + 4
    kinds = {path[-4:]: path for path in files if path.endswith((".png", ".pdf"))}  # one each: they take long to draw
    others = [path for path in files if path[-4:] not in kinds and not path.endswith(("latex", "markdown"))]
    for path in [*kinds.values(), *others]:
        response = Client().get(path)
        assert response.status_code == 200
        assert b"surname" not in response.content and "secret-project" not in response["Content-Disposition"]
    shown, stored = json.loads(Client().get(f"/r/{key}/report.json").content), json.loads(report.document)
    raters = [Pseudonyms(report.project).pseudonym(cell["value"]) for cell in stored["by"]["rater"]]
    assert [cell["value"] for cell in shown["by"]["rater"]] == sorted(raters)
    assert shown["overall"] == stored["overall"]
    _, key = make_link(report, with_names=True)
    assert "ravi-surname" in text_of(Client().get(f"/r/{key}/"))
    assert Client().get(f"/r/{key}/report.json").content.decode() == report.document


def test_a_revoked_link_and_one_that_never_was_are_answered_alike(report, monkeypatch):
    monkeypatch.setattr("django.utils.cache.http_date", lambda seconds: "now")  # the two may differ by a second
    link, key = make_link(report)
    revoke_link(link)
    for path in ("", "report.json"):
        revoked, never = (Client().get(f"/r/{which}/{path}") for which in (key, "x" * len(key)))
        assert revoked.status_code == never.status_code == 404
        html = revoked.content.decode()
        assert "<h1>Report not found</h1>" in html and re.search(r"<title>\s*Report not found\s*</title>", html)
        assert revoked.content.replace(key.encode(), b"x" * len(key)) == never.content  # its own address
        for response in (revoked, never):
            del response.headers["X-Request-ID"]  # a new one for each request
        assert revoked.headers.items() == never.headers.items()


def test_filters_are_told_in_words_and_without_names(report):
    system = json.loads(report.document)["systems"][0]["system"]
    for systems, phrase in ((system,), f"; {system} only"), (("nobody's",), "None remained"):
        choices = Choices(resamples=100, systems=systems, without_raters=("ravi-surname",))
        _, key = make_link(frozen(report.project, choices))
        text = text_of(Client().get(f"/r/{key}/"))
        assert phrase in text and "without the ratings of rater-" in text and "surname" not in text


def test_it_is_neither_indexed_nor_kept_nor_told_to_others_and_another_file_is_not_found(key, monkeypatch):
    for path in (f"/r/{key}/", f"/r/{key}/report.json", "/r/wrong/"):
        headers = Client().get(path).headers
        assert "noindex" in headers["X-Robots-Tag"]
        assert headers["Referrer-Policy"] == "no-referrer"
        assert "no-store" in headers["Cache-Control"]
    for name in ("report.docx", "raters-light.svg", "options-light.exe", "..%2f", "report"):
        assert Client().get(f"/r/{key}/{name}").status_code == 404, name
    picture = Client().get(f"/r/{key}/options-light.png").content
    monkeypatch.setattr("annotation.web.reports.figures.png", None)  # it is drawn once
    assert picture.startswith(b"\x89PNG") and Client().get(f"/r/{key}/options-light.png").content == picture


def test_who_asks_too_often_waits(key, monkeypatch):
    monkeypatch.setattr(shared_reports, "MAX_PER_MINUTE", 3)
    assert [Client().get(f"/r/{key}/report.json").status_code for _ in range(4)] == [200, 200, 200, 429]
    refused = Client().get("/r/wrong/")
    assert refused.status_code == 429 and "<h1>Too many requests</h1>" in refused.content.decode()
    assert Client().get(f"/r/{key}/", REMOTE_ADDR="10.1.2.3").status_code == 200


def test_a_lead_makes_a_link_sees_it_once_and_revokes_it(report, lena):
    address = f"/reports/{report.public_id}/links/"
    page = text_of(lena.post(address, {"note": "the editor"}, follow=True))
    key = re.search(r"http://testserver/r/([\w-]+)/", page)
    assert key and "the editor" in page
    assert Client().get(f"/r/{key[1]}/").status_code == 200
    assert key[1] not in text_of(lena.get(address))
    link = ReportLink.objects.get()
    assert (link.made_by, link.with_names) == (person("lena"), False)
    assert "revoked" in text_of(lena.post(f"{address}{link.public_id}/revoke/", follow=True))
    assert Client().get(f"/r/{key[1]}/").status_code == 404
    lena.post(address, {"with_names": "1"})
    assert ReportLink.objects.filter(with_names=True).count() == 1, "names are shown only where the lead ticks them"
    before = queries(lena, address)
    for name in ("ines", "ada"):
        make_link(report, actor=person(name))
    assert queries(lena, address) == before
    copied = {"document": report.document, "data_sha256": report.data_sha256}
    other, _ = make_link(Report.objects.create(project=report.project, **copied))
    assert lena.post(f"{address}{other.public_id}/revoke/").status_code == 404, "it is of another report"
    other.refresh_from_db()
    assert other.revoked_at is None


def test_a_report_is_built_again_by_a_job_whose_result_the_page_tells(report, lena, monkeypatch):
    monkeypatch.setattr("tasks.jobs._send", lambda job: None)
    address = f"/reports/{report.public_id}/rebuild/"
    assert "Not verified yet" in text_of(lena.get(address))
    lena.post(address)
    lena.post(address)  # a second click
    job = Job.objects.get()
    assert "Waiting for a worker" in text_of(lena.get(address))
    jobs.run(job.pk, rebuild_job)
    assert "The same bytes." in text_of(lena.get(address))
    assert lena.get(f"/jobs/{job.public_id}/").url == address

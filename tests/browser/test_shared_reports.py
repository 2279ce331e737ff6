"""Shared reports and exports in a browser: links, bundles, and the accessibility of their pages."""

import zipfile
from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from annotation import reporting
from annotation.exporting import export_jobs
from annotation.models import Report
from annotation.reporting import Choices
from annotation.reporting.shared_links import make_link

from ..cast import person
from ..reporting.project_rows import project_of, worked_example
from .accessibility import accessibility_problems

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def report() -> Report:
    """Return the second of two frozen reports, which differ in the seed."""
    project = project_of([replace(row, rater=f"{row.rater}-surname") for row in worked_example()])
    reporting.freeze(project, Choices(resamples=100, seed=2))
    return reporting.freeze(project, Choices(resamples=100))


@pytest.fixture
def lena(page: Page, report, live_server, log_in) -> Page:
    log_in(page, person("lena"))
    return page


def test_a_lead_shares_a_report_and_takes_the_link_back(lena: Page, report, live_server, browser):
    lena.goto(f"{live_server.url}/reports/{report.public_id}/")
    lena.get_by_role("link", name="Share").click()
    lena.get_by_label("Recipient").fill("the editor")
    lena.get_by_role("button", name="Create link").click()
    address = lena.locator("#secret").inner_text()
    reader = browser.new_page()
    reader.goto(address)
    expect(reader.get_by_role("heading", name="Report", level=1)).to_be_visible()
    expect(reader.get_by_text("87.1 %").first).to_be_visible()
    assert "surname" not in reader.content()
    lena.get_by_role("button", name="Revoke").click()
    dialog = lena.get_by_role("dialog", name="Revoke the link")
    dialog.get_by_role("button", name="Cancel").click()
    lena.get_by_role("button", name="Revoke").click()
    dialog.get_by_role("button", name="Revoke").click()
    expect(lena.get_by_text("no longer works")).to_be_visible()
    reader.reload()
    expect(reader.get_by_role("heading", name="Report not found")).to_be_visible()
    assert accessibility_problems(reader, "a link that does not work") == []
    reader.close()


def test_a_bundle_comes_at_once_and_what_is_large_when_a_worker_has_it_ready(
    lena: Page, report, live_server, worker, monkeypatch, settings, tmp_path
):
    settings.MEDIA_ROOT = tmp_path
    lena.goto(f"{live_server.url}/projects/june/exports/")
    with lena.expect_download() as download:
        lena.get_by_role("button", name="Export bundle").click()
    with zipfile.ZipFile(download.value.path()) as archive:
        assert archive.testzip() is None
    monkeypatch.setattr(export_jobs, "MAX_DIRECT_RATINGS", 10)
    lena.get_by_role("button", name="Export ratings").click()
    ready = lena.get_by_role("link", name="june-ratings-pseudonymous.jsonl", exact=True)
    with lena.expect_download() as download:
        ready.click()
    assert len(download.value.path().read_text().splitlines()) == 153


def test_pages_fit_a_phone_and_have_figures_for_it(lena: Page, report, live_server):
    _, key = make_link(report, note="the editor", actor=person("lena"))
    problems: list[str] = []
    lena.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    lena.set_viewport_size({"width": 390, "height": 844})
    for path in ("projects/june/exports", "projects/june/reports/compare", f"reports/{report.public_id}/rebuilt"):
        lena.goto(f"{live_server.url}/{path}/")
        problems += accessibility_problems(lena, path, ["light"])
    lena.context.clear_cookies()
    lena.goto(f"{live_server.url}/r/{key}/")
    problems += accessibility_problems(lena, "a shared report")
    figure = lena.locator("[data-figure=options]")
    expect(figure.locator("[data-layout=narrow] svg")).to_be_visible()
    expect(figure.locator("[data-layout=wide]")).to_be_hidden()
    assert not problems, "\n".join(problems)

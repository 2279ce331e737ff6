"""Shared reports and exports in a browser: links, bundles, and the accessibility of their pages."""

import zipfile
from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from annotation import reporting
from annotation.exporting import export_jobs
from annotation.models import Export, Report
from annotation.reporting import Choices
from annotation.reporting.shared_links import make_link
from tests.browser.accessibility import accessibility_problems
from tests.cast import person
from tests.reporting.project_rows import project_of, worked_example

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
    reader.close()


def test_a_lead_takes_the_bundle_of_a_report(lena: Page, live_server):
    lena.goto(f"{live_server.url}/projects/june/exports/")
    with lena.expect_download() as download:
        lena.get_by_role("button", name="Export bundle").click()
    with zipfile.ZipFile(download.value.path()) as archive:
        assert archive.testzip() is None


def test_what_is_large_comes_from_a_worker_and_is_there_when_it_is_ready(
    lena: Page, report, live_server, celery_worker, monkeypatch
):
    monkeypatch.setattr(export_jobs, "MAX_DIRECT_RATINGS", 10)
    lena.goto(f"{live_server.url}/projects/june/exports/")
    lena.get_by_role("button", name="Export ratings").click()
    ready = lena.get_by_role("link", name="june-ratings-pseudonymous.jsonl", exact=True)
    expect(ready).to_be_visible(timeout=30_000)
    try:
        with lena.expect_download() as download:
            ready.click()
        assert len(download.value.path().read_text().splitlines()) == 153
    finally:
        Export.objects.get().file.delete(save=False)


def test_pages_are_accessible_and_fit_a_phone(lena: Page, report, live_server):
    from annotation.reporting.shared_links import make_link

    _, key = make_link(report, note="the editor", actor=person("lena"))
    pages = ["projects/june/exports", "projects/june/reports/compare", f"reports/{report.public_id}/links"]
    pages += [f"reports/{report.public_id}/rebuilt", f"r/{key}", "r/nothing"]
    problems: list[str] = []
    lena.on(
        "console",
        lambda message: (
            problems.append(message.text) if message.type == "error" and "404" not in message.text else None
        ),
    )
    lena.set_viewport_size({"width": 390, "height": 844})
    for path in pages:
        lena.goto(f"{live_server.url}/{path}/")
        problems += accessibility_problems(lena, path)
    assert not problems, "\n".join(problems)


def test_a_shared_report_has_figures_for_a_phone(report, live_server, browser):
    _link, key = make_link(report)
    reader = browser.new_page(viewport={"width": 390, "height": 844})
    reader.goto(f"{live_server.url}/r/{key}/")
    figure = reader.locator("[data-figure=options]")
    expect(figure.locator("[data-layout=narrow] svg")).to_be_visible()
    expect(figure.locator("[data-layout=wide]")).to_be_hidden()
    reader.close()

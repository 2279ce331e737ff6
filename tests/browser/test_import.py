"""Importing in a browser by an admin: upload, dry run, confirmation, new project.

Pages are also checked with axe and at the width of a phone.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Dataset, Document, Job, Project, Prompt

from ..cast import person
from .accessibility import accessibility_problems

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FIXTURES = Path(__file__).parents[2] / "fixtures"
QASPER = FIXTURES / "qasper" / "papers.json"
REAL = Path(__file__).resolve().parents[3] / "shared" / "data" / "qasper" / "qasper-train-first10.v0.3-shape.json"


@pytest.fixture
def ada(page: Page, visit: Callable) -> Page:
    """Return the home page, with the admin signed in."""
    person("ada", admin=True)
    return visit(page, "ada", "/")


def upload(page: Page, path: Path, slug: str, rule: str = "all") -> None:
    """Upload a file on the open form."""
    page.set_input_files("[name=upload]", path)
    page.fill("[name=slug]", slug)
    radio = page.locator(f"[name=subset][value={rule}]")
    if not radio.is_visible():
        page.get_by_text("Other rules and interpretations").click()
    radio.check()
    page.get_by_role("button", name="Check the files").click()


def test_from_an_empty_site_to_a_project_with_a_rater(ada: Page, worker: None) -> None:
    person("ravi")
    expect(ada.get_by_role("heading", name="First steps")).to_be_visible()
    assert accessibility_problems(ada, widths=(390, 1440)) == []
    ada.get_by_role("link", name="Import your files").click()
    upload(ada, FIXTURES / "demo" / "articles.json", "moths")
    expect(ada.get_by_role("heading", name="Records to import")).to_be_visible()
    assert not Dataset.objects.exists()
    ada.get_by_role("button", name="Import 14 new records").click()
    expect(ada.get_by_role("heading", name="Contents")).to_be_visible()

    ada.get_by_role("link", name="Import responses").first.click()
    ada.set_input_files("[name=upload]", FIXTURES / "demo" / "responses.jsonl")
    ada.get_by_role("button", name="Check the file").click()
    ada.get_by_role("button", name="Import 30 new records").click()
    expect(ada.get_by_role("status")).to_contain_text("Imported 30 new records")

    ada.get_by_role("link", name="New project").click()
    ada.fill("[name=title]", "Moths in June")
    ada.fill("[name=slug]", "june")
    ada.get_by_role("group", name="Raters").get_by_label("ravi").check()
    ada.get_by_role("button", name="Create project").click()
    expect(ada.get_by_role("heading", name="Moths in June")).to_be_visible()
    assert Project.objects.get().slots.count() == 90
    expect(ada.get_by_role("heading", name="Setup checklist")).to_be_visible()
    ada.get_by_role("link", name="Factuary").click()
    expect(ada.get_by_role("heading", name="First steps")).to_have_count(0)


def test_the_sample_and_its_report_are_one_click_away_each(ada: Page, worker: None) -> None:
    ada.get_by_role("button", name="Import sample project").click()
    expect(ada.get_by_role("heading", name="Sample: four invented articles")).to_be_visible()
    ada.get_by_role("link", name="Open the report").click()
    expect(ada.get_by_role("heading", name="Proportions of ratings")).to_be_visible()


def test_a_load_is_canceled_or_goes_on_by_itself_after_a_reload(
    ada: Page, visit: Callable, start_worker: Callable
) -> None:
    visit(ada, "ada", "/datasets/import/")
    upload(ada, QASPER, "papers")
    ada.get_by_role("button", name="Cancel").click()
    expect(ada.get_by_text("This job was canceled. Nothing was stored.")).to_be_visible()
    assert Job.objects.get().state == "cancelled"
    visit(ada, "ada", "/datasets/import/")
    upload(ada, QASPER, "papers")
    bar = ada.get_by_role("progressbar", name="Importing a data set")
    expect(bar).to_be_visible()
    ada.reload()
    expect(bar).to_be_visible()
    expect(ada.get_by_text("Waiting for a worker")).to_be_visible()
    start_worker()
    expect(ada.get_by_role("heading", name="Records to import")).to_be_visible()
    visit(ada, "ada", "/datasets/import/")
    upload(ada, FIXTURES / "qasper" / "broken.json", "more")
    expect(ada.get_by_role("heading", name="These files cannot be imported")).to_be_visible()
    expect(ada.locator(".problems li").first).to_contain_text("broken.json")
    assert not Dataset.objects.exists()


def test_the_form_offers_the_rules_of_the_chosen_format_and_names_files_beyond_the_limit(
    ada: Page, visit: Callable, settings: Any
) -> None:
    settings.MAX_UPLOAD_MB = 1
    visit(ada, "ada", "/datasets/import/")
    stem = ada.locator("[name=subset][value=stem-qa]")
    stem.check()
    ada.locator("[name=format][value=jsonl]").check()
    expect(stem).not_to_be_visible()
    expect(ada.locator("[name=subset][value=all]")).to_be_checked()
    ada.locator("[name=format][value=qasper]").check()
    expect(stem).to_be_visible()
    large = {"name": "large.json", "mimeType": "application/json", "buffer": b"x" * (1 << 20 | 1)}
    ada.set_input_files("[name=upload]", large)
    message = ada.locator("[name=upload]").evaluate("input => input.validationMessage")
    assert "the limit is 1 MB" in message


if REAL.exists():

    def test_the_real_sample_is_loaded_by_the_published_rule(ada: Page, visit: Callable, worker: None) -> None:
        visit(ada, "ada", "/datasets/import/")
        upload(ada, REAL, "qasper", "stem-qa")
        expect(ada.get_by_role("heading", name="Records to import")).to_be_visible()
        expect(ada.get_by_role("row", name="In the files")).to_contain_text("51")
        expect(ada.get_by_role("row", name="No supporting evidence in any annotation")).to_contain_text("1")
        expect(ada.get_by_role("row", name="As published")).to_contain_text("158")
        ada.get_by_role("button", name="Import 2 new records").click()
        expect(ada.get_by_role("heading", name="Import")).to_be_visible()
        assert (Prompt.objects.count(), Document.objects.count()) == (1, 1)

"""Live progress of a project in a browser: the lead's page updates itself, and a preview saves nothing."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Rating, Slot
from annotation.projects.archiving import archive, unarchive

from ..cast import Study, person, study
from ..web.pages import rates
from .workspace import count_unsent, load_page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
COME_BACK = "document.dispatchEvent(new Event('visibilitychange'))"  # as when the tab comes to the front
STORED_ANSWERS = "Object.keys(localStorage).filter((name) => name.startsWith('factuary:answer')).length"


@pytest.fixture
def june(transactional_db: None) -> Study:
    """Return two responses of three sentences, each for two raters."""
    return study(prompts=2)


def test_the_leads_page_brings_itself_up_to_date_and_disturbs_nobody(
    june: Study, page: Page, live_server: Any, log_in: Callable
) -> None:
    log_in(page, person("lena"))
    load_page(page, f"{live_server.url}/projects/june/")
    link = page.get_by_role("link", name="All coefficients")
    link.focus()
    stood = link.bounding_box()
    expect(page.locator("#live-progress")).to_contain_text("0 of 4")
    expect(page.locator("[data-loads]")).to_contain_text("No ratings yet")
    rates(june.people["ravi"], june.project)
    page.evaluate(COME_BACK)
    expect(page.locator("#live-progress")).to_contain_text("1 of 4")
    expect(page.locator("#live-pace")).to_contain_text("ravi")
    expect(page.locator("#live-pace")).to_contain_text("Now")
    expect(page.locator("[data-loads]")).to_contain_text("Intervals appear when a system has ratings in ten")
    expect(page.locator("#late-agreement")).to_contain_text("No sentence has two ratings yet")
    expect(link).to_be_focused()
    assert link.bounding_box() == stood  # what grows above it pushes it nowhere


def test_the_leads_page_says_when_it_is_not_up_to_date(
    june: Study, page: Page, live_server: Any, log_in: Callable
) -> None:
    log_in(page, person("lena"))
    load_page(page, f"{live_server.url}/projects/june/")
    page.route("**/live/", lambda route: route.abort())
    page.evaluate(COME_BACK)
    expect(page.locator("[data-live-text]")).to_have_text("No answer from the server; trying again")
    page.unroute("**/live/")
    page.evaluate(COME_BACK)
    expect(page.locator("[data-live-text]")).to_have_text("Live")


def test_a_preview_can_be_tried_to_the_end_and_saves_nothing(
    june: Study, page: Page, live_server: Any, log_in: Callable
) -> None:
    log_in(page, person("lena"))
    page.goto(f"{live_server.url}/projects/june/responses/")
    page.get_by_role("link", name="Preview").first.click()
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("main")).to_contain_text("Preview: nothing is saved.")
    for key in ("1", "1", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("[data-open-title]")).to_have_text("1 sentence has no answer yet")
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    expect(page.locator("[data-notice-text]")).to_contain_text("The preview saves nothing")
    assert page.evaluate(STORED_ANSWERS) == 0
    assert not Rating.objects.exists()
    assert not Slot.objects.exclude(holder=None).exists()


def test_answers_given_in_a_project_that_is_being_archived_wait_until_it_is_taken_up_again(
    june: Study, page: Page, open_rating: Callable
) -> None:
    open_rating()
    archive(june.project)
    page.keyboard.press("1")
    expect(page.locator("[data-notice-text]")).to_contain_text("This project is archived")
    assert count_unsent(page) == 1
    unarchive(june.project)
    open_rating()
    expect(page.locator("[data-progress-text]")).to_have_text("1 of 3")
    expect(page.locator("[data-saved-text]")).to_have_text("Saved")
    assert Rating.objects.count() == 1


def test_giving_back_is_confirmed(june: Study, page: Page, open_rating: Callable) -> None:
    open_rating()
    page.get_by_label("More about this response").click()
    page.get_by_role("button", name="Return this response to the queue").click()
    page.locator("[data-release]").click()
    expect(page.get_by_role("status")).to_contain_text("The response is back in the queue")
    assert not Slot.objects.exclude(holder=None).exists()

"""Live progress of a project in a browser: the lead's page updates itself, and a preview saves nothing."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Rating, Slot
from annotation.projects.archiving import archive, unarchive

from ..cast import ACCURATE, SEVERE, Study
from ..gold_studies import rate_next
from ..web.pages import rates
from .workspace import count_unsent, press, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => list.getEntries().forEach((entry) => window.shifts.push(
    `${entry.value.toFixed(4)}: ${entry.sources.map(({ node }) => node?.className || node?.nodeName)}`,
))).observe({ type: "layout-shift", buffered: true });
"""
COME_BACK = "document.dispatchEvent(new Event('visibilitychange'))"  # as when the tab comes to the front
STORED_ANSWERS = "Object.keys(localStorage).filter((name) => name.startsWith('factuary:answer')).length"


def test_the_leads_page_brings_itself_up_to_date_disturbs_nobody_and_says_when_it_cannot(
    june: Study, page: Page, visit: Callable
) -> None:
    visit(page, "lena", "/projects/june/")
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
    page.route("**/live/", lambda route: route.abort())
    page.evaluate(COME_BACK)
    expect(page.locator("[data-live-text]")).to_have_text("No answer from the server; trying again")
    page.unroute("**/live/")
    page.evaluate(COME_BACK)
    expect(page.locator("[data-live-text]")).to_have_text("Live")


def test_a_preview_can_be_tried_to_the_end_and_saves_nothing(june: Study, page: Page, visit: Callable) -> None:
    visit(page, "lena", "/projects/june/responses/")
    page.get_by_role("link", name="Preview").first.click()
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("main")).to_contain_text("Preview: nothing is saved.")
    press(page, "1 1 1 Enter")
    expect(page.locator("[data-open-title]")).to_have_text("1 sentence has no answer yet")
    press(page, "Escape 1 Enter")
    expect(page.locator("[data-notice-text]")).to_contain_text("The preview saves nothing")
    assert page.evaluate(STORED_ANSWERS) == 0
    assert not Rating.objects.exists()
    assert not Slot.objects.exclude(holder=None).exists()


def test_answers_wait_while_a_project_is_archived_and_outlive_giving_the_response_back(
    june: Study, page: Page, open_rating: Callable
) -> None:
    open_rating()
    archive(june.project)
    page.keyboard.press("1")
    expect(page.locator("[data-notice-text]")).to_contain_text("This project is archived")
    assert count_unsent(page) == 1
    unarchive(june.project)
    open_rating()
    expect(page.locator("[data-progress-text]")).to_have_text("1 of 4")
    wait_until_saved(page)
    assert Rating.objects.count() == 1
    page.get_by_label("More about this response").click()
    page.get_by_role("button", name="Return this response to the queue").click()
    page.locator("[data-release]").click()
    expect(page.get_by_role("status")).to_contain_text("The response is back in the queue")
    assert not Slot.objects.exclude(holder=None).exists()
    assert Rating.objects.count() == 1


@pytest.mark.parametrize("width", [1440, 390])
def test_nothing_on_the_overview_moves_when_late_parts_arrive(
    width: int, june: Study, page: Page, visit: Callable
) -> None:
    rate_next(june, "ravi", ACCURATE)
    rate_next(june, "rosa", SEVERE)
    page.set_viewport_size({"width": width, "height": 900})
    page.add_init_script(SHIFTS)
    visit(page, "lena", "/projects/june/")
    expect(page.locator("[data-loads-text]")).to_have_count(0)
    expect(page.get_by_text("Quality alerts: ravi and rosa", exact=True)).to_be_visible()
    assert page.evaluate("new Promise((end) => requestAnimationFrame(() => setTimeout(() => end(shifts))))") == []

"""The bar on top in a browser: the switcher of projects by keys, on a phone, and the bell with its panel."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Notification
from annotation.notifications import notify

from ..cast import Study, study
from .accessibility import accessibility_problems
from .layout import widest
from .workspace import load_page, press

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_another_project_is_found_by_keys_alone(june: Study, page: Page, live_server: Any, visit: Callable) -> None:
    visit(page, "lena", "/projects/june/")
    summary = page.locator(".switcher > summary")
    summary.focus()
    press(page, "Enter Tab")
    expect(page.locator("#project-list a")).to_be_focused()
    press(page, "Escape")
    expect(summary).to_be_focused()
    expect(page.locator(".switcher")).not_to_have_attribute("open", "")
    for n in range(10):
        study(f"study{n}", systems=())
    load_page(page, f"{live_server.url}/projects/june/")
    expect(page.locator("[data-loads]")).to_contain_text("No ratings yet")
    summary.focus()
    press(page, "Enter")
    expect(page.get_by_label("Filter projects")).to_be_focused()
    assert accessibility_problems(page, "overview", widths=[1440, 390]) == []
    page.keyboard.type("nowhere")
    expect(page.get_by_text("No project matches.")).to_be_visible()
    press(page, "ControlOrMeta+A")
    page.keyboard.type("STUDY7")
    expect(page.locator("#project-list li:visible")).to_have_count(1)
    press(page, "Tab Enter")
    page.wait_for_url("**/projects/study7/")


def test_on_a_phone_the_current_section_is_in_view_and_the_site_is_in_the_menu(
    june: Study, page: Page, visit: Callable
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, "lena", "/projects/june/settings/quality/")
    expect(page.locator(".project-bar [aria-current]")).to_be_in_viewport(ratio=1)
    expect(page.locator(".site-links")).to_be_hidden()
    page.locator(".topbar > .menu:last-child > summary").click()
    expect(page.locator(".in-menu").get_by_role("link", name="Projects")).to_be_visible()
    page.locator(".switcher > summary").click()
    expect(page.locator("#project-list")).to_be_visible()
    assert widest(page) == 390


@pytest.fixture
def members(june: Study, page: Page, visit: Callable) -> Page:
    """Open a page as Lena, who has two notifications."""
    lena = june.people["lena"]
    notify([lena.pk], Notification.Kind.PAUSED, project=june.project, rater=june.people["ravi"])
    notify([lena.pk], Notification.Kind.TARGET, project=june.project)
    return visit(page, "lena", "/projects/june/members/")


def test_the_bell_opens_the_newest_and_a_link_in_it_marks_as_read(members: Page) -> None:
    page = members
    bell = page.get_by_role("link", name="Notifications 2 unread")
    bell.focus()
    page.keyboard.press("Enter")
    panel = page.get_by_role("dialog", name="Notifications")
    expect(panel.get_by_role("listitem")).to_have_count(2)
    assert accessibility_problems(page) == []
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(bell).to_be_focused()
    bell.click()
    panel.get_by_role("link", name="ravi is paused.").click()
    page.wait_for_url("**/projects/june/checks/#raters")
    expect(page.get_by_role("link", name="Notifications 1 unread")).to_be_visible()
    page.get_by_role("link", name="Notifications 1 unread").click()
    panel.get_by_role("button", name="Mark all as read").click()
    page.wait_for_url("**/notifications/")
    expect(page.get_by_role("banner").get_by_text("unread")).to_have_count(0)

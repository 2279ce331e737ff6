"""The navigation of a project in a browser: the switcher by keys, with and without its filter, and on a phone."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ..cast import Study, person, study
from .accessibility import accessibility_problems
from .layout import widest
from .workspace import load_page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def june(transactional_db: None) -> Study:
    return study(prompts=2)


def test_another_project_is_found_by_keys_alone(june: Study, page: Page, live_server: Any, log_in: Callable) -> None:
    for n in range(10):
        study(f"study{n}", prompts=1)
    log_in(page, person("lena"))
    load_page(page, f"{live_server.url}/projects/june/settings/workload/")
    page.locator(".switcher > summary").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Filter projects")).to_be_focused()
    page.keyboard.type("nowhere")
    expect(page.get_by_text("No project matches.")).to_be_visible()
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type("STUDY7")
    expect(page.locator("#project-list li:visible")).to_have_count(1)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/projects/study7/")


def test_escape_closes_the_switcher_and_gives_the_focus_back(
    june: Study, page: Page, live_server: Any, log_in: Callable
) -> None:
    log_in(page, person("lena"))
    load_page(page, f"{live_server.url}/projects/june/")
    summary = page.locator(".switcher > summary")
    summary.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator("#project-list a")).to_be_focused()
    page.keyboard.press("Escape")
    expect(summary).to_be_focused()
    expect(page.locator(".switcher")).not_to_have_attribute("open", "")


def test_on_a_phone_the_current_section_is_in_view_and_the_site_is_in_the_menu(
    june: Study, page: Page, live_server: Any, log_in: Callable
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    log_in(page, person("lena"))
    load_page(page, f"{live_server.url}/projects/june/settings/quality/")
    expect(page.locator(".project-bar [aria-current]")).to_be_in_viewport(ratio=1)
    expect(page.locator(".site-links")).to_be_hidden()
    page.locator(".topbar > .menu:last-child > summary").click()
    expect(page.locator(".in-menu").get_by_role("link", name="Projects")).to_be_visible()
    page.locator(".switcher > summary").click()
    expect(page.locator("#project-list")).to_be_visible()
    assert widest(page) == 390


def test_without_scripts_the_switcher_opens(
    june: Study, browser: Any, page: Page, live_server: Any, log_in: Any
) -> None:
    study("july", prompts=1)
    log_in(page, person("lena"))
    context = browser.new_context(java_script_enabled=False, storage_state=page.context.storage_state())
    plain = context.new_page()
    plain.goto(f"{live_server.url}/projects/june/")
    plain.locator(".switcher > summary").click()
    plain.get_by_role("link", name="Study july").click()
    plain.wait_for_url("**/projects/july/")
    context.close()


def test_the_checklist_and_the_open_switcher_are_accessible(
    june: Study, page: Page, live_server: Any, log_in: Callable
) -> None:
    for n in range(10):
        study(f"study{n}", prompts=1)
    log_in(page, person("lena"))
    load_page(page, f"{live_server.url}/projects/june/")
    expect(page.locator("[data-loads]")).to_contain_text("No ratings yet")
    page.locator(".switcher > summary").click()
    assert accessibility_problems(page, "overview", widths=[1440, 390]) == []

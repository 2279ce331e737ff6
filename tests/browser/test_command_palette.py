"""The palette and the pickers of people in a browser: by keys alone, with a pointer, without a script, and axe."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Membership

from ..cast import Study, study
from .accessibility import accessibility_problems, violations
from .layout import widest
from .workspace import press

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
OPTIONS = "#palette-options [role=option]"


@pytest.fixture
def on_the_overview(june: Study, page: Page, visit: Callable) -> Page:
    return visit(page, "lena", "/projects/june/")


def test_a_page_is_found_and_opened_by_keys_alone(on_the_overview: Page) -> None:
    page = on_the_overview
    page.locator("[data-opens-palette]").focus()
    page.keyboard.press("Enter")
    options, field = page.locator(OPTIONS), page.get_by_role("combobox", name="Search and commands")
    page.keyboard.type("study june")
    expect(page.locator("#command-palette [role=status]")).to_contain_text("results")
    expect(options.first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowUp")
    expect(options.last).to_have_attribute("aria-selected", "true")
    expect(options.last).to_be_in_viewport(ratio=1)
    press(page, "ArrowDown ArrowDown")
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    expect(field).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#command-palette")).to_be_hidden()
    expect(page.locator("[data-opens-palette]")).to_be_focused()
    page.keyboard.press("Control+k")
    expect(field).to_be_focused()
    expect(page.locator(OPTIONS).first).to_contain_text("Study june")
    page.keyboard.type("settings qual")
    expect(options).to_have_count(1)
    expect(page.locator("#command-palette [role=status]")).to_have_text("1 result")
    active = page.locator(f"#{field.get_attribute('aria-activedescendant')}")
    expect(active).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    page.wait_for_url("**/projects/june/settings/quality/")


def test_the_action_freeze_report_opens_its_dialog(june: Study, page: Page, visit: Callable) -> None:
    from tests.web.pages import rates

    rates(june.people["ravi"], june.project)
    visit(page, "lena", "/projects/june/")
    page.locator("[data-opens-palette]").click()
    page.keyboard.type("freeze")
    page.locator(OPTIONS, has_text="Freeze report").click()
    expect(page.get_by_role("dialog", name="Freeze report")).to_be_visible()


def test_in_the_workspace_the_key_opens_it_and_its_letters_answer_nothing(june: Study, open_rating: Callable) -> None:
    page = open_rating("ravi")
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox", name="Search and commands")).to_be_focused()
    page.keyboard.type("aau")
    page.keyboard.press("Escape")
    expect(page.locator("[data-progress-text]")).to_have_text("0 of 4")
    page.keyboard.press("k")
    expect(page.locator("#command-palette")).to_be_hidden()


def test_it_asks_once_for_words_typed_fast_is_accessible_and_fits_a_phone(on_the_overview: Page) -> None:
    page = on_the_overview
    page.keyboard.press("Control+k")
    expect(page.locator(OPTIONS).first).to_be_visible()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/search/results/" in request.url else None)
    page.keyboard.type("agreement", delay=20)
    expect(page.locator(OPTIONS)).to_have_count(1)
    assert len(asked) <= 2
    page.keyboard.press("Control+a")
    page.keyboard.type("june")
    expect(page.locator(OPTIONS).nth(3)).to_be_visible()
    assert accessibility_problems(page, "palette", widths=[1440, 390]) == []
    page.set_viewport_size({"width": 390, "height": 700})
    assert widest(page) == 390
    page.keyboard.type("xyzzy")
    expect(page.locator("#command-palette [role=status]")).to_have_text("Nothing matches.")
    assert violations(page) == []


def test_without_scripts_the_switcher_opens_and_the_button_leads_to_the_search_page(
    june: Study, browser: Any, visit: Callable
) -> None:
    study("july", systems=())
    context = browser.new_context(java_script_enabled=False)
    plain = visit(context.new_page(), "lena", "/projects/june/")
    plain.locator(".switcher > summary").click()
    plain.get_by_role("link", name="Study july").click()
    plain.wait_for_url("**/projects/july/")
    plain.get_by_role("link", name="Search").click()
    plain.get_by_role("searchbox").fill("settings archive")
    plain.get_by_role("searchbox").press("Enter")
    plain.get_by_role("link", name="Go to settings: Archive or delete").first.click()
    plain.wait_for_url("**/settings/danger/")
    context.close()


def test_a_member_is_found_by_a_part_of_the_name(june: Study, page: Page, visit: Callable) -> None:
    study("july", raters=("tom",))
    visit(page, "lena", "/projects/june/members/")
    field = page.get_by_role("combobox", name="User name")
    field.focus()
    page.keyboard.type("to")
    expect(page.get_by_role("option", name="tom")).to_be_visible()
    assert accessibility_problems(page, "picker", widths=[1440, 390]) == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("option", name="tom")).to_have_count(0)
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("option", name="tom")).to_be_visible()
    press(page, "ArrowDown Enter")
    expect(field).to_have_value("tom")
    page.get_by_role("button", name="Add member").click()
    expect(page.get_by_text("tom is now a rater of this project.")).to_be_visible()
    assert Membership.objects.filter(project=june.project, user__username="tom", role="rater").exists()

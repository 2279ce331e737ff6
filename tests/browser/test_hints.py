"""Hints at first use in the workspace: one at a time, each once, closed by key and mouse, shown again from the help."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Rating

from ..cast import Study, person
from .accessibility import accessibility_problems
from .workspace import press, wait_for_late_modules, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def first_work(june: Study, page: Page, log_in: Callable, live_server: Any) -> Page:
    """Return the workspace of a rater who has seen no hint."""
    log_in(page, person("ravi"), hints=True)
    page.goto(f"{live_server.url}/projects/june/rate/")
    page.wait_for_selector("body[data-ready]")
    return page


def hint(page: Page) -> Any:
    return page.locator("[data-hint]")


def test_each_hint_is_shown_once_and_one_at_a_time(first_work: Page) -> None:
    page = first_work
    press(page, "j")
    expect(hint(page)).to_contain_text("the rarest words of the sentence are underlined")
    press(page, "1")
    expect(page.locator("[data-hint-text]:not([hidden])")).to_have_count(1)
    press(page, "Escape")
    expect(hint(page)).to_be_hidden()
    press(page, "j")
    expect(hint(page)).to_contain_text("The sign before a sentence is your answer")
    page.get_by_role("button", name="Close hint").click()
    expect(hint(page)).to_be_hidden()
    press(page, "k")
    expect(hint(page)).to_contain_text("Supports + or Contradicts − attaches it to your answer")
    press(page, "Escape j k")
    expect(hint(page)).to_be_hidden()
    page.reload()
    page.wait_for_selector("body[data-ready]")
    wait_for_late_modules(page)
    press(page, "j")
    expect(hint(page)).to_be_hidden()


def test_a_hint_asks_for_no_key_and_leaves_the_answers_alone(first_work: Page) -> None:
    page = first_work
    press(page, "1")
    expect(hint(page)).to_be_visible()
    box, form = hint(page).bounding_box(), page.locator("[data-answer-form]").bounding_box()
    assert box and form and box["y"] + box["height"] <= form["y"]
    press(page, "1 1 1")
    wait_until_saved(page)
    assert Rating.objects.count() == 4
    press(page, "Enter")
    expect(page.locator("[data-progress-text]")).to_have_text("0 of 4")


def test_the_help_shows_hints_again(first_work: Page) -> None:
    page = first_work
    press(page, "j")
    expect(hint(page)).to_be_visible()
    press(page, "Escape ?")
    page.get_by_role("button", name="Show hints again").click()
    expect(page.locator("dialog#help")).to_be_hidden()
    expect(hint(page)).to_contain_text("the rarest words of the sentence are underlined")


def test_a_hint_waits_while_a_dialog_is_open(first_work: Page) -> None:
    page = first_work
    press(page, "?")
    expect(page.locator("dialog#help")).to_be_visible()
    wait_for_late_modules(page)
    expect(hint(page)).to_be_hidden()
    press(page, "Escape j")
    expect(hint(page)).to_be_visible()


def test_a_hint_is_accessible_in_both_schemes_and_on_a_phone(first_work: Page) -> None:
    page = first_work
    press(page, "j")
    expect(hint(page)).to_be_visible()
    assert not accessibility_problems(page, "hint", widths=(1440, 390))

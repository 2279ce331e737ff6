"""Hints at first use in the workspace: one at a time, each once, closed by key and mouse, shown again from the help."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Rating

from ..cast import Study, person
from .accessibility import accessibility_problems
from .workspace import press, wait_until_saved

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


def test_a_hint_is_accessible_in_both_schemes_and_on_a_phone(first_work: Page) -> None:
    page = first_work
    press(page, "j")
    expect(hint(page)).to_be_visible()
    assert not accessibility_problems(page, "hint", widths=(1440, 390))

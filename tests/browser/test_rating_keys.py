"""Keys can be changed and turned off, and the hints say so."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from ..cast import ACCURATE, Study
from .workspace import given, press, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def change(page: Page, words: str, key: str) -> None:
    page.get_by_role("button", name=f"Change the key: {words}", exact=True).click()
    page.keyboard.press(key)


def test_a_key_is_changed_and_shown_and_kept(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    press(page, "?")
    page.click("[data-keys-change]")
    change(page, "✓ Accurate", "4")
    expect(page.locator("[data-key-status]")).to_contain_text("4 is the key for: ✕ Inaccurate. Press another.")
    page.keyboard.press("a")
    expect(page.locator("[data-key-status]")).to_have_text("A is now the key for: ✓ Accurate.")
    press(page, "Escape")
    for _ in range(2):
        expect(page.locator("label.option kbd").first).to_have_text("A")
        press(page, "1 a")
        wait_until_saved(page)
        page.reload()
        page.wait_for_selector("body[data-ready]")
    wait_until_saved(page)
    assert given() == [ACCURATE, ACCURATE]


def test_keys_that_write_something_can_be_turned_off(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    press(page, "?")
    page.click("[data-keys-change]")
    page.check("[data-keys-off]")
    press(page, "Escape 1 u ArrowDown")
    expect(page.locator("[data-at]")).to_have_text("Sentence 2 of 4")
    expect(page.locator(".option kbd").first).to_be_hidden()
    page.locator("input[value=accurate]").focus()
    press(page, "Space")
    wait_until_saved(page)
    assert given() == [ACCURATE]

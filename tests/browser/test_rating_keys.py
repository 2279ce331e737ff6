"""Changing keys and turning them off; the hints show the change."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Rating

from ..cast import ACCURATE, SEVERE, Study
from .workspace import press, stored_answers, wait_for_another_response, wait_until_saved

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
    assert stored_answers() == [ACCURATE, ACCURATE]


def hold(page: Page, key: str, times: int = 6) -> None:
    for _ in range(times):
        page.keyboard.down(key)  # after the first it is a repeated one
    page.keyboard.up(key)


def test_a_key_that_is_held_down_answers_and_undoes_once_and_walks_on(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    hold(page, "1")
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 2 of 4")
    press(page, "1 1")
    hold(page, "u")
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE, ACCURATE]
    hold(page, "ArrowUp")
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 1 of 4")


def test_a_key_that_is_held_down_rates_nothing_in_the_next_response(
    june: Study, open_rating: Callable, wait_until: Callable
) -> None:
    page = open_rating()
    first = page.url
    page.click("[aria-label='More about this response']")
    page.click("[data-auto-finish]")
    press(page, "Escape 1 1 1")
    hold(page, "1", 20)
    wait_for_another_response(page, first)
    hold(page, "1", 1)
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 2 of 4")
    wait_until(lambda: Rating.objects.filter(counted=True).count() == 4)
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE] * 5


PRESSED = """(press) => document.activeElement.dispatchEvent(
    new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...press }))"""


def test_a_cyrillic_keyboard_answers_by_the_latin_letters_on_its_keys(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    press(page, "4")
    page.evaluate(PRESSED, {"key": "ы", "code": "KeyS"})
    wait_until_saved(page)
    assert stored_answers() == [SEVERE]
    press(page, "?")
    page.click("[data-keys-change]")
    page.get_by_role("button", name="Change the key: ✓ Accurate", exact=True).click()
    page.evaluate(PRESSED, {"key": "г", "code": "KeyU"})
    press(page, "Escape")
    page.evaluate(PRESSED, {"key": "г", "code": "KeyU"})  # now its own, and no undo
    wait_until_saved(page)
    assert stored_answers() == [SEVERE, ACCURATE]


def test_keys_that_write_something_can_be_turned_off(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    press(page, "?")
    page.click("[data-keys-change]")
    page.check("[data-keys-off]")
    press(page, "Escape 1 u ArrowDown")
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 2 of 4")
    expect(page.locator(".option kbd").first).to_be_hidden()
    page.locator("input[value=accurate]").focus()
    press(page, "Space")
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE]

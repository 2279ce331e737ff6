"""Changing keys and turning them off; the hints show the change."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Rating

from ..cast import ACCURATE, Study
from .workspace import press, stored_answers, wait_for_another_response, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def hold(page: Page, key: str, times: int = 6) -> None:
    for _ in range(times):
        page.keyboard.down(key)  # after the first it is a repeated one
    page.keyboard.up(key)


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

"""Comments and questions to the leads are never lost. Each fault prints its counts."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from annotation.models import RaterQuestion

from ..cast import Study
from .typed_words import Words, kill_tab
from .workspace import count_unsent, press, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def expect_offline(page: Page, waiting: int) -> None:
    expect(page.locator("[data-saved-text]")).to_have_text(f"Offline, {waiting} waiting")


def questions() -> list[str]:
    return list(RaterQuestion.objects.order_by("pk").values_list("text", flat=True))


def test_question_asked_offline_and_tab_killed(
    june: Study, open_rating: Callable, context: BrowserContext, words: Words
) -> None:
    page = open_rating()
    press(page, "c")
    page.get_by_label("Ask the leads", exact=True).press_sequentially("Is a heron a bird?")
    page = kill_tab(page)
    press(page, "c")
    field = page.get_by_label("Ask the leads", exact=True)
    expect(field).to_have_value("Is a heron a bird?")
    context.set_offline(True)
    field.press("Control+Enter")
    expect_offline(page, 1)
    expect(page.locator("[data-thread]")).to_contain_text("Is a heron a bird?")
    expect(page.locator("[data-thread]")).to_contain_text("Waiting to be sent")
    expect(field).to_have_value("")
    page.get_by_text("Report a sentence-boundary error").click()
    page.get_by_label("What is wrong?").fill("Two sentences in one.")
    page.get_by_role("button", name="Send report").click()
    expect_offline(page, 2)
    assert count_unsent(page) == 2
    url = page.url
    page.close(run_before_unload=False)
    context.set_offline(False)
    page = context.new_page()
    page.goto(url)
    page.wait_for_selector("body[data-ready]")
    wait_until_saved(page)
    press(page, "c")
    expect(page.locator("[data-thread] .rater-question")).to_have_count(2)
    expect(page.locator("[data-thread]")).not_to_contain_text("Waiting to be sent")
    words.assert_stored("question asked offline", ["Is a heron a bird?", "Two sentences in one."], questions())
    assert count_unsent(page) == 0

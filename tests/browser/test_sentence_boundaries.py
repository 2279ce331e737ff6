"""A wrong sentence boundary: reported by a rater, corrected by the lead, and only the new sentences rated again."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Rating
from annotation.rating.counting import left_out
from annotation.rating.tally_check import find_tally_differences

from ..cast import Study
from .workspace import press

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_reported_sentence_is_split_and_only_its_parts_are_rated_again(
    one_response: Study, visit: Callable, page: Page
) -> None:
    visit(page, "ravi", "/projects/june/rate/")
    press(page, "1 c")
    page.get_by_text("Report a sentence-boundary error").click()
    page.get_by_role("button", name="Send report").click()
    expect(page.locator("[data-thread] .question-text")).to_have_text("The sentence boundaries are wrong.")
    press(page, "Escape 1 1 1")
    expect(page.locator("[data-saved-text]")).to_have_text("Saved")
    press(page, "Enter")
    expect(page.locator("h1")).to_have_text("All done")
    visit(page, "lena", "/projects/june/inbox/")
    page.get_by_role("link", name="This sentence boundary is wrong").click()
    page.get_by_label("Split: put each part on its own line").fill("Sentence number 2\nof heron.")
    page.get_by_role("button", name="Split into these parts").click()
    expect(page.locator(".messages")).to_contain_text("The sentence is 2 now. 1 earlier rating no longer counts")
    expect(page.locator(".highlighted-response .s")).to_have_text(["Sentence number 2", "of heron."])
    visit(page, "ravi", "/projects/june/rate/")
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 2 of 5")
    expect(page.locator("[data-replies-notice]")).to_be_visible()
    assert Rating.objects.filter(counted=True).count() == 3
    press(page, "1 1 Enter")
    expect(page.locator("h1")).to_have_text("All done")
    assert Rating.objects.filter(counted=True).count() == 5
    assert left_out(one_response.project) == {"retired": 1}
    assert find_tally_differences() == []

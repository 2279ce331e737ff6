"""Comments, bookmarks, questions to the leads with their answers, and wrong sentence boundaries."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotation.models import RaterQuestion, Rating
from annotation.rating.counting import left_out
from annotation.rating.tally_check import find_tally_differences
from annotation.reviewing.rater_questions import answer_question

from ..cast import Study
from .accessibility import violations
from .workspace import press, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_question_goes_to_the_lead_and_the_answer_comes_to_its_sentence(
    one_response: Study, visit: Callable, page: Page
) -> None:
    visit(page, "ravi", "/projects/june/rate/")
    press(page, "ArrowDown c")
    page.get_by_label("Ask the leads", exact=True).fill("Does heron count as a bird?")
    press(page, "Control+Enter")
    expect(page.locator("[data-thread] .question-text")).to_have_text("Does heron count as a bird?")
    assert violations(page) == []
    visit(page, "lena", "/")
    page.get_by_role("link", name="1 question or report").click()
    page.get_by_role("link", name="Does heron count").click()
    assert violations(page) == []
    page.get_by_role("textbox", name="Answer").fill("It does.")
    page.get_by_role("button", name="Answer").click()
    expect(page.locator(".messages")).to_contain_text("ravi sees it beside the sentence")
    visit(page, "rosa", "/projects/june/rate/")
    expect(page.locator(".s[data-item-note]")).to_have_count(0)
    visit(page, "ravi", "/projects/june/rate/")
    expect(page.locator("[data-replies-notice]")).to_be_visible()
    with page.expect_response("**/questions/seen/"):
        page.get_by_role("button", name="Read the answer").click()
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 2 of 4")
    expect(page.locator("[data-thread] .reply")).to_have_text("It does.")
    expect(page.locator("[data-replies-notice]")).to_be_hidden()
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("[data-replies-notice]")).to_be_hidden()
    question = RaterQuestion.objects.get()
    answer_question(
        one_response.project, question.public_id, "It does.", is_published=True, actor=one_response.people["lena"]
    )
    visit(page, "rosa", "/projects/june/rate/")
    expect(page.locator(".s[data-item-note=question]")).to_have_count(1)
    press(page, "j b")  # a sentence can have both signs
    expect(page.locator(".s[data-item-note='bookmark question']")).to_have_count(1)


def test_on_a_phone_a_comment_is_one_tap_away(one_response: Study, visit: Callable, page: Page) -> None:
    visit(page, "ravi", "/projects/june/rate/")
    foot = page.locator(".foot")
    for width in (820, 390, 381):
        page.set_viewport_size({"width": width, "height": 844})
        in_one_line = foot.evaluate("foot => foot.offsetHeight < 60")
        assert in_one_line and page.evaluate("document.documentElement.scrollWidth") <= width
    foot.get_by_role("button", name="Comment").click()
    expect(page.get_by_label("Comment", exact=True)).to_be_focused()
    page.keyboard.type("Which table?")
    press(page, "Escape 1")
    wait_until_saved(page)
    assert Rating.objects.get().comment == "Which table?"


def test_a_reported_sentence_is_split_and_only_its_parts_are_rated_again(
    one_response: Study, visit: Callable, page: Page
) -> None:
    visit(page, "ravi", "/projects/june/rate/")
    press(page, "1 c")
    page.get_by_text("Report a sentence-boundary error").click()
    page.get_by_role("button", name="Send report").click()
    expect(page.locator("[data-thread] .question-text")).to_have_text("The sentence boundaries are wrong.")
    press(page, "Escape 1 1 1")
    wait_until_saved(page)
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

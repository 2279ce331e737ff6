"""What a screen reader gets from the workspace: the browser's accessibility tree and the live region."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from annotation.projects.guidelines import publish_guidelines

from ..cast import Study
from ..gold_studies import gold_sheets_for
from .workspace import press, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LIVE = "[role=status]:visible, [role=log]:visible, [aria-live=polite]:visible, output:visible"


HEARD = """addEventListener("DOMContentLoaded", () => {
    const region = document.querySelector("[data-announcements]");
    window.heard = [];
    if (region) new MutationObserver(() => heard.push(region.textContent)).observe(region, { childList: true });
});"""


@pytest.fixture(autouse=True)
def record_announcements(page: Page) -> None:
    page.add_init_script(HEARD)


def wait_for_announcement(page: Page, words: str) -> None:
    """Wait until the live region has announced a text that contains `words`."""
    page.wait_for_function("(words) => heard.some((said) => said.includes(words))", arg=words, timeout=20_000)


def test_landmarks_and_questions_have_names(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    expect(page.get_by_role("main")).to_have_count(1)
    expect(page.get_by_role("heading", level=1)).to_have_text("Rate a response: Study june")
    for name in ("Article", "Response", "Passages for the sentence", "Text of the article", "Prompt and response"):
        expect(page.get_by_role("region", name=name, exact=True)).to_have_count(1)
    question = page.get_by_role("group", name="How accurate is the sentence according to the article?")
    for name in ("Accurate", "Disputed", "Unsupported", "Inaccurate", "Can't assess"):
        expect(question.get_by_role("radio", name=name, exact=True)).to_have_count(1)
    accurate = question.get_by_role("radio", name="Accurate", exact=True)
    expect(accurate).to_have_accessible_description(re.compile("^all factual claims are supported"))
    tree = page.locator("[data-answer-form]").aria_snapshot()
    assert (tree.count("- group "), len(re.findall("""radio ["']""", tree))) == (1, 5), tree  # the second is not asked
    press(page, "4")
    tree = page.locator("[data-answer-form]").aria_snapshot()
    assert tree.count('group "') == 2 and 'radio "Inaccurate" [checked]' in tree, tree
    described = page.evaluate("document.getElementById('sentence-now').textContent")
    assert described == "Sentence 1 of 4: Sentence number 1 of heron."


def test_there_is_one_polite_live_region_and_it_says_what_was_saved_or_kept(
    june: Study, page: Page, open_rating: Callable, context: BrowserContext
) -> None:
    publish_guidelines(june.project, "Read it twice.", actor=june.people["lena"])
    open_rating()
    expect(page.locator("[data-guidelines-notice]")).to_be_visible()
    wait_for_announcement(page, "This project has its own guidelines.")
    assert page.locator(LIVE).evaluate_all("all => all.map((e) => e.hasAttribute('data-announcements'))") == [True]
    press(page, "1")
    wait_for_announcement(page, "Sentence 1 of 4: Accurate, saved. Now sentence 2: Sentence number 2 of heron.")
    press(page, "4 s")
    wait_for_announcement(page, "Sentence 2 of 4: Inaccurate, Severe, saved.")
    press(page, "k")
    wait_for_announcement(page, "Sentence 2 of 4: Sentence number 2 of heron. (Inaccurate, Severe)")
    press(page, "u")
    wait_for_announcement(page, "Undone. Sentence 2 of 4: no answer")
    press(page, "b k")
    wait_until_saved(page)
    page.evaluate("heard.length = 0")
    press(page, "Shift+B")
    wait_for_announcement(page, "Sentence 2 of 4: Sentence number 2 of heron.")
    context.set_offline(True)
    press(page, "5")
    wait_for_announcement(page, "Sentence 2 of 4: Can't assess, stored in this browser. Offline, 1 waiting.")
    context.set_offline(False)
    wait_until_saved(page)
    wait_for_announcement(page, "Sentence 2 of 4: Can't assess, saved.")


def test_in_training_the_feedback_is_said_in_the_same_place(june: Study, page: Page, visit: Callable) -> None:
    gold_sheets_for(june, "training", 0)
    visit(page, "ravi", "/projects/june/rate/")
    page.get_by_role("button", name="Start training").click()
    page.wait_for_selector("body[data-ready]")
    press(page, "1")
    wait_for_announcement(page, "Sentence 1: differs from the gold answer. You: ")
    assert page.locator(LIVE).count() == 1

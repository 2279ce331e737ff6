"""Comments and questions to the leads are never lost. Each fault prints its counts."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from annotation.models import RaterQuestion, Rating

from ..cast import ACCURATE, CANNOT_ASSESS, SEVERE, Study
from .typed_words import Words, kill_tab
from .workspace import count_unsent, press, stored_answers, wait_for_late_modules, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def comment_of(page: Page) -> Locator:
    return page.get_by_label("Comment", exact=True)


def write_comment(page: Page, words: str) -> None:
    """Write a comment on the current sentence and leave the field, so that keys answer questions again."""
    press(page, "c")
    comment_of(page).fill(words)
    press(page, "Escape")


def expect_offline(page: Page, waiting: int) -> None:
    expect(page.locator("[data-saved-text]")).to_have_text(f"Offline, {waiting} waiting")


def comments() -> list[str]:
    return list(Rating.objects.order_by("item__position").values_list("comment", flat=True))


def questions() -> list[str]:
    return list(RaterQuestion.objects.order_by("pk").values_list("text", flat=True))


def test_undone_and_answered_anew(june: Study, open_rating: Callable, words: Words) -> None:
    page = open_rating()
    write_comment(page, "Table 2 says otherwise.")
    press(page, "1")
    wait_until_saved(page)
    with page.expect_response(lambda answer: answer.request.method == "DELETE"):
        press(page, "u")
    page = kill_tab(page)  # nothing is stored now, and the words are still there
    press(page, "c")
    expect(comment_of(page)).to_have_value("Table 2 says otherwise.")
    press(page, "Escape 5")
    wait_until_saved(page)
    words.assert_stored("undone and answered anew", ["Table 2 says otherwise."], comments())
    assert stored_answers() == [CANNOT_ASSESS]


def test_changed_before_it_was_sent(june: Study, open_rating: Callable, context: BrowserContext, words: Words) -> None:
    page = open_rating()
    press(page, "ArrowDown ArrowUp")  # with the first key comes what is needed without a network
    wait_for_late_modules(page)
    context.set_offline(True)
    press(page, "1")
    expect_offline(page, 1)
    write_comment(page, "Only the abstract says so.")
    press(page, "1 ArrowUp 5")
    expect_offline(page, 2)
    context.set_offline(False)
    wait_until_saved(page)
    words.assert_stored("changed before it was sent", ["Only the abstract says so."], comments()[1:])
    assert stored_answers() == [ACCURATE, CANNOT_ASSESS]


@pytest.mark.parametrize("theirs", ["", "Figure 3 too."])
def test_same_answer_on_two_devices(
    june: Study, open_rating: Callable, browser: Browser, words: Words, theirs: str
) -> None:
    """Check that the same answer needs no choice between devices, and is stored with the comments of both."""
    page = open_rating()
    elsewhere = browser.new_context()
    other = open_rating(on=elsewhere.new_page())
    if theirs:
        write_comment(other, theirs)
    press(other, "1")
    wait_until_saved(other)
    write_comment(page, "Only the abstract says so.")
    press(page, "1")
    expect(page.locator("[data-progress-text]")).to_have_text("1 of 4")
    wait_until_saved(page)
    expect(page.locator("dialog[open]")).to_have_count(0)
    whole = f"{theirs}\nOnly the abstract says so.".strip()
    page.wait_for_function("() => document.querySelector('[data-saved-text]').textContent === 'Saved'")
    words.assert_stored("same answer on two devices", [whole], comments())
    page.reload()
    page.wait_for_selector("body[data-ready]")
    press(page, "ArrowUp c")
    expect(comment_of(page)).to_have_value(whole)
    elsewhere.close()


@pytest.mark.parametrize(("keep", "expected"), [("mine", "Only here."), ("theirs", "Only there.")])
def test_two_answers_are_shown_with_their_comments(
    june: Study, open_rating: Callable, browser: Browser, keep: str, expected: str
) -> None:
    page = open_rating()
    elsewhere = browser.new_context()
    other = open_rating(on=elsewhere.new_page())
    write_comment(other, "Only there.")
    press(other, "1")
    wait_until_saved(other)
    elsewhere.close()
    write_comment(page, "Only here.")
    press(page, "5")
    expect(page.locator("#conflict")).to_be_visible()
    expect(page.locator("[data-conflict-mine]")).to_contain_text("Only here.")
    expect(page.locator("[data-conflict-theirs]")).to_contain_text("Only there.")
    page.click(f"[data-keep={keep}]")
    wait_until_saved(page)
    assert comments() == [expected]
    page.reload()
    page.wait_for_selector("body[data-ready]")
    press(page, "ArrowUp c")
    expect(comment_of(page)).to_have_value(expected)


def test_comment_typed_and_tab_killed(june: Study, open_rating: Callable, words: Words) -> None:
    """Check that a comment survives a killed tab before and after the answer, although the field was never left."""
    page = open_rating()
    press(page, "c")
    comment_of(page).press_sequentially("Odd.")
    page = kill_tab(page)
    press(page, "c")
    expect(comment_of(page)).to_have_value("Odd.")
    press(page, "Escape 1")
    wait_until_saved(page)
    press(page, "ArrowUp c")
    comment_of(page).press_sequentially("Very odd.")
    page = kill_tab(page)
    page.wait_for_function("() => document.querySelector('[data-saved-text]').textContent === 'Saved'")
    press(page, "ArrowUp c")
    expect(page.locator("[data-comment-state]")).to_have_text("Saved with your answer.")
    words.assert_stored("comment typed and tab killed", comments(), comments())
    assert comments() in (["Odd.Very odd."], ["Very odd.Odd."])  # where the caret was


def test_a_comment_is_taken_away(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    write_comment(page, "Wrong sentence.")
    press(page, "1")
    wait_until_saved(page)
    press(page, "ArrowUp")
    with page.expect_response("**/items/**"):
        write_comment(page, "")
    wait_until_saved(page)
    assert comments() == [""]
    page.reload()
    page.wait_for_selector("body[data-ready]")
    press(page, "ArrowUp c")
    expect(comment_of(page)).to_have_value("")


def test_passages_refused(june: Study, open_rating: Callable, words: Words) -> None:
    """Check that an answer is sent again without its refused passages, and with its comment."""
    page = open_rating()
    refused: list[dict] = []

    def refuse_passages(route: Route) -> None:
        sent = route.request.post_data_json
        if not sent.get("evidence"):
            return route.continue_()
        refused.append(sent)
        return route.fulfill(status=400, json={"detail": "No.", "errors": {"evidence": ["Not in the article."]}})

    page.route("**/items/**", refuse_passages)
    write_comment(page, "The abstract.")
    paragraph = "document.querySelector('[data-paragraph=p1]').firstChild"
    page.evaluate(f"document.getSelection().setBaseAndExtent({paragraph}, 0, {paragraph}, 5)")
    press(page, "+")
    expect(page.locator("[data-attached] li")).to_have_count(1)
    press(page, "1")
    expect(page.locator("[data-notice-text]")).to_contain_text("saved without them")
    wait_until_saved(page)
    assert len(refused) == 1
    words.assert_stored("passages refused", ["The abstract."], comments())


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


def test_question_whose_receipt_was_lost(june: Study, open_rating: Callable, words: Words) -> None:
    """Check that a question sent twice is stored once, also when a lead answered it between the two requests."""
    page = open_rating()
    lost: list[int] = []

    def lose_the_first_receipt(route: Route) -> None:
        if lost:
            return route.continue_()
        lost.append(route.fetch().status)
        question = RaterQuestion.objects.get()
        RaterQuestion.objects.update(answer="It is.", answered_at=question.asked_at)
        return route.abort()

    page.route("**/questions/", lose_the_first_receipt)
    press(page, "c")
    page.get_by_label("Ask the leads", exact=True).fill("Is a heron a bird?")
    with page.expect_response("**/questions/"):
        press(page, "Control+Enter")
    wait_until_saved(page)
    expect(page.locator("[data-thread] .reply")).to_have_text("It is.")
    assert lost == [201]
    words.assert_stored("question whose receipt was lost", ["Is a heron a bird?"], questions())


def test_a_question_that_is_refused_is_in_its_field_again(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    no = {"detail": "This cannot be taken.", "errors": {"text": ["You have already asked many questions about this."]}}
    page.route("**/questions/", lambda route: route.fulfill(status=400, json=no))
    press(page, "c")
    page.get_by_label("Ask the leads", exact=True).fill("Is a heron a bird?")
    press(page, "Control+Enter")
    expect(page.locator("[data-notice-text]")).to_contain_text("You have already asked many questions about this.")
    wait_until_saved(page)
    expect(page.get_by_label("Ask the leads", exact=True)).to_have_value("Is a heron a bird?")
    page = kill_tab(page)
    press(page, "c")
    expect(page.get_by_label("Ask the leads", exact=True)).to_have_value("Is a heron a bird?")
    press(page, "Escape 4 s")
    wait_until_saved(page)
    assert stored_answers() == [SEVERE]

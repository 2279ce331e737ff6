"""Written answers: the text is never lost, and is an answer only when the rater leaves the field."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Route, expect

from annotation.models import Project
from annotation.projects.protocol_versions import newest_protocol

from ..cast import Study, study
from .typed_words import Words, kill_tab
from .workspace import count_unsent, press, stored_answers, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SEARCHED = "Ten minutes: three registers and two newspapers say nothing."


@pytest.fixture
def web(transactional_db: None) -> Study:
    """Return one response of three sentences, rated by research on the web."""
    prepared = study()
    Project.objects.update(protocol=newest_protocol("web-factuality"))
    return prepared


def test_written_answer_typed_and_tab_killed(web: Study, open_rating: Callable, words: Words) -> None:
    page = open_rating()
    press(page, "y 3")
    field = page.locator("textarea[name=comment]")
    expect(field).to_be_focused()
    page.keyboard.type(SEARCHED)
    page = kill_tab(page)
    field = page.locator("textarea[name=comment]")
    expect(page.locator("input[value=unsupported]")).to_be_checked()
    expect(field).to_have_value(SEARCHED)
    press(page, "3")
    wait_until_saved(page)
    page.locator("textarea[name=supporting_urls]").press_sequentially("https://a.example/")
    page = kill_tab(page)
    page.locator(".s[data-item]").first.click()
    expect(page.locator("textarea[name=supporting_urls]")).to_have_value("https://a.example/")
    press(page, "3")
    wait_until_saved(page)
    stored = [text for answers in stored_answers() for text in (answers.get("comment"), answers.get("supporting_urls"))]
    words.assert_stored("written answer typed and tab killed", [SEARCHED, "https://a.example/"], stored)


def test_looking_something_up_in_another_tab_takes_nothing_for_an_answer(
    web: Study, open_rating: Callable, context: BrowserContext, words: Words, wait_until: Callable
) -> None:
    page = open_rating()
    searched = context.new_page()
    for tab in (page, searched):  # else each of them believes that it has the focus
        context.new_cdp_session(tab).send("Emulation.setFocusEmulationEnabled", {"enabled": False})

    def look_up() -> None:
        searched.bring_to_front()
        wait_until(lambda: not page.evaluate("document.hasFocus()"))
        page.wait_for_timeout(300)  # an answer would be written down by now
        assert not stored_answers() and not count_unsent(page)
        page.bring_to_front()
        wait_until(lambda: page.evaluate("document.hasFocus()"))

    page.bring_to_front()
    press(page, "y 2")
    supporting, contradicting = (
        page.locator(f"textarea[name={kind}_urls]") for kind in ("supporting", "contradicting")
    )
    expect(supporting).to_be_focused()
    page.keyboard.type("https://a.example/")
    look_up()
    expect(supporting).to_be_focused()
    page.keyboard.type("\nhttps://b.example/")
    press(page, "Control+Enter")
    expect(contradicting).to_be_focused()
    page.keyboard.type("https://c.example/")
    look_up()
    press(page, "Control+Enter")  # nothing was typed since
    wait_until_saved(page)
    stored = [answers[f"{kind}_urls"] for answers in stored_answers() for kind in ("supporting", "contradicting")]
    pages = ["https://a.example/\nhttps://b.example/", "https://c.example/"]
    words.assert_stored("something looked up in another tab", pages, stored)


def test_composing_in_a_field_beside_the_open_drawer_answers_nothing(
    web: Study, open_rating: Callable, context: BrowserContext
) -> None:
    page = open_rating()
    press(page, "y 3 Control+Enter g")
    expect(page.locator("[data-drawer]:focus-within")).to_be_visible()  # it takes the focus when all of it is there
    field = page.locator("textarea[name=comment]")
    field.focus()
    expect(field).to_be_focused()
    keyboard = context.new_cdp_session(page)
    keyboard.send("Input.imeSetComposition", {"text": "かわ", "selectionStart": 2, "selectionEnd": 2})
    press(page, "Escape")
    expect(field).to_be_focused()
    expect(page.locator("[data-drawer]")).to_be_visible()
    assert not stored_answers() and not count_unsent(page)
    keyboard.send("Input.insertText", {"text": "川"})
    press(page, "Control+Enter")
    wait_until_saved(page)
    assert stored_answers() == [{"factual": "yes", "accuracy": "unsupported", "comment": "川"}]


def test_a_refused_answer_that_comes_into_the_field_is_not_given_again_by_leaving_it(
    web: Study, open_rating: Callable
) -> None:
    page = open_rating()
    given_to_server: list[Route] = []
    page.route("**/items/**", lambda route: given_to_server.append(route))  # not answered yet
    press(page, "y 3")
    page.keyboard.type(SEARCHED)
    with page.expect_request("**/items/**"):
        press(page, "Control+Enter")
    press(page, "j y 3")
    page.keyboard.type("Nothing else.")
    given_to_server[0].fulfill(status=400, json={"detail": "No.", "errors": {"comment": ["Say where."]}})
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 1 of 3")
    expect(page.locator("textarea[name=comment]")).to_have_value(SEARCHED)
    press(page, "Control+Enter")
    page.wait_for_timeout(500)  # it would be sent again by now
    assert len(given_to_server) == 1
    press(page, "j")
    expect(page.locator("textarea[name=comment]")).to_have_value("Nothing else.")


def test_words_of_a_question_that_is_hidden_wait_until_it_is_asked_again(web: Study, open_rating: Callable) -> None:
    page = open_rating()
    press(page, "y c")
    page.keyboard.type(SEARCHED)
    press(page, "Control+Enter n")  # a slip
    wait_until_saved(page)
    assert stored_answers() == [{"factual": "no"}]
    page = kill_tab(page)
    press(page, "ArrowUp y 3")
    expect(page.locator("textarea[name=comment]")).to_have_value(SEARCHED)
    wait_until_saved(page)
    assert stored_answers() == [{"factual": "yes", "accuracy": "unsupported", "comment": SEARCHED}]
    press(page, "u")
    wait_until_saved(page)
    assert stored_answers() == [{"factual": "no"}]
    press(page, "y 3")
    expect(page.locator("textarea[name=comment]")).to_have_value(SEARCHED)

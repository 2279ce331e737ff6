"""Written answers: the text is never lost, and is an answer only when the rater leaves the field."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from ..cast import Study
from .workspace import count_unsent, press, stored_answers, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_looking_something_up_in_another_tab_takes_nothing_for_an_answer(
    web: Study, open_rating: Callable, context: BrowserContext, wait_until: Callable
) -> None:
    page = open_rating()
    searched = context.new_page()
    for tab in (page, searched):  # else each of them believes that it has the focus
        context.new_cdp_session(tab).send("Emulation.setFocusEmulationEnabled", {"enabled": False})

    def look_up() -> None:
        searched.bring_to_front()
        wait_until(lambda: not page.evaluate("document.hasFocus()"))
        page.evaluate("new Promise((end) => setTimeout(end))")  # an answer would be on its way to the journal by now
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
    assert stored == ["https://a.example/\nhttps://b.example/", "https://c.example/"]


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

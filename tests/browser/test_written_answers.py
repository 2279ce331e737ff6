"""Written answers: the text is never lost, and is an answer only when the rater leaves the field."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from ..cast import Study
from .workspace import count_unsent, press, stored_answers, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


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

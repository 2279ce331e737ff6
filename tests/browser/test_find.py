"""Typing while the find bar loads: the keys go to its field and never answer a question."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from ..cast import ACCURATE, Study, study
from .evidence_study import write_sections
from .workspace import hold_requests, press, release_requests, stored_answers, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
MODULE, FIELD, COUNT = "**/workspace/article*.js", "[data-find] input", "[data-find-count]"


@pytest.fixture
def june(transactional_db: None) -> Study:
    prepared = study(prompts=2, sentences=4)
    write_sections(prepared)
    return prepared


def test_words_typed_at_once_are_searched(june: Study, open_rating: Callable, page: Page) -> None:
    routes = hold_requests(page, MODULE)
    open_rating()
    page.keyboard.press("/")
    page.keyboard.type("turbidn1")
    press(page, "Backspace Backspace Enter n")
    release_requests(page, routes)
    expect(page.locator(COUNT)).to_have_text("2 of 2")
    expect(page.locator(FIELD)).to_have_value("turbid")
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 1 of 4")
    assert stored_answers() == []
    press(page, "Escape 1")
    expect(page.locator("[data-find]")).to_be_hidden()
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE]

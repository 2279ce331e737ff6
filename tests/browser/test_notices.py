"""Notices and hints in the workspace: they cover nothing, and nothing moves when they appear or disappear."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.models import Rating
from annotation.projects.guidelines import publish_guidelines
from annotation.queue.reopening import reopen

from ..cast import Study, person
from ..web.pages import rates
from .accessibility import accessibility_problems
from .workspace import SHIFTS, press, shifted, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def top_of(locator: Locator) -> float:
    box = locator.first.bounding_box()
    assert box
    return box["y"]


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1440, "dark")])
def test_the_note_about_guidelines_covers_nothing_and_moves_nothing(
    june: Study, open_rating: Callable, browser: Any, width: int, scheme: Any
) -> None:
    publish_guidelines(june.project, "Read the whole paragraph.")
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    context.add_init_script(SHIFTS)
    page: Page = open_rating(on=context.new_page())
    note, form, prompt = (page.locator(part) for part in ("[data-guidelines-notice]", "[data-answer-form]", ".prompt"))
    expect(note).to_be_visible()
    before = shifted(page)
    box, panel = note.bounding_box(), page.locator("[data-part=answer]").bounding_box()
    assert panel["y"] <= top_of(prompt) and panel["y"] + panel["height"] <= box["y"] + 1
    assert box["y"] + box["height"] <= top_of(form)
    if width == 390:  # what is said while the article is shown is seen there
        page.click("[data-show-view=article]")
        strip = page.locator("[data-back-to-response]")
        expect(note).to_be_visible()
        assert top_of(strip) + strip.bounding_box()["height"] <= top_of(note)
        expect(form).to_be_hidden()
        strip.click()
        before = shifted(page)
    tops = [top_of(form), top_of(prompt), top_of(page.locator(".response"))]
    press(page, "1")
    wait_until_saved(page)
    page.click("[data-guidelines-close]")
    expect(note).to_be_hidden()
    assert [top_of(form), top_of(prompt), top_of(page.locator(".response"))] == tops
    assert shifted(page) == before
    context.close()


def test_the_notice_of_a_reopened_response_is_in_view_and_can_be_closed(
    june: Study, page: Page, open_rating: Callable
) -> None:
    reopen(rates(june.people["ravi"], june.project), actor=june.people["lena"])
    page.set_viewport_size({"width": 390, "height": 844})
    open_rating()
    note = page.locator("[data-notice]")
    expect(note).to_contain_text("lena reopened this response on")
    for width in (390, 1440):
        page.set_viewport_size({"width": width, "height": 844})
        expect(note).to_be_in_viewport(ratio=1)
        expect(page.locator(".s.now").first).to_be_in_viewport(ratio=1)
    note.get_by_role("button", name="Close").click()
    expect(note).to_be_hidden()


def test_a_hint_asks_for_no_key_leaves_the_answers_alone_and_is_accessible(
    june: Study, page: Page, log_in: Callable, live_server: Any
) -> None:
    log_in(page, person("ravi"), hints=True)
    page.goto(f"{live_server.url}/projects/june/rate/")
    page.wait_for_selector("body[data-ready]")
    press(page, "1")
    hint = page.locator("[data-hint]")
    expect(hint).to_be_visible()
    assert not accessibility_problems(page, "hint", widths=(390, 1440))
    box, form = hint.bounding_box(), page.locator("[data-answer-form]").bounding_box()
    assert box and form and box["y"] + box["height"] <= form["y"]
    press(page, "1 1 1")
    wait_until_saved(page)
    assert Rating.objects.count() == 4
    press(page, "Enter")
    expect(page.locator("[data-progress-text]")).to_have_text("0 of 4")

"""The article beside the response: highlighted words and numbers, find, outline, stable layout, accessibility."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from annotation.models import Document, Prompt, Rating

from ..cast import Study, study
from .accessibility import accessibility_problems
from .evidence_study import GREW, evidence, passage, search_sources, write_sections
from .workspace import SHIFTS, press, shifted, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def june(transactional_db: None) -> Study:
    prepared = study(prompts=2, sentences=4)
    write_sections(prepared)
    return prepared


def test_keys_that_compose_a_character_are_not_the_pages(
    june: Study, open_rating: Callable, context: BrowserContext
) -> None:
    page = open_rating()
    keyboard = context.new_cdp_session(page)

    def compose(text: str) -> None:
        keyboard.send("Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)})

    press(page, "/")
    field = page.locator("[data-find] input")
    expect(field).to_be_focused()
    compose("turbid")
    press(page, "Enter")
    expect(field).to_be_focused()
    press(page, "Escape")
    expect(field).to_be_focused()
    keyboard.send("Input.insertText", {"text": "turbid"})
    press(page, "Enter")
    expect(field).not_to_be_focused()
    press(page, "Escape c")
    comment = page.get_by_label("Comment", exact=True)
    expect(comment).to_be_focused()
    compose("かわ")
    press(page, "Escape")
    expect(comment).to_be_focused()
    keyboard.send("Input.insertText", {"text": "川"})
    press(page, "Escape 1")
    wait_until_saved(page)
    assert Rating.objects.get().comment == "川"


def test_the_outline_follows_what_is_read(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    page.evaluate("document.querySelector('[data-article]').scrollTop = 1e6")
    expect(page.locator("[data-now-reading]")).to_have_text("Discussion")
    page.evaluate("document.querySelector('[data-article]').scrollTop = 0")
    expect(page.locator("[data-now-reading]")).not_to_have_text("Discussion")


def test_nothing_moves_when_passages_come_are_attached_and_found(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    search_sources(page, "1 of 4 · Results")
    page.evaluate(SHIFTS)
    before = page.locator("[data-answer-form]").bounding_box(), page.locator("[data-evidence]").bounding_box()
    press(page, "+ j")
    search_sources(page, "1 of 1 · Methods › Loggers")
    press(page, "- 4")
    press(page, "s / Escape k")
    wait_until_saved(page)
    assert (page.locator("[data-answer-form]").bounding_box(), page.locator("[data-evidence]").bounding_box()) == before
    assert shifted(page) < 0.002


def test_on_a_phone_the_strip_is_in_the_articles_sheet(june: Study, open_rating: Callable, browser: Any) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = open_rating(on=context.new_page())
    expect(page.locator("[data-evidence]")).not_to_be_visible()
    page.locator("[data-show-view=article]").tap()
    search_sources(page, "1 of 4 · Results")
    for button in page.locator("[data-evidence] button").all():
        box = button.bounding_box()
        assert box["height"] >= 44 and box["width"] >= 44
    page.locator("[data-walk='1']").tap()
    page.locator("[data-attach=contradicts]").tap()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator("[data-back-to-response]").tap()
    page.locator("label.option", has_text="Accurate").first.tap()
    wait_until_saved(page)
    assert evidence() == [passage("p3", GREW, "contradicts")]
    context.close()


def test_axe_finds_nothing_with_evidence_and_find_open(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    search_sources(page, "1 of 4 · Results")
    press(page, "+ e e - 4 /")
    page.keyboard.type("range")
    assert accessibility_problems(page) == []


STYLED = "On turbid days it **grew to 17.3 km** where `range_x < 20`."


def style_article() -> None:
    """Put bold text and code into the second paragraph that can be suggested."""
    for document in Document.objects.all():
        document.sections[3]["paragraphs"][0]["text"] = STYLED
        document.save()


def test_bold_text_and_code_are_shown_and_passages_keep_their_place(june: Study, open_rating: Callable) -> None:
    style_article()
    page = open_rating()
    paragraph = page.locator("[data-paragraph=p3]")
    expect(paragraph).to_have_text("On turbid days it grew to 17.3 km where range_x < 20.")
    expect(paragraph.locator("strong")).to_have_text("grew to 17.3 km")
    expect(paragraph.locator("code")).to_have_text("range_x < 20")
    expect(page.locator("[data-evidence-text]")).to_have_text("On turbid days it grew to 17.3 km where range_x < 20.")
    press(page, "- 4 s")
    wait_until_saved(page)
    assert evidence(0) == [passage("p3", STYLED, "contradicts")]
    paragraph.locator("strong").dblclick(position={"x": 6, "y": 8})
    press(page, "+ 1")
    wait_until_saved(page)
    assert evidence(1) == [passage("p3", "grew", "supports")]


def test_the_math_font_is_fetched_for_a_formula_only(june: Study, open_rating: Callable, browser: Any) -> None:
    def fonts_of(name: str) -> list[str]:
        page = browser.new_context().new_page()
        requests: list[str] = []
        page.on("request", lambda request: requests.append(request.url))
        open_rating(name, on=page)
        page.evaluate("document.fonts.ready.then(() => document.fonts.size)")
        page.wait_for_load_state("networkidle")
        page.close()
        return [url for url in requests if "/fonts/" in url]

    assert fonts_of("ravi") == []
    for document in Document.objects.all():
        document.sections[0]["paragraphs"][0]["text"] = "The range is $x^2 + 1$."
        document.save()
    (font,) = fonts_of("rosa")
    assert "NotoSansMath" in font


def test_prompts_show_formulas_bold_text_and_code(june: Study, open_rating: Callable) -> None:
    Prompt.objects.update(text="What is **not** in `x`, given $y^2$?")
    page = open_rating()
    prompt = page.locator(".prompt")
    expect(prompt.locator("strong")).to_have_text("not")
    expect(prompt.locator("code")).to_have_text("x")
    expect(prompt.locator("msup")).to_be_visible()

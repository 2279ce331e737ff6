"""The article beside the response: passages found, visited and attached, words typed, layout, accessibility."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from annotation.models import Document, Prompt, Rating

from ..cast import ACCURATE, SEVERE, Study, study
from .accessibility import accessibility_problems
from .evidence_study import GREW, SECTIONS, write_sections
from .workspace import SHIFTS, hold_requests, press, release_requests, shifted, stored_answers, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def passage(paragraph: str, text: str, stance: str) -> dict:
    whole = {p["id"]: p["text"] for section in Document.objects.all()[0].sections for p in section["paragraphs"]}
    start = whole[paragraph].index(text)
    return {"paragraph": paragraph, "start": start, "end": start + len(text), "stance": stance, "text": text}


def evidence(n: int = 0) -> list[dict]:
    """Return the evidence that is stored with the answer to the n-th sentence."""
    stored = Rating.objects.filter(item__position=n).values_list("evidence", flat=True)
    assert len(stored) == 1
    return stored[0]


def search_sources(page: Page, label: str) -> None:
    expect(page.locator("[data-evidence-place]")).to_have_text(label)


def marked_text(page: Page, name: str) -> list[str]:
    """Return the texts that a highlight covers, in the order of the article."""
    script = """(name) => [...(CSS.highlights.get(name) ?? [])].map((range) => {
        const live = document.createRange();
        live.setStart(range.startContainer, range.startOffset);
        live.setEnd(range.endContainer, range.endOffset);
        return live.toString();
    })"""
    return page.evaluate(script, name)


WHERE_SHOWN = """() => {
    const [{ startContainer, startOffset, endContainer, endOffset }] = CSS.highlights.get("shown");
    const live = document.createRange();
    live.setStart(startContainer, startOffset);
    live.setEnd(endContainer, endOffset);
    return live.getBoundingClientRect().y - document.querySelector("[data-article]").getBoundingClientRect().y;
}"""
SELECT_TWO_PARAGRAPHS = """() => {
    const [from, to] = document.querySelectorAll("[data-paragraph=p1], [data-paragraph=p2]");
    document.getSelection().setBaseAndExtent(from.firstChild, 0, to.firstChild, 29);
}"""


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


def test_passages_are_shown_walked_through_and_attached_by_one_key_or_by_hand(
    june: Study, open_rating: Callable
) -> None:
    page = open_rating()
    search_sources(page, "1 of 4 · Results")
    expect(page.locator("[data-evidence-text]")).to_have_text(GREW)
    assert marked_text(page, "shown") == [GREW]
    page.evaluate("document.querySelector('[data-article]').scrollTop = 1e6")
    expect(page.locator("[data-now-reading]")).to_have_text("Discussion")
    page.evaluate("document.querySelector('[data-article]').scrollTop = 0")
    expect(page.locator("[data-now-reading]")).not_to_have_text("Discussion")
    press(page, "e")
    search_sources(page, "1 of 4 · Results")  # the first press goes to the one that is named
    labels = []
    for _ in range(4):
        press(page, "e")
        labels.append(page.inner_text("[data-evidence-place]"))
    assert labels[-1] == "1 of 4 · Results" and len(set(labels)) == 4
    press(page, "Shift+E")
    search_sources(page, labels[-2])
    expect(page.locator("[data-announcements]")).to_contain_text(f"Passage {labels[-2]}: ")
    assert 0 <= page.evaluate(WHERE_SHOWN) <= page.locator("[data-article]").bounding_box()["height"]
    press(page, "e - 4 s")
    wait_until_saved(page)
    assert (stored_answers(), Rating.objects.get().suggestions) == ([SEVERE], "used")
    assert evidence() == [passage("p3", GREW, "contradicts")]
    page.evaluate(SELECT_TWO_PARAGRAPHS)
    page.get_by_role("button", name="Supports").click()
    press(page, "1")
    wait_until_saved(page)
    assert evidence(1) == [
        passage("p1", SECTIONS[0][2][0], "supports"),  # with its reference as it stands in the article
        passage("p2", "Forty adults carried loggers.", "supports"),
    ]
    expect(page.locator("[data-attached] li")).to_have_count(0)
    press(page, "k")
    expect(page.locator("[data-attached] li").first).to_contain_text("[4]")


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
    place = page.locator("[data-evidence-place]")
    page.get_by_role("button", name="Supports").tap()
    expect(place).to_have_text("✓ Attached: Supports")
    page.get_by_role("button", name="Contradicts").tap()
    expect(place).to_have_text("✓ Attached: Contradicts")
    expect(place).to_be_in_viewport()
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


def test_bold_text_code_and_formulas_are_shown_and_passages_keep_their_place(
    june: Study, open_rating: Callable
) -> None:
    styled = "On turbid days it **grew to 17.3 km** where `range_x < 20`."
    for document in Document.objects.all():
        document.sections[3]["paragraphs"][0]["text"] = styled
        document.save()
    Prompt.objects.update(text="What is **not** in `x`, given $y^2$?")
    page = open_rating()
    prompt = page.locator(".prompt")
    expect(prompt.locator("strong")).to_have_text("not")
    expect(prompt.locator("code")).to_have_text("x")
    expect(prompt.locator("msup")).to_be_visible()
    paragraph = page.locator("[data-paragraph=p3]")
    expect(paragraph).to_have_text("On turbid days it grew to 17.3 km where range_x < 20.")
    expect(paragraph.locator("strong")).to_have_text("grew to 17.3 km")
    expect(paragraph.locator("code")).to_have_text("range_x < 20")
    expect(page.locator("[data-evidence-text]")).to_have_text("On turbid days it grew to 17.3 km where range_x < 20.")
    press(page, "- 4 s")
    wait_until_saved(page)
    assert evidence(0) == [passage("p3", styled, "contradicts")]
    paragraph.locator("strong").dblclick(position={"x": 6, "y": 8})
    press(page, "+ 1")
    wait_until_saved(page)
    assert evidence(1) == [passage("p3", "grew", "supports")]


def test_words_typed_at_once_are_searched_or_in_the_comment(
    one_response: Study, open_rating: Callable, page: Page
) -> None:
    write_sections(one_response)
    find, drawer = hold_requests(page, "**/workspace/article*.js"), hold_requests(page, "**/drawer*.css")
    open_rating()
    page.keyboard.press("/")
    page.keyboard.type("turbidn1")
    press(page, "Backspace Backspace Enter n")
    release_requests(page, find)
    expect(page.locator("[data-find-count]")).to_have_text("2 of 2")
    expect(page.locator("[data-find] input")).to_have_value("turbid")
    press(page, "Escape")
    expect(page.locator("[data-find]")).to_be_hidden()
    page.keyboard.press("c")
    page.keyboard.type("1 in 5, nott")
    press(page, "Backspace Enter ArrowDown")
    page.keyboard.type("45")
    release_requests(page, drawer)
    comment = page.locator("[data-comment]")
    expect(comment).to_have_value("1 in 5, not\n45")
    expect(comment).to_be_focused()
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 1 of 4")
    page.keyboard.type("!")
    press(page, "Control+Enter 1")
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE]
    press(page, "ArrowUp")
    expect(comment).to_have_value("1 in 5, not\n45!")

"""Layout around the answers of a response: nothing covers them, and texts and buttons fit."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from annotation.models import Item, Sheet

from ..cast import Study, study
from .layout import CUT
from .workspace import press, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

BADGE_AND_SIGN = """sentence => {
  const [badge, sign] = ["::after", "::before"].map(which => getComputedStyle(sentence, which));
  const [top, height, line, letters] = [badge.top, badge.height, sign.height, sign.fontSize].map(parseFloat);
  return { ends: top + height, begins: (line - letters) / 2 };
}"""
LABELS = """buttons => buttons.filter(button => button.offsetWidth && !button.matches(".finish")).map(button => {
  const [word, box] = [button.querySelector(".word"), button.getBoundingClientRect()];
  const { top, right, width } = word.getBoundingClientRect();
  return width && top < box.bottom - 9 && right <= box.right + 1 ? word.innerText : button.title.trim();
})"""
LABELED = ["Undo", "Help", "Guidelines", "Comment", "Flag"]
FOOT_ENDS = "foot => foot.getBoundingClientRect().right - foot.lastElementChild.getBoundingClientRect().right"


def test_sentences_have_numbers_until_they_have_signs_below_their_marks(june: Study, open_rating: Callable) -> None:
    page: Page = open_rating()
    content = "sentence => getComputedStyle(sentence, '::before').content.split(' / ')[0]"
    sentences = page.locator(".s.first")
    assert [sentences.nth(n).evaluate(content) for n in range(4)] == ['"1"', '"2"', '"3"', '"4"']
    press(page, "b 1")
    assert [sentences.nth(n).evaluate(content) for n in range(2)] == ['"✓"', '"2"']
    wait_until_saved(page)
    edges = page.locator(".s.first[data-item-note=bookmark]").first.evaluate(BADGE_AND_SIGN)
    assert edges["ends"] <= edges["begins"]
    press(page, "1 1 1")
    wait_until_saved(page)
    press(page, "Enter")
    expect(page.locator("[data-bookmarks-go]")).to_have_text("Review it")
    page.locator("[data-bookmarks-go]").click()
    sentences.nth(1).click()
    press(page, "b Enter")
    expect(page.locator("[data-bookmarks-go]")).to_have_text("Review them")


def test_what_finishing_waits_for_fits_the_line(june: Study, open_rating: Callable, context: BrowserContext) -> None:
    page: Page = open_rating()
    press(page, "1")
    wait_until_saved(page)
    expect(page.locator("[data-prefetched-count]")).to_have_text("1")
    context.set_offline(True)
    for _ in range(2):
        press(page, "1 " * page.locator(".s.first").count())
        press(page, "Enter")
    expect(page.locator(".finish")).to_contain_text("Finishes when everything is saved")
    for width in (390, 1280, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.locator(".foot").evaluate(FOOT_ENDS) >= 0, width


def test_options_buttons_and_definitions_fit_at_every_width(june: Study, open_rating: Callable) -> None:
    """Check phones, tablets, and 1280 px also at 200 % zoom, where the arrows have tooltips."""
    page: Page = open_rating()
    for width, columns in ((390, 3), (560, 5), (768, 5)):
        page.set_viewport_size({"width": width, "height": 844})
        boxes = [option.bounding_box() for option in page.locator("[data-question=accuracy] .option").all()]
        assert len({round(box["x"]) for box in boxes}) == columns
        assert len({(round(box["width"]), round(box["height"])) for box in boxes}) == 1
        assert page.evaluate(CUT) == []
    for width, height in ((1280, 800), (640, 450)):
        page.set_viewport_size({"width": width, "height": height})
        labels = page.locator(".foot .button").evaluate_all(LABELS)
        assert labels == ["Previous sentence", "Next sentence", *LABELED]
    definition = page.locator("[id=accuracy-disputed-means]")
    page.set_viewport_size({"width": 1440, "height": 800})
    line = definition.bounding_box()["height"]
    page.locator("input[value=disputed]").focus()
    press(page, "ArrowRight ArrowLeft")  # one line, and whole where a key moved the focus
    assert definition.bounding_box()["height"] > 1.8 * line
    assert definition.evaluate("text => text.scrollWidth <= text.clientWidth")
    assert definition.get_attribute("title").startswith("at least one factual claim has a mix")
    page.locator("[data-finish]").focus()
    page.set_viewport_size({"width": 1440, "height": 900})  # a high window has the space for all of them
    wrapped = definition.bounding_box()["height"]
    assert wrapped > 1.8 * line
    assert definition.evaluate("text => text.scrollWidth <= text.clientWidth")
    page.locator("input[value=disputed]").focus()
    press(page, "ArrowRight ArrowLeft")
    assert definition.bounding_box()["height"] == wrapped


def test_a_question_about_the_article_says_that_there_is_none(june: Study, open_rating: Callable) -> None:
    page: Page = open_rating()
    message = page.get_by_role("group", name="How accurate").get_by_text("This prompt has no article.")
    expect(message).to_be_hidden()
    Sheet.objects.update(document=None)
    page.reload()
    expect(message).to_be_visible()


def test_the_cells_of_a_row_are_read_one_by_one(transactional_db: None, open_rating: Callable) -> None:
    row = "A | 81.2 | **best** overall"
    text = f"| system | score | rank |\n|---|---|---|\n| {row} |"
    prepared = study(sentences=1)
    prepared.responses[0].items.all().delete()
    type(prepared.responses[0]).objects.update(text=text)
    start = text.index(row)
    Item.objects.create(
        response=prepared.responses[0],
        unit="sentence",
        position=0,
        start=start,
        end=start + len(row),
        text=row,
        rate=True,
    )
    page: Page = open_rating()
    described = page.evaluate("document.getElementById('sentence-now').textContent")
    assert described == "Sentence 1 of 1: A, 81.2, best overall"

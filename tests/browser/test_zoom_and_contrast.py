"""The workspace zoomed in, in a low window, in forced colors, and on a phone by touch."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation.models import Rating

from ..cast import Study
from .layout import CUT, OVERLAID, SMALL, SPACED, widest
from .workspace import press, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize(
    ("width", "height", "name"),
    [(640, 450, "200 % of 1280 × 900"), (320, 256, "400 %"), (844, 390, "a phone on its side"), (320, 640, "narrow")],
)
def test_zoomed_in_the_sentence_and_every_control_can_be_reached(
    width: int, height: int, name: str, june: Study, page: Page, open_rating: Callable
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    open_rating()
    assert widest(page) <= width
    assert page.evaluate(OVERLAID) == []
    press(page, "1")
    expect(page.locator(".s.now")).to_be_in_viewport(ratio=0.9)  # the one that is asked about
    page.locator("label.option", has_text="Inaccurate").click()
    page.locator("label.option", has_text="Not Severe").click()
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 3 of 4")
    expect(page.locator(".s.now")).to_be_in_viewport(ratio=0.9)
    for control in ("[data-finish]", "[data-undo]", ".answer-form [data-opens=help]"):
        page.locator(control).scroll_into_view_if_needed()
        expect(page.locator(control)).to_be_in_viewport(ratio=0.9)
    page.get_by_role("button", name="Article", exact=True).click()
    expect(page.get_by_text("Terns fly further on turbid days.")).to_be_visible()
    wait_until_saved(page)
    assert Rating.objects.count() == 2


def test_in_a_low_window_the_sentence_is_in_sight_beside_a_notice_and_so_is_what_finishes(
    june: Study, page: Page, open_rating: Callable
) -> None:
    page.set_viewport_size({"width": 1366, "height": 640})
    open_rating()
    page.evaluate("document.querySelector('[data-other-account]').hidden = false")
    press(page, "1 1 4")
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 3 of 4")
    edge = "(selector) => document.querySelector(selector).getBoundingClientRect()"
    for width, height in ((1366, 640), (1024, 600), (910, 512), (864, 620)):
        page.set_viewport_size({"width": width, "height": height})
        press(page, "k j 4")  # which scrolls to the sentence
        for selector in (".s.now", "[data-question=severity] .option >> nth=1", "[data-finish]"):
            expect(page.locator(selector)).to_be_in_viewport(ratio=0.9)
        option = page.evaluate(f"({edge})('[data-question=severity] .option').bottom")
        assert option <= page.evaluate(f"({edge})('.foot').top") + 1  # which stays and could lie over it
        assert page.evaluate(OVERLAID) == []
    page.set_viewport_size({"width": 1440, "height": 900})
    page.evaluate(SPACED)
    assert page.evaluate(CUT) == []
    expect(page.locator("[data-question=severity] .option").first).to_be_in_viewport(ratio=1)
    assert page.evaluate(OVERLAID) == []


def test_forced_colors_leave_every_state_to_be_seen(june: Study, page: Page, open_rating: Callable) -> None:
    page.emulate_media(forced_colors="active")
    open_rating()
    press(page, "1 4 s 2 n 4")
    wait_until_saved(page)
    sentences = page.locator(".s.first")
    signs = [sentences.nth(n).evaluate("each => getComputedStyle(each, '::before').content") for n in range(4)]
    assert len(set(signs)) == 4, signs  # accurate, severe, disputed, begun: each has a sign of its own
    lines = [sentences.nth(n).evaluate("each => getComputedStyle(each).textDecorationStyle") for n in range(3)]
    assert lines == ["solid", "wavy", "dotted"]
    outlined = "each => [getComputedStyle(each).outlineStyle, parseFloat(getComputedStyle(each).outlineWidth) >= 2]"
    assert page.locator(".s.now").evaluate(outlined) == ["solid", True]
    assert page.locator(".s:not(.now)").first.evaluate(outlined)[0] == "none"
    options = page.locator(".option:has(:checked)")
    expect(options).to_have_count(1)
    assert options.evaluate(outlined) == ["solid", True]
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.locator("[data-show-view=answer]").evaluate(outlined) == ["solid", True]
    assert page.locator("[data-show-view=article]").evaluate(outlined)[0] == "none"


def test_on_a_phone_article_and_response_are_two_sheets_with_targets_as_large_as_a_thumb(
    june: Study, browser: Browser, open_rating: Callable
) -> None:
    size = {"width": 390, "height": 844}
    phone = open_rating(on=browser.new_page(viewport=size, has_touch=True, is_mobile=True, device_scale_factor=3))
    article, response = phone.locator("section.article"), phone.locator("section.answer")
    expect(response).to_be_visible()
    expect(article).to_be_hidden()
    phone.get_by_role("button", name="Article", exact=True).tap()
    expect(article).to_be_visible()
    expect(response).to_be_hidden()
    phone.set_viewport_size({"width": 390, "height": 480})
    strip = phone.locator("[data-back-to-response]")
    expect(strip).to_contain_text("Sentence number 1 of heron.")  # what is asked about stays in sight
    passage, sentence = phone.locator("[data-evidence]").bounding_box(), strip.bounding_box()
    assert passage and sentence and passage["y"] + passage["height"] <= sentence["y"] + 1
    phone.locator("[data-find-open]").tap()
    assert phone.evaluate(SMALL, 24) == []
    phone.set_viewport_size(size)
    strip.tap()
    expect(response).to_be_visible()
    phone.locator("label.option:has([value=inaccurate])").tap()  # so that the second question is there
    for control in phone.locator(
        "label.option, .answer-form .foot .button:visible, .view-switch .button, .topbar summary"
    ).all():
        box = control.bounding_box()
        assert box and box["height"] >= 44 and box["width"] >= 44, control.inner_text()
    assert phone.evaluate(SMALL, 24) == []
    assert widest(phone) <= 390
    phone.close()

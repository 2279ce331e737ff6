"""The pages in another language, and in one that runs from right to left."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ..cast import ACCURATE, SEVERE, Study, person
from .workspace import press, stored_answers, wait_for_another_response, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
ENGLISH = r"\b(the|this|and|with|sentence|response|saved|finish|undo|find|close|guidelines)\b"
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
def in_language(browser: Any) -> Any:
    """Yield `in_language("es", width=1440)`, which opens a page in a browser that asks for the language."""
    contexts = []

    def page(language: str, width: int = 1440) -> Page:
        contexts.append(browser.new_context(locale=language, viewport={"width": width, "height": 900}))
        return contexts[-1].new_page()

    yield page
    for context in contexts:
        context.close()


def interface_text(page: Page) -> str:
    """Return the text of the page's interface, without data and without the languages' own names."""
    data = "[dir=auto]:not([data-answer-form] *), [lang]:not(html), script, template, dialog, [data-current-item-label]"
    script = """(data) => {
        const copy = document.body.cloneNode(true);
        copy.querySelectorAll(data).forEach((each) => each.remove());
        const named = [...copy.querySelectorAll("[aria-label]")].map((each) => each.getAttribute("aria-label"));
        return [copy.textContent, ...named].join("\\n");
    }"""
    return page.evaluate(script, data)


def test_a_response_is_rated_wholly_in_spanish(june: Study, open_rating: Callable, in_language: Callable) -> None:
    page = open_rating(on=in_language("es"))
    assert page.locator("html").get_attribute("lang") == "es"
    expect(page.locator("[data-item-number]")).to_have_text("Oración 1 de 4")
    assert re.findall(ENGLISH, interface_text(page), re.IGNORECASE) == []
    press(page, "1")
    live = page.locator("[data-workspace] ~ [data-announcements]")
    expect(live).to_contain_text(re.compile(r"^Oración 1 de 4: .+, guardada\. Ahora, oración 2:"))
    wait_until_saved(page, "Guardado")
    press(page, "u")
    expect(live).to_contain_text("Deshecho. Oración 1 de 4")
    press(page, "1 4 s 1 1")
    expect(page.locator("[data-progress-text]")).to_have_text("4 de 4")
    wait_until_saved(page, "Guardado")
    assert stored_answers() == [ACCURATE, SEVERE, ACCURATE, ACCURATE]
    press(page, "Enter")
    expect(page.locator("[data-part=number]")).to_have_text("respuesta 2")
    page.get_by_label("Más sobre esta respuesta").click()
    page.get_by_role("button", name="Sin contestar: oraciones").click()
    expect(page.locator("#unanswered-title")).to_have_text("4 oraciones sin responder todavía")


@pytest.fixture
def arabic(settings: Any) -> None:
    """Add a right-to-left language without translations: its texts stay English."""
    settings.LANGUAGES = [*settings.LANGUAGES, ("ar", "العربية")]


@pytest.mark.parametrize("width", [390, 1440])
def test_from_right_to_left_the_workspace_is_mirrored_and_texts_keep_their_direction(
    june: Study, arabic: None, open_rating: Callable, in_language: Callable, width: int
) -> None:
    page = open_rating(on=in_language("ar", width))
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    assert page.evaluate(SIDEWAYS) == 0
    way = "(element) => getComputedStyle(element).direction"
    for text in (".response", ".prompt", "[data-paragraph]", "[data-answer-form] legend span"):
        assert page.locator(text).first.evaluate(way) == "ltr", text
    assert page.locator("[data-answer-form]").evaluate(way) == "rtl"
    if width == 1440:
        article, answer = (page.locator(part).bounding_box() for part in ("section.article", "section.answer"))
        assert article["x"] > answer["x"]
    mark, menu = (page.locator(part).first.bounding_box() for part in (".topbar .logo", ".topbar .menu"))
    assert mark["x"] > menu["x"] or mark["y"] < menu["y"]
    press(page, "1 4 s ArrowDown u 4")
    expect(page.locator("input[value=severe]")).to_be_focused()
    press(page, "ArrowLeft")
    expect(page.locator("input[value=not_severe]")).to_be_focused()
    press(page, "s")
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE, SEVERE]
    press(page, "?")
    expect(page.locator("#help")).to_be_visible()
    assert page.evaluate(SIDEWAYS) == 0


def test_every_horizontal_arrow_is_mirrored_in_right_to_left_pages() -> None:
    arrows = [
        (path.name, arrow)
        for path in TEMPLATES.rglob("*.html")
        for arrow in re.findall(r'icon "(?:arrow|chevron|move)-(?:left|right)"[^%]*', path.read_text(encoding="utf-8"))
    ]
    assert arrows
    assert [arrow for arrow in arrows if "mirrored" not in arrow[1]] == []


def test_from_right_to_left_no_page_scrolls_sideways(
    june: Study, arabic: None, in_language: Callable, log_in: Callable, live_server: Any
) -> None:
    page = in_language("ar")
    pages = ["/", "/projects/june/", "/projects/june/guidelines/", "/projects/june/my-responses/", "/account/"]
    wide = []
    for address in ["/accounts/login/", *pages]:
        page.goto(live_server.url + address)
        expect(page.locator("html")).to_have_attribute("dir", "rtl")
        for width in (390, 1440):
            page.set_viewport_size({"width": width, "height": 900})
            if page.evaluate(SIDEWAYS) > 0:
                wide.append(f"{address} at {width}")
        if address == "/accounts/login/":
            log_in(page, person("ravi"))
    assert wide == []


def test_another_language_shows_the_current_response(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    first = page.url
    press(page, "1 1 1 1 Enter")
    wait_for_another_response(page, first)
    wait_until_saved(page)
    second = page.url
    page.locator("summary[aria-label*='account and appearance']").click()
    page.get_by_role("button", name="Español").click()
    page.wait_for_selector("body[data-ready]")
    assert page.url == second
    expect(page.locator("[data-item-number]")).to_have_text("Oración 1 de 4")
    page.goto(page.url.split("/assignments")[0] + "/")
    expect(page.locator("html")).to_have_attribute("lang", "es")  # it stays

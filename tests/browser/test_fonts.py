"""The layout with the fonts of the tests and with the fonts of the machine."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserType, Page, expect

from ..cast import Study
from ..conftest import scratch
from .fonts import OWN_FONTS, font_folders, with_fonts
from .layout import SMALL, widest
from .workspace import press

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDTHS = (320, 390, 861, 1101, 1280, 1401, 1440, 1501)
# The buttons below the questions that are not on one line, end outside it, or show neither their key nor their word.
MISPLACED = """() => {
    const foot = document.querySelector(".foot"), { right, bottom, height } = foot.getBoundingClientRect();
    const isWithin = (part, whole) => part.width && part.right <= whole.right + 1 && part.bottom <= whole.bottom + 1;
    return [...foot.querySelectorAll("button")].filter((button) => button.checkVisibility()).filter((button) => {
        const box = button.getBoundingClientRect();
        const parts = [...button.children].map((part) => part.getBoundingClientRect());
        const shows = !parts.length || button.matches(".finish") || parts.some((part) => isWithin(part, box));
        return height > 60 || box.right > right + 0.5 || box.bottom > bottom + 0.5 || !shows;
    }).map((button) => `${button.outerHTML.slice(0, 60)} of ${height} px`);
}"""


# Spanish words are longer: with the machine's fonts English is left to the exhaustive run.
CASES = [
    pytest.param(
        folder,
        language,
        marks=[pytest.mark.exhaustive] if language != "es" and folder != OWN_FONTS else [],
        id=f"{folder.name}-{language}",
    )
    for folder in font_folders()
    for language in ("en-GB", "es")
]


@pytest.fixture
def browser_with_fonts(
    fonts: Path, browser: Browser, browser_type: BrowserType, browser_type_launch_args: dict[str, Any]
) -> Iterator[Browser]:
    if fonts == OWN_FONTS:  # which the browser of the tests has
        yield browser
        return
    environment = with_fonts(fonts, scratch.folder)
    with browser_type.launch(**browser_type_launch_args | {"env": environment}) as another:
        yield another


def misplaced_at(page: Page, width: int) -> list[str]:
    page.set_viewport_size({"width": width, "height": 900})
    problems = page.evaluate(MISPLACED) + page.evaluate(SMALL, 24)
    return [f"{width}: {problem}" for problem in problems + [f"{widest(page)} wide"] * (widest(page) > width)]


@pytest.mark.parametrize(("fonts", "language"), CASES)
def test_the_buttons_below_the_questions_stay_on_one_line(
    june: Study, open_rating: Callable, browser_with_fonts: Browser, fonts: Path, language: str
) -> None:
    page = open_rating(on=browser_with_fonts.new_page(locale=language))
    rating = page.url
    problems = [problem for width in WIDTHS for problem in misplaced_at(page, width)]
    press(page, "1 " * page.locator(".s.first").count())
    expect(page.locator("[data-saved-text]")).to_have_text({"en-GB": "Saved", "es": "Guardado"}[language])
    press(page, "Enter")
    expect(page).not_to_have_url(rating)
    page.goto(rating)  # finished: its last button says "Next response"
    page.wait_for_selector("body[data-ready]")
    problems += [problem for width in WIDTHS for problem in misplaced_at(page, width)]
    page.close()
    assert problems == []

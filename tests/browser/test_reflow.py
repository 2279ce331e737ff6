"""Every page at 320 CSS pixels (400 % of 1280) and on a phone: no scrolling to the side; with wider text spacing nothing
is cut off; what is pressed is large enough."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ..cast import Study
from .every_page import every_page, walk
from .workspace import press, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# WCAG 2.2, 1.4.12, as a style sheet of the reader's own.
SPACED = """const sheet = new CSSStyleSheet();
sheet.replaceSync("* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }"
    + " p { margin-bottom: 2em !important }");
document.adoptedStyleSheets = [sheet];"""
# What is pressed and smaller than `least`, with less than that around it. Links and buttons in a line of text may be small.
SMALL = """(least) => {
    const all = [...document.querySelectorAll("a[href], button, summary, input, select, textarea, [role=button]")];
    const boxes = all.filter((each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: false }) && !each.closest("[inert]"))
        .map((each) => [each, (each.labels?.[0]?.contains(each) ? each.labels[0] : each).getBoundingClientRect()])
        .filter(([, box]) => box.width && box.height && box.right > 0 && box.bottom > 0);
    const inLine = (each) => getComputedStyle(each).display === "inline" || each.classList.contains("link-button");
    const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];
    const near = (one, other) => {  // a circle of 24 around the middle of one touches the other
        const [x, y] = middle(one);
        const dx = Math.max(other.left - x, 0, x - other.right), dy = Math.max(other.top - y, 0, y - other.bottom);
        return Math.hypot(dx, dy) < least / 2;
    };
    return boxes.filter(([each, box]) => (box.width < least - .5 || box.height < least - .5) && !inLine(each)
            && boxes.some(([other, around]) => other !== each && !each.contains(other) && !other.contains(each) && near(box, around)))
        .map(([each, box]) => `${each.outerHTML.slice(0, 90)} ${Math.round(box.width)}×${Math.round(box.height)}`);
}"""
# Text whose own box hides a part of it.
CUT = """() => [...document.querySelectorAll("button, .button, summary, label, legend, dt, dd, th, h1, h2, h3, .badge, .tab")]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }) && each.clientHeight && !each.closest(".only-read-aloud, [inert]")
        && !each.matches(".only-read-aloud, .topbar summary") && getComputedStyle(each).overflowY === "hidden"
        && each.scrollHeight > each.clientHeight + 1)
    .map((each) => each.outerHTML.slice(0, 90))"""


def widest(page: Page) -> int:
    return page.evaluate("Math.round(document.documentElement.scrollWidth)")


def test_no_page_scrolls_to_the_side_and_what_is_pressed_is_large_enough(
    page: Page, live_server: Any, log_in: Callable, settings: Any, tmp_path: Any
) -> None:
    settings.MEDIA_ROOT = tmp_path
    found = []
    for where in walk(page, live_server.url, log_in, every_page()):
        for width in (390, 320):
            page.set_viewport_size({"width": width, "height": 844})
            if widest(page) > width:
                found.append(f"{where} at {width} is {widest(page)} wide")
        found += [f"{where} at 320 has a small target: {small}" for small in page.evaluate(SMALL, 24)]
        page.set_viewport_size({"width": 1280, "height": 900})
        found += [f"{where} has a small target: {small}" for small in page.evaluate(SMALL, 24)]
        page.evaluate(SPACED)
        found += [f"{where} spaced cuts {text}" for text in page.evaluate(CUT)]
        if widest(page) > 1280:
            found.append(f"{where} spaced is {widest(page)} wide")
    assert not found, "\n".join(found)

"""Every page at 320 CSS pixels (400 % of 1280) and on a phone: no scrolling to the side; with wider text spacing
nothing is cut off; what is pressed is large enough; with reduced motion nothing moves."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from .every_page import every_page, walk
from .looks import CUT, MOVES, SMALL, SPACED, widest

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("whose", ["- ravi", "lena ada", "adam"])
def test_every_page_can_be_read_narrow_spaced_and_still(
    whose: str, page: Page, live_server: Any, log_in: Callable, settings: Any, tmp_path: Any
) -> None:
    settings.MEDIA_ROOT = tmp_path
    page.emulate_media(reduced_motion="reduce")
    found = []
    for where in walk(page, live_server.url, log_in, every_page(whose)):
        found += problems_of(page, where)
    assert not found, "\n".join(found)


def problems_of(page: Page, where: str) -> list[str]:
    found = [f"{where} moves: {what}" for what in page.evaluate(MOVES)]
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        if widest(page) > width:
            found.append(f"{where} at {width} is {widest(page)} wide")
        found += [f"{where} at {width} has a small target: {small}" for small in page.evaluate(SMALL, 24)]
    page.set_viewport_size({"width": 1280, "height": 900})
    found += [f"{where} has a small target: {small}" for small in page.evaluate(SMALL, 24)]
    page.evaluate(SPACED)
    found += [f"{where} spaced cuts {text}" for text in page.evaluate(CUT)]
    if widest(page) > 1280:
        found.append(f"{where} spaced is {widest(page)} wide")
    return found

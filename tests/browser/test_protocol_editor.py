"""The editor of protocols in a browser: its preview is reachable in narrow windows."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from ..cast import Study
from .layout import widest

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
ADDRESS = "/protocols/new/?from=article-accuracy:1&view=form"


@pytest.mark.parametrize("width", [390, 768])
def test_links_to_form_and_preview_stay_in_view(june: Study, page: Page, visit: Callable, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    visit(page, "lena", ADDRESS)
    links = page.get_by_role("navigation", name="View")
    heading = page.get_by_role("heading", name="Preview")
    expect(heading).not_to_be_in_viewport()
    links.get_by_role("link", name="Preview").click()
    expect(heading).to_be_in_viewport(ratio=1)
    expect(links).to_be_in_viewport(ratio=1)
    assert links.bounding_box()["y"] + links.bounding_box()["height"] <= heading.bounding_box()["y"]
    links.get_by_role("link", name="Protocol").click()
    expect(page.get_by_label("Title").first).to_be_in_viewport(ratio=1)
    assert widest(page) == width


def test_a_wide_window_has_both_side_by_side(june: Study, page: Page, visit: Callable) -> None:
    visit(page, "lena", ADDRESS)
    expect(page.get_by_role("heading", name="Preview")).to_be_in_viewport(ratio=1)
    expect(page.locator(".preview-links")).to_be_hidden()

"""What a page loads late has its space from the start: nothing moves when it arrives."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from ..cast import ACCURATE, SEVERE, Study
from ..gold_studies import rate_next

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => list.getEntries().forEach((entry) => window.shifts.push(
    `${entry.value.toFixed(4)}: ${entry.sources.map(({ node }) => node?.className || node?.nodeName)}`,
))).observe({ type: "layout-shift", buffered: true });
"""


@pytest.mark.parametrize("width", [1440, 390])
def test_nothing_on_the_overview_moves_when_late_parts_arrive(
    width: int, june: Study, page: Page, visit: Callable
) -> None:
    rate_next(june, "ravi", ACCURATE)
    rate_next(june, "rosa", SEVERE)
    page.set_viewport_size({"width": width, "height": 900})
    page.add_init_script(SHIFTS)
    visit(page, "lena", "/projects/june/")
    expect(page.locator("[data-loads-text]")).to_have_count(0)
    expect(page.get_by_text("Quality alerts: ravi and rosa", exact=True)).to_be_visible()
    assert page.evaluate("new Promise((end) => requestAnimationFrame(() => setTimeout(() => end(shifts))))") == []

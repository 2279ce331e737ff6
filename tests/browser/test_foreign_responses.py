"""Responses that the site did not send, such as the sign-in page of a hotel's network: rating goes on."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from annotation.models import Rating

from ..cast import Study
from .workspace import press, wait_for_another_response, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("pattern", ["**/assignments/ahead/**", "**/sheet/**"])
def test_work_goes_on_though_nothing_could_be_fetched_ahead(
    june: Study, page: Page, open_rating: Callable, pattern: str
) -> None:
    open_rating()
    first = page.url

    def a_page(route: Route) -> None:
        route.fulfill(status=200, content_type="text/html", body="<h1>Sign in to the network</h1>")

    page.route(pattern, a_page)
    with page.expect_response(pattern):
        press(page, "1")
    wait_until_saved(page)
    page.unroute(pattern)
    press(page, "1 1 1 Enter")
    wait_for_another_response(page, first)
    expect(page.locator("[data-progress-text]")).to_have_text("0 of 4")
    press(page, "1")
    expect(page.locator("[data-progress-text]")).to_have_text("1 of 4")
    wait_until_saved(page)
    assert Rating.objects.count() == 5

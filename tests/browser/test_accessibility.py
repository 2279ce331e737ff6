"""Accessibility of every page of the site."""

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import resolve
from playwright.sync_api import Page

from ..routes import LINES, placeholders
from .all_pages import NO_PAGE, listed_pages, problems_of_pages

pytestmark = pytest.mark.browser


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("whole", [3, pytest.param(1, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("whose", ["- ravi ines adam", "lena ada"])
def test_pages_are_accessible(
    whose: str, whole: int, page: Page, live_server: Any, log_in: Callable, settings: Any, tmp_path: Any
) -> None:
    settings.MEDIA_ROOT = tmp_path
    assert problems_of_pages(page, live_server.url, log_in, whose, whole=whole) == ""


def test_no_page_is_left_out() -> None:
    """Check that each GET address is in PAGES or, with the reason, in NO_PAGE.

    Of Django's admin, only the addresses that admins may open count. Addresses of the API answer programs; its one page
    is opened by `tests/api/test_docs.py`.
    """
    tested = {
        resolve(address.format(**placeholders()).split("?")[0]).route
        for method, address, *_, admins in LINES
        if method == "GET"
        and not address.startswith("/api/")
        and (admins == "200" or not address.startswith("/admin/"))
    }
    names = placeholders() | {name: placeholders()["assignment"] for name in ("finished", "scored", "erased")}
    listed = [address.format(**names) for _user, address in listed_pages()]
    walked = {resolve(address.split("?")[0]).route for address in listed if address != "/nowhere/"}
    assert tested - walked == NO_PAGE

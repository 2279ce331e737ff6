"""Accessibility of every page that a rater or nobody in particular sees.

The pages of leads and admins are tested in `test_accessibility_leads.py`, so that two processes share the time.
"""

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import resolve
from playwright.sync_api import Page

from ..routes import LINES, placeholders
from .all_pages import NO_PAGE, PAGES, every_page, page_problems, visit_pages

pytestmark = pytest.mark.browser


@pytest.mark.django_db(transaction=True)
def test_pages_of_raters_and_signed_out_visitors_are_accessible(
    page: Page, live_server: Any, log_in: Callable, settings: Any, tmp_path: Any
) -> None:
    settings.MEDIA_ROOT = tmp_path
    problems = []
    for where in visit_pages(page, live_server.url, log_in, every_page("- ravi")):
        problems += page_problems(page, where)
    assert not problems, "\n".join(problems)


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
    listed = [line.split()[1].format(**names) for line in PAGES.strip().splitlines()]
    walked = {resolve(address.split("?")[0]).route for address in listed if address != "/nowhere/"}
    assert tested - walked == set(NO_PAGE)

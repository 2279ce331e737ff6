"""Accessibility of every page that leads and admins see."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from .all_pages import every_page, page_problems, sampled, visit_pages

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize(
    ("whose", "has_all"),
    [("lena", True), ("ada", True), ("adam", False), pytest.param("adam", True, marks=pytest.mark.exhaustive)],
)
def test_pages_of_leads_and_admins_are_accessible(
    whose: str, has_all: bool, page: Page, live_server: Any, log_in: Callable, settings: Any, tmp_path: Any
) -> None:
    settings.MEDIA_ROOT = tmp_path
    problems, pages = [], every_page(whose)
    for where in visit_pages(page, live_server.url, log_in, pages if has_all else sampled(pages)):
        problems += page_problems(page, where)
    assert not problems, "\n".join(problems)

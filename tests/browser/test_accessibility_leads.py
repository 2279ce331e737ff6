"""Accessibility of every page that leads and admins see."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from .all_pages import every_page, page_problems, visit_pages

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("whose", ["lena", "ada", "adam"])
def test_pages_of_leads_and_admins_are_accessible(
    whose: str, page: Page, live_server: Any, log_in: Callable, settings: Any, tmp_path: Any
) -> None:
    settings.MEDIA_ROOT = tmp_path
    problems = []
    for where in visit_pages(page, live_server.url, log_in, every_page(whose)):
        problems += page_problems(page, where)
    assert not problems, "\n".join(problems)

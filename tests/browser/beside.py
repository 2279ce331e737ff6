"""What the browser tests of help at hand share: the workspace opened, and lead pages."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from ..cast import Study, person, study


@pytest.fixture
def june(transactional_db: None) -> Study:
    """One response of four sentences."""
    return study(sentences=4)


@pytest.fixture
def visit(log_in: Callable, live_server: Any) -> Callable[[Page, str, str], Page]:
    """`visit(page, name, address)` signs somebody in and opens a page of theirs; a workspace is ready then."""

    def open_for(page: Page, name: str, address: str) -> Page:
        log_in(page, person(name))
        page.goto(f"{live_server.url}{address}")
        if "/rate/" in address:
            page.wait_for_selector("body[data-ready]")
        return page

    return open_for


def press(page: Page, keys: str) -> None:
    for key in keys.split():
        page.keyboard.press(key)

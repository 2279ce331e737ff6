"""Fixtures of the tests of the workspace."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from ..cast import Study, person, study


@pytest.fixture
def june(transactional_db: None) -> Study:
    """Two responses of four sentences, with a heading that is not rated."""
    return study(prompts=2, sentences=4, heading=True)


@pytest.fixture
def open_rating(page: Page, log_in: Callable, live_server: Any) -> Callable[..., Page]:
    """`open_rating(name, on=page)` signs somebody in and opens the workspace with the next work."""

    def open_for(name: str = "ravi", on: Page = page, slug: str = "june") -> Page:
        log_in(on, person(name))
        on.goto(f"{live_server.url}/projects/{slug}/rate/")
        on.wait_for_selector("body[data-ready]")
        return on

    return open_for

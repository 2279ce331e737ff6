"""Fixtures of the tests of the workspace."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

from ..cast import Study, person, study


@pytest.fixture(autouse=True)
def no_errors_in_pages(context: BrowserContext) -> Iterator[None]:
    """A script that breaks fails the test, also where the page looks right."""
    errors: list[str] = []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    yield
    assert errors == []


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

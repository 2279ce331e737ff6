"""Fixtures of the browser tests: studies to work in, a signed-in user on a page."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

from ..cast import Study, person, study
from .faults import SiteProcess
from .typed_words import Words
from .workspace import Acknowledged


@pytest.fixture(autouse=True)
def no_errors_in_pages(context: BrowserContext) -> Iterator[None]:
    """Fail the test on an error in a script, also where the page looks right."""
    errors: list[str] = []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    yield
    assert errors == []


@pytest.fixture
def june(transactional_db: None) -> Study:
    """Return two responses of four sentences, with a heading that is not rated."""
    return study(prompts=2, sentences=4, heading=True)


@pytest.fixture
def one_response(transactional_db: None) -> Study:
    """Return one response of four sentences."""
    return study(sentences=4)


@pytest.fixture
def visit(log_in: Callable, live_server: Any) -> Callable[[Page, str, str], Page]:
    """Return `visit(page, name, address)`, which signs somebody in and opens a page; it waits for a workspace."""

    def open_for(page: Page, name: str, address: str) -> Page:
        log_in(page, person(name))
        page.goto(f"{live_server.url}{address}")
        if "/rate/" in address:
            page.wait_for_selector("body[data-ready]")
        return page

    return open_for


@pytest.fixture
def open_rating(page: Page, visit: Callable) -> Callable[..., Page]:
    """Return `open_rating(name, on=page)`, which signs somebody in and opens the workspace with the next work."""

    def open_for(name: str = "ravi", on: Page = page, slug: str = "june") -> Page:
        return visit(on, name, f"/projects/{slug}/rate/")

    return open_for


@pytest.fixture
def acknowledged(context: BrowserContext) -> set[str]:
    """Return the request keys of the answers that the server has acknowledged to this browser."""
    return Acknowledged(context).keys


@pytest.fixture
def words(context: BrowserContext, capsys: Any) -> Words:
    """Return a `Words`, which records the text that the server acknowledges to this browser."""
    return Words(context, capsys)


@pytest.fixture
def site(transactional_db: None) -> Iterator[SiteProcess]:
    """Yield the site in a process of its own, which a test can kill and start again."""
    running = SiteProcess()
    yield running
    running.kill()

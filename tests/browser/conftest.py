"""Fixtures of the browser tests: studies to work in, a signed-in user on a page."""

from collections.abc import Callable, Iterator
from queue import SimpleQueue
from threading import Thread
from typing import Any

import pytest
from django.db import connection
from playwright.sync_api import BrowserContext, Page

from annotation.models import Project

from ..cast import Study, newest_version, person, study
from .faults import SiteProcess
from .workspace import Acknowledged, load_page


@pytest.fixture(autouse=True)
def no_errors_in_pages(context: BrowserContext) -> Iterator[None]:
    """Fail the test on an error in a script, also where the page looks right."""
    errors: list[str] = []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    yield
    assert errors == []


@pytest.fixture(autouse=True)
def no_cached_pages(request: pytest.FixtureRequest, context: BrowserContext) -> None:
    """Let no rating page be cached, which fetches it and some 50 files once more, but in tests with the mark."""
    if not request.node.get_closest_marker("caches_pages"):
        context.add_init_script("delete Navigator.prototype.serviceWorker")


@pytest.fixture
def june(transactional_db: None) -> Study:
    """Return two responses of four sentences, with a heading that is not rated."""
    return study(prompts=2, sentences=4, heading=True)


@pytest.fixture
def one_response(transactional_db: None) -> Study:
    """Return one response of four sentences."""
    return study(sentences=4)


@pytest.fixture
def web(transactional_db: None) -> Study:
    """Return one response of three sentences, rated by research on the web."""
    prepared = study()
    Project.objects.update(protocol=newest_version("web-factuality"))
    return prepared


@pytest.fixture
def visit(log_in: Callable, live_server: Any) -> Callable[[Page, str, str], Page]:
    """Return `visit(page, name, address)`, which signs somebody in and opens a page with the parts that load later."""

    def open_for(page: Page, name: str, address: str) -> Page:
        log_in(page, person(name))
        load_page(page, f"{live_server.url}{address}")
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
def site(transactional_db: None) -> Iterator[SiteProcess]:
    """Yield the site in a process of its own, which a test can kill and start again."""
    running = SiteProcess()
    yield running
    running.kill()


@pytest.fixture
def start_worker(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """Return a function that starts a worker of jobs: a thread, which takes a second less than a worker process."""
    from tasks.app import app

    waiting: SimpleQueue[tuple[str, list] | None] = SimpleQueue()
    threads: list[Thread] = []
    app.loader.import_default_modules()
    monkeypatch.setattr(app, "send_task", lambda name, args: waiting.put((name, args)))

    def work() -> None:
        while task := waiting.get():
            name, args = task
            app.tasks[name](*args)
        connection.close()

    def start() -> None:
        threads.append(Thread(target=work))
        threads[-1].start()

    yield start
    for thread in threads:
        waiting.put(None)
        thread.join()


@pytest.fixture
def worker(start_worker: Callable[[], None]) -> None:
    """Start a worker of jobs in a thread."""
    start_worker()

"""A server and a browser that tests kill."""

import multiprocessing
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from urllib.request import urlopen

from django.conf import settings
from django.db import connection
from django.test import Client
from playwright.sync_api import BrowserContext

from annotation.models import User
from annotation.quickstart.valkey import free_port

FORKSERVER = multiprocessing.get_context("forkserver")
FORKSERVER.set_forkserver_preload(["tests.browser.server"])  # imports once what each site would import


def serve_site(port: int, database: str) -> None:
    """Run in the forked process: the suite's own process must not import the server."""
    from .server import serve

    serve(port, database)


class SiteProcess:
    """The site in a process of its own."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self.start()

    def start(self) -> None:
        self.process = FORKSERVER.Process(target=serve_site, args=(self.port, connection.settings_dict["NAME"]))
        self.process.start()
        while not self.is_live():
            assert self.process.is_alive(), "the server has ended"
            time.sleep(0.05)

    def is_live(self) -> bool:
        try:
            return urlopen(f"{self.url}/health/live/", timeout=5).status == 200
        except OSError:
            return False

    def kill(self) -> None:
        self.process.kill()
        self.process.join()

    def log_in(self, context: BrowserContext, user: User) -> None:
        """Give a browser the user's session, without the login page."""
        client = Client()
        client.force_login(user)
        name = settings.SESSION_COOKIE_NAME
        context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": self.url}])


def kill_browser_processes(folder: Path, wait_until: Callable) -> None:
    """Send SIGKILL to every process of the browser that stores its data in `folder`."""
    assert browser_process_ids(folder)
    for process_id in browser_process_ids(folder):
        os.kill(process_id, signal.SIGKILL)
    wait_until(lambda: not browser_process_ids(folder))
    (folder / "SingletonLock").unlink(missing_ok=True)  # as a restart of the machine would


def browser_process_ids(folder: Path) -> list[int]:
    lines = subprocess.run(["ps", "-axwwo", "pid,command"], capture_output=True, text=True, check=True).stdout
    return [int(line.split()[0]) for line in lines.splitlines() if f"--user-data-dir={folder}" in line]

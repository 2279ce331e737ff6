"""A web server in processes of its own, as an installation runs it."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

from annotation.quickstart.valkey import free_port
from tests.conftest import CODE


@contextmanager
def web_server(log: Path, **settings: str) -> Iterator[str]:
    """Run a web server with these settings; yield its address once it answers."""
    settings = {"PORT": str(free_port()), "WEB_HOST": "127.0.0.1", "WEB_CONCURRENCY": "1"} | settings
    url = f"http://127.0.0.1:{settings['PORT']}"
    with log.open("w") as output:
        command = [sys.executable, "-m", "gunicorn"]
        server = subprocess.Popen(command, cwd=CODE, env=os.environ | settings, stderr=output)
    try:
        while not _is_live(url):
            assert server.poll() is None, log.read_text()
            time.sleep(0.1)
        yield url
    finally:
        server.terminate()
        server.wait(20)


def _is_live(url: str) -> bool:
    try:
        return urlopen(f"{url}/health/live/", timeout=5).status == 200
    except OSError:
        return False

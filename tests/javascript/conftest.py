"""Fixtures of the tests in Node: the locked packages, and the rating pages."""

import os
import subprocess
import sys
from fcntl import LOCK_EX, flock
from pathlib import Path

import pytest

from .rendered_pages import render

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def node_packages() -> None:
    """Install the locked packages unless they are there; one process at a time."""
    with (ROOT / "package-lock.json").open() as lock:
        flock(lock, LOCK_EX)
        command, environment = ["scripts/node_tool.sh"], os.environ | {"PYTHON": sys.executable}
        subprocess.run(command, cwd=ROOT, env=environment, check=True)


@pytest.fixture(scope="module")
def rendered_pages(module_rows: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of rating pages."""
    folder = tmp_path_factory.mktemp("pages")
    render(folder)
    return folder

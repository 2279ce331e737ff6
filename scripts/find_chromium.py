"""Prints the path of a Chromium that runs on this machine; installs one when there is none.

In this order: CHROMIUM, the machine's own, Playwright's own, Playwright's after installing it, Debian's package. One
counts only when it starts: Ubuntu's `chromium-browser` may be a stub, and Playwright's may lack system libraries.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge"]
MAC = ["Chromium.app/Contents/MacOS/Chromium", "Google Chrome.app/Contents/MacOS/Google Chrome"]
NONE = (
    "error: the browser tests need a Chromium and none could be found or installed: install one (Debian: "
    "`apt-get install chromium`; elsewhere: Chrome, or `.venv/bin/playwright install --with-deps chromium`), "
    "or name one with CHROMIUM=/path/to/chromium"
)


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def runs(path: str | None) -> bool:
    if not path:
        return False
    try:
        return subprocess.run([path, "--version"], capture_output=True, timeout=60, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def on_this_machine() -> Iterator[str | None]:
    for name in NAMES:
        yield shutil.which(name)
    for place in ("/Applications", str(Path.home() / "Applications")):
        for application in MAC:
            yield f"{place}/{application}"


def playwrights_own() -> Iterator[str]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        yield playwright.chromium.executable_path


def playwrights_installed_now() -> Iterator[str]:
    say("No Chromium was found on this machine; trying Playwright's.")
    if attempt([sys.executable, "-m", "playwright", "install", "chromium"]):
        yield from playwrights_own()
        if (as_root := root_prefix()) is not None:
            attempt([*as_root, sys.executable, "-m", "playwright", "install-deps", "chromium"])
            yield from playwrights_own()


def debians_package() -> Iterator[str | None]:
    as_root = root_prefix()
    if shutil.which("apt-get") is None or as_root is None:
        return
    say("Trying the system's package `chromium`.")
    install = [*as_root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", "-q"]
    attempt([*as_root, "apt-get", "update", "-q"])
    if attempt([*install, "--no-install-recommends", "chromium"]):
        yield from on_this_machine()


def root_prefix() -> list[str] | None:
    """What turns a command into one of root's: nothing, sudo without a question, or None when neither will do."""
    if os.geteuid() == 0:
        return []
    return ["sudo", "-n"] if attempt(["sudo", "-n", "true"]) else None


def attempt(command: list[str]) -> bool:
    try:
        return subprocess.run(command, stdout=sys.stderr, stderr=sys.stderr, timeout=900, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def find() -> str | None:
    if named := os.environ.get("CHROMIUM"):
        if runs(named):
            return named
        say(f"error: CHROMIUM is {named}, which does not run")
        return None
    ways: list[Callable[[], Iterator[str | None]]] = [
        on_this_machine,
        playwrights_own,
        playwrights_installed_now,
        debians_package,
    ]
    for way in ways:
        for path in way():
            if runs(path):
                return path
    say(NONE)
    return None


if __name__ == "__main__":
    chromium = find()
    if chromium is None:
        sys.exit(1)
    print(chromium)

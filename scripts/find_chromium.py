"""Print the path of a Chromium that runs on this machine. Install one if there is none.

The order is: CHROMIUM, the system's, Playwright's, Playwright's after installing it, Debian's package. A browser is
used only if it starts: Ubuntu's `chromium-browser` may be a stub, and Playwright's may lack system libraries.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

# First the one without windows: it takes half the CPU time.
PACKAGES = ["chromium-headless-shell", "chromium"]
NAMES = [*PACKAGES, "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge"]
MAC = ["Chromium.app/Contents/MacOS/Chromium", "Google Chrome.app/Contents/MacOS/Google Chrome"]
NONE = (
    "error: the browser tests need a Chromium and none could be found or installed: install one (Debian: "
    "`apt-get install chromium-headless-shell`; elsewhere: Chrome, or `.venv/bin/playwright install --with-deps "
    "chromium`), or name one with CHROMIUM=/path/to/chromium"
)


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def runs(path: str | None) -> bool:
    if not path:
        return False
    try:
        return subprocess.run([path, "--version"], capture_output=True, timeout=60, check=False).returncode == 0  # noqa: S603 - a browser or package manager that was found, arguments as a list
    except (OSError, subprocess.TimeoutExpired):
        return False


def installed_on_system() -> Iterator[str | None]:
    for name in NAMES:
        yield shutil.which(name)
    for folder in ("/Applications", str(Path.home() / "Applications")):
        for application in MAC:
            yield f"{folder}/{application}"


def installed_by_playwright() -> Iterator[str]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        yield playwright.chromium.executable_path


def install_with_playwright() -> Iterator[str]:
    say("No Chromium was found on this machine; trying Playwright's.")
    if succeeds([sys.executable, "-m", "playwright", "install", "chromium"]):
        yield from installed_by_playwright()
        if (as_root := root_prefix()) is not None:
            succeeds([*as_root, sys.executable, "-m", "playwright", "install-deps", "chromium"])
            yield from installed_by_playwright()


def install_with_apt() -> Iterator[str | None]:
    as_root = root_prefix()
    if shutil.which("apt-get") is None or as_root is None:
        return
    say("Trying the system's package of Chromium.")
    install = [*as_root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", "-q"]
    succeeds([*as_root, "apt-get", "update", "-q"])
    for package in PACKAGES:
        if succeeds([*install, "--no-install-recommends", package]):
            yield from installed_on_system()


def root_prefix() -> list[str] | None:
    """Return what runs a command as root: nothing, or sudo without a password. None if neither is possible."""
    if os.geteuid() == 0:
        return []
    return ["sudo", "-n"] if succeeds(["sudo", "-n", "true"]) else None


def succeeds(command: list[str]) -> bool:
    try:
        return subprocess.run(command, stdout=sys.stderr, stderr=sys.stderr, timeout=900, check=False).returncode == 0  # noqa: S603 - a browser or package manager that was found, arguments as a list
    except (OSError, subprocess.TimeoutExpired):
        return False


def find() -> str | None:
    if chosen := os.environ.get("CHROMIUM"):
        if runs(chosen):
            return chosen
        say(f"error: CHROMIUM is {chosen}, which does not run")
        return None
    sources: list[Callable[[], Iterator[str | None]]] = [
        installed_on_system,
        installed_by_playwright,
        install_with_playwright,
        install_with_apt,
    ]
    for source in sources:
        for path in source():
            if runs(path):
                return path
    say(NONE)
    return None


if __name__ == "__main__":
    chromium = find()
    if chromium is None:
        sys.exit(1)
    print(chromium)

"""Take the pictures of README and docs anew, from a demo site that is made for it and deleted afterwards.

`make screenshots` calls it. CHROMIUM names the browser. Each picture has 1440 by 900 pixels, is light unless its name
ends in -dark, and is refused above 200 kB.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, sync_playwright
from png_palette import with_palette

CODE = Path(__file__).parents[1]
PICTURES = CODE / "docs" / "pictures"
PORT = os.environ.get("PORT", "8010")
SITE = f"http://localhost:{PORT}"
PASSWORD = "factuary-demo"  # noqa: S105 - that of the demo
SIZE = {"width": 1440, "height": 900}
MAX_BYTES = 200_000
START_SECONDS = 300
TIMEOUT = 120_000  # milliseconds; the worker may be busy with the report


def main() -> None:
    """Start a demo site, take every picture, stop the site."""
    with TemporaryDirectory() as folder:
        command = [sys.executable, "manage.py", "quickstart", "--port", PORT, "--data-dir", folder]
        site = subprocess.Popen(command, cwd=CODE, stdout=subprocess.DEVNULL)  # noqa: S603 - this Python, on a command of this program
        try:
            wait_for_site(site, Path(folder) / "ready.json")
            with sync_playwright() as playwright:
                take_all(playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM") or None))
        finally:
            site.send_signal(signal.SIGINT)
            site.wait(60)


def wait_for_site(site: subprocess.Popen[bytes], ready: Path) -> None:
    """Wait for the file that the site writes when web server and worker run."""
    deadline = time.monotonic() + START_SECONDS
    while not ready.exists():
        if time.monotonic() > deadline or site.poll() is not None:
            sys.exit("the demo site did not start; `make demo` shows why")
        time.sleep(1)


def take_all(browser: Browser) -> None:
    """Take the pictures in an order in which no page shows what another one has changed."""
    take(browser, "overview", "lena", "/projects/demo/", show_overview)
    take(browser, "report", "lena", "/projects/demo/report/", show_report)
    take(browser, "review", "lena", "/projects/demo/review/", lambda page: None)
    take(
        browser,
        "protocol-form",
        "lena",
        "/protocols/new/?from=article-accuracy:1&slug=own-accuracy&title=Accuracy&view=form",
        show_protocol_form,
    )
    take(browser, "import-columns", "admin", "/datasets/import/", show_columns)
    take(browser, "introduction", "tom", "/projects/demo/introduction/", lambda page: None)
    take(browser, "workspace", "ravi", "/projects/demo/rate/", show_answers)
    take(browser, "workspace-dark", "ravi", "/projects/demo/rate/", show_next_answer)


def take(browser: Browser, name: str, user: str, address: str, prepare: Callable[[Page], None]) -> None:
    """Save the picture `name` of a page as `user` sees it after `prepare`."""
    scheme = "dark" if name.endswith("-dark") else "light"
    with browser.new_context(
        viewport=SIZE, color_scheme=scheme, reduced_motion="reduce", locale="en-US", timezone_id="UTC"
    ) as context:
        page = context.new_page()
        page.set_default_timeout(TIMEOUT)
        page.goto(f"{SITE}/accounts/login/?next=/people/")
        page.fill("[name=login]", user)
        page.fill("[name=password]", PASSWORD)
        page.locator("[name=password]").press("Enter")
        page.wait_for_url(lambda url: "/login/" not in url)
        page.goto(SITE + address)
        prepare(page)
        page.evaluate("document.fonts.ready")
        page.wait_for_timeout(1000)  # for parts that are loaded late
        picture = page.screenshot(animations="disabled", caret="hide")
        page.goto("about:blank")  # whose policy lets a picture be decoded
        picture = with_palette(picture, page)
    if len(picture) > MAX_BYTES:
        sys.exit(f"{name}.png has {len(picture):,} bytes; at most {MAX_BYTES:,} are allowed")
    (PICTURES / f"{name}.png").write_bytes(picture)
    print(f"{name}.png  {len(picture) // 1000} kB")


def show_overview(page: Page) -> None:
    page.locator("#late-precision").get_by_role("table").or_(page.locator("#late-precision p")).first.wait_for()


def show_report(page: Page) -> None:
    page.get_by_role("heading", name="Proportions of ratings").wait_for()


def show_protocol_form(page: Page) -> None:
    page.wait_for_selector("body[data-ready=preview]")
    page.get_by_role("region", name="Preview").get_by_role("radio", name="Inaccurate").check()


def show_columns(page: Page) -> None:
    rows = CODE / "fixtures" / "rows"
    page.locator("[name=format][value=rows]").check()
    page.set_input_files("[name=upload]", [rows / "answers.csv", rows / "articles" / "bees.txt"])
    page.fill("[name=slug]", "birds")
    page.locator("[name=slug]").press("Enter")
    page.get_by_role("columnheader", name="Column").first.wait_for()


def show_answers(page: Page) -> None:
    """Answer three sentences, and the fourth in part."""
    page.wait_for_selector("body[data-ready]")
    for keys in ("1", "4s", "1", "4"):
        for key in keys:
            page.keyboard.press(key)
            page.wait_for_timeout(150)
    page.wait_for_selector("[data-saved][data-state=saved]")


def show_next_answer(page: Page) -> None:
    """Show the response that the picture before has begun."""
    page.wait_for_selector("body[data-ready]")
    page.keyboard.press("4")
    page.wait_for_timeout(300)


if __name__ == "__main__":
    main()

"""Accessibility problems of the open page, as a list of texts."""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],  # else axe describes all that is well too, which takes several times as long
    "preload": {"assets": ["media"]},  # not the style sheets, which only an experimental rule reads
}
# The rules of axe that read colors. The schemes of this site differ in nothing else: see light-dark() in base.css.
COLOR_RULES = {**RULES, "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
AXE = Axe().axe_script
BOTH: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SCREENSHOTS = os.environ.get("FACTUARY_SCREENSHOTS")
"""A folder for screenshots of every page that is checked, for scripts/compare_screenshots.sh."""


# The page is checked at its top: a bar that stays in view covers parts of the controls below which it is scrolled.
CHECK = """async (rules) => {
    if (!("axe" in window)) return null;
    const { scrollWidth, clientWidth } = document.documentElement;
    const top = scrollY;
    scrollTo({ top: 0, behavior: "instant" });
    const { violations } = await axe.run(rules);
    scrollTo({ top, behavior: "instant" });
    const targetsOf = ({ nodes }) => nodes.slice(0, 3).map(({ target }) => target.join(" "));
    return [scrollWidth - clientWidth, violations.map((each) => `${each.id} (${each.help}) at ${targetsOf(each)}`)];
}"""


def violations(page: Page) -> list[str]:
    """Return the violations that axe finds in the open page."""
    return check(page, RULES)[1]


def problems_of_page(page: Page, rules: dict[str, object] = RULES) -> list[str]:
    """Return the violations that axe finds, and by how much the page is wider than the window."""
    if SCREENSHOTS:
        save_screenshot(page, Path(SCREENSHOTS))
    wide, found = check(page, rules)
    return found + ([f"{wide} px too wide"] if wide > 0 else [])


def check(page: Page, rules: dict[str, object]) -> tuple[int, list[str]]:
    """Return by how many pixels the page is too wide, and the violations."""
    result = page.evaluate(CHECK, rules)
    if result is None:
        page.evaluate(AXE)
        result = page.evaluate(CHECK, rules)
    return result


def save_screenshot(page: Page, folder: Path) -> None:
    """Write a screenshot named by the test, the page's path without ids, the color scheme, the width and a number."""
    page.wait_for_load_state("networkidle")
    test = os.environ["PYTEST_CURRENT_TEST"].split("::")[-1].split(" ")[0]
    path = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "id", urlsplit(page.url).path)
    scheme = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'")
    name = re.sub(r"\W+", "-", f"{test} {path} {scheme} {page.evaluate('innerWidth')}")
    number = len(list(folder.glob(f"{name}-*.png"))) + 1
    page.screenshot(path=folder / f"{name}-{number}.png", full_page=True, animations="disabled")


def accessibility_problems(
    page: Page, where: str = "", schemes: Sequence[Literal["light", "dark"]] = BOTH, widths: Sequence[int] = ()
) -> list[str]:
    """Return the problems in each of the schemes, and at each of the widths (default: the page's own).

    All rules run in the first scheme, and those about colors in the others.
    """
    assert page.viewport_size
    size, problems = page.viewport_size, []
    for width in widths or [size["width"]]:
        page.set_viewport_size({**size, "width": width})
        for scheme in schemes:
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            rules = RULES if scheme == schemes[0] else COLOR_RULES
            problems += [f"{where} {scheme} at {width}: {problem}" for problem in problems_of_page(page, rules)]
    page.set_viewport_size(size)
    return problems

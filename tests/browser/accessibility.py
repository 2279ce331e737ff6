"""What bars people from the page that is open, in words; nothing where all is well."""

from collections.abc import Sequence
from typing import Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],  # else axe describes all that is well too, which takes several times as long
}
BOTH: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def violations(page: Page) -> list[str]:
    """What axe finds."""
    found = []
    for problem in Axe().run(page, options=RULES).response["violations"]:
        places = [" ".join(map(str, node["target"])) for node in problem["nodes"][:3]]
        found.append(f"{problem['id']} ({problem['help']}) at {places}")
    return found


def faults(page: Page) -> list[str]:
    """Return what axe finds, and whether the page is wider than the window."""
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return violations(page) + ([f"{wide} px too wide"] if wide > 0 else [])


def barriers(
    page: Page, where: str = "", schemes: Sequence[Literal["light", "dark"]] = BOTH, widths: Sequence[int] = ()
) -> list[str]:
    """Return the faults in each of the schemes, and at each of the widths (default: the page's own)."""
    assert page.viewport_size
    size, found = page.viewport_size, []
    for width in widths or [size["width"]]:
        page.set_viewport_size({**size, "width": width})
        for scheme in schemes:
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            found += [f"{where} {scheme} at {width}: {fault}" for fault in faults(page)]
    page.set_viewport_size(size)
    return found

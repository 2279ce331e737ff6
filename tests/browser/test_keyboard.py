"""Use by keyboard alone: order of Tab, visible focus, skip link, and menus and dialogs that return the focus."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.projects.guidelines import publish_guidelines

from ..cast import ACCURATE, CANNOT_ASSESS, SEVERE, Study, person
from .workspace import load_page, press, stored_answers, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FOCUSED = """() => {
    const at = document.activeElement;
    if (at === document.body) return null;
    const shown = at.matches(".option input, .segmented input") ? at.parentElement : at;  // its label has the outline
    const style = getComputedStyle(shown), box = shown.getBoundingClientRect();
    const points = [[.5, .5], [.1, .2], [.9, .2], [.1, .8], [.9, .8]];
    const isSeen = points.some(([x, y]) => {
        const top = document.elementFromPoint(box.x + x * box.width, box.y + y * box.height);
        return top && (shown.contains(top) || top.contains(shown) && !top.matches("dialog, aside"));
    });
    return {
        name: at.getAttribute("aria-label") || at.innerText?.trim().split("\\n")[0] || at.value || at.tagName,
        tag: at.tagName.toLowerCase(),
        outline: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
        isSeen,
        y: box.y + scrollY,
    };
}"""


def tab_stops(page: Page, most: int = 150) -> Iterator[dict]:
    """Press Tab from the skip link until the focus has left the page; yield the focused element each time."""
    page.evaluate("document.querySelector('.skip-link').focus()")
    for _ in range(most):
        page.keyboard.press("Tab")
        if (focused := page.evaluate(FOCUSED)) is None:
            return
        yield focused
    raise AssertionError(f"the focus is caught on {page.url}")


def problems_of_focus(page: Page) -> list[str]:
    return [
        f"{page.url} {stop['tag']} “{stop['name']}” is {' and '.join(lacks)}"
        for stop in tab_stops(page)
        if (lacks := [words for key, words in (("outline", "not outlined"), ("isSeen", "covered")) if not stop[key]])
    ]


def tab_to(page: Page, name: str, most: int = 100) -> None:
    """Press Tab until the focus is on an element whose name starts with `name`."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if (page.evaluate(FOCUSED) or {}).get("name", "").startswith(name):
            return
    raise AssertionError(f"Tab does not come to {name!r}")


def test_the_focus_is_always_seen_and_never_covered(
    june: Study, page: Page, live_server: Any, log_in: Callable
) -> None:
    publish_guidelines(june.project, "Read it twice.", actor=june.people["lena"])
    problems = []
    for name, addresses in {
        "ravi": ["/", "/projects/june/", "/projects/june/rate/"],
        "lena": ["/projects/june/", "/projects/june/responses/", "/projects/june/raters/", "/projects/june/report/",
                 "/projects/june/inbox/", "/projects/june/checks/", "/projects/june/review/"],
    }.items():  # fmt: skip
        log_in(page, person(name))
        for address in addresses:
            load_page(page, live_server.url + address)
            problems += problems_of_focus(page)
    assert not problems, "\n".join(problems)


def test_a_response_is_rated_with_tab_arrows_space_and_enter_alone(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    press(page, "?")
    expect(page.locator("#help")).to_be_visible()
    press(page, "Escape")
    expect(page.locator("[data-answer-form]")).to_be_focused()  # given back
    for moves, answer in (([], ACCURATE), (["ArrowRight"] * 3, SEVERE), (["ArrowRight"] * 4, CANNOT_ASSESS)):
        page.locator("[data-answer-form]").focus()
        press(page, "Tab")
        expect(page.locator("input[name=accuracy]").first).to_be_focused()
        press(page, " ".join([*moves, "Space"]))
        if answer is SEVERE:  # the second question has the focus by itself
            expect(page.locator("input[name=severity]").first).to_be_focused()
            press(page, "Space")
    press(page, "ArrowDown ArrowUp")
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE, SEVERE, CANNOT_ASSESS]


def test_the_skip_link_leads_past_the_bar(june: Study, page: Page, visit: Callable) -> None:
    visit(page, "ravi", "/projects/june/")
    press(page, "Tab")
    link = page.get_by_role("link", name="Skip to the content")
    expect(link).to_be_focused()
    expect(link).to_be_in_viewport()
    press(page, "Enter")
    expect(page.locator("main")).to_be_focused()
    press(page, "Tab")
    assert page.evaluate("document.querySelector('main').contains(document.activeElement)")


def test_dialog_menu_and_drawer_close_and_give_the_focus_back(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    button = page.get_by_role("button", name="Help: keys and definitions")
    button.focus()
    press(page, "Enter")
    assert page.evaluate("document.querySelector('#help').contains(document.activeElement)")
    for _ in range(30):
        press(page, "Tab")
        assert page.evaluate("document.activeElement.matches('body, #help, #help *')")  # body: the browser's own bar
    press(page, "Escape")
    expect(button).to_be_focused()

    summary = page.locator("summary[aria-label='More about this response']")
    summary.focus()
    press(page, "Enter Tab")
    menu = page.locator("details", has=summary)
    expect(menu).to_have_attribute("open", "")
    press(page, "Escape")
    expect(summary).to_be_focused()
    expect(menu).not_to_have_attribute("open", "")
    press(page, "Enter")
    page.locator("[data-finish]").focus()
    expect(menu).not_to_have_attribute("open", "")

    press(page, "g")
    drawer = page.locator("[data-drawer]")
    expect(drawer).to_be_visible()
    page.locator("[data-finish]").focus()
    press(page, "Escape")
    expect(drawer).to_be_hidden()
    expect(page.locator("[data-answer-form]")).to_be_focused()


def test_the_first_invalid_field_of_a_form_has_the_focus(page: Page, visit: Callable) -> None:
    person("admin", admin=True)
    person("tom")
    visit(page, "admin", "/people/tom/erase/")
    page.get_by_label("to confirm").fill("tim")
    press(page, "Enter")
    expect(page.get_by_text("Nothing was erased")).to_be_visible()
    expect(page.get_by_label("to confirm")).to_be_focused()

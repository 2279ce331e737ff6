"""A browser with unsent answers of 0.7.1 at the upgraded site: all of them arrive, and the work goes on.

It is a module of its own, with a site of its own: pytest runs tests that use a browser before the others.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.upgrade.browser_state import WRITE_STATE
from tests.upgrade.upgraded import UpgradedSite, recorded

STATE = recorded("browser.json")


@pytest.fixture
def ravi(upgraded: UpgradedSite, browser: Browser) -> Iterator[Page]:
    """Yield a browser in which Ravi rated with 0.7.1 and lost the network before everything was sent."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB")
    errors: list[str] = []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    context.add_cookies(STATE["cookies"])
    page = context.new_page()
    page.goto(f"{upgraded.url}/health/live/")  # a page of the site without scripts
    page.evaluate(WRITE_STATE, STATE)
    yield page
    context.close()
    assert errors == []


@pytest.mark.browser
def test_the_unsent_answers_of_a_browser_arrive_and_its_work_goes_on(upgraded: UpgradedSite, ravi: Page) -> None:
    waiting = [record for record in STATE["database"]["stores"]["waiting"]["records"] if "stored" not in record]
    assert {kind_of(record) for record in waiting} == {"answer", "finish", "question", "mark"}
    ravi.goto(upgraded.url + STATE["address"])
    ravi.wait_for_selector("body[data-ready]")
    expect(ravi.locator("[data-saved-text]")).to_have_text("Saved", timeout=60_000)
    assert_arrived(upgraded, waiting)
    expect(ravi.get_by_text("This project has its own guidelines")).to_be_hidden()  # closed with 0.7.1
    expect(ravi.locator("[data-definitions-text]")).to_have_text("Show definitions")

    # The unfinished answer and its unsent comment are still there, and the answer can be completed.
    (begun,) = STATE["database"]["stores"]["begun"]["records"]
    typed = {record["item"]: record["text"] for record in STATE["database"]["stores"]["typed"]["records"]}
    expect(ravi.locator(f"input[value={begun['draft']['accuracy']}]")).to_be_checked()
    ravi.keyboard.press("c")
    expect(ravi.get_by_label("Comment", exact=True)).to_have_value(typed[begun["item"]])
    ravi.keyboard.press("Escape")
    ravi.keyboard.press("s")
    expect(ravi.locator("[data-saved-text]")).to_have_text("Saved")
    finished = {**begun["draft"], "severity": "severe"}
    assert ratings_of_ravi(upgraded)[begun["item"]] == (finished, typed[begun["item"]])

    # The response can be finished, and the next one is that which was prefetched.
    before = ravi.url
    for _ in range(25):
        ravi.keyboard.press("1")
    ravi.keyboard.press("Enter")
    ravi.wait_for_function(
        "(address) => location.href !== address || document.querySelector('dialog[open]')", arg=before
    )
    if (anyway := ravi.get_by_role("dialog").get_by_role("button", name="Finish")).is_visible():
        anyway.click()  # sentences are still flagged
    ravi.wait_for_function("(address) => location.href !== address", arg=before)
    expect(ravi.locator("[data-saved-text]")).to_have_text("Saved")
    assert is_finished(upgraded, STATE["address"].split("/")[2])


def kind_of(record: dict[str, Any]) -> str:
    """Return what the outbox of 0.7.1 makes of an entry of its journal."""
    keys = {"finishes": "finish", "asks": "question", "marks": "mark"}
    return next((kind for key, kind in keys.items() if key in record), "answer")


def assert_arrived(upgraded: UpgradedSite, waiting: list[dict[str, Any]]) -> None:
    """Check that everything that waited has arrived once."""
    stored, ratings = upgraded.stored(), ratings_of_ravi(upgraded)
    newest = {record["item"]: record for record in waiting if kind_of(record) == "answer"}
    for item, record in newest.items():
        assert ratings[item] == (record["answers"], record["more"].get("comment", ""))
    sent = Counter(key for _, _, key in stored["history"])
    assert {sent[record["key"]] for record in newest.values()} == {1}
    for record in waiting:
        match kind_of(record):
            case "finish":
                assert is_finished(upgraded, record["assignment"])
            case "mark":
                assert (record["about"] in {item for item, _ in stored["marks"]}) == record["marks"]
            case "question":
                assert record["asks"]["text"] in [row[1] for row in stored["questions"]]


def ratings_of_ravi(upgraded: UpgradedSite) -> dict[str, tuple[dict[str, str], str]]:
    """Return answers and comment by item."""
    return {row[0]: (row[3], row[4]) for row in upgraded.stored()["ratings"] if row[1:3] == ("ravi", "rater")}


def is_finished(upgraded: UpgradedSite, assignment: str) -> bool:
    return {row[0]: row[1] for row in upgraded.stored()["assignments"]}[assignment] is not None

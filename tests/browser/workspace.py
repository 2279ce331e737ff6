"""Helpers of the tests of the workspace."""

from collections import Counter
from datetime import timedelta
from typing import Any

from django.apps import apps
from django.contrib.sessions.models import Session
from django.db.models import F
from playwright.sync_api import BrowserContext, Page, Response, Route, expect

from annotation.models import Rating, Slot

SHIFTS = """
window.shifted = 0;
new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.shifted += entry.value; })
  .observe({ type: "layout-shift" });
"""


def stored_answers(rater: str = "ravi") -> list[dict]:
    """Return the stored answers in the order of the sentences."""
    own = Rating.objects.filter(rater__username=rater).order_by("item__response", "item__position")
    return list(own.values_list("answers", flat=True))


def hold_requests(page: Page, address: str) -> list[Route]:
    """Hold requests for the address until `release_requests` continues them; return their routes."""
    routes: list[Route] = []
    page.route(address, lambda route: routes.append(route))
    return routes


def release_requests(page: Page, routes: list[Route]) -> None:
    while not routes:
        page.wait_for_timeout(20)
    for route in routes:
        route.continue_()


def shifted(page: Page) -> float:
    """Return how far things have moved since `SHIFTS` was run, with the last frame."""
    return page.evaluate("new Promise((end) => requestAnimationFrame(() => setTimeout(() => end(window.shifted))))")


def load_page(page: Page, url: str) -> None:
    """Open a page and wait until the parts that load later are there and its workspace can be used."""
    page.goto(url)
    expect(page.locator(".htmx-request, body.workspace:not([data-ready])")).to_have_count(0)


def wait_for_another_response(page: Page, left: str) -> None:
    """Wait until the page shows another response than that with the address `left`, and has moved the focus to it."""
    page.wait_for_url(lambda url: url != left and "/assignments/" in url)
    expect(page.locator("body")).to_have_attribute("data-ready", page.url.split("/")[-2])


def wait_until_saved(page: Page, words: str = "Saved") -> None:
    expect(page.locator("[data-saved-text]")).to_have_text(words)


def press(page: Page, keys: str) -> None:
    for key in keys.split():
        page.keyboard.press(key)


def count_unsent(page: Page, rater: str = "ravi") -> int:
    """Return how many of the rater's answers in this browser's journal are not sent; the others are receipts."""
    return are_receipts(page, rater).count(False)


def are_receipts(page: Page, rater: str = "ravi") -> list[bool]:
    """Return for each record of the journal's answers whether the server has it."""
    from ..cast import person

    script = """(rater) => new Promise((resolve) => {
        const opening = indexedDB.open(`factuary:${rater}`);
        opening.onsuccess = () => {
            const asking = opening.result.transaction("waiting").objectStore("waiting").getAll();
            asking.onsuccess = () => {
                opening.result.close();
                resolve(asking.result.map(({ stored }) => Boolean(stored)));
            };
        };
    })"""
    return page.evaluate(script, person(rater).pk)


def advance_clock(page: Page, hours: float) -> None:
    """Advance the page's clock and age the rater's leases and session on the server."""
    page.clock.fast_forward(int(hours * 3_600_000))
    Slot.objects.filter(holder__isnull=False).update(expires_at=F("expires_at") - timedelta(hours=hours))
    Session.objects.update(expire_date=F("expire_date") - timedelta(hours=hours))


class Acknowledged:
    """The answers that the server has acknowledged to a browser, by the keys of their requests."""

    def __init__(self, context: BrowserContext):
        self.keys: set[str] = set()
        context.on("response", self._note)

    def _note(self, response: Response) -> None:
        key = response.request.headers.get("idempotency-key")
        if key and response.status == 200:
            self.keys.add(key)


def arrived_answers() -> list[dict]:
    """Return Ravi's answers in the order in which they arrived."""
    events = apps.get_model("annotation", "RatingEvent").objects.filter(rater__username="ravi", pgh_label="insert")
    return list(events.order_by("pgh_id").values_list("answers", flat=True))


def assert_nothing_is_lost(
    fault: str, answers: list[dict], acknowledged: set[str], capsys: Any, stored: list[dict] | None = None
) -> None:
    """Compare the answers given with the answers stored, print the counts, and fail if one is lost or doubled.

    `answers` are those given, in the order of the sentences, or of `stored`; doubled is a request that the history has
    twice.
    """
    stored = stored_answers() if stored is None else stored
    events = apps.get_model("annotation", "RatingEvent").objects.filter(rater__username="ravi")
    times = Counter(events.exclude(pgh_label="delete").values_list("idempotency_key", flat=True))
    lost = len(answers) - sum(sent == other for sent, other in zip(answers, stored, strict=False))
    doubled = sum(n - 1 for n in times.values()) + max(0, len(stored) - len(answers))
    counts = {"given": len(answers), "acknowledged": len(acknowledged), "stored": len(stored)}
    counts |= {"lost": lost, "doubled": doubled}
    with capsys.disabled():
        print(f"\n{fault}: " + ", ".join(f"{name} {n}" for name, n in counts.items()))
    assert (lost, doubled) == (0, 0), (answers, stored)
    assert stored == answers
    assert acknowledged <= set(times) and len(acknowledged) >= len(answers)

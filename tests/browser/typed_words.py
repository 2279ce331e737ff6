"""Helpers that count what happens to the text that a rater types."""

from collections import Counter
from typing import Any

from playwright.sync_api import BrowserContext, Page, Request, Response


def kill_tab(page: Page) -> Page:
    """End the tab without its unload events; another tab opens the same address."""
    url, context = page.url, page.context
    page.close(run_before_unload=False)
    again = context.new_page()
    again.goto(url)
    again.wait_for_selector("body[data-ready]")
    return again


class Words:
    """The text that the server has acknowledged to a browser, and its comparison with the text typed."""

    def __init__(self, context: BrowserContext, capsys: Any) -> None:
        self.acknowledged: list[str] = []
        self.capsys = capsys
        context.on("response", self._note)

    def _note(self, response: Response) -> None:
        if response.status < 300 and response.request.method in ("PUT", "POST"):
            self.acknowledged += sent_texts(response.request)

    def assert_stored(self, fault: str, typed: list[str], stored: list[str]) -> None:
        """Print the numbers of typed, acknowledged and stored texts; fail if one is lost or stored twice."""
        times = Counter(stored)
        counts = {
            "given": len(typed),
            "acknowledged": sum(words in self.acknowledged for words in typed),
            "stored": len([words for words in stored if words]),
            "lost": sum(words not in times for words in typed),
            "doubled": sum(n - 1 for words, n in times.items() if words),
        }
        with self.capsys.disabled():
            print(f"\n{fault}: " + ", ".join(f"{name} {n}" for name, n in counts.items()))
        assert (counts["lost"], counts["doubled"]) == (0, 0), (typed, stored)
        assert counts["acknowledged"] == len(typed)


def sent_texts(request: Request) -> list[str]:
    body = request.post_data_json if request.post_data else {}
    texts = [body.get("comment"), body.get("text"), *(body.get("answers") or {}).values()]
    return [words for words in texts if words]

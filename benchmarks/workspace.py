"""The time from key press to next sentence, with an article of 10,000 words and a response of 60 sentences.

A quickstart site of its own is started. One response is rated at a fast rater's pace (a key each 150 ms), so that the
looking up of passages is often still going on when the next key comes. A time runs from the key press as the browser
stamped it to the end of the picture that shows the next sentence with the focus by its questions. The baseline is a
plain page with the same article and as many groups of radio buttons, whose script does nothing but move the focus.
Two more responses are rated with evidence attached to each flagged sentence, and the keys are counted.
"""

import json
import random
import statistics
import tempfile
from collections.abc import Iterator
from html import escape
from pathlib import Path

from playwright.sync_api import Page, Request, sync_playwright

from ._figure import Figure
from .serving import (
    NEWCOMER,
    PASSWORD,
    add_rater,
    chromium_options,
    command,
    database_of_the_site,
    percentile,
    running_site,
    set_password,
)

WORDS, SENTENCES, PACE = 10_000, 60, 150  # PACE in milliseconds
KEYS = "11114s1151"  # 85 in a hundred accurate; a flagged sentence takes two keys
FLAGGED = 9  # of 60 sentences: 85 in a hundred are accurate
BUDGET = {"keys": 1.3, "seconds": 0.05, "bytes of script and style": 100_000, "shifted": 0.01}
WATCH = """
window.waits = [];
window.shifted = window.pressed = window.clicks = 0;
addEventListener("click", () => { window.clicks += 1; }, true);
addEventListener("keydown", (event) => {
    if (event.isTrusted && event.key !== "Shift") window.pressed += 1;
    requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => window.waits.push(performance.now() - event.timeStamp);
        channel.port2.postMessage(null);
    });
}, true);
new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.shifted += entry.value; })
    .observe({ type: "layout-shift" });
"""
PLAIN = """<!doctype html><meta charset="utf-8"><title>Plain</title>
<style>body { display: grid; grid-template-columns: 1fr 1fr; height: 100vh; margin: 0 } div { overflow: auto }</style>
<div>%s</div><div>%s</div>
<script>
const groups = [...document.querySelectorAll("fieldset")];
let at = 0;
groups[0].querySelector("input").focus();
addEventListener("keydown", (event) => {
    if (event.key !== "1") return;
    groups[at].querySelector("input").checked = true;
    at = (at + 1) %% groups.length;
    groups[at].querySelector("input").focus();
});
</script>"""


def run() -> Iterator[Figure]:
    """Yield times in seconds, a layout shift score and bytes; every budget is the baseline of its own line."""
    article, sentences = written(random.Random(4))
    with tempfile.TemporaryDirectory(prefix="factuary-bench-") as folder, running_site(Path(folder)) as site:
        load(site, Path(folder), article, sentences)
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(**chromium_options())
            plain = waits_of(plain_page(chromium.new_page(), article, sentences), "1" * len(sentences))
            page = chromium.new_page()
            sizes = signed_in(page, site)
            waits = waits_of(page, (KEYS * 6)[: len(sentences) + 6])
            shifted = page.evaluate("window.shifted")
            finish(page)
            plain_keys, with_shift = rate_response(page, ["-", "4", "s"]), rate_response(page, ["4", "Shift+S"])
            chromium.close()
    n = len(waits)
    yield Figure(
        "key press to next focus, 95th percentile, beside a plain page", percentile(waits), percentile(plain), "s", n
    )
    yield Figure("key press to next focus, 95th percentile", percentile(waits), BUDGET["seconds"], "s", n, at_most=1)
    yield Figure("key press to next focus, median", statistics.median(waits), statistics.median(plain), "s", n)
    yield Figure("layout shift while rating", shifted, BUDGET["shifted"], "score", n, at_most=1)
    for name, (keys, clicks, evidence) in {
        "keys per sentence, 85 % accurate, evidence with each flag": plain_keys,
        "keys per sentence, the same with Shift and S for both": with_shift,
    }.items():
        if (clicks, evidence) != (0, FLAGGED):
            raise RuntimeError(f"{name}: {clicks} clicks, {evidence} of {FLAGGED} flags have evidence")
        yield Figure(name, keys / SENTENCES, BUDGET["keys"], "keys", SENTENCES, at_most=1)
    size = "bytes of script and style"
    yield Figure(f"{size}, first load, compressed", sum(sizes), BUDGET[size], "bytes", len(sizes), at_most=1)


def finish(page: Page) -> None:
    """Answer what is still open in the response shown, and go to the next."""
    ready = page.get_attribute("body", "data-ready")
    for key in "1" * 12:
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    page.wait_for_selector(f"body:not([data-ready='{ready}'])")
    page.wait_for_timeout(1_000)


def rate_response(page: Page, flag: list[str]) -> tuple[int, int, int]:
    """Rate the response that is shown, and let it finish by itself.

    Return the keys and clicks that the browser counted (Shift and its letter are one press), and how many answers were
    saved with evidence.
    """
    page.evaluate("localStorage.setItem('factuary:finishes-by-itself', 'yes')")
    page.evaluate("window.pressed = window.clicks = 0")
    ready = page.get_attribute("body", "data-ready")
    saved: list[dict] = []

    def listen(request: Request) -> None:
        if request.method == "PUT":
            saved.append(request.post_data_json or {})

    page.on("request", listen)
    every = SENTENCES // FLAGGED
    for n in range(SENTENCES):
        for key in flag if n % every == 0 and n // every < FLAGGED else ["1"]:
            page.keyboard.press(key)
        page.wait_for_timeout(PACE)
    page.wait_for_selector(f"body:not([data-ready='{ready}'])")
    page.wait_for_selector("[data-saved][data-state=saved]")
    page.remove_listener("request", listen)
    return (
        page.evaluate("window.pressed"),
        page.evaluate("window.clicks"),
        sum(bool(each.get("evidence")) for each in saved),
    )


def written(chance: random.Random) -> tuple[list[str], list[str]]:
    """Return paragraphs of 100 words in sentences of 15, from 3,000 invented words, some rare and some not."""
    vowels, consonants = "aeiou", "bcdfglmnprstvz"
    words = [
        "".join(chance.choice(consonants) + chance.choice(vowels) for _ in range(chance.randint(1, 4)))
        for _ in range(3_000)
    ]
    weights = [1 / (rank + 3) for rank in range(len(words))]

    def sentence(length: int) -> str:
        drawn = chance.choices(words, weights, k=length - 1)
        return f"{' '.join(drawn).capitalize()} {chance.randint(1, 400)}."

    paragraphs = [" ".join(sentence(20) for _ in range(5)) for _ in range(WORDS // 100)]
    return paragraphs, [sentence(15) for _ in range(SENTENCES)]


def load(site: dict, folder: Path, article: list[str], sentences: list[str]) -> None:
    """Create a project with four responses and a rater."""
    sections = [
        {"heading": f"Part {n}", "paragraphs": article[n * 10 : n * 10 + 10]} for n in range(len(article) // 10)
    ]
    document = {"id": "d", "title": "Ten thousand words", "sections": sections}
    responses = [{"system": f"model-{n}", "text": "\n".join(sentences)} for n in range(4)]
    prompt = {"id": "q", "text": "What is in it?", "document": document, "responses": responses}
    (folder / "one.jsonl").write_text(json.dumps(prompt))
    command(site, "import_dataset", "jsonl", str(folder / "one.jsonl"), "--dataset", "bench")
    command(site, "create_project", "bench", "--dataset", "bench", "--protocol", "article-accuracy")
    with database_of_the_site(site):
        add_rater(NEWCOMER)
        set_password(NEWCOMER)


def signed_in(page: Page, site: dict) -> list[int]:
    """Open the workspace with an empty cache; return the transfer sizes of its scripts and styles."""
    page.goto(f"{site['url']}/accounts/login/")
    page.fill("[name=login]", NEWCOMER)
    page.fill("[name=password]", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{site['url']}/")
    page.add_init_script(WATCH)
    kinds: dict[str, str] = {}
    sizes: list[int] = []
    events = page.context.new_cdp_session(page)
    events.send("Network.enable")
    events.send("Network.clearBrowserCache")
    types = ("Script", "Stylesheet", "Other")  # a module that was asked for early is called "Other"

    def add_size(event: dict) -> None:
        if kinds.get(event["requestId"]) in types:
            sizes.append(int(event["encodedDataLength"]))

    events.on("Network.responseReceived", lambda event: kinds.update({event["requestId"]: event["type"]}))
    events.on("Network.loadingFinished", add_size)
    page.goto(f"{site['url']}/projects/bench/rate/", wait_until="networkidle")
    page.wait_for_selector("body[data-ready]")
    return list(sizes)  # what comes with the first key is not the first load


def plain_page(page: Page, article: list[str], sentences: list[str]) -> Page:
    page.add_init_script(WATCH)
    options = "".join(f"<label><input type=radio name=N> {name}</label>" for name in "abcde")
    groups = [
        f"<fieldset><legend>{escape(text)}</legend>{options.replace('N', str(n))}</fieldset>"
        for n, text in enumerate(sentences)
    ]
    html = PLAIN % ("".join(f"<p>{escape(text)}</p>" for text in article), "".join(groups))
    page.route("http://localhost:1/", lambda route: route.fulfill(body=html, content_type="text/html"))
    page.goto("http://localhost:1/")
    return page


def waits_of(page: Page, keys: str) -> list[float]:
    """Press the keys at the pace and return how long each took, in seconds."""
    page.wait_for_timeout(1_000)
    for key in keys:
        page.keyboard.press(key)
        page.wait_for_timeout(PACE)
    page.wait_for_timeout(500)
    return [wait / 1000 for wait in page.evaluate("window.waits")]

"""The pages' pure modules in a real browser, without a server: a whole batch in one page."""

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Route

MODULES = Path(__file__).parents[2] / "static" / "js"
SITE = "http://localhost:1/"  # nothing listens there: every request is answered here


def in_the_browser(page: Page, module: str, expression: str, batch: list[Any]) -> list[Any]:
    """The value of a JavaScript expression on the names `twin` (the module) and `example`, for each of a batch."""

    def answer(route: Route) -> None:
        name = route.request.url.removeprefix(SITE)
        if name.endswith(".js"):
            route.fulfill(path=MODULES / name, content_type="text/javascript")
        else:
            route.fulfill(body="<!doctype html><title>Modules</title>", content_type="text/html")

    page.route("**/*", answer)
    page.goto(SITE)
    script = f"""async (batch) => {{
        const twin = await import("/{module}");
        return JSON.stringify(JSON.parse(batch).map((example) => {expression}));
    }}"""
    return json.loads(page.evaluate(script, json.dumps(batch)))

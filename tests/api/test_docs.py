"""The API reference loads under the site's CSP and shows every route of the schema."""

from typing import Any

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from playwright.sync_api import Page

from tests.cast import give_token, person

ROUTES = """async () => {
    const found = new Set();
    for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight / 2) {
        scrollTo(0, top);
        for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
        for (const each of document.querySelectorAll(".opblock-summary")) {
            const method = each.querySelector(".opblock-summary-method").textContent;
            found.add(`${method} ${each.querySelector(".opblock-summary-path").dataset.path}`);
        }
    }
    return [...found];
}"""
"""The page has the routes near the window only: scroll through it."""


@pytest.mark.browser
def test_the_page_shows_every_route_without_csp_violations(page: Page, log_in: Any, live_server: Any, wait_until: Any):
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.add_init_script(
        "addEventListener('securitypolicyviolation', (e) => console.error(`${e.violatedDirective} ${e.blockedURI}`))"
    )
    routes = {
        f"{method.upper()} {path}"
        for path, methods in SchemaGenerator().get_schema(request=None, public=True)["paths"].items()
        for method in methods
    }
    log_in(page, person("ravi"))
    page.goto(f"{live_server.url}/api/v1/docs/")
    page.wait_for_selector(".opblock")
    shown: set[str] = set()
    wait_until(lambda: shown.update(page.evaluate(ROUTES)) or shown >= routes)
    assert shown == routes
    page.evaluate("scrollTo(0, 0)")
    page.locator(".opblock-summary-control").first.click()
    page.wait_for_selector(".opblock-body .responses-table")
    assert problems == []


@pytest.mark.django_db
def test_a_token_opens_it_a_wrong_one_is_refused_and_an_anonymous_reader_is_sent_to_the_login_page():
    give_token(person("ravi"), "key")
    response = Client(headers={"Authorization": "Token key"}).get("/api/v1/docs/")
    assert response.status_code == 200
    assert b"swagger-ui-bundle" in response.content
    assert Client(headers={"Authorization": "Token other"}).get("/api/v1/docs/").status_code == 401
    assert Client().get("/api/v1/docs/").headers["Location"] == "/accounts/login/?next=/api/v1/docs/"

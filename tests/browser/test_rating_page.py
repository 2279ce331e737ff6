"""The rating page: size, layout, accessibility, hostile texts."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Document, Item, Project, Prompt, Response, System
from annotation.splitting import split

from ..cast import SEVERE, Study, study
from ..gold_studies import gold_sheets_for, start_attempt
from .accessibility import accessibility_problems
from .workspace import press, stored_answers, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.caches_pages, pytest.mark.django_db(transaction=True)]


HOSTILE = Path(__file__).resolve().parents[2] / "fixtures" / "hostile" / "responses.jsonl"


@pytest.mark.parametrize(
    ("kind", "has_formula"),
    [
        *[("work", False), ("work", True), ("training", False), ("preview", False)],
        *[pytest.param(kind, True, marks=pytest.mark.exhaustive) for kind in ("training", "preview")],
    ],
)
def test_the_first_page_takes_few_requests_and_bytes(
    june: Study, visit: Callable, page: Page, kind: str, has_formula: bool
) -> None:
    """Check the budget with an empty cache. The browser of the tests has no math font of its own."""
    person_name, address = "ravi", "/projects/june/rate/"
    if has_formula:
        Prompt.objects.update(text="How large is $x^2$?")
    if kind == "training":
        gold_sheets_for(june, "training", 0)
        start_attempt(june.project, june.people["ravi"], "training")
    if kind == "preview":
        person_name, address = "lena", f"/projects/june/preview/{june.project.sheets.first().pk}/"
    answers: list[Any] = []
    page.on("response", lambda answer: answers.append(answer))
    visit(page, person_name, address)
    page.wait_for_selector("body[data-ready]")
    page.wait_for_load_state("networkidle")
    bytes_sent = sum(
        len(answer.body()) if is_font(answer) else len(gzip.compress(answer.body()))
        for answer in answers
        if answer.status == 200
    )
    assert any(is_font(answer) for answer in answers) == has_formula
    assert (page.locator("[data-feedback]").count() == 1) == (kind == "training")
    assert 10 < len(answers) <= 20, " ".join(answer.url.split("/")[-1] for answer in answers)
    assert 10_000 < bytes_sent <= 250_000, bytes_sent


def is_font(answer: Any) -> bool:
    return "/fonts/" in answer.url


def test_workspace_is_accessible(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    press(page, "1 4 s 5 2")
    assert accessibility_problems(page, widths=(390, 1440)) == []
    press(page, "?")
    assert accessibility_problems(page, widths=(390, 1440)) == []


def test_who_knows_the_definitions_can_hide_them_for_good(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    tall = page.locator("[data-answer-form]").bounding_box()["height"]
    page.click("[aria-label='More about this response']")
    page.click("[data-definitions]")
    expect(page.locator(".option small").first).to_be_hidden()
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect(page.locator(".option small").first).to_be_hidden()
    assert page.locator("[data-answer-form]").bounding_box()["height"] < tall - 50
    press(page, "4 s")
    wait_until_saved(page)
    assert stored_answers() == [SEVERE]


def hostile_project() -> None:
    """Create a project for Ravi: a response that contains the hostile corpus, and an article that repeats it."""
    texts = [json.loads(line)["text"] for line in HOSTILE.read_text().splitlines()]
    short = [text for text in texts if len(text) < 1_000]
    prepared = study("hostile", sentences=1, raters=("ravi",))
    prepared.responses[0].items.all().delete()
    paragraphs = [{"id": f"p{n}", "kind": "text", "text": text} for n, text in enumerate(short)]
    sections = [{"heading": "<script>document.title='owned'</script>", "level": 1, "paragraphs": paragraphs}]
    Document.objects.update(title="<img src=x onerror=alert(1)>", sections=sections)
    Prompt.objects.update(text=texts[0])
    System.objects.update(name="Secret system")
    text = "\n\n".join(short)
    Response.objects.update(text=text, key="secret-key")
    Item.objects.bulk_create(
        Item(
            response=prepared.responses[0], unit="sentence", position=n, kind=span.kind, rate=span.rate,
            start=span.start, end=span.end, text=text[span.start : span.end],
        )
        for n, span in enumerate(split(text))
    )  # fmt: skip
    Project.objects.update(title="</title><script>alert(1)</script>")


def test_a_hostile_response_runs_nothing_and_asks_nobody(
    transactional_db: None, open_rating: Callable, page: Page, live_server: Any
) -> None:
    hostile_project()
    elsewhere, dialogs, problems = [], [], []
    page.on("request", lambda request: request.url.startswith(live_server.url) or elsewhere.append(request.url))
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    page.on("console", lambda message: message.type == "error" and problems.append(message.text))
    open_rating(slug="hostile")
    press(page, "1 1")
    wait_until_saved(page)
    assert (elsewhere, dialogs, problems) == ([], [], [])
    assert "owned" not in page.title()
    assert len(stored_answers()) == 2
    assert "Secret system" not in page.content() and "secret-key" not in page.content()

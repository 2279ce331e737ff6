"""The rating page: size, layout, accessibility, hostile texts."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Document, Item, Project, Prompt, Response, System, User
from annotation.splitting import split

from ..cast import ACCURATE, SEVERE, Study, article_accuracy, dataset, person
from ..gold_studies import gold_sheets_for, start_attempt
from .accessibility import accessibility_problems
from .workspace import press, stored_answers, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


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


@pytest.mark.parametrize("width", [390, 1440])
def test_workspace_is_accessible(june: Study, open_rating: Callable, browser: Any, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, bypass_csp=True)
    page = open_rating(on=context.new_page())
    press(page, "1 4 s 5 2")
    assert accessibility_problems(page) == []
    press(page, "?")
    assert accessibility_problems(page) == []
    context.close()


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


def test_on_a_phone_article_and_response_are_two_sheets_with_large_options(
    june: Study, open_rating: Callable, browser: Any, live_server: Any
) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = open_rating(on=context.new_page())
    expect(page.locator("[data-article]")).not_to_be_visible()
    for option in page.locator("label.option").all():
        box = option.bounding_box()
        assert box["height"] >= 44 and box["width"] >= 44
    page.locator("label.option", has_text="Accurate").first.tap()
    wait_until_saved(page)
    page.locator("[data-show-view=article]").tap()
    expect(page.locator("[data-article]")).to_be_visible()
    expect(page.locator("[data-answer-form]")).not_to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    expect(page.locator("[data-back-to-response]")).to_contain_text("Sentence number 2 of heron.")
    page.locator("[data-back-to-response]").tap()
    expect(page.locator("[data-answer-form]")).to_be_visible()
    assert stored_answers() == [ACCURATE]
    context.close()


def hostile_project() -> tuple[Project, User]:
    """Return a project and its rater: a response that contains the hostile corpus, and an article that repeats it."""
    from annotation.projects.create import create_project
    from annotation.projects.members import add_member

    texts = [json.loads(line)["text"] for line in HOSTILE.read_text().splitlines()]
    text = "\n\n".join(t for t in texts if len(t) < 1_000)
    data = dataset("hostile")
    paragraphs = [{"id": f"p{n}", "kind": "text", "text": t} for n, t in enumerate(texts) if len(t) < 1_000]
    sections = [{"heading": "<script>document.title='owned'</script>", "level": 1, "paragraphs": paragraphs}]
    document = Document.objects.create(dataset=data, key="d", title="<img src=x onerror=alert(1)>", sections=sections)
    prompt = Prompt.objects.create(dataset=data, document=document, key="q", text=texts[0])
    system = System.objects.create(dataset=data, name="Secret system")
    response = Response.objects.create(dataset=data, prompt=prompt, system=system, key="secret-key", text=text)
    Item.objects.bulk_create(
        Item(
            response=response,
            unit="sentence",
            position=n,
            kind=span.kind,
            rate=span.rate,
            start=span.start,
            end=span.end,
            text=text[span.start : span.end],
        )
        for n, span in enumerate(split(text))
    )
    project = create_project("hostile", data, article_accuracy(), title="</title><script>alert(1)</script>")
    add_member(project, person("ravi"), "rater")
    return project, person("ravi")


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

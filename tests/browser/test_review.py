"""Reviewing disagreements in a browser: by keyboard alone, and without JavaScript."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from annotation.models import Item, Rating
from annotation.reviewing.adjudication import adjudicate
from annotation.reviewing.gold import set_gold

from ..cast import ACCURATE, CANNOT_ASSESS, SEVERE, Study, person, study
from .accessibility import accessibility_problems
from .workspace import press

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
DISPUTED = {"accuracy": "disputed", "severity": "not_severe"}
REVIEW = "/projects/june/review/"


@pytest.fixture
def june(transactional_db: None) -> Study:
    """Return three contested sentences, the most contested first; the first has a comment and a passage."""
    prepared = study(sentences=4, heading=True, raters=("ravi", "rosa", "tom"))
    labels = [
        [ACCURATE, SEVERE, SEVERE],
        [ACCURATE, DISPUTED, ACCURATE],
        [ACCURATE, CANNOT_ASSESS],
        [ACCURATE, ACCURATE],
    ]
    for item, answers in zip(Item.objects.filter(rate=True).order_by("position"), labels, strict=True):
        for name, each in zip(("ravi", "rosa", "tom"), answers, strict=False):
            first = {"comment": "Table 2.", "evidence": [{"paragraph": "p3", "start": 0, "end": 18}]}
            Rating.objects.create(
                project=prepared.project, item=item, rater=prepared.people[name], answers=each, choices=each,
                counted=True, rated_at=timezone.now(), seconds=9.0,
                **(first if each == SEVERE and name == "tom" else {}),
            )  # fmt: skip
    return prepared


def contested(n: int) -> Item:
    """Return the n-th sentence of the list, from 1."""
    return Item.objects.filter(rate=True).order_by("position")[n - 1]


def decisions() -> list[tuple[dict, str]]:
    rows = Rating.objects.filter(role="adjudicator").order_by("item__position")
    return list(rows.values_list("answers", "comment"))


@pytest.fixture
def open_page(page: Page, log_in: Callable, live_server: Any) -> Callable[..., Page]:
    """Return `open_page(path, on=page)`, which signs Lena in and opens a page of the review."""

    def open_for(path: str = "", on: Page = page) -> Page:
        log_in(on, person("lena"))
        on.goto(f"{live_server.url}{REVIEW}{path}")
        on.wait_for_selector("body[data-ready=review]")
        return on

    return open_for


def expect_item(page: Page, n: int) -> None:
    """Wait until the page shows the n-th sentence of the list."""
    expect(page.locator("[data-context] .s")).to_have_text(f"Sentence number {n} of heron.")
    page.wait_for_selector("body[data-ready=review]")


def test_the_list_is_gone_through_by_keyboard_alone(june: Study, open_page: Callable) -> None:
    page = open_page()
    page.get_by_role("link", name="Sentence number 1").focus()
    press(page, "Enter")
    expect_item(page, 1)
    press(page, "4 s")
    expect(page.locator("[data-reason]")).to_be_focused()
    page.keyboard.type("The article says 11.8 km, ")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("not 17.3. jkm 5")
    page.keyboard.press("Enter")
    expect_item(page, 2)
    expect(page.locator(".messages")).to_contain_text("Adjudicated: Inaccurate, Severe.")
    page.keyboard.press("m")
    expect_item(page, 3)
    page.keyboard.press("k")
    expect_item(page, 2)
    page.keyboard.press("j")
    expect_item(page, 3)
    press(page, "1 k Escape 5")  # a complete answer takes the focus to the reason until it has one
    expect(page.locator("[data-reason]")).to_have_value("k")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="All disagreements are adjudicated")).to_be_visible()
    expect(page.locator(".raw-and-adjudicated tbody")).to_contain_text("All systems")
    assert decisions() == [
        (SEVERE, "The article says 11.8 km, \nnot 17.3. jkm 5"),
        (ACCURATE, "Agrees with the majority: 2 of 3 raters."),
        (CANNOT_ASSESS, "k"),
    ]


def test_the_form_says_what_is_missing_and_takes_the_answers_of_a_rater_by_a_key(
    june: Study, open_page: Callable
) -> None:
    page = open_page(f"{contested(1).public_id}/")
    severity, reason = page.locator("[data-question=severity]"), page.locator("[data-reason]")
    before = reason.bounding_box()
    expect(severity).to_be_hidden()
    press(page, "4 Enter")
    expect(severity.locator("[data-problem]")).to_have_text("This question needs an answer.")
    expect(page.locator("[data-reason-problem]")).to_contain_text("Enter a reason")
    expect(reason).to_be_focused()
    assert decisions() == []
    page.reload()
    page.wait_for_selector("body[data-ready=review]")
    press(page, "2")
    expect(severity).to_be_visible()
    assert reason.bounding_box() == before
    press(page, "n Escape 4")
    expect(page.locator("[value=not_severe]")).not_to_be_checked()
    press(page, "1")
    expect(severity).to_be_hidden()
    columns = page.locator(".comparison thead th")
    expect(columns).to_have_count(3)
    letter = next(
        name[-1] for name in columns.locator("> span").all_inner_texts() if column_answers(page, name) == "Inaccurate"
    )
    press(page, f"Escape Shift+{letter}")
    expect(page.locator("[value=inaccurate]")).to_be_checked()
    expect(page.locator("[name='answers.severity'][value=severe]")).to_be_checked()
    expect(reason).to_be_focused()
    press(page, "Escape ?")
    expect(page.locator("#help")).to_be_visible()
    press(page, "1 Escape")
    expect(page.locator("[value=accurate]")).not_to_be_checked()
    expect(page.get_by_role("columnheader", name="Rater A")).to_be_visible()
    page.get_by_role("button", name="Raters’ names").click()
    expect(page.get_by_role("columnheader", name="ravi")).to_be_visible()
    expect_item(page, 1)


def column_answers(page: Page, rater_name: str) -> str:
    """Return the label that the table shows for the rater's first answer."""
    return (
        page.locator(f".comparison tbody tr >> nth=0 >> td[data-label='{rater_name}'] .tone").inner_text().split()[-1]
    )


def test_passages_are_suggested_found_and_attached_by_keys(june: Study, open_page: Callable) -> None:
    Item.objects.filter(pk=contested(1).pk).update(text="Sentence number 1 of heron.")
    page = open_page(f"{contested(1).public_id}/")
    expect(page.locator(".passage")).to_contain_text("It grew to 17.3 km")
    page.locator("[data-paragraph-link]").click()
    expect(page.locator("[data-paragraph=p3]")).to_have_class("highlighted")
    expect(page.locator("[data-paragraph=p3]")).to_be_in_viewport()
    evidence, attached = page.locator("[data-evidence-text]"), page.locator("[data-attached] li")
    page.keyboard.press("/")
    page.keyboard.type("grew")
    expect(page.locator("[data-find-count]")).to_have_text("1 of 1")
    page.keyboard.press("Enter")
    expect(evidence).to_contain_text("It grew to 17.3 km")
    press(page, "Escape -")
    expect(attached).to_have_count(1)
    expect(attached).to_have_attribute("data-stance", "contradicts")
    press(page, "4 s")
    page.keyboard.type("Table 2.")
    page.keyboard.press("Enter")
    expect_item(page, 2)
    expect(page.locator("[data-missing-numbers]")).to_have_text("2")
    expect(page.locator("[data-context] .unfound")).to_have_text("2")
    (passage,) = Rating.objects.get(role="adjudicator").evidence
    assert (passage["paragraph"], passage["stance"]) == ("p3", "contradicts")
    assert passage["text"].startswith("It grew to 17.3 km")
    page.keyboard.press("k")
    expect_item(page, 1)
    expect(attached).to_have_count(1)
    page.locator("[data-attached] [data-remove]").click()
    expect(attached).to_have_count(0)


def test_gold_is_saved_by_keys_a_filter_applies_at_once_and_the_proportions_come_by_themselves(
    june: Study, open_page: Callable
) -> None:
    page = open_page(f"{contested(4).public_id}/?show=all")
    press(page, "1 Control+Enter")
    expect(page.get_by_role("status").filter(has_text="Gold answer: Accurate.")).to_be_visible()
    assert str(contested(4).public_id) not in page.url  # the next of the list
    assert Rating.objects.get(role="gold").answers == ACCURATE
    adjudicate(june.project, contested(3), ACCURATE, "So.", person("ines"))
    page = open_page()
    expect(page.locator(".raw-and-adjudicated tbody")).to_contain_text("heron")
    page.get_by_label("Label A").select_option("accuracy:inaccurate")
    expect(page.locator(".disputed-items li")).to_have_count(1)
    assert page.url.endswith("review/?answer=accuracy%3Ainaccurate")
    expect(page.locator(".raw-and-adjudicated tbody")).to_contain_text("heron")


def test_everything_works_without_script(june: Study, browser: Browser, log_in: Callable, live_server: Any) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    log_in(page, person("lena"))
    page.goto(f"{live_server.url}{REVIEW}{contested(1).public_id}/")
    page.locator("label", has_text="Accurate").first.click()
    page.locator("label", has_text="Not Severe").click()  # is shown, and dropped
    page.get_by_label("Reason").fill("Plain.")
    page.get_by_role("button", name="Adjudicate and next").click()
    expect(page.locator("[data-context] .s")).to_have_text("Sentence number 2 of heron.")
    assert decisions() == [(ACCURATE, "Plain.")]
    context.close()


def test_pages_are_accessible_and_fit_a_phone(june: Study, open_page: Callable) -> None:
    adjudicate(june.project, contested(1), SEVERE, "Table 2.", person("ines"))
    set_gold(june.project, contested(1), SEVERE, person("lena"), "Table 2.")
    for path in ("", f"{contested(1).public_id}/"):
        page = open_page(path)
        assert accessibility_problems(page, path, ["light"], widths=(1000, 390)) == []

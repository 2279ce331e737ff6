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
from .workspace import load_page

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
    page.get_by_role("link", name="Sentence number 1").click()
    expect_item(page, 1)
    for key in ("4", "s"):
        page.keyboard.press(key)
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
    for key in ("1", "k", "Escape", "5"):  # a complete answer takes the focus to the reason until it has one
        page.keyboard.press(key)
    expect(page.locator("[data-reason]")).to_have_value("k")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="All disagreements are adjudicated")).to_be_visible()
    expect(page.locator(".raw-and-adjudicated tbody")).to_contain_text("All systems")
    assert decisions() == [
        (SEVERE, "The article says 11.8 km, \nnot 17.3. jkm 5"),
        (ACCURATE, "Agrees with the majority: 2 of 3 raters."),
        (CANNOT_ASSESS, "k"),
    ]


def test_what_is_missing_is_said_before_anything_is_sent(june: Study, open_page: Callable) -> None:
    page = open_page(f"{contested(1).public_id}/")
    page.keyboard.press("4")
    page.keyboard.press("Enter")
    expect(page.locator("[data-question=severity] [data-problem]")).to_have_text("This question needs an answer.")
    expect(page.locator("[data-reason-problem]")).to_contain_text("Enter a reason")
    expect(page.locator("[data-reason]")).to_be_focused()
    assert decisions() == []


def test_the_second_question_opens_in_its_place_and_closes_without_a_trace(june: Study, open_page: Callable) -> None:
    page = open_page(f"{contested(1).public_id}/")
    severity, reason = page.locator("[data-question=severity]"), page.locator("[data-reason]")
    before = reason.bounding_box()
    expect(severity).to_be_hidden()
    page.keyboard.press("2")
    expect(severity).to_be_visible()
    assert reason.bounding_box() == before
    page.keyboard.press("n")
    page.keyboard.press("Escape")
    page.keyboard.press("4")
    expect(page.locator("[value=not_severe]")).not_to_be_checked()
    page.keyboard.press("1")
    expect(severity).to_be_hidden()


def test_a_passage_is_found_in_the_article(june: Study, open_page: Callable) -> None:
    page = open_page(f"{contested(1).public_id}/")
    expect(page.locator(".passage")).to_contain_text("It grew to 17.3 km")
    page.locator("[data-paragraph-link]").click()
    expect(page.locator("[data-paragraph=p3]")).to_have_class("highlighted")
    expect(page.locator("[data-paragraph=p3]")).to_be_in_viewport()


def test_passages_are_suggested_found_and_attached_by_keys(june: Study, open_page: Callable) -> None:
    Item.objects.filter(pk=contested(1).pk).update(text="Sentence number 1 of heron.")
    page = open_page(f"{contested(1).public_id}/")
    evidence, attached = page.locator("[data-evidence-text]"), page.locator("[data-attached] li")
    page.keyboard.press("/")
    page.keyboard.type("grew")
    expect(page.locator("[data-find-count]")).to_have_text("1 of 1")
    page.keyboard.press("Enter")
    expect(evidence).to_contain_text("It grew to 17.3 km")
    page.keyboard.press("Escape")
    page.keyboard.press("-")
    expect(attached).to_have_count(1)
    expect(attached).to_have_attribute("data-stance", "contradicts")
    for key in ("4", "s"):
        page.keyboard.press(key)
    page.keyboard.type("Table 2.")
    page.keyboard.press("Enter")
    expect_item(page, 2)
    (passage,) = Rating.objects.get(role="adjudicator").evidence
    assert (passage["paragraph"], passage["stance"]) == ("p3", "contradicts")
    assert passage["text"].startswith("It grew to 17.3 km")
    page.keyboard.press("k")
    expect_item(page, 1)
    expect(attached).to_have_count(1)
    page.locator("[data-attached] [data-remove]").click()
    expect(attached).to_have_count(0)


def test_numbers_that_the_article_does_not_have_are_listed(june: Study, open_page: Callable) -> None:
    page = open_page(f"{contested(2).public_id}/")
    expect(page.locator("[data-missing-numbers]")).to_have_text("2")
    expect(page.locator("[data-context] .unfound")).to_have_text("2")


def test_the_answers_of_a_rater_are_chosen_by_the_key_of_the_column(june: Study, open_page: Callable) -> None:
    page = open_page(f"{contested(1).public_id}/")
    columns = page.locator(".comparison thead th")
    expect(columns).to_have_count(3)
    letter = next(
        name[-1] for name in columns.locator("> span").all_inner_texts() if column_answers(page, name) == "Inaccurate"
    )
    page.keyboard.press("1")
    page.keyboard.press("Escape")
    page.keyboard.press(f"Shift+{letter}")
    expect(page.locator("[value=inaccurate]")).to_be_checked()
    expect(page.locator("[name='answers.severity'][value=severe]")).to_be_checked()
    expect(page.locator("[data-reason]")).to_be_focused()


def column_answers(page: Page, rater_name: str) -> str:
    """Return the label that the table shows for the rater's first answer."""
    return (
        page.locator(f".comparison tbody tr >> nth=0 >> td[data-label='{rater_name}'] .tone").inner_text().split()[-1]
    )


def test_help_opens_by_its_key_and_names_come_by_the_switch(june: Study, open_page: Callable) -> None:
    page = open_page(f"{contested(1).public_id}/")
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    page.keyboard.press("1")
    page.keyboard.press("Escape")
    expect(page.locator("[value=accurate]")).not_to_be_checked()
    expect(page.get_by_role("columnheader", name="Rater A")).to_be_visible()
    page.get_by_role("button", name="Raters’ names").click()
    expect(page.get_by_role("columnheader", name="ravi")).to_be_visible()
    expect_item(page, 1)


def test_a_second_lead_is_shown_the_decision_of_the_first(june: Study, open_page: Callable) -> None:
    page = open_page(f"{contested(1).public_id}/")
    adjudicate(june.project, contested(1), DISPUTED, "I was first.", person("ines"))
    page.keyboard.press("1")
    page.keyboard.type("Mine.")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").first).to_contain_text("Another person has adjudicated")
    expect(page.locator("[data-reason]")).to_have_value("Mine.")
    page.locator("h1").evaluate("document.activeElement.blur()")
    page.keyboard.press("Enter")
    expect_item(page, 2)
    assert sorted(reason for _, reason in decisions()) == ["I was first.", "Mine."]


def test_gold_is_saved_from_the_form_and_from_a_decision(june: Study, open_page: Callable) -> None:
    page = open_page(f"{contested(4).public_id}/?show=all")
    page.keyboard.press("1")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("status").filter(has_text="Gold answer: Accurate.")).to_be_visible()
    assert str(contested(4).public_id) not in page.url  # the next of the list
    adjudicate(june.project, contested(1), SEVERE, "Table 2.", person("ines"))
    open_page(f"{contested(1).public_id}/?show=all").get_by_role("button", name="Make it the gold answer").click()
    expect(page.get_by_role("heading", name="Gold answer, by lena")).to_be_visible()
    gold = Rating.objects.filter(role="gold").order_by("item__position").values_list("answers", "comment")
    assert list(gold) == [(SEVERE, "Table 2."), (ACCURATE, "")]


def test_a_filter_applies_at_once_and_the_proportions_come_by_themselves(june: Study, open_page: Callable) -> None:
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
    paths = ["", "?show=all&rater=ravi", f"{contested(1).public_id}/", "gold/"]
    problems = []
    page = open_page()
    for path in paths:
        load_page(page, page.url.split(REVIEW)[0] + REVIEW + path)
        problems += accessibility_problems(page, path, widths=(1440, 1000, 390))
    assert not problems, "\n".join(problems)

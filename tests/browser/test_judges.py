"""Judges in a browser: a lead lets a rule rate, and raters see verdicts before or after their answers."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.judging.judges import create_judge
from annotation.models import Judge, Rating, Verdict

from ..cast import Study
from ..rating.judged_study import QUOTE, judged_study
from .accessibility import accessibility_problems
from .workspace import press, wait_for_another_response, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def tab_to(page: Page, target: Locator) -> None:
    """Press Tab until the element has the focus."""
    for _ in range(40):
        if target.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError("the keyboard does not reach it")


def test_a_lead_runs_a_rule_by_keyboard_and_sees_its_verdicts(
    june: Study, page: Page, visit: Callable, worker: None
) -> None:
    create_judge(Judge(name="digits", rule="numbers"))
    visit(page, "lena", "/projects/june/judges/")
    limit = page.get_by_label("Limit")
    tab_to(page, limit)
    page.keyboard.type("3")
    tab_to(page, page.get_by_role("button", name="Run judge"))
    page.keyboard.press("Enter")
    verdicts = page.get_by_role("region", name="Verdicts").get_by_role("row", name="digits")
    expect(verdicts).to_contain_text("3 of 8")
    runs = page.get_by_role("region", name="Runs")
    expect(runs).to_contain_text("The limit was reached")
    expect(runs).to_contain_text("by lena")
    assert Verdict.objects.count() == 3
    tab_to(page, verdicts.get_by_role("link", name="digits"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="digits")).to_be_visible()
    expect(page.get_by_role("region", name="Verdicts")).to_contain_text("3 verdicts")


BOX = "[data-judge-verdict]"


def verdict_shown() -> list[bool]:
    ratings = Rating.objects.filter(role="rater").order_by("item__position")
    return list(ratings.values_list("verdict_shown", flat=True))


def test_before_each_sentence_shows_its_verdict_as_a_suggestion_of_a_machine(
    transactional_db: None, open_rating: Callable
) -> None:
    june: Study = judged_study("before", sentences=3)
    Verdict.objects.filter(item__position=1).update(rating=None, state="failed", problem="no answer")
    page = open_rating()
    box = page.locator(BOX)
    expect(box).to_be_visible()
    expect(box).to_contain_text("Suggestion of a machine, which may be wrong.")
    expect(box).to_contain_text("rule@1: Inaccurate, Not Severe")
    expect(box).to_contain_text("Not in the document: 1.")
    expect(box.locator("q")).to_have_text(QUOTE)
    description = page.locator("[data-answer-form]").get_attribute("aria-describedby")
    assert description == "sentence-now judge-verdict"
    assert accessibility_problems(page, widths=(390, 1440)) == []
    box.focus()
    expect(box).to_be_focused()
    height = box.bounding_box()["height"]
    page.context.set_offline(True)
    press(page, "1")
    expect(box).to_contain_text("There is none for this sentence.")
    assert box.bounding_box()["height"] == height
    press(page, "1")
    expect(box).to_contain_text("Not in the document: 3.")
    page.context.set_offline(False)
    wait_until_saved(page)
    assert verdict_shown() == [True, True]
    assert june.people["ravi"] == Rating.objects.filter(role="rater").first().rater


def test_after_the_verdict_is_shown_on_the_finished_response_and_a_change_records_it(
    transactional_db: None, open_rating: Callable
) -> None:
    judged_study("after", prompts=2, sentences=2)
    page: Page = open_rating()
    expect(page.locator(BOX)).to_be_hidden()
    url = page.url
    press(page, "1 1 Enter")
    wait_for_another_response(page, url)
    assert verdict_shown() == [False, False]
    page.goto(url)
    page.wait_for_selector("body[data-ready]")
    expect(page.locator(BOX)).to_contain_text("rule@1: Inaccurate, Not Severe")
    press(page, "4 s")
    wait_until_saved(page)
    assert sorted(verdict_shown()) == [False, True]

"""A new rater in a browser: training with feedback, qualification, work, and a pause."""

import uuid
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.db import transaction
from playwright.sync_api import Page, expect

from annotation.models import Assignment, Attempt, Item, Rating, Sheet
from annotation.qualification.attempts import begin_attempt
from annotation.qualification.next_work import take_next
from annotation.qualification.pausing import lift_pause, pause_rater
from annotation.qualification.sheet_purposes import set_purpose
from annotation.rating.counting import counted_ratings, left_out
from annotation.rating.tally_check import find_tally_differences
from annotation.reviewing.gold import set_gold

from ..cast import Study, person, study, study_from_files
from ..gold_studies import REASON, gold_sheets_for
from ..importing.files import FIXTURES
from .accessibility import accessibility_problems
from .layout import widest
from .workspace import hold_requests, press, release_requests, wait_for_another_response, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def june(transactional_db: None) -> Study:
    """Return five responses of two sentences: one training, one qualification, two hidden gold, one work."""
    prepared = study(prompts=5, overlap=1, sentences=2)
    gold_sheets_for(prepared, "training", 0)
    gold_sheets_for(prepared, "qualification", 1)
    return prepared


def ready(page: Page) -> None:
    page.wait_for_selector("body[data-ready]")


def test_from_training_over_the_qualification_to_the_work(page: Page, june, visit):
    visit(page, "ravi", "/projects/june/rate/")
    page.get_by_role("button", name="Start training").click()
    ready(page)
    feedback = page.locator("[data-feedback]")
    expect(feedback).to_contain_text("after each answer, the gold answer is shown")
    height = feedback.bounding_box()
    press(page, "1")  # accurate, which is wrong
    expect(feedback).to_contain_text("Sentence 1: differs from the gold answer.")
    expect(feedback).to_contain_text(REASON)
    assert feedback.bounding_box() == height  # nothing moves
    press(page, "4 s")
    expect(feedback).to_contain_text("Sentence 2: correct.")
    press(page, "Enter")
    expect(page.get_by_role("heading", name="Qualification test")).to_be_visible()
    expect(page.get_by_text("1 of 2 sentences")).to_be_visible()
    page.get_by_role("button", name="Start qualification").click()
    ready(page)
    expect(page.locator("[data-feedback]")).to_have_count(0)
    press(page, "4 s 4 s Enter")
    expect(page.get_by_role("heading", name="You passed")).to_be_visible()
    page.get_by_role("link", name="Start rating").click()
    ready(page)
    first = page.locator("body").get_attribute("data-ready")
    press(page, "1 1 Enter")
    expect(page.locator("body")).not_to_have_attribute("data-ready", str(first))
    assert [(attempt.purpose, attempt.right, attempt.items, attempt.passed) for attempt in Attempt.objects.all()] == [
        ("qualification", 2, 2, True),
        ("training", 1, 2, True),
    ]
    assert counted_ratings(june.project).count() == 2
    assert left_out(june.project) == {"training": 2, "qualification": 2, "gold": 4}
    assert not find_tally_differences()


def test_training_never_finishes_by_itself_asks_for_nothing_ahead_and_its_feedback_may_load_late(
    page: Page, june, visit
):
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.add_init_script("localStorage.setItem('factuary:finishes-by-itself', 'yes')")
    routes = hold_requests(page, "**/training_feedback*.js")
    visit(page, "ravi", "/projects/june/rate/")
    page.get_by_role("button", name="Start training").click()
    ready(page)
    press(page, "1")
    wait_until_saved(page)
    release_requests(page, routes)
    expect(page.locator("[data-feedback]")).to_contain_text("Sentence 1: differs from the gold answer.")
    press(page, "4 s")
    expect(page.locator("[data-feedback]")).to_contain_text("Sentence 2: correct.")
    expect(page.locator("[data-finish]")).to_contain_text("Finish")
    press(page, "k 1")
    wait_until_saved(page)  # a further answer has come and gone: it would have asked or gone on by now
    assert "/assignments/" in page.url and not [url for url in requests if "after=" in url]


@pytest.fixture
def work(page: Page, june, visit) -> Page:
    """Return the first response of Ravi's work, to which he was let in without a qualification."""
    person("ravi").memberships.update(let_in_at="2026-01-01T00:00Z")
    visit(page, "ravi", "/projects/june/rate/")
    ready(page)
    return page


def expect_paused(page: Page) -> None:
    expect(page.get_by_role("heading", name="You are paused")).to_be_visible()
    expect(page.get_by_text("Please call Lena first.")).to_be_visible()


def test_a_pause_in_the_middle_loses_nothing_and_says_so(work: Page, june, live_server):
    press(work, "1")
    wait_until_saved(work)
    pause_rater(june.project, person("ravi"), "Please call Lena first.")
    press(work, "1")
    expect_paused(work)
    assert Rating.objects.filter(rater=person("ravi")).count() == 1
    lift_pause(june.project, person("ravi"))
    work.goto(f"{live_server.url}/projects/june/rate/")
    ready(work)
    expect(work.locator("[data-progress-text]")).to_have_text("2 of 2")  # what was refused has waited in the browser
    wait_until_saved(work)
    assert Rating.objects.filter(rater=person("ravi")).count() == 2
    pause_rater(june.project, person("ravi"), "Please call Lena first.")
    press(work, "Enter")  # finishes for no one who is paused
    expect_paused(work)
    assert not counted_ratings(june.project).exists()


def test_a_pause_holds_where_the_next_response_is_in_the_page_already(work: Page, june):
    first = work.url
    press(work, "1 1 Enter")
    wait_for_another_response(work, first)
    wait_until_saved(work)
    pause_rater(june.project, person("ravi"), "Please call Lena first.")
    press(work, "1")
    expect_paused(work)
    assert counted_ratings(june.project).count() == Rating.objects.filter(rater=person("ravi")).count() == 2


def test_training_and_pause_are_accessible_and_fit_a_phone(page: Page, june, live_server, visit):
    visit(page, "ravi", "/projects/june/rate/")
    check(page)
    page.get_by_role("button", name="Start training").click()
    ready(page)
    press(page, "1")
    expect(page.locator("[data-feedback]")).to_contain_text("differs from the gold answer")
    check(page)
    person("ravi").memberships.update(let_in_at="2026-01-01T00:00Z")
    press(page, "1 Enter")
    expect(page.get_by_role("heading", name="Training completed")).to_be_visible()
    check(page)
    pause_rater(june.project, person("ravi"))
    page.goto(f"{live_server.url}/projects/june/rate/")
    check(page)


def check(page: Page) -> None:
    """Check the page with axe in light and dark, and that it does not scroll sideways on a phone."""
    assert not accessibility_problems(page, page.url)
    page.set_viewport_size({"width": 390, "height": 844})
    assert widest(page) <= 390, page.url
    page.set_viewport_size({"width": 1440, "height": 900})


def training(format: str, file: str, protocol: str, answers: Mapping[str, Any], whole: Mapping[str, Any]) -> Assignment:
    """Return Ravi's training of one response with these gold answers; the last item also has those of `whole`."""
    project = study_from_files("study", format, [FIXTURES / format / file], protocol)
    sheet = Sheet.objects.filter(project=project).order_by("rank")[0]
    items = list(Item.objects.filter(response=sheet.response_id, rate=True, unit=project.protocol.definition.unit))
    for n, item in enumerate(items, start=1):
        set_gold(project, item, {**answers, **(whole if n == len(items) else {})}, person("lena"), "B says it better.")
    set_purpose(project, [sheet], "training")
    with transaction.atomic():
        begin_attempt(project, person("ravi"), "training")
        assignment = take_next(project, person("ravi"))
    assert assignment
    return assignment


def check_layout(page: Page) -> None:
    """Check that feedback, questions and much of the response are on the screen, and that the page is accessible."""
    assert accessibility_problems(page) == []
    feedback, answer = page.locator("[data-feedback]").bounding_box(), page.locator("[data-part=answer]").bounding_box()
    height = page.evaluate("innerHeight")
    assert feedback and answer
    assert answer["height"] >= 160 and feedback["y"] + feedback["height"] <= height
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    narrow = page.locator("[data-part=answer]").bounding_box()
    assert narrow and narrow["height"] >= 150
    page.set_viewport_size({"width": 1440, "height": 900})


def test_a_pair(page: Page, transactional_db: None, open_rating: Callable) -> None:
    assignment = training("lfqa_eval", "preferences.jsonl", "pairwise-preference", {"preference": "b"}, {})
    swapped = uuid.UUID(int=uuid.uuid4().int | 1)  # this rater has the second answer first
    Assignment.objects.filter(pk=assignment.pk).update(public_id=swapped)
    page.set_viewport_size({"width": 1440, "height": 900})
    open_rating(slug="study")
    press(page, "3")
    feedback = page.locator("[data-feedback]")
    expect(feedback).to_contain_text(
        "Pair 1: differs from the gold answer. You: B is better · Gold answer: A is better"
    )
    expect(feedback).to_contain_text("B says it better.")
    expect(feedback).to_contain_text("In this text, “A” is your answer B and “B” is your answer A.")
    check_layout(page)
    press(page, "1")
    expect(feedback).to_contain_text("Pair 1: correct.")
    press(page, "Enter")
    expect(page.get_by_role("heading", name="Training completed")).to_be_visible()
    expect(page.get_by_text("0 of 1 pair")).to_be_visible()
    page.get_by_role("link", name="Review your answers").click()
    expect(page.locator(".feedback-list li")).to_contain_text("Gold answer: A is better")


def test_claims(page: Page, transactional_db: None, open_rating: Callable) -> None:
    agreed = {"support": "complete", "informativeness": "very_relevant", "worthiness": "yes"}
    agreed |= {"correctness": "definitely_correct", "reliability": "reliable"}
    training("expertqa", "answers.jsonl", "claim-attribution", agreed, {"usefulness": "useful"})
    page.set_viewport_size({"width": 1440, "height": 900})
    open_rating(slug="study")
    claims = int(page.locator("[data-progress-text]").inner_text().split()[-1])
    feedback = page.locator("[data-feedback]")
    press(page, "2 q y a z")
    expect(feedback).to_contain_text("Claim 1: differs from the gold answer.")
    check_layout(page)
    press(page, "j " * (claims > 1) + " j ".join(["1 q y a z"] * (claims - 1)) + " 8")
    wait_until_saved(page)
    expect(feedback).to_contain_text(f"Claim {claims}: correct, but not in every question.")
    press(page, "Enter")
    expect(page.get_by_role("heading", name="Training completed")).to_be_visible()
    assert (Attempt.objects.get().right, Attempt.objects.get().items) == (claims - 1, claims)

"""A new rater in a browser: training with feedback, qualification, work, and a pause."""

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Attempt, Project, Rating
from annotation.qualification.pausing import lift_pause, pause_rater
from annotation.rating.counting import counted_ratings, left_out
from annotation.rating.tally_check import find_tally_differences
from annotation.reviewing.adjudication import adjudicate
from tests.browser.accessibility import accessibility_problems
from tests.browser.layout import widest
from tests.browser.workspace import (
    hold_requests,
    press,
    release_requests,
    wait_for_another_response,
    wait_until_saved,
)
from tests.cast import SEVERE, Study, person, study
from tests.gold_studies import REASON, gold_sheets_for, items, rate_next

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


def test_from_training_over_the_qualification_to_the_work(page: Page, june, live_server, log_in):
    log_in(page, person("ravi"))
    page.goto(f"{live_server.url}/projects/june/rate/")
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


def test_feedback_on_an_answer_that_is_saved_before_the_feedback_module_is_loaded(
    page: Page, june, live_server, log_in
):
    routes = hold_requests(page, "**/training_feedback*.js")
    log_in(page, person("ravi"))
    page.goto(f"{live_server.url}/projects/june/rate/")
    page.get_by_role("button", name="Start training").click()
    ready(page)
    press(page, "1")
    wait_until_saved(page)
    release_requests(page, routes)
    expect(page.locator("[data-feedback]")).to_contain_text("Sentence 1: differs from the gold answer.")


def test_training_never_finishes_by_itself_and_asks_for_nothing_ahead(page: Page, june, live_server, log_in):
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.add_init_script("localStorage.setItem('factuary:finishes-by-itself', 'yes')")
    log_in(page, person("ravi"))
    page.goto(f"{live_server.url}/projects/june/rate/")
    page.get_by_role("button", name="Start training").click()
    ready(page)
    press(page, "1 4 s")
    expect(page.locator("[data-feedback]")).to_contain_text("Sentence 2: correct.")
    expect(page.locator("[data-finish]")).to_contain_text("Finish")
    page.wait_for_timeout(300)  # time in which it could have asked or gone on
    assert "/assignments/" in page.url and not [url for url in requests if "after=" in url]


@pytest.fixture
def work(page: Page, june, live_server, log_in) -> Page:
    """Return the first response of Ravi's work, to which he was let in without a qualification."""
    person("ravi").memberships.update(let_in_at="2026-01-01T00:00Z")
    log_in(page, person("ravi"))
    page.goto(f"{live_server.url}/projects/june/rate/")
    ready(page)
    return page


def saved(page: Page) -> None:
    expect(page.locator("[data-saved]")).to_have_attribute("data-state", "saved")


def expect_paused(page: Page) -> None:
    expect(page.get_by_role("heading", name="You are paused")).to_be_visible()
    expect(page.get_by_text("Please call Lena first.")).to_be_visible()


def test_a_pause_in_the_middle_loses_nothing_and_says_so(work: Page, june, live_server):
    press(work, "1")
    saved(work)
    pause_rater(june.project, person("ravi"), "Please call Lena first.")
    press(work, "1")
    expect_paused(work)
    assert Rating.objects.filter(rater=person("ravi")).count() == 1
    lift_pause(june.project, person("ravi"))
    work.goto(f"{live_server.url}/projects/june/rate/")
    ready(work)
    expect(work.locator("[data-progress-text]")).to_have_text("2 of 2")  # what was refused has waited in the browser
    saved(work)
    assert Rating.objects.filter(rater=person("ravi")).count() == 2


def test_a_pause_before_finishing_stops_it_for_good(work: Page, june):
    press(work, "1 1")
    saved(work)
    pause_rater(june.project, person("ravi"), "Please call Lena first.")
    press(work, "Enter")
    expect_paused(work)
    assert not counted_ratings(june.project).exists()


def test_a_pause_holds_where_the_next_response_is_in_the_page_already(work: Page, june):
    first = work.url
    press(work, "1 1 Enter")
    wait_for_another_response(work, first)
    saved(work)
    pause_rater(june.project, person("ravi"), "Please call Lena first.")
    press(work, "1")
    expect_paused(work)
    assert counted_ratings(june.project).count() == Rating.objects.filter(rater=person("ravi")).count() == 2


def test_pages_are_accessible_and_fit_a_phone(page: Page, june, live_server, log_in):
    Project.objects.update(shows_decisions=True)
    log_in(page, person("ravi"))
    page.goto(f"{live_server.url}/projects/june/rate/")
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
    work, _ = rate_next(june, "ravi")
    adjudicate(june.project, items(work)[0], SEVERE, "Table 2 says otherwise.", person("lena"))
    for address in ("/projects/june/training/", "/projects/june/adjudications/", "/projects/june/"):
        page.goto(f"{live_server.url}{address}")
        check(page)
    pause_rater(june.project, person("ravi"))
    page.goto(f"{live_server.url}/projects/june/rate/")
    check(page)
    page.context.clear_cookies()
    log_in(page, person("lena"))
    for address in ("/", "/projects/june/checks/", "/projects/june/review/replies/", "/projects/june/raters/"):
        page.goto(f"{live_server.url}{address}")
        check(page)


def check(page: Page) -> None:
    """Check the page with axe in light and dark, and that it does not scroll sideways on a phone."""
    assert not accessibility_problems(page, page.url)
    page.set_viewport_size({"width": 390, "height": 844})
    assert widest(page) <= 390, page.url
    page.set_viewport_size({"width": 1440, "height": 900})

"""The protocols of the studies in a browser: one response in each, rated by keyboard alone."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Project, Rating

from ..cast import Study, newest_version, study, study_from_files
from .accessibility import accessibility_problems
from .workspace import press

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
EXPERTQA = Path(__file__).resolve().parents[2] / "fixtures" / "expertqa" / "answers.jsonl"


@pytest.fixture
def web(transactional_db: None) -> Study:
    """Return one response of three sentences, rated by research on the web."""
    prepared = study()
    Project.objects.update(protocol=newest_version("web-factuality"))
    return prepared


@pytest.fixture
def experts(transactional_db: None, tmp_path: Path) -> Project:
    """Return a project of the first row of the ExpertQA sample, an answer of three claims, with Ravi as its rater."""
    first = tmp_path / "first.jsonl"
    first.write_text(EXPERTQA.read_text(encoding="utf-8").splitlines()[0], encoding="utf-8")
    return study_from_files("experts", "expertqa", [first], "claim-attribution")


def saved(page: Page) -> list[dict]:
    """Wait until all is saved; return the stored answers in the order of the items."""
    expect(page.locator("[data-saved-text]")).to_have_text("Saved")
    return list(Rating.objects.order_by("item__response", "item__position").values_list("answers", flat=True))


def test_a_sentence_without_facts_takes_one_key_and_an_accurate_one_its_pages(
    web: Study, open_rating: Callable
) -> None:
    page = open_rating()
    press(page, "n y 1 p")
    page.keyboard.type("https://a.example/one\nhttp://b.example/two?q=1#x")
    press(page, "Control+Enter")
    assert page.locator("[data-item]").nth(1).get_attribute("data-tone") == "accurate"
    links = page.locator("[data-question=supporting_urls] [data-links] a")
    expect(links).to_have_count(2)
    assert links.first.get_attribute("rel") == "noopener noreferrer"
    assert links.first.get_attribute("target") == "_blank"
    pages = "https://a.example/one\nhttp://b.example/two?q=1#x"
    assert saved(page) == [{"factual": "no"}, {"factual": "yes", "accuracy": "accurate", "supporting_urls": pages}]


def test_an_unsupported_sentence_needs_a_comment_and_a_disputed_one_pages_of_both_kinds(
    web: Study, open_rating: Callable
) -> None:
    page = open_rating()
    press(page, "y 3")
    expect(page.locator("textarea[name=comment]")).to_be_focused()
    page.keyboard.type("Three searches, nothing either way.")
    press(page, "Control+Enter j y 2")
    expect(page.locator("textarea[name=supporting_urls]")).to_be_focused()
    page.keyboard.type("javascript:alert(1)")
    press(page, "Control+Enter")
    expect(page.locator("[data-question=supporting_urls] [data-problem]")).to_contain_text("is not a web address")
    expect(page.locator("[data-question=supporting_urls] [data-links] a")).to_have_count(0)
    page.locator("textarea[name=supporting_urls]").fill("https://a.example/yes")
    press(page, "Control+Enter")
    expect(page.locator("textarea[name=contradicting_urls]")).to_be_focused()
    page.keyboard.type("https://b.example/no")
    press(page, "Control+Enter j y 4 s")
    page.keyboard.press("u")  # the whole answer is cleared
    press(page, "y 4 t")
    assert saved(page) == [
        {"factual": "yes", "accuracy": "unsupported", "comment": "Three searches, nothing either way."},
        {
            "factual": "yes",
            "accuracy": "disputed",
            "supporting_urls": "https://a.example/yes",
            "contradicting_urls": "https://b.example/no",
        },
        {"factual": "yes", "accuracy": "inaccurate", "severity": "not_severe"},
    ]


def test_claims_are_rated_beside_their_evidence_and_the_answer_with_the_last(
    experts: Project, open_rating: Callable
) -> None:
    page = open_rating(slug="experts")
    visible = page.locator("[data-sources-of]:visible")
    expect(visible).to_have_count(1)
    first = visible.inner_text()
    expect(page.locator("[data-question=usefulness]")).to_be_hidden()
    press(page, "2 q y a z w")
    page.keyboard.type("The year is not in the source.")
    press(page, "Control+Enter j")
    expect(visible).to_have_count(1)
    assert visible.inner_text() != first
    expect(page.locator("[data-question=usefulness]")).to_be_hidden()
    press(page, "j")
    expect(page.locator("[data-question=usefulness]")).to_be_visible()
    press(page, "1 o n d v 8 Enter")
    expect(page.locator("#unanswered")).to_be_visible()
    stored = saved(page)
    assert stored[0] == {
        "support": "partial",
        "reason_missing_support": "The year is not in the source.",
        "informativeness": "very_relevant",
        "worthiness": "yes",
        "correctness": "definitely_correct",
        "reliability": "reliable",
    }
    assert stored[-1]["usefulness"] == "partially_useful"


def test_both_pages_are_free_of_axe_findings(web: Study, experts: Project, open_rating: Callable) -> None:
    for slug, keys in (("june", "y 2"), ("experts", "2")):
        page = open_rating(slug=slug)
        press(page, keys)
        assert accessibility_problems(page) == []

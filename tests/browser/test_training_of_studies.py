"""Training in studies about pairs or claims: by keyboard in the workspace, with space for the feedback."""

import uuid
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.db import transaction
from playwright.sync_api import Page, expect

from annotation.models import Assignment, Attempt, Item, Sheet
from annotation.qualification.attempts import begin_attempt
from annotation.qualification.next_work import take_next
from annotation.qualification.sheet_purposes import set_purpose
from annotation.reviewing.gold import set_gold

from ..cast import person, study_from_files
from ..importing.files import FIXTURES
from .accessibility import accessibility_problems
from .workspace import press, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


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

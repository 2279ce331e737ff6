"""The page before a rater's first work: what it shows, who comes to it, and practice that is stored nowhere."""

import pytest

from annotation.models import Assignment, AuditEvent, Project, Rating
from annotation.projects.archiving import archive
from annotation.projects.guidelines import publish_guidelines
from annotation.projects.overview import rater_work
from annotation.projects.protocol_versions import store_protocol
from tests.cast import ACCURATE, SEVERE, newest_version
from tests.gold_studies import gold_sheets_for
from tests.protocol_text import choice, protocol_text
from tests.web.pages import html_of, queries, rates, text_of

pytestmark = pytest.mark.django_db

PAGE = "/projects/june/introduction/"
PROTOCOLS = (
    "article-accuracy-weighted", "web-factuality", "claim-attribution", "fact-support", "pairwise-preference",
    "reference-support",
)  # fmt: skip


def answered(client, **answers: str) -> str:
    return text_of(client.post(PAGE, {f"answer-{key}": value for key, value in answers.items()}))


def test_the_page_has_the_introduction_the_example_and_the_practice_item_in_few_queries(ravi):
    page = text_of(ravi.get(PAGE))
    assert "Read the article, then judge each sentence of the response by its factual claims." in page
    assert "On cloudy days the effect was twice as large. ✕ Inaccurate, ! Severe On cloudy days there was no" in page
    assert "On sunny afternoons the white roof made the rooms 2.1 °C warmer." in page
    assert "The number is right" not in page  # before the answer
    assert "Start rating" in page
    assert queries(ravi, PAGE) <= 12


def test_practice_is_compared_with_the_example_and_explained_and_not_stored(ravi):
    before = AuditEvent.objects.count()
    for answers, verdict in (
        (SEVERE, "✓ As in the example."),
        (SEVERE | {"severity": "not_severe"}, "~ As in the example, but not in every question. You:"),
        (ACCURATE, "✗ Differs from the example. You: ✓ Accurate · Example: ✕ Inaccurate, ! Severe"),
        (SEVERE | ACCURATE, "✗ Differs from the example. You: ✓ Accurate · Example:"),
    ):
        page = answered(ravi, **answers)
        assert verdict in page and "The number is right, the direction is not" in page
    for answers in ({}, {"accuracy": "inaccurate"}, {"accuracy": "nonsense"}):
        page = answered(ravi, **answers)
        assert "Answer every question that is shown" in page and "The number is right" not in page
    assert (Rating.objects.count(), Assignment.objects.count(), AuditEvent.objects.count()) == (0, 0, before)


def test_the_practice_of_every_built_in_protocol_can_be_passed(ravi):
    for slug in PROTOCOLS:
        version = newest_version(slug)
        Project.objects.update(protocol=version)
        practice = version.definition.example.practice
        page = answered(ravi, **dict(practice.answers))
        assert "✓ As in the example." in page and practice.explanation.split(".")[0] in page, slug


def test_a_protocol_without_an_example_shows_its_questions_and_definitions(ravi):
    text = protocol_text("own", choice("good", "Is it good?", {"yes": "Yes", "no": "No"}), counts={"good": ["yes"]})
    Project.objects.update(protocol=store_protocol(text)[0])
    page = text_of(ravi.get(PAGE))
    assert "Is it good?" in page and "Worked example" not in page and "Practice" not in page
    assert "Show all questions" not in page  # they are not folded


@pytest.mark.study(prompts=2)
def test_the_first_work_begins_with_the_page_and_later_work_does_not(june, client):
    ravi = june.people["ravi"]
    client.force_login(ravi)
    for address in ("/", "/projects/june/"):
        assert f'href="{PAGE}"' in html_of(client.get(address))
    assert 'href="/projects/june/rate/"' not in html_of(client.get("/"))
    rates(ravi, june.project, sentences=1)
    assert f'href="{PAGE}"' not in html_of(client.get("/"))
    assert 'href="/projects/june/rate/"' in html_of(client.get("/"))
    page = html_of(client.get("/projects/june/"))
    assert f'<a href="{PAGE}">Introduction and practice</a>' in page  # it can be opened again
    assert "Continue rating" in text_of(client.get(PAGE))
    rates(june.people["rosa"], june.project)
    client.force_login(june.people["rosa"])
    for address in ("/", PAGE):
        assert "Next response" in text_of(client.get(address))


@pytest.mark.study(prompts=2)
def test_a_rater_who_has_begun_the_training_is_not_sent_to_the_page_again(june, ravi):
    gold_sheets_for(june, "training", 0)
    [work] = rater_work(june.people["ravi"])
    assert (work.gate, work.is_new) == ("training", True)
    ravi.post("/projects/june/start/", {"purpose": "training"})
    [work] = rater_work(june.people["ravi"])
    assert work.is_new is False


def test_the_instructions_are_at_hand_during_work(june, ravi):
    work = rates(june.people["ravi"], june.project, sentences=1)
    workspace = html_of(ravi.get(f"/assignments/{work.public_id}/"))
    assert f'<a href="{PAGE}">' in workspace
    assert "The passage says 2.1 °C" in workspace  # in the help that ? opens
    drawer = text_of(ravi.get("/projects/june/guidelines/drawer/"))
    assert "Read the article, then judge each sentence" in drawer and "Worked example" in drawer


def test_the_page_names_the_projects_own_guidelines_and_asks_nobody_to_rate_who_cannot(june, ravi, ada):
    assert "own guidelines" not in text_of(ravi.get(PAGE))
    publish_guidelines(june.project, "Read it twice.")
    assert "This project has its own guidelines." in text_of(ravi.get(PAGE))
    assert "Start rating" not in text_of(ada.get(PAGE))
    archive(june.project, actor=june.people["lena"])
    assert "Start rating" not in text_of(ravi.get(PAGE))

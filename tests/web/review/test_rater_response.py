"""One rater's answers about one response, and the links that lead to it."""

import pytest

from annotation.models import Assignment, Bookmark, Project, Rating
from annotation.reviewing.adjudication import adjudicate
from annotation.reviewing.adjudication_replies import add_reply
from annotation.reviewing.lead_ratings import version_token
from annotation.reviewing.rater_questions import ask_leads
from tests.cast import ACCURATE, SEVERE, study
from tests.gold_studies import items, rate_next
from tests.web.pages import html_of, queries, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def june(module_rows):
    return study()


@pytest.fixture(scope="module")
def work(june):
    """Return the response that Ravi has finished, with a comment and a passage about the first sentence."""
    work, _ = rate_next(june, "ravi", SEVERE)
    passage = {"paragraph": "p2", "start": 4, "end": 16, "stance": "contradicts", "text": "median range"}
    Rating.objects.filter(item=items(work)[0]).update(comment="See the table.", evidence=[passage], seconds=12)
    return work


def path_of(work: Assignment) -> str:
    return f"/projects/june/assignments/{work.public_id}/"


def test_the_page_shows_answers_comments_evidence_and_times(june, work, lena):
    text = text_of(lena.get(path_of(work)))
    assert "Answers of ravi" in text and "3 of 3 rated" in text and "Finished" in text
    assert "Inaccurate" in text and "See the table." in text and "median range" in text
    first, second, _ = items(work)
    assert f'href="/projects/june/review/{first.public_id}/?show=all"' in html_of(lena.get(path_of(work)))
    Bookmark.objects.create(assignment=work, item=second)
    ask_leads(june.people["ravi"], work.public_id, second.public_id, "Is it so?")
    adjudicate(june.project, first, ACCURATE, "Table 2.", june.people["lena"])
    text = text_of(lena.get(path_of(work)))
    assert "Flagged for later" in text and "Adjudicated: ✓ Accurate" in text
    assert "/projects/june/inbox/" in html_of(lena.get(path_of(work)))


def test_flags_questions_disputes_and_ratings_lead_to_it(june, work, lena):
    first, second, _ = items(work)
    question = ask_leads(june.people["ravi"], work.public_id, second.public_id, "Is it so?")
    decision = adjudicate(june.project, first, ACCURATE, "Table 2.", june.people["lena"])
    Project.objects.update(shows_decisions=True)
    project, token = Project.objects.get(), version_token(decision)
    add_reply(project, june.people["ravi"], first, agrees=False, comment="No.", expected_version=token)
    pages = {
        "/projects/june/responses/": path_of(work),
        "/projects/june/inbox/": f"{path_of(work)}#item-1",
        f"/projects/june/inbox/{question.public_id}/": f"{path_of(work)}#item-1",
        "/projects/june/review/replies/": f"{path_of(work)}?anonymous#item-0",
        f"/projects/june/review/{first.public_id}/": f"{path_of(work)}?anonymous#item-0",
    }
    for page, link in pages.items():
        assert f'href="{link}"' in html_of(lena.get(page)), page


def test_the_name_is_a_letter_while_the_review_hides_names_and_the_page_is_of_its_project_only(work, lena):
    text = text_of(lena.get(f"{path_of(work)}?anonymous"))
    assert "Answers of Rater A" in text and "ravi" not in text
    lena.post("/projects/june/review/names/", {"kind": "raters", "shown": "1"})
    assert "Answers of ravi" in text_of(lena.get(f"{path_of(work)}?anonymous"))
    study("july")
    assert lena.get(path_of(work).replace("june", "july")).status_code == 404
    assert queries(lena, path_of(work)) <= 16

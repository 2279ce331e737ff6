"""My responses: what a rater has rated in a project, and what was changed or decided about it."""

import pytest
from django.test import Client

from annotation.models import Assignment, Project
from annotation.projects.archiving import archive
from annotation.projects.guidelines import Affected, publish_guidelines, reoffer_affected
from annotation.queue.exclusion import exclude
from annotation.queue.leases import release
from annotation.queue.reopening import reopen
from annotation.reviewing.adjudication import adjudicate
from tests.cast import SEVERE
from tests.gold_studies import gold_sheets_for
from tests.web.pages import html_of, queries, rates, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.study(prompts=4, sentences=2, overlap=2)]
MINE = "/projects/june/my-responses/"


def found(ravi: Client, **parameters: str) -> set[str]:
    """Return the prompts of the list under these parameters."""
    html = html_of(ravi.get(MINE, parameters))
    return {f"q{n}" for n in range(1, 5) if f">What about point {n}?</h3>" in html}


def prompt_of(work: Assignment) -> str:
    return work.sheet.response.prompt.key


def test_lists_own_finished_and_begun_responses_without_the_system_or_an_id(ravi, june):
    assert "No ratings yet" in text_of(ravi.get(MINE))
    done = rates(june.people["ravi"], june.project)
    begun = rates(june.people["ravi"], june.project, sentences=1)
    others = rates(june.people["rosa"], june.project)
    assert others.sheet == done.sheet
    assert found(ravi) == {prompt_of(done), prompt_of(begun)}
    page = text_of(ravi.get(MINE))
    assert "2 responses" in page and "✓ Finished 2 ratings · finished on" in page and "Unfinished 1 rating" in page
    assert "Your answers count when you finish it." in page
    html = html_of(ravi.get(MINE))
    assert f'href="/assignments/{done.public_id}/"' in html and f"{done.sheet.response.key}" not in html
    assert found(ravi, state="finished") == {prompt_of(done)}
    assert found(ravi, state="open") == {prompt_of(begun)}
    assert found(ravi, state="changed") == set()
    assert found(ravi, words=f"point {prompt_of(begun)[1:]}") == {prompt_of(begun)}
    assert found(ravi, words="sentence 2 terns") == {prompt_of(done), prompt_of(begun)}
    assert "No matching responses" in text_of(ravi.get(MINE, {"words": "nowhere"}))
    assert ravi.get(MINE, {"state": "moon", "page": "99", "words": "\x00"}).status_code == 200
    archive(june.project)
    assert found(ravi) == {prompt_of(done), prompt_of(begun)}
    assert f'href="/assignments/{done.public_id}/"' not in html_of(ravi.get(MINE))


def test_says_who_reopened_freed_or_excluded_a_response_and_why(ravi, june):
    works = [rates(june.people["ravi"], june.project) for _ in range(3)]
    begun = rates(june.people["ravi"], june.project, sentences=1)
    lena = june.people["lena"]
    lena.first_name = "Lena"
    lena.save()
    release(begun, actor=lena)
    reopen(works[0], reason="sentence 2 is unclear", actor=lena)
    exclude(june.project, [works[1].sheet_id], "the prompt was cut off", actor=lena)
    page = text_of(ravi.get(MINE))
    assert "Lena returned it to the queue on" in page and "No longer assigned to you 1 rating" in page
    assert "Lena reopened it on" in page and "Reason: sentence 2 is unclear" in page
    assert "“the prompt was cut off”. Your answers are kept and do not count." in page
    assert found(ravi, state="changed") == {prompt_of(begun), prompt_of(works[0]), prompt_of(works[1])}
    assert found(ravi, state="finished") == {prompt_of(works[1]), prompt_of(works[2])}
    assert f'href="/assignments/{begun.public_id}/"' not in html_of(ravi.get(MINE))


def test_work_offered_again_is_to_finish_and_counts(ravi, june):
    done = rates(june.people["ravi"], june.project)
    publish_guidelines(june.project, "New words.")
    reoffer_affected(june.project, Affected())
    assert "You can check it again: the guidelines have changed" in text_of(ravi.get(MINE, {"state": "open"}))
    assert found(ravi, state="open") == {prompt_of(done)}


def test_decisions_have_their_reason_where_the_project_shows_them(ravi, june):
    done = rates(june.people["ravi"], june.project)
    rates(june.people["ravi"], june.project)
    item = done.sheet.response.items.get(position=1)
    adjudicate(june.project, item, SEVERE, "The article says 11.8 km.", june.people["lena"])
    page = text_of(ravi.get(MINE))
    assert "11.8 km" not in page and "Adjudicated" not in page
    assert found(ravi, state="decided") == found(ravi)
    Project.objects.update(shows_decisions=True)
    page = text_of(ravi.get(MINE))
    assert "1 adjudicated answer, 1 adjudicated differently" in page
    assert "≠ Differs from your answer You: ✓ Accurate Adjudicated:" in page and "The article says 11.8 km." in page
    assert found(ravi, state="decided") == {prompt_of(done)}
    before = queries(ravi, MINE)
    for _ in range(2):
        work = rates(june.people["ravi"], june.project)
        adjudicate(june.project, work.sheet.response.items.first(), SEVERE, "So.", june.people["lena"])
    assert queries(ravi, MINE) == before, "whatever the number of rows"


def test_hidden_gold_looks_like_work_and_training_is_not_listed(ravi, june):
    sheets = [*gold_sheets_for(june, "gold", 0), *gold_sheets_for(june, "training", 1)]
    for sheet, purpose in zip(sheets, ("gold", "training"), strict=True):
        work = Assignment(sheet=sheet, project=june.project, rater=june.people["ravi"], purpose=purpose)
        work.taken_at = june.project.created_at
        work.save()
        item = sheet.response.items.first()
        work.ratings.create(
            project=june.project, item=item, rater=work.rater, answers=SEVERE, choices=SEVERE, rated_at=work.taken_at
        )
    assert found(ravi) == {sheets[0].response.prompt.key}
    assert "gold" not in text_of(ravi.get(MINE)).lower()

"""Whoever has had a response for one purpose may know its gold answers, so they never get it for another."""

from itertools import permutations

import pytest
from django.test import Client

from annotation.access import assignments_for
from annotation.models import Assignment, Project, Purpose
from annotation.qualification.pausing import exempt_rater
from annotation.qualification.sheet_purposes import set_purpose
from annotation.queue.leases import release
from tests.cast import SEVERE, Study, study
from tests.gold_studies import answer_all_items, finish, gold_sheets_for, rate_next, start_attempt, take_work

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def study_with_special_sheet(purpose: str) -> Study:
    """Create a study of five responses, the first for `purpose`."""
    june = study(prompts=5, overlap=1, sentences=2)
    gold_sheets_for(june, purpose, 0)
    june.project.gold_every = 2
    june.project.save()
    return june


def gets(june: Study, purpose: str) -> Assignment:
    """Return the responses that Ravi gets for the purpose."""
    ravi = june.people["ravi"]
    if purpose != Purpose.GOLD:
        start_attempt(june.project, ravi, purpose)
    while (work := take_work(june.project, ravi)) and work.purpose != purpose:
        answer_all_items(work)
        finish(assignments_for(ravi).get(pk=work.pk))
    assert work
    return work


@pytest.mark.parametrize("is_given_back", [False, True])
@pytest.mark.parametrize(("first", "second"), list(permutations(["training", "qualification", "gold"], 2)))
def test_what_was_had_for_one_purpose_is_never_given_for_another(first, second, is_given_back):
    june = study_with_special_sheet(first)
    ravi = june.people["ravi"]
    work = gets(june, first)
    if is_given_back:
        release(work)
    else:
        answer_all_items(work, SEVERE)
        finish(assignments_for(ravi).get(pk=work.pk))
    set_purpose(june.project, [work.sheet], second)
    client = Client()
    client.force_login(ravi)
    client.post("/projects/june/start/", {"purpose": second})
    exempt_rater(june.project, ravi)
    while next_work := take_work(june.project, ravi):
        assert next_work.sheet != work.sheet
        answer_all_items(next_work)
        finish(assignments_for(ravi).get(pk=next_work.pk))
    assert client.get("/projects/june/rate/").status_code == 200
    assert Assignment.objects.get(pk=work.pk).purpose == first


def test_the_page_says_that_there_is_no_such_thing_for_them():
    june = study_with_special_sheet("training")
    start_attempt(june.project, june.people["ravi"], "training")
    work, _ = rate_next(june, "ravi", SEVERE)
    set_purpose(Project.objects.get(), [work.sheet], "qualification")
    client = Client()
    client.force_login(june.people["ravi"])
    page = client.post("/projects/june/start/", {"purpose": "qualification"}, follow=True)
    assert "This project has no qualification test for you." in page.content.decode()
    assert client.get("/projects/june/rate/").status_code == 302

"""Whoever has had a response for one purpose may know its gold answers, so they never get it for another."""

from itertools import permutations

import pytest

from annotation.models import Assignment, Purpose
from annotation.qualification.pausing import exempt_rater
from annotation.qualification.sheet_purposes import set_purpose
from annotation.queue.leases import release
from tests.cast import SEVERE, Study
from tests.gold_studies import gold_sheets_for, rate_next, start_attempt, take_work

pytestmark = [pytest.mark.django_db, pytest.mark.study(prompts=3, overlap=1, sentences=1)]


def set_aside_first(june: Study, purpose: str) -> None:
    """Give the first response this purpose, and let Ravi begin it."""
    gold_sheets_for(june, purpose, 0)
    june.project.gold_every = 2
    june.project.save()
    if purpose != Purpose.GOLD:
        start_attempt(june.project, june.people["ravi"], purpose)


@pytest.mark.parametrize("is_given_back", [False, True])
@pytest.mark.parametrize(("first", "second"), list(permutations(["training", "qualification", "gold"], 2)))
def test_what_was_had_for_one_purpose_is_never_given_for_another(june, ravi, first, second, is_given_back):
    set_aside_first(june, first)
    rater = june.people["ravi"]
    while (work := take_work(june.project, rater)).purpose != first:
        rate_next(june, "ravi")
    if is_given_back:
        release(work)
    else:
        rate_next(june, "ravi", SEVERE)
    set_purpose(june.project, [work.sheet], second)
    ravi.post("/projects/june/start/", {"purpose": second})
    exempt_rater(june.project, rater)
    while take_work(june.project, rater):
        assert rate_next(june, "ravi")[0].sheet != work.sheet
    assert ravi.get("/projects/june/rate/").status_code == 200
    assert Assignment.objects.get(pk=work.pk).purpose == first


def test_the_page_says_that_there_is_no_such_thing_for_them(june, ravi):
    set_aside_first(june, "training")
    work, _ = rate_next(june, "ravi", SEVERE)
    set_purpose(june.project, [work.sheet], "qualification")
    page = ravi.post("/projects/june/start/", {"purpose": "qualification"}, follow=True)
    assert "This project has no qualification test for you." in page.content.decode()
    assert ravi.get("/projects/june/rate/").status_code == 302

"""The responses of a running project: reopened, freed, previewed."""

import pytest

from annotation.models import Membership, Rating, Slot, User
from annotation.projects.members import add_member, remove_member
from annotation.qualification.next_work import take_next
from annotation.qualification.prefetch import prefetch_next
from annotation.queue.reservations import Selection, reserve
from tests.cast import person, study
from tests.web.pages import html_of, queries, rates, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.study(prompts=3, systems=("heron", "plover"), sentences=2)]
JUNE = "/projects/june/"
RESPONSES = f"{JUNE}responses/"


def test_each_is_listed_with_who_was_and_is_at_it_opened_again_and_freed(lena, june):
    done = rates(june.people["ravi"], june.project)
    begun = rates(june.people["rosa"], june.project, sentences=1)
    ahead = rates(june.people["ravi"], june.project, sentences=1)
    assert prefetch_next(june.project, june.people["ravi"], ahead.public_id)
    page = text_of(lena.get(RESPONSES))
    assert "6 responses" in page and "✓ ravi finished" in page and "● rosa 1 rated, lease until" in page
    assert "● ravi 1 rated, lease until" in page and "◌ ravi prefetched, not started, lease until" in page
    assert "2 responses found" in text_of(lena.get(f"{RESPONSES}?state=leased"))
    for search in ("state=prefetched", "state=leased&words=point&rater=rosa"):
        assert "1 response found" in text_of(lena.get(f"{RESPONSES}?{search}"))
    assert "No matching responses" in text_of(lena.get(f"{RESPONSES}?words=nowhere"))
    assert lena.get(f"{RESPONSES}?state=moon&page=99&system=%00").status_code == 200
    here = f"{RESPONSES}?state=finished"
    assert lena.post(f"{JUNE}assignments/{done.public_id}/reopen/", {"next": here}).url == here
    assert "reopened for ravi" in text_of(lena.get(here))
    assert take_next(june.project, june.people["ravi"]) == done
    page = text_of(lena.post(f"{JUNE}assignments/{begun.public_id}/free/", {}, follow=True))
    assert "The response is back in the queue" in page
    assert not Slot.objects.filter(holder=begun).exists()


def test_raters_have_their_display_names(lena, june):
    User.objects.filter(username="ravi").update(first_name="Ravi", last_name="Rao")
    rates(june.people["ravi"], june.project)
    reserve(june.project, [june.people["ravi"]], Selection("system", "plover"), actor=june.people["lena"])
    html = lena.get(f"{RESPONSES}?rater=ravi")
    assert '<option value="ravi" selected>Ravi Rao</option>' in html_of(html)
    page = text_of(lena.get(RESPONSES))
    assert "✓ Ravi Rao finished" in page and "Assigned to Ravi Rao" in page
    assert "for Ravi Rao" in text_of(lena.get(f"{JUNE}reservations/"))


def test_pages_and_three_rows_take_as_many_queries_as_one(lena, june):
    study("many", prompts=26, sentences=1)
    assert "Page 1 of 2" in text_of(lena.get("/projects/many/responses/"))
    held = rates(june.people["ravi"], june.project).sheet.response
    queries_of_one = queries(lena, f"{RESPONSES}?words={held.key}")
    assert queries(lena, RESPONSES) == queries_of_one


def test_what_cannot_be_done_is_said_and_a_project_does_not_reach_into_another(lena, june):
    begun = rates(june.people["ravi"], june.project, sentences=1)
    done = rates(june.people["rosa"], june.project)
    for work, act, words in [
        (begun, "reopen", "cannot be reopened"),
        (done, "free", "cannot be returned to the queue"),
    ]:
        address = f"{JUNE}assignments/{work.public_id}/{act}/"
        assert words in text_of(lena.post(address, {"next": "//evil"}, follow=True))
    other = study("other", raters=("otto",))
    work = rates(other.people["otto"], other.project)
    add_member(june.project, june.people["lena"], Membership.Role.LEAD)
    remove_member(other.project, person("lena"))
    for act in ("reopen", "free"):
        assert lena.post(f"{JUNE}assignments/{work.public_id}/{act}/").status_code == 404
    assert lena.get(f"{JUNE}preview/{work.sheet_id}/").status_code == 404


def test_a_lead_sees_what_a_rater_sees_and_nothing_is_taken_or_shown_of_others(lena, ravi, june):
    done = rates(june.people["ravi"], june.project)
    before = (Slot.objects.exclude(holder=None).count(), Rating.objects.count())
    html = html_of(lena.get(f"{JUNE}preview/{done.sheet_id}/"))
    assert "Preview: nothing is saved." in html and '"preview": true' in html and '"answers": null' in html
    assert "heron" not in html.replace("of heron", "")
    assert 'data-opens="return-to-queue"' not in html
    assert (Slot.objects.exclude(holder=None).count(), Rating.objects.count()) == before
    assert "The response is back in the queue" in text_of(ravi.get(f"{JUNE}released/", follow=True))
    assert "The response is back in the queue" not in text_of(ravi.get("/"))

"""A pause holds for whatever the rater has in hand: also for what they had finished, or are offered again."""

import pytest

from annotation.models import Item, Membership, Rating
from annotation.projects.members import add_member
from annotation.qualification.pausing import lift_pause, pause_rater
from annotation.queue.errors import RaterPaused
from annotation.rating.finish import finish
from annotation.rating.submit import Submission, delete_answer, save
from annotation.reviewing.sentence_boundaries import split

from ..cast import ACCURATE, SEVERE, Study, study
from ..gold_studies import answer_all_items, items, rate_next, take_work

pytestmark = pytest.mark.django_db


@pytest.fixture
def june() -> Study:
    return study()


def test_what_is_offered_again_to_a_paused_rater_waits_for_the_end_of_the_pause(june):
    ravi = june.people["ravi"]
    work, _ = rate_next(june, "ravi")
    pause_rater(june.project, ravi)
    done = split(june.project, june.items()[0], ["Sentence number 1", "of heron."], actor=june.people["lena"])
    new, other = done.new_items
    with pytest.raises(RaterPaused):
        save(ravi, work.public_id, new.public_id, Submission(ACCURATE, 0))
    with pytest.raises(RaterPaused):
        delete_answer(ravi, work.public_id, items(work)[1].public_id, 1)
    with pytest.raises(RaterPaused):
        finish(work)
    assert not Rating.objects.filter(item__in=done.new_items).exists()
    lift_pause(june.project, ravi)
    again = take_work(june.project, ravi)
    assert again == work
    for item in (new, other):
        save(ravi, work.public_id, item.public_id, Submission(ACCURATE, 0))
    finish(again)
    assert Rating.objects.filter(counted=True).count() == 4


def test_a_paused_rater_changes_nothing_that_was_finished(june):
    ravi = june.people["ravi"]
    work, _ = rate_next(june, "ravi")
    pause_rater(june.project, ravi)
    with pytest.raises(RaterPaused):
        save(ravi, work.public_id, items(work)[0].public_id, Submission(SEVERE, 1))
    assert set(Rating.objects.values_list("answers__accuracy", flat=True)) == {"accurate"}
    lift_pause(june.project, ravi)
    assert save(ravi, work.public_id, items(work)[0].public_id, Submission(SEVERE, 1)).version == 2


def test_a_repeated_request_is_still_answered_from_its_receipt(june):
    ravi = june.people["ravi"]
    work = take_work(june.project, ravi)
    item = Item.objects.filter(response=work.sheet.response, rate=True).first()
    submission = Submission(ACCURATE, 0, key="k1", fingerprint="f1")
    save(ravi, work.public_id, item.public_id, submission)
    pause_rater(june.project, ravi)
    assert save(ravi, work.public_id, item.public_id, submission).version == 1


def test_a_pause_stops_nobody_while_they_lead(june):
    ravi = june.people["ravi"]
    pause_rater(june.project, ravi)
    add_member(june.project, ravi, "lead")
    work = take_work(june.project, ravi)
    answer_all_items(work)
    finish(work)
    assert Rating.objects.filter(counted=True).count() == 3
    add_member(june.project, ravi, "rater")
    with pytest.raises(RaterPaused):
        save(ravi, work.public_id, items(work)[0].public_id, Submission(SEVERE, 1))


def test_whoever_was_paused_and_leads_now_can_be_let_go_on(june, client):
    ravi = june.people["ravi"]
    pause_rater(june.project, ravi)
    add_member(june.project, ravi, "lead")
    client.force_login(june.people["lena"])
    assert client.post("/projects/june/checks/raters/ravi/", {"act": "lift"}).status_code == 302
    assert Membership.objects.get(user=ravi).paused_at is None


def test_others_are_not_held_up(june):
    pause_rater(june.project, june.people["ravi"])
    work = take_work(june.project, june.people["rosa"])
    answer_all_items(work)
    finish(work)
    assert Rating.objects.filter(counted=True).count() == 3

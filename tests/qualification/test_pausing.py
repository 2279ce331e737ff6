"""A pause holds for whatever the rater has in hand: also for what they had finished, or are offered again."""

import pytest

from annotation.models import Membership, Rating
from annotation.projects.members import add_member
from annotation.qualification.pausing import lift_pause, pause_rater
from annotation.queue.errors import RaterPaused
from annotation.rating.finish import finish
from annotation.rating.submit import Submission, delete_answer, save
from annotation.reviewing.sentence_boundaries import split

from ..cast import ACCURATE, SEVERE
from ..gold_studies import items, rate_next, take_work

pytestmark = pytest.mark.django_db


def test_what_was_finished_and_what_is_offered_again_waits_for_the_end_of_the_pause(june):
    ravi = june.people["ravi"]
    work, _ = rate_next(june, "ravi")
    pause_rater(june.project, ravi)
    done = split(june.project, june.items()[0], ["Sentence number 1", "of heron."], actor=june.people["lena"])
    rated = items(work)[1]
    for change in (
        lambda: save(ravi, work.public_id, done.new_items[0].public_id, Submission(ACCURATE, 0)),
        lambda: save(ravi, work.public_id, rated.public_id, Submission(SEVERE, 1)),
        lambda: delete_answer(ravi, work.public_id, rated.public_id, 1),
        lambda: finish(work),
    ):
        with pytest.raises(RaterPaused):
            change()
    assert not Rating.objects.filter(item__in=done.new_items).exists()
    assert set(Rating.objects.values_list("answers__accuracy", flat=True)) == {"accurate"}
    lift_pause(june.project, ravi)
    again = take_work(june.project, ravi)
    assert again == work
    for item in done.new_items:
        save(ravi, work.public_id, item.public_id, Submission(ACCURATE, 0))
    assert save(ravi, work.public_id, rated.public_id, Submission(SEVERE, 1)).version == 2
    finish(again)
    assert Rating.objects.filter(counted=True).count() == 4


def test_a_pause_stops_neither_others_nor_the_rater_while_they_lead_and_ends_by_a_lead(june, lena):
    ravi = june.people["ravi"]
    pause_rater(june.project, ravi)
    rate_next(june, "rosa")
    add_member(june.project, ravi, "lead")
    work, _ = rate_next(june, "ravi")
    assert Rating.objects.filter(counted=True).count() == 6
    add_member(june.project, ravi, "rater")
    with pytest.raises(RaterPaused):
        save(ravi, work.public_id, items(work)[0].public_id, Submission(SEVERE, 1))
    add_member(june.project, ravi, "lead")
    assert lena.post("/projects/june/checks/raters/ravi/", {"act": "lift"}).status_code == 302
    assert Membership.objects.get(user=ravi).paused_at is None

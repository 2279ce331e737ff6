"""Training, hidden gold and pauses where the next response is given before the one in hand is finished, as the
workspace asks for it; and responses that are offered again where some are set aside."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.access import assignments_for
from annotation.models import Assignment, Rating, Sheet, Slot
from annotation.projects.guidelines import Affected, publish_guidelines, reoffer_affected
from annotation.projects.overview import rater_work
from annotation.qualification.gates import BlockedByGate
from annotation.qualification.hidden_gold import GoldSchedule
from annotation.qualification.pausing import lift_pause, pause_rater
from annotation.queue.errors import RaterPaused
from annotation.queue.leases import release
from annotation.rating.counting import counted_ratings
from annotation.rating.finish import finish
from annotation.rating.submit import Submission, save
from annotation.rating.tally_check import find_tally_differences
from tests.cast import ACCURATE, SEVERE, study
from tests.gold_studies import answer_all_items, gold_sheets_for, items, mixed, rate_next, start_attempt, take_work

pytestmark = pytest.mark.django_db


def ends(work: Assignment, answers: dict = ACCURATE) -> str:
    """Answer and finish the response; return the news."""
    answer_all_items(work, answers)
    return finish(assignments_for(work.rater).get(pk=work.pk))


def test_nothing_is_given_ahead_of_a_response_of_training_or_qualification():
    june = study(prompts=5, overlap=1, sentences=1)
    gold_sheets_for(june, "training", 0, 1)
    gold_sheets_for(june, "qualification", 2)
    ravi = june.people["ravi"]
    for purpose, responses in (("training", 2), ("qualification", 1)):
        start_attempt(june.project, ravi, purpose)
        for _ in range(responses):
            work = take_work(june.project, ravi)
            assert work.purpose == purpose and take_work(june.project, ravi, after=work) is None
            ends(work, SEVERE)
    assert Slot.objects.filter(holder__rater=ravi, finished_at=None).count() == 0
    work = take_work(june.project, ravi)
    assert [work.purpose, take_work(june.project, ravi, after=work).purpose] == ["work", "work"]


def test_training_begun_in_the_middle_of_work_comes_after_what_is_held_and_is_not_given_ahead():
    june = study(prompts=5, overlap=1, sentences=1)
    gold_sheets_for(june, "training", 0, 1)
    lena = june.people["lena"]  # for whom nothing is a gate
    work = take_work(june.project, lena)
    start_attempt(june.project, lena, "training")
    assert take_work(june.project, lena, after=work) is None
    ends(work)
    assert take_work(june.project, lena).purpose == "training"


def test_a_gate_that_was_set_up_meanwhile_lets_what_is_held_be_finished_and_gives_nothing_ahead():
    june = study(prompts=5, overlap=1, sentences=1)
    ravi = june.people["ravi"]
    first = take_work(june.project, ravi)
    ahead = take_work(june.project, ravi, after=first)
    free = Sheet.objects.exclude(pk__in=[first.sheet_id, ahead.sheet_id]).first()
    gold_sheets_for(june, "qualification", june.responses.index(free.response))
    ends(first)
    assert take_work(june.project, ravi) == ahead and take_work(june.project, ravi, after=ahead) is None
    ends(ahead)
    with pytest.raises(BlockedByGate):
        take_work(june.project, ravi)


def test_hidden_gold_comes_at_its_rate_as_what_is_asked_for_ahead_too_and_what_is_left_goes_down_by_one():
    june = mixed()
    ravi, purposes = june.people["ravi"], ""
    total = rater_work(ravi, june.project)[0].remaining
    work = take_work(june.project, ravi)
    while work:
        ahead = take_work(june.project, ravi, after=work)
        assert ahead == take_work(june.project, ravi, after=work)
        before, done = rater_work(ravi, june.project)[0], len(purposes)
        assert (before.remaining, before.finished, before.begun.assignment) == (total - done, done, work.public_id)
        ends(work)
        purposes += work.purpose[0]
        work = take_work(june.project, ravi)
        assert work == ahead
    assert rater_work(ravi, june.project)[0].remaining == 0
    draw = GoldSchedule(june.project.seed, "ravi", 3)
    assert purposes.count("w") == 8 and 2 <= purposes.count("g") <= 4 and purposes[-1] == "w"
    for position, purpose in enumerate(purposes):
        is_due = draw.is_due(position) and purposes[:position].count("g") < 4 and "w" in purposes[position:]
        assert (purpose == "g") == is_due


def test_hidden_gold_that_was_given_back_comes_again_ahead_of_the_last():
    june = mixed()
    ravi = june.people["ravi"]
    while (work := take_work(june.project, ravi)).purpose != "gold":
        ends(work)
    release(work)
    last = None
    while assignment := take_work(june.project, ravi, after=last):
        if last:
            ends(last)
        last = assignment
    assert last == work
    assert not find_tally_differences()


def test_a_pause_frees_what_was_begun_and_what_was_given_ahead_and_then_what_was_begun_comes_back_first():
    june = study(prompts=6, overlap=1, sentences=2)
    ravi, lena = june.people["ravi"], june.people["lena"]
    work = take_work(june.project, ravi)
    ahead = take_work(june.project, ravi, after=work)
    first, second = items(work)
    answer = Submission(ACCURATE, 0, key="k1", fingerprint="f1")
    save(ravi, work.public_id, first.public_id, answer)
    assert pause_rater(june.project, ravi, actor=lena)
    assert not Slot.objects.filter(holder__isnull=False).exists()
    assert save(ravi, work.public_id, first.public_id, answer).version == 1, "again, answered from the receipt"
    for refused in (lambda: answer_all_items(work), lambda: answer_all_items(ahead), lambda: finish(work)):
        with pytest.raises(RaterPaused):
            refused()
    for after in (None, work):
        with pytest.raises(BlockedByGate, match="You are paused"):
            take_work(june.project, ravi, after=after)
    assert lift_pause(june.project, ravi, actor=lena)
    assert take_work(june.project, ravi) == work
    assert Rating.objects.count() == 1
    save(ravi, work.public_id, second.public_id, Submission(ACCURATE, 0))
    finish(assignments_for(ravi).get(pk=work.pk))
    assert counted_ratings(june.project).count() == 2


def test_wrong_gold_pauses_although_the_next_is_held_and_that_is_free():
    june = mixed()
    june.project.least_gold, june.project.fewest_gold = 0.7, 1
    june.project.save()
    ravi, news = june.people["ravi"], ""
    while not news:
        work = take_work(june.project, ravi)
        ahead = take_work(june.project, ravi, after=work)
        news = ends(work)
    assert news == "paused" and ahead
    assert not Slot.objects.filter(holder=ahead).exists()
    with pytest.raises(RaterPaused):
        answer_all_items(ahead)
    assert not Rating.objects.filter(assignment=ahead).exists()


@pytest.mark.parametrize("is_freed", [True, False])
def test_what_was_offered_again_and_then_set_aside_counts_on(is_freed):
    june = study(prompts=2, overlap=1, sentences=2)
    work, _ = rate_next(june, "ravi")
    publish_guidelines(june.project, "Look twice.")
    assert reoffer_affected(june.project, Affected()) == (1, 2)
    assert counted_ratings(june.project).count() == 2
    if is_freed:
        release(assignments_for(june.people["ravi"]).get(pk=work.pk), actor=june.people["lena"])
    else:
        Slot.objects.filter(holder=work).update(expires_at=timezone.now() - timedelta(days=1))
    gold_sheets_for(june, "gold", june.responses.index(work.sheet.response))
    assert Slot.objects.get(holder=work).finished_at
    assert counted_ratings(june.project).count() == 2
    assert not find_tally_differences()

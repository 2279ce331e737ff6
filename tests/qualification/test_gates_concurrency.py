"""Two at once: tabs of one rater, a lead who pauses, two raters on one response set aside."""

import pytest
from django.db import transaction

from annotation.access import assignments_for, project_for
from annotation.models import Assignment, Attempt, AuditEvent, Project, Rating, Slot, User
from annotation.qualification.attempts import begin_attempt
from annotation.qualification.gates import BlockedByGate
from annotation.qualification.pausing import lift_pause, pause_rater
from annotation.queue.errors import LeaseLost, RaterPaused
from annotation.rating.finish import finish
from annotation.rating.submit import Submission, save
from annotation.rating.tally_check import find_tally_differences
from tests.cast import ACCURATE, SEVERE, study
from tests.gold_studies import answer_all_items, gold_sheets_for, items, rate_next, take_work
from tests.qualification.at_once import take, together

pytestmark = pytest.mark.django_db(transaction=True)


def begin(rater: User, purpose: str):
    with transaction.atomic():
        return begin_attempt(project_for(rater, "june", needs="rater", lock=True), rater, purpose)


def test_two_tabs_begin_one_attempt_get_the_same_response_and_end_it_once():
    june = study(prompts=3, overlap=1, sentences=2)
    gold_sheets_for(june, "qualification", 0)
    Project.objects.update(tries=1)
    ravi = june.people["ravi"]
    attempts = together(*[lambda: begin(ravi, "qualification")] * 4)
    assert len({attempt.pk for attempt in attempts}) == 1 == Attempt.objects.count()
    got = together(*[lambda: take(ravi)] * 4)
    assert len({work.pk for work in got}) == 1 == Assignment.objects.count()
    answer_all_items(got[0], ACCURATE)
    news = together(*[lambda: finish(assignments_for(ravi).get(pk=got[0].pk))] * 3)
    assert sorted(news) == ["", "", "failed"]
    assert AuditEvent.objects.filter(action="end qualification").count() == 1


def test_raters_at_once_on_one_response_set_aside_each_have_a_slot():
    names = tuple(f"rater{n}" for n in range(6))
    june = study(prompts=2, overlap=1, sentences=1, raters=names)
    gold_sheets_for(june, "training", 0)
    for name in names:
        begin(june.people[name], "training")
    got = together(*[lambda name=name: take(june.people[name]) for name in names])
    assert all(isinstance(work, Assignment) for work in got)
    slots = Slot.objects.filter(project=None)
    assert slots.count() == 6 == slots.values("holder").distinct().count()


@pytest.mark.parametrize("turn", range(3))
def test_a_pause_while_answers_are_under_way_keeps_what_was_acknowledged(turn):
    june = study(prompts=3, overlap=1, sentences=6)
    ravi = june.people["ravi"]
    work = take_work(june.project, ravi)
    stored = []

    def rates():
        for item in items(work):
            save(ravi, work.public_id, item.public_id, Submission(ACCURATE, 0))
            stored.append(item.pk)

    together(rates, lambda: pause_rater(june.project, ravi), lambda: take(ravi))
    assert set(Rating.objects.values_list("item", flat=True)) == set(stored)
    assert not Slot.objects.filter(holder__rater=ravi).exists()
    with pytest.raises(BlockedByGate):
        take_work(june.project, ravi)
    with pytest.raises((RaterPaused, LeaseLost)):
        finish(work)
    lift_pause(june.project, ravi)
    assert take_work(june.project, ravi) and not find_tally_differences()


def test_tabs_that_finish_and_ask_while_gold_pauses_wait_for_nobody_in_a_circle():
    june = study(prompts=14, overlap=1, sentences=1)
    gold_sheets_for(june, "gold", 0, 1, 2)
    Project.objects.update(gold_every=2, least_gold=0.9, fewest_gold=1)
    ravi = june.people["ravi"]
    for _ in range(12):
        june.project.refresh_from_db()
        try:
            work = take(ravi)
        except BlockedByGate:
            break
        answer_all_items(work, ACCURATE)
        done = together(lambda w=work: finish(assignments_for(ravi).get(pk=w.pk)), lambda: take(ravi))
        expected = (str, Assignment, BlockedByGate, RaterPaused, LeaseLost, type(None))
        assert all(isinstance(result, expected) for result in done), done
    with pytest.raises(BlockedByGate):
        take_work(june.project, ravi)
    assert AuditEvent.objects.filter(action="pause rater").count() == 1 and not find_tally_differences()


def test_setting_aside_while_raters_ask_gives_no_response_twice():
    june = study(prompts=6, overlap=1, sentences=1)
    rate_next(june, "rosa", SEVERE)
    ravi = june.people["ravi"]
    free = [n for n, r in enumerate(june.responses) if not Assignment.objects.filter(sheet__response=r).exists()]
    got = together(
        lambda: gold_sheets_for(june, "gold", *free[:3]), lambda: take(ravi), lambda: take(june.people["rosa"])
    )
    raised = [result for result in got if isinstance(result, Exception)]
    assert all("rating it now" in str(result) for result in raised), raised
    assignments = Assignment.objects.filter(finished_at=None)
    assert assignments.count() == assignments.values("sheet").distinct().count() == 2
    for slot in Slot.objects.filter(project__isnull=False, holder=None).select_related("sheet"):
        assert slot.sheet.purpose == "work"

"""Another number of raters a response while a project runs."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.db import transaction

from annotation.models import AuditEvent, Project, Slot
from annotation.projects.create import add_responses
from annotation.projects.overlap import overlap_effect
from annotation.projects.project_settings import change_settings
from annotation.qualification.next_work import take_next
from annotation.qualification.sheet_purposes import set_purpose
from tests.cast import response, study
from tests.gold_studies import gold_sheets_for
from tests.qualification.finished_work import work_through
from tests.queue.assignments import take_work
from tests.queue.locked_queries import closing

pytestmark = pytest.mark.django_db


@pytest.mark.django_db(transaction=True)
def test_more_raters_a_response_leave_the_free_slots_to_whoever_asks_meanwhile():
    june = study(prompts=2, overlap=1, sentences=1)
    ask = transaction.atomic(partial(take_next, june.project, june.people["ravi"]))
    with transaction.atomic(), ThreadPoolExecutor(1) as pool:
        change_settings(june.project, {"overlap": 2})
        assert pool.submit(closing, ask).result(timeout=300) is not None


def test_more_raters_give_every_response_more_slots():
    june = study(prompts=3, overlap=1, sentences=1)
    take_work(june.project, june.people["ravi"])
    change_settings(june.project, {"overlap": 2}, actor=june.people["lena"])
    assert june.project.slots.count() == 6
    assert len(work_through(june.project, june.people["rosa"])) == 3
    event = AuditEvent.objects.get(action="change overlap")
    assert (event.before, event.after) == (1, {"overlap": 2, "places added": 3, "places removed": 0})


@pytest.mark.study(prompts=3, overlap=3, raters=("ravi", "rosa", "tom"), sentences=1)
def test_fewer_raters_cost_only_slots_that_nobody_holds(june):
    take_work(june.project, june.people["ravi"])
    take_work(june.project, june.people["rosa"], done=False)
    expected = overlap_effect(june.project, 1)
    change_settings(june.project, {"overlap": 1})
    assert expected.added == 0
    assert Slot.objects.exclude(holder=None).count() == 2
    assert Slot.objects.count() == 9 - expected.removed == 3 + expected.with_more
    assert Project.objects.get().overlap == 1


@pytest.mark.study(prompts=3)
def test_back_and_forth_is_where_it_began_and_a_response_with_nothing_to_rate_gets_no_slot(june):
    change_settings(june.project, {"overlap": 5})
    change_settings(june.project, {"overlap": 2})
    assert june.project.slots.count() == 6
    change_settings(june.project, {"overlap": 2})
    assert june.project.slots.count() == 6
    response(june.responses[0].prompt, "heading-only", 0, heading=True)
    add_responses(june.project)
    change_settings(june.project, {"overlap": 3})
    assert june.project.slots.count() == 9


@pytest.mark.study(prompts=3, overlap=3)
def test_responses_for_training_get_no_slot_and_are_not_counted_as_added(june):
    sheets = gold_sheets_for(june, "work", 2)
    work_through(june.project, june.people["ravi"])
    set_purpose(june.project, sheets, "training")
    before, effect = june.project.slots.count(), overlap_effect(june.project, 2)
    change_settings(june.project, {"overlap": 2})
    assert (effect.added, before - june.project.slots.count()) == (0, effect.removed)

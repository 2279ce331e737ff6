"""What was finished and is offered again: it counts whatever becomes of the lease, and nobody else gets it."""

from collections.abc import Callable
from copy import deepcopy
from datetime import timedelta

import pytest
from django.db import ProgrammingError, transaction
from django.utils import timezone

from annotation.access import assignments_for
from annotation.accounts.users import set_active
from annotation.models import Assignment, Item, Rating, Slot
from annotation.projects.guidelines import Affected, publish_guidelines, reoffer_affected
from annotation.projects.members import add_member, remove_member
from annotation.projects.overview import rater_work
from annotation.qualification.pausing import lift_pause, pause_rater
from annotation.queue.leases import release
from annotation.queue.reoffers import close_expired_reoffers
from annotation.rating.counting import left_out
from annotation.rating.finish import finish
from annotation.rating.submit import NotAllowed, Submission, delete_answer, save
from annotation.rating.tally_check import find_tally_differences
from annotation.reviewing.sentence_boundaries import split
from tests.cast import ACCURATE, SEVERE, Study, person, study
from tests.gold_studies import rate_next, take_work
from tests.web.pages import rates

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def reoffered(module_rows) -> Study:
    prepared = study()
    for name in ("ravi", "rosa"):
        rates(prepared.people[name], prepared.project)
    publish_guidelines(prepared.project, "New words.")
    assert reoffer_affected(prepared.project, Affected()) == (2, 6)
    return prepared


@pytest.fixture
def june(reoffered: Study) -> Study:
    """Return one response that Ravi and Rosa finished and that is offered to both again."""
    return deepcopy(reoffered)


@pytest.fixture
def cut() -> tuple[Study, Assignment, Item]:
    """Return a finished response, offered again because a sentence of it was cut in two, and its answered new part."""
    june = study("august", overlap=1)
    work, _ = rate_next(june, "ravi")
    first = june.items()[0]
    new, _other = split(june.project, first, [first.text[:8], first.text[8:]], actor=june.people["lena"]).new_items
    save(work.rater, work.public_id, new.public_id, Submission(ACCURATE, 0))
    return june, work, new


def ravis(june: Study) -> Assignment:
    return assignments_for(june.people["ravi"]).get()


def counted(june: Study) -> int:
    return Rating.objects.filter(project=june.project, counted=True).count()


def runs_out(june: Study) -> None:
    Slot.objects.update(expires_at=timezone.now() - timedelta(hours=1))


ENDS: dict[str, Callable[[Study], object]] = {
    "pause": lambda june: pause_rater(june.project, june.people["ravi"]),
    "account closed": lambda june: set_active(june.people["ravi"], False),
    "removal": lambda june: remove_member(june.project, june.people["ravi"]),
    "given back": lambda june: release(ravis(june)),
    "freed by a lead": lambda june: release(ravis(june), actor=june.people["lena"]),
    "lease ran out": runs_out,
}


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("is_changed", [False, True])
def test_it_counts_whatever_becomes_of_the_lease(june, end, is_changed):
    first, ravis_slot = june.items()[0], Slot.objects.filter(holder__rater=june.people["ravi"])
    finished = ravis_slot.get().was_finished_at
    if is_changed:
        save(june.people["ravi"], ravis(june).public_id, first.public_id, Submission(SEVERE, 1))
        assert counted(june) == 6
    ENDS[end](june)
    assert (counted(june), left_out(june.project), find_tally_differences()) == (6, {}, [])
    add_member(june.project, person("tom"), "rater")
    assert take_work(june.project, person("tom")) is None
    assert Rating.objects.get(rater=june.people["ravi"], item=first).answers == (SEVERE if is_changed else ACCURATE)
    if end not in ("pause", "lease ran out"):  # finished as before
        slot = ravis_slot.get()
        assert (slot.finished_at, slot.was_finished_at, slot.holder.finished_at) == (finished, None, finished)
        assert finished


def test_a_pause_leaves_it_to_its_rater_for_afterwards(june):
    ravi = june.people["ravi"]
    pause_rater(june.project, ravi)
    lift_pause(june.project, ravi)
    again = take_work(june.project, ravi)
    assert again == ravis(june)
    save(ravi, again.public_id, june.items()[0].public_id, Submission(SEVERE, 1))
    finish(ravis(june))
    slot = Slot.objects.get(holder=again)
    assert slot.finished_at and slot.was_finished_at is None
    assert counted(june) == 6


def test_after_its_time_it_is_finished_as_before_and_a_later_answer_counts(june):
    assert close_expired_reoffers() == 0
    runs_out(june)
    assert rater_work(june.people["ravi"], june.project)[0].remaining == 1
    assert close_expired_reoffers() == 2
    assert not Slot.objects.filter(finished_at=None).exists()
    assert take_work(june.project, june.people["ravi"]) is None
    save(june.people["ravi"], ravis(june).public_id, june.items()[0].public_id, Submission(SEVERE, 1))
    assert counted(june) == 6


def test_new_sentences_count_once_it_is_finished_again_or_taken_back(cut):
    june, work, _ = cut
    assert counted(june) == 2
    release(assignments_for(work.rater).get(pk=work.pk))
    assert (counted(june), left_out(june.project)) == (3, {"retired": 1})
    assert not find_tally_differences()


def test_an_answer_to_a_new_sentence_can_be_taken_back_until_it_counts(cut):
    _, work, new = cut
    delete_answer(work.rater, work.public_id, new.public_id, 1)
    assert not Rating.objects.filter(item=new).exists()


def test_an_answer_that_counts_can_be_changed_but_not_taken_back(june):
    ravi, work, first = june.people["ravi"], ravis(june), june.items()[0]
    save(ravi, work.public_id, first.public_id, Submission(SEVERE, 1))
    with pytest.raises(NotAllowed) as refused:
        delete_answer(ravi, work.public_id, first.public_id, 2)
    assert refused.value.errors == {"item": ["This answer counts. Change it instead of clearing it."]}
    release(work)
    assert (counted(june), ravis(june).finished_at is not None) == (6, True)


def test_the_database_lets_nobody_else_have_it(june):
    slot = Slot.objects.filter(holder=ravis(june))
    for values in ({"holder": None, "expires_at": None}, {"was_finished_at": None}):
        with pytest.raises(ProgrammingError), transaction.atomic():
            slot.update(**values)

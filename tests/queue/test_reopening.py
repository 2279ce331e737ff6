"""A finished response opened again, and a lease that a lead frees."""

import pytest
from django.utils import timezone

from annotation.models import (
    AuditEvent,
    Rating,
    Slot,
)
from annotation.projects.archiving import archive
from annotation.projects.members import remove_member
from annotation.qualification.next_work import take_next
from annotation.queue.errors import AlreadyFinished, NotFinished, ProjectArchived
from annotation.queue.leases import release
from annotation.queue.reopening import reopen
from annotation.rating.finish import finish
from annotation.rating.submit import Submission, save
from annotation.rating.tally_check import find_tally_differences
from tests.cast import SEVERE, study
from tests.queue.assignments import take_work

pytestmark = pytest.mark.django_db


def test_the_rater_has_it_back_and_its_ratings_do_not_count_until_it_is_finished_again():
    june = study(overlap=1)
    ravi = june.people["ravi"]
    work = take_work(june.project, ravi)
    assert reopen(work, actor=june.people["lena"])
    slot = Slot.objects.get()
    assert (slot.finished_at, slot.holder, slot.expires_at > timezone.now()) == (None, work, True)
    assert Rating.objects.filter(counted=False).count() == 3
    assert not find_tally_differences()
    assert take_next(june.project, ravi) == work
    item = june.items()[0]
    save(ravi, work.public_id, item.public_id, Submission(SEVERE, 1))
    finish(work)
    assert Rating.objects.filter(counted=True).count() == 3
    assert not find_tally_differences()
    assert AuditEvent.objects.get(action="reopen").actor == june.people["lena"]


def test_the_slot_of_somebody_who_has_left_is_free_for_others_and_the_answers_stay():
    june = study(overlap=1)
    work = take_work(june.project, june.people["ravi"])
    remove_member(june.project, june.people["ravi"])
    assert not reopen(work)
    assert Rating.objects.filter(rater=june.people["ravi"], counted=False).count() == 3
    assert take_next(june.project, june.people["rosa"]).sheet == work.sheet


def test_only_what_is_finished_is_opened_and_nothing_in_an_archived_project():
    june = study()
    begun = take_work(june.project, june.people["ravi"], done=False)
    with pytest.raises(NotFinished):
        reopen(begun)
    done = take_work(june.project, june.people["rosa"])
    archive(june.project)
    with pytest.raises(ProjectArchived):
        reopen(done)
    assert Slot.objects.filter(finished_at__isnull=False).count() == 1


def test_a_lead_frees_a_lease_and_is_named_for_it():
    june = study(overlap=1)
    begun = take_work(june.project, june.people["ravi"], done=False)
    release(begun, actor=june.people["lena"])
    assert take_next(june.project, june.people["rosa"]).sheet == begun.sheet
    assert AuditEvent.objects.get(action="free lease").actor == june.people["lena"]
    with pytest.raises(AlreadyFinished):
        release(take_work(june.project, june.people["rosa"]), actor=june.people["lena"])

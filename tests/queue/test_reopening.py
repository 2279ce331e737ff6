"""A finished response opened again, and a lease that a lead frees."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import AuditEvent, Rating, Slot
from annotation.projects.archiving import archive
from annotation.projects.guidelines import Affected, publish_guidelines, reoffer_affected
from annotation.projects.members import remove_member
from annotation.qualification.next_work import take_next
from annotation.queue.errors import AlreadyFinished, NotFinished, ProjectError
from annotation.queue.leases import free_responses, freeing_effect, release
from annotation.queue.reopening import ReopeningEffect, reopen, reopen_responses, reopening_effect
from annotation.rating.finish import finish
from annotation.rating.submit import Submission, save
from annotation.rating.tally_check import find_tally_differences
from tests.cast import SEVERE, study
from tests.queue.assignments import take_work
from tests.web.pages import rates

pytestmark = [pytest.mark.django_db, pytest.mark.study(overlap=1)]


def test_the_rater_has_it_back_and_its_ratings_do_not_count_until_it_is_finished_again(june):
    work = take_work(june.project, june.people["ravi"])
    assert reopen(work, actor=june.people["lena"])
    slot = Slot.objects.get()
    assert (slot.finished_at, slot.holder, slot.expires_at > timezone.now()) == (None, work, True)
    assert Rating.objects.filter(counted=False).count() == 3
    assert not find_tally_differences()
    assert take_next(june.project, june.people["ravi"]) == work
    save(work.rater, work.public_id, june.items()[0].public_id, Submission(SEVERE, 1))
    finish(work)
    assert Rating.objects.filter(counted=True).count() == 3
    assert not find_tally_differences()
    assert AuditEvent.objects.get(action="reopen").actor == june.people["lena"]
    remove_member(june.project, june.people["ravi"])
    work.refresh_from_db()
    assert not reopen(work)
    assert Rating.objects.filter(rater=june.people["ravi"], counted=False).count() == 3
    assert take_next(june.project, june.people["rosa"]).sheet == work.sheet, "free for others"


def test_all_that_is_finished_on_several_responses_is_reopened_at_once():
    june = study(prompts=3, overlap=2)
    ravis = [take_work(june.project, june.people["ravi"]) for _ in range(2)]
    rosas = take_work(june.project, june.people["rosa"])
    begun = take_work(june.project, june.people["rosa"], done=False)
    remove_member(june.project, june.people["ravi"])
    sheets = [ravis[0].sheet_id, ravis[1].sheet_id]
    effect = ReopeningEffect(responses=2, annotations=3, without_rater=2, ratings=9)
    assert reopening_effect(june.project, sheets) == effect
    assert reopen_responses(june.project, sheets, actor=june.people["lena"]) == 3
    assert not Rating.objects.filter(counted=True).exists()
    assert not find_tally_differences()
    assert set(Slot.objects.exclude(holder=None).values_list("holder", flat=True)) == {rosas.pk, begun.pk}
    assert AuditEvent.objects.filter(action="reopen", actor=june.people["lena"]).count() == 3
    assert reopen_responses(june.project, sheets) == 0
    archive(june.project)
    with pytest.raises(ProjectError, match="unarchive it first"):
        reopen_responses(june.project, sheets)


def test_all_leases_on_several_responses_are_freed_at_once():
    june = study(prompts=2, overlap=2)
    ravi, rosa = june.people["ravi"], june.people["rosa"]
    rates(ravi, june.project)
    publish_guidelines(june.project, "New words.")
    reoffer_affected(june.project, Affected())
    begun = take_work(june.project, rosa, done=False)
    sheets = list(june.project.sheets.values_list("pk", flat=True))
    effect = freeing_effect(june.project, sheets)
    assert (effect.leases, effect.reoffered, effect.raters) == (2, 1, {"ravi": 1, "rosa": 1})
    assert free_responses(june.project, sheets, actor=june.people["lena"]) == 2
    assert Rating.objects.filter(rater=ravi, counted=True).count() == 3
    assert not Slot.objects.filter(holder=begun).exists()
    begun.refresh_from_db()
    assert begun.released_at
    assert AuditEvent.objects.filter(action="free lease", actor=june.people["lena"]).count() == 2
    assert freeing_effect(june.project, sheets).leases == 0


def test_a_response_whose_lease_has_expired_is_given_to_another_rater(june):
    assert take_next(june.project, june.people["ravi"])
    for expires_in, is_given in ((timedelta(hours=1), False), (-timedelta(hours=1), True)):
        Slot.objects.filter(holder__isnull=False).update(expires_at=timezone.now() + expires_in)
        assert (take_next(june.project, june.people["rosa"]) is not None) == is_given


@pytest.mark.study(overlap=2)
def test_only_what_is_finished_is_opened_and_nothing_in_an_archived_project(june):
    begun = take_work(june.project, june.people["ravi"], done=False)
    with pytest.raises(NotFinished):
        reopen(begun)
    done = take_work(june.project, june.people["rosa"])
    archive(june.project)
    with pytest.raises(ProjectError, match="unarchive it first"):
        reopen(done)
    assert Slot.objects.filter(finished_at__isnull=False).count() == 1


def test_a_lead_frees_a_lease_and_is_named_for_it(june):
    begun = take_work(june.project, june.people["ravi"], done=False)
    release(begun, actor=june.people["lena"])
    assert take_next(june.project, june.people["rosa"]).sheet == begun.sheet
    assert AuditEvent.objects.get(action="free lease").actor == june.people["lena"]
    with pytest.raises(AlreadyFinished):
        release(take_work(june.project, june.people["rosa"]), actor=june.people["lena"])

"""Several responses given ahead: which, how many where work is short, and what becomes of them when things change."""

from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone
from rest_framework.test import APIClient

from annotation.accounts.users import set_active
from annotation.models import Assignment, Project, Reservation, Slot, User
from annotation.projects.archiving import archive, unarchive
from annotation.projects.members import add_member
from annotation.projects.overview import project_states
from annotation.projects.pace import project_pace
from annotation.projects.progress import project_progress
from annotation.projects.project_settings import change_settings
from annotation.qualification.hidden_gold import GoldSchedule
from annotation.qualification.next_work import take_next
from annotation.qualification.pausing import pause_rater
from annotation.qualification.prefetch import prefetch_next, prefetch_share, renew_prefetched
from annotation.queue.reservations import Selection, reserve
from annotation.rating.finish import finish
from annotation.rating.submit import Submission, save
from tests.cast import ACCURATE, Study, person, study
from tests.gold_studies import answer_all_items, gold_sheets_for, items, mixed, start_attempt, take_work

pytestmark = pytest.mark.django_db


def prefetched_besides(june: Study, name: str, work: Assignment) -> list[Assignment]:
    """Return the responses that the rater's page prefetches besides `work`."""
    rater = june.people[name]
    with transaction.atomic():
        renewed = renew_prefetched(june.project, rater, work.public_id)
    while True:
        with transaction.atomic():
            more = prefetch_next(june.project, rater, work.public_id)
        if more is None:
            return [Assignment.objects.get(public_id=public_id) for public_id in renewed]
        renewed.append(more.public_id)


def finished(work: Assignment) -> None:
    answer_all_items(work)
    finish(Assignment.objects.get(pk=work.pk))


def prefetching(
    prompts: int = 12, raters: tuple[str, ...] = ("ravi",), **options: int
) -> tuple[Study, User, Assignment]:
    """Return a study with one rater a response, its first rater Ravi, and the response that he has in hand."""
    june = study(prompts=prompts, overlap=1, raters=raters, **{"sentences": 2} | options)
    work = take_work(june.project, june.people["ravi"])
    assert work
    return june, june.people["ravi"], work


class TestWhatIsGiven:
    def test_as_many_as_the_project_says_and_the_same_each_time_renewed(self):
        june, _, work = prefetching()
        change_settings(june.project, {"prefetch_limit": 4})
        prefetched = prefetched_besides(june, "ravi", work)
        assert len({work, *prefetched}) == 5
        soon = timezone.now() + timedelta(minutes=1)
        Slot.objects.filter(holder__in=prefetched).update(expires_at=soon)
        assert prefetched_besides(june, "ravi", work) == prefetched
        assert not Slot.objects.filter(holder__in=prefetched, expires_at__lte=soon).exists()

    def test_they_come_in_the_order_in_which_they_would_have_come_one_by_one(self):
        june, _, work = prefetching()
        rosas = study("july", prompts=12, overlap=1, raters=("ravi",))
        keys = [assignment.sheet.response.key for assignment in [work, *prefetched_besides(june, "ravi", work)]]
        one_by_one = []
        for _ in keys:
            each = take_work(rosas.project, person("ravi"))
            finished(each)
            one_by_one.append(each.sheet.response.key)
        assert keys == one_by_one

    def test_each_is_resumed_in_turn_and_may_be_answered_before_the_one_in_hand(self):
        june, ravi, work = prefetching()
        prefetched = prefetched_besides(june, "ravi", work)
        for assignment in prefetched[:3]:
            finished(work)
            work = take_work(june.project, ravi)
            assert work == assignment
        ahead = prefetched_besides(june, "ravi", work)
        assert ahead[:5] == prefetched[3:]
        finished(ahead[-1])
        assert take_work(june.project, ravi) == work

    def test_hidden_gold_comes_where_it_would_have_come(self):
        june = mixed()
        work = take_work(june.project, june.people["ravi"])
        purposes = [assignment.purpose for assignment in [work, *prefetched_besides(june, "ravi", work)]]
        draw = GoldSchedule(june.project.seed, "ravi", june.project.gold_every)
        assert [purpose == "gold" for purpose in purposes] == [draw.is_due(place) for place in range(len(purposes))]
        assert "gold" in purposes[1:]

    def test_training_is_not_given_ahead(self):
        june = study(prompts=6, overlap=1, sentences=1)
        gold_sheets_for(june, "training", 0, 1)
        start_attempt(june.project, june.people["ravi"], "training")
        work = take_work(june.project, june.people["ravi"])
        assert work.purpose == "training" and prefetched_besides(june, "ravi", work) == []


class TestWhereWorkIsShort:
    def test_an_equal_share_of_at_least_one_and_the_others_find_work(self):
        june, _, ravis = prefetching(7, ("ravi", "rosa"))
        assert len(prefetched_besides(june, "ravi", ravis)) == 3
        rosas = take_work(june.project, june.people["rosa"])
        assert rosas and len(prefetched_besides(june, "rosa", rosas)) == 2
        # one goes back, as there are five for the two of them now
        assert len(prefetched_besides(june, "ravi", ravis)) == 2
        assert Slot.objects.filter(holder=None).count() == 1
        for name in ("tom", "ines", "ada", "otto", "lee"):
            add_member(june.project, person(name), "rater")
        assert prefetch_share(june.project, june.people["ravi"]) == 1
        assert len(prefetched_besides(june, "ravi", ravis)) == 1

    def test_what_is_over_goes_back_but_not_what_was_begun(self):
        june, ravi, work = prefetching(7, ("ravi", "rosa"))
        prefetched = prefetched_besides(june, "ravi", work)
        save(ravi, prefetched[-1].public_id, items(prefetched[-1])[0].public_id, Submission(ACCURATE, 0))
        for name in ("tom", "ines", "ada", "otto"):
            add_member(june.project, person(name), "rater")
        assert prefetched_besides(june, "ravi", work) == [prefetched[0], prefetched[-1]]
        back = Assignment.objects.get(pk=prefetched[1].pk)
        assert (back.released_at, hasattr(back, "slot")) == (None, False)

    def test_hidden_gold_goes_back_as_any_other_response(self):
        """What stays would tell which of them is gold, if gold stayed beyond the share."""
        june = mixed()
        ravi = june.people["ravi"]
        work = take_work(june.project, ravi)
        prefetched = prefetched_besides(june, "ravi", work)
        later = next(assignment for assignment in prefetched[1:] if assignment.purpose == "gold")
        for name in ("tom", "ines", "ada", "otto", "lee", "kim"):
            add_member(june.project, person(name), "rater")
        assert prefetch_share(june.project, ravi) == 1 and prefetched_besides(june, "ravi", work) == prefetched[:1]
        while more := take_work(june.project, ravi):
            finished(more)
        assert Assignment.objects.get(pk=later.pk).finished_at  # it comes when nothing else is left

    def test_a_rater_who_is_paused_or_gone_and_what_is_kept_for_others_have_no_share(self):
        june = study(prompts=8, overlap=1, raters=("ravi", "rosa", "tom"))
        ravi, rosa, tom = (june.people[name] for name in ("ravi", "rosa", "tom"))
        assert prefetch_share(june.project, ravi) == 2
        set_active(tom, False)
        assert prefetch_share(june.project, ravi) == 4
        reserve(june.project, [rosa], Selection(by="random", n=4))
        assert [prefetch_share(june.project, each) for each in (ravi, rosa)] == [2, 4]
        pause_rater(june.project, rosa)
        assert prefetch_share(june.project, ravi) == 4
        prefetched = prefetched_besides(june, "ravi", take_work(june.project, ravi))
        assert prefetched and not Reservation.objects.filter(sheet__assignments__in=prefetched).exists()


class TestWhenTheRaterGoesAway:
    def test_they_are_free_when_the_lease_has_run_out_and_wait_for_the_rater_until_somebody_takes_them(self):
        june, _, work = prefetching(3, ("ravi", "rosa"))
        prefetched = prefetched_besides(june, "ravi", work)
        Slot.objects.exclude(holder=None).update(expires_at=timezone.now() - timedelta(minutes=1))
        june.project.refresh_from_db()
        rosas = take_work(june.project, june.people["rosa"])
        assert rosas.sheet_id in {assignment.sheet_id for assignment in [work, *prefetched]}
        prefetched_besides(june, "rosa", rosas)
        assert Slot.objects.filter(holder__rater=june.people["rosa"]).count() >= 2

    def test_what_somebody_else_took_meanwhile_is_not_among_them(self):
        june, _, work = prefetching()
        prefetched = prefetched_besides(june, "ravi", work)
        Slot.objects.filter(holder=prefetched[2]).update(expires_at=timezone.now() - timedelta(minutes=1))
        add_member(june.project, person("rosa"), "rater")
        Slot.objects.filter(holder=None).exclude(sheet=prefetched[2].sheet).update(rank=1)
        while (rosas := take_next(june.project, person("rosa"))) and rosas.sheet_id != prefetched[2].sheet_id:
            finished(rosas)
        assert rosas and prefetched[2] not in prefetched_besides(june, "ravi", work)


class TestChangesOfALead:
    def test_nothing_more_is_given_with_a_lower_limit_in_a_pause_or_of_an_archived_project(self):
        june, ravi, work = prefetching()
        prefetched = prefetched_besides(june, "ravi", work)
        change_settings(june.project, {"prefetch_limit": 2})
        assert prefetched_besides(june, "ravi", work) == prefetched[:2]
        archive(june.project)
        assert prefetched_besides(june, "ravi", work) == []
        unarchive(june.project)
        pause_rater(june.project, ravi)
        assert not Slot.objects.filter(holder__rater=ravi).exists()

    def test_fewer_raters_a_response_leave_an_equal_share_of_what_was_given(self):
        june = study(prompts=5, overlap=2, sentences=1)
        work = take_work(june.project, june.people["ravi"])
        prefetched = prefetched_besides(june, "ravi", work)
        change_settings(june.project, {"overlap": 1})
        assert len(prefetched) == 4 and prefetched_besides(june, "ravi", work) == prefetched[:2]
        answer_all_items(prefetched[0])


def test_a_lead_sees_what_is_in_hand_and_what_is_ahead_apart():
    june, _, work = prefetching(raters=("ravi", "rosa"), sentences=1)
    prefetched = prefetched_besides(june, "ravi", work)
    ahead = len(prefetched)
    take_work(june.project, june.people["rosa"])
    progress = project_progress(june.project)
    assert (progress.leased, progress.ahead, progress.being_rated) == (2 + ahead, ahead, 2)
    assert [(r.rater, r.leased, r.ahead) for r in progress.raters] == [("ravi", 1 + ahead, ahead), ("rosa", 1, 0)]
    [state] = project_states(Project.objects.all())
    assert (state.being_rated, state.ahead, state.remaining) == (2, ahead, 10 - ahead)
    assert [r.being_rated for r in project_pace(june.project, 12).raters] == [1, 1]
    answer_all_items(prefetched[0])
    assert project_progress(june.project).being_rated == 3


def test_a_program_asks_for_them_and_gives_them_back():
    ravi = study(prompts=4, overlap=1, raters=("ravi",)).people["ravi"]
    client, address = APIClient(), "/api/v1/projects/june/assignments/ahead/"
    client.force_login(ravi)
    assert client.post(address).status_code == 400, "without the work in hand"
    work = client.post("/api/v1/projects/june/assignments/").json()["id"]
    after = f"{address}?after={work}"
    prefetched = client.post(after).json()["assignments"]
    assert len(prefetched) == 3 and client.post(after).json()["assignments"] == prefetched
    assert client.delete(address).status_code == 200
    assert [str(p.holder.public_id) for p in Slot.objects.exclude(holder=None)] == [work]
    assert client.post(after).json()["assignments"] == prefetched  # as never taken: in the same order again
    pause_rater(Project.objects.get(), ravi)
    refused = client.post(after)
    assert (refused.status_code, refused.json()["gate"]) == (403, "paused")

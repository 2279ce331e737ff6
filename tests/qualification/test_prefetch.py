"""Several responses given ahead: which, how many where work is short, and what becomes of them when things change."""

from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone
from rest_framework.test import APIClient

from annotation.accounts.users import set_active
from annotation.models import Assignment, AuditEvent, Project, Reservation, Slot
from annotation.projects.archiving import archive
from annotation.projects.members import add_member
from annotation.projects.overlap import change_overlap
from annotation.projects.overview import project_states
from annotation.projects.pace import project_pace
from annotation.projects.progress import project_progress
from annotation.qualification.hidden_gold import GoldSchedule
from annotation.qualification.next_work import take_next
from annotation.qualification.pausing import pause_rater
from annotation.qualification.prefetch import prefetch_next, prefetch_share, renew_prefetched, set_prefetch_limit
from annotation.queue.errors import ProjectError
from annotation.queue.reservations import Selection, reserve
from annotation.rating.finish import finish
from annotation.rating.submit import Submission, save
from tests.cast import ACCURATE, Study, person, study
from tests.gold_studies import answer_all_items, gold_sheets_for, items, mixed, start_attempt, take_work

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


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


def study_of_one_rater(prompts: int = 12, **options: int) -> Study:
    return study(prompts=prompts, overlap=1, sentences=2, raters=("ravi",), **options)


class TestWhatIsGiven:
    def test_as_many_as_the_project_says_and_the_same_each_time(self):
        june = study_of_one_rater()
        set_prefetch_limit(june.project, 4)
        work = take_work(june.project, june.people["ravi"])
        prefetched = prefetched_besides(june, "ravi", work)
        assert len({work, *prefetched}) == 5
        assert prefetched_besides(june, "ravi", work) == prefetched

    def test_they_come_in_the_order_in_which_they_would_have_come_one_by_one(self):
        june, rosas = study_of_one_rater(), study("july", prompts=12, overlap=1, raters=("ravi",))
        work = take_work(june.project, june.people["ravi"])
        keys = [assignment.sheet.response.key for assignment in [work, *prefetched_besides(june, "ravi", work)]]
        one_by_one = []
        for _ in keys:
            each = take_work(rosas.project, person("ravi"))
            finished(each)
            one_by_one.append(each.sheet.response.key)
        assert keys == one_by_one

    def test_each_is_resumed_in_turn_when_the_one_before_is_finished(self):
        june = study_of_one_rater()
        ravi = june.people["ravi"]
        work = take_work(june.project, ravi)
        prefetched = prefetched_besides(june, "ravi", work)
        for assignment in prefetched[:3]:
            finished(work)
            work = take_work(june.project, ravi)
            assert work == assignment
        assert prefetched_besides(june, "ravi", work)[:5] == prefetched[3:]

    def test_answers_may_come_before_those_of_the_one_in_hand(self):
        june = study_of_one_rater()
        work = take_work(june.project, june.people["ravi"])
        last = prefetched_besides(june, "ravi", work)[-1]
        finished(last)
        assert take_work(june.project, june.people["ravi"]) == work

    def test_hidden_gold_comes_where_it_would_have_come(self):
        june = mixed()
        work = take_work(june.project, june.people["ravi"])
        purposes = [assignment.purpose for assignment in [work, *prefetched_besides(june, "ravi", work)]]
        draw = GoldSchedule(june.project.seed, "ravi", june.project.gold_every)
        assert [purpose == "gold" for purpose in purposes] == [
            draw.is_due(position) for position in range(len(purposes))
        ]
        assert "gold" in purposes[1:]

    def test_training_and_qualification_are_not_given_ahead(self):
        june = study(prompts=6, overlap=1, sentences=1)
        gold_sheets_for(june, "training", 0, 1)
        start_attempt(june.project, june.people["ravi"], "training")
        work = take_work(june.project, june.people["ravi"])
        assert work.purpose == "training" and prefetched_besides(june, "ravi", work) == []


class TestWhereWorkIsShort:
    def test_an_equal_share_and_the_others_find_work(self):
        june = study(prompts=7, overlap=1, sentences=1)
        ravis = take_work(june.project, june.people["ravi"])
        assert len(prefetched_besides(june, "ravi", ravis)) == 3
        rosas = take_work(june.project, june.people["rosa"])
        assert rosas and len(prefetched_besides(june, "rosa", rosas)) == 2
        assert (
            len(prefetched_besides(june, "ravi", ravis)) == 2
        )  # one went back, as there are five for the two of them now
        assert Slot.objects.filter(holder=None).count() == 1

    def test_what_is_over_goes_back_but_not_what_was_begun(self):
        june = study(prompts=7, overlap=1, sentences=2)
        ravi = june.people["ravi"]
        work = take_work(june.project, ravi)
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

    def test_one_is_always_given_ahead_while_any_is_left(self):
        june = study(prompts=2, overlap=1, raters=("ravi", "rosa", "tom"))
        work = take_work(june.project, june.people["ravi"])
        assert prefetch_share(june.project, june.people["ravi"]) == 1
        assert len(prefetched_besides(june, "ravi", work)) == 1

    def test_a_rater_who_is_paused_or_gone_has_no_share(self):
        june = study(prompts=7, overlap=1, raters=("ravi", "rosa", "tom"))
        assert prefetch_share(june.project, june.people["ravi"]) == 2
        pause_rater(june.project, june.people["rosa"])
        assert prefetch_share(june.project, june.people["ravi"]) == 3
        set_active(june.people["tom"], False)
        assert prefetch_share(june.project, june.people["ravi"]) == 7

    def test_what_is_kept_for_others_is_no_part_of_it(self):
        june = study(prompts=8, overlap=1)
        reserve(june.project, [june.people["rosa"]], Selection(by="random", n=4))
        assert [prefetch_share(june.project, june.people[name]) for name in ("ravi", "rosa")] == [2, 4]
        work = take_work(june.project, june.people["ravi"])
        sheets = [assignment.sheet_id for assignment in prefetched_besides(june, "ravi", work)]
        assert sheets and not Reservation.objects.filter(sheet__in=sheets).exists()


class TestWhenTheRaterGoesAway:
    def test_they_are_free_when_the_lease_has_run_out_and_wait_for_the_rater_until_somebody_takes_them(self):
        june = study(prompts=3, overlap=1, sentences=1)
        work = take_work(june.project, june.people["ravi"])
        prefetched = prefetched_besides(june, "ravi", work)
        Slot.objects.exclude(holder=None).update(expires_at=timezone.now() - timedelta(minutes=1))
        june.project.refresh_from_db()
        rosas = take_work(june.project, june.people["rosa"])
        assert rosas.sheet_id in {assignment.sheet_id for assignment in [work, *prefetched]}
        prefetched_besides(june, "rosa", rosas)
        assert Slot.objects.filter(holder__rater=june.people["rosa"]).count() >= 2

    def test_asking_again_renews_them(self):
        june = study_of_one_rater()
        work = take_work(june.project, june.people["ravi"])
        prefetched = prefetched_besides(june, "ravi", work)
        soon = timezone.now() + timedelta(minutes=1)
        Slot.objects.filter(holder__in=prefetched).update(expires_at=soon)
        prefetched_besides(june, "ravi", work)
        assert not Slot.objects.filter(holder__in=prefetched, expires_at__lte=soon).exists()

    def test_what_somebody_else_took_meanwhile_is_not_among_them(self):
        june = study_of_one_rater()
        work = take_work(june.project, june.people["ravi"])
        prefetched = prefetched_besides(june, "ravi", work)
        Slot.objects.filter(holder=prefetched[2]).update(expires_at=timezone.now() - timedelta(minutes=1))
        other = june.project
        add_member(other, person("rosa"), "rater")
        Slot.objects.filter(holder=None).exclude(sheet=prefetched[2].sheet).update(rank=1)
        while (rosas := take_next(other, person("rosa"))) and rosas.sheet_id != prefetched[2].sheet_id:
            finished(rosas)
        assert rosas and prefetched[2] not in prefetched_besides(june, "ravi", work)


class TestChangesOfALead:
    @pytest.mark.parametrize("change", ["archive", "pause", "fewer"])
    def test_nothing_more_is_given(self, change):
        june = study_of_one_rater()
        ravi = june.people["ravi"]
        work = take_work(june.project, ravi)
        prefetched = prefetched_besides(june, "ravi", work)
        if change == "archive":
            archive(june.project)
            june.project.refresh_from_db()
            assert prefetched_besides(june, "ravi", work) == []
        elif change == "pause":
            pause_rater(june.project, ravi)
            assert not Slot.objects.filter(holder__rater=ravi).exists()
        else:
            set_prefetch_limit(june.project, 2)
            assert prefetched_besides(june, "ravi", work) == prefetched[:2]

    def test_fewer_raters_a_response_leave_an_equal_share_of_what_was_given(self):
        june = study(prompts=5, overlap=2, sentences=1)
        work = take_work(june.project, june.people["ravi"])
        prefetched = prefetched_besides(june, "ravi", work)
        change_overlap(june.project, 1)
        assert len(prefetched) == 4 and prefetched_besides(june, "ravi", work) == prefetched[:2]
        answer_all_items(prefetched[0])

    def test_the_number_is_from_one_to_ten_and_noted(self):
        june = study_of_one_rater()
        for wrong in (0, 11):
            with pytest.raises(ProjectError):
                set_prefetch_limit(june.project, wrong)
        set_prefetch_limit(june.project, 3, actor=june.people["lena"])
        set_prefetch_limit(june.project, 3, actor=june.people["lena"])
        noted = AuditEvent.objects.filter(action="set ahead")
        assert [(event.before, event.after) for event in noted] == [(8, 3)]


class TestWhatALeadSees:
    def test_what_is_in_hand_and_what_is_ahead_are_counted_apart(self):
        june = study(prompts=12, overlap=1, sentences=1)
        ravi = june.people["ravi"]
        prefetched = prefetched_besides(june, "ravi", take_work(june.project, ravi))
        take_work(june.project, june.people["rosa"])
        progress = project_progress(june.project)
        assert (progress.leased, progress.ahead, progress.being_rated) == (2 + len(prefetched), len(prefetched), 2)
        assert [(r.rater, r.leased, r.ahead) for r in progress.raters] == [
            ("ravi", 1 + len(prefetched), len(prefetched)),
            ("rosa", 1, 0),
        ]
        [state] = project_states(Project.objects.all())
        assert (state.being_rated, state.ahead, state.remaining) == (2, len(prefetched), 10 - len(prefetched))
        assert [r.being_rated for r in project_pace(june.project, 12).raters] == [1, 1]
        answer_all_items(prefetched[0])
        assert project_progress(june.project).being_rated == 3


class TestByProgram:
    def test_asked_and_given_back(self):
        june = study_of_one_rater(prompts=4)
        client = APIClient()
        client.force_login(june.people["ravi"])
        work = client.post("/api/v1/projects/june/assignments/").json()["id"]
        address = f"/api/v1/projects/june/assignments/ahead/?after={work}"
        prefetched = client.post(address).json()["assignments"]
        assert len(prefetched) == 3 and client.post(address).json()["assignments"] == prefetched
        assert client.delete("/api/v1/projects/june/assignments/ahead/").status_code == 200
        assert [str(p.holder.public_id) for p in Slot.objects.exclude(holder=None)] == [work]
        assert client.post(address).json()["assignments"] == prefetched  # as never taken: in the same order again

    def test_without_the_work_in_hand_it_is_bad_input_and_a_pause_says_so(self):
        june = study_of_one_rater(prompts=4)
        client = APIClient()
        client.force_login(june.people["ravi"])
        assert client.post("/api/v1/projects/june/assignments/ahead/").status_code == 400
        work = client.post("/api/v1/projects/june/assignments/").json()["id"]
        pause_rater(june.project, june.people["ravi"])
        refused = client.post(f"/api/v1/projects/june/assignments/ahead/?after={work}")
        assert (refused.status_code, refused.json()["gate"]) == (403, "paused")

"""Training, qualification and pauses: what comes before the work, and that nothing of it counts."""

import pytest
from django.db import connection

from annotation.exporting.rating_rows import exported_ratings
from annotation.exporting.rating_rows import left_out as left_out_of_export
from annotation.models import Assignment, Attempt, AuditEvent, Rating, RatingEvent, Sheet, Slot
from annotation.projects.deleting import delete_project
from annotation.projects.overview import rater_work
from annotation.projects.progress import project_progress
from annotation.qualification.attempts import AttemptRefused, compare_attempt
from annotation.qualification.gates import BlockedByGate, qualification_status
from annotation.qualification.pausing import exempt_rater, grant_attempt, lift_pause, pause_rater
from annotation.qualification.rules import rater_checks, stopped_raters
from annotation.qualification.sheet_purposes import set_purpose
from annotation.queue.errors import ProjectError, RaterPaused
from annotation.queue.leases import release
from annotation.rating.counting import counted_ratings, left_out
from annotation.rating.finish import finish
from annotation.rating.submit import Submission, save
from annotation.rating.tally_check import find_tally_differences
from tests.cast import ACCURATE, SEVERE, Study, study
from tests.gold_studies import answer_all_items, gold_sheets_for, items, make_gold, rate_next, start_attempt, take_work

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def june() -> Study:
    return study(prompts=4, overlap=1, sentences=2)


def gate_of(june: Study, name: str = "ravi") -> str | None:
    status = qualification_status(june.project, june.people[name])
    assert status
    return status.gate


class TestTraining:
    def test_a_new_rater_gets_nothing_before_the_training(self, june):
        gold_sheets_for(june, "training", 0)
        with pytest.raises(BlockedByGate) as refused:
            take_work(june.project, june.people["ravi"])
        assert refused.value.gate == "training" and "Complete the training first" in str(refused.value)
        assert take_work(june.project, june.people["lena"])  # a lead who rates is not asked

    def test_training_once_begun_is_the_next_work_and_then_comes_the_rest(self, june):
        [sheet] = gold_sheets_for(june, "training", 0)
        start_attempt(june.project, june.people["ravi"], "training")
        work, news = rate_next(june, "ravi", SEVERE)
        assert (work.sheet_id, work.purpose, news) == (sheet.pk, "training", "")
        assert rate_next(june, "ravi")[0].purpose == "work"
        [attempt] = Attempt.objects.all()
        assert (attempt.right, attempt.items, attempt.passed) == (2, 2, True)

    def test_the_score_is_of_the_first_answers_before_the_feedback(self, june):
        gold_sheets_for(june, "training", 0)
        ravi = june.people["ravi"]
        start_attempt(june.project, ravi, "training")
        work = take_work(june.project, ravi)
        answer_all_items(work, ACCURATE)
        for item in items(work):
            save(ravi, work.public_id, item.public_id, Submission(SEVERE, 1))
        finish(work)
        attempt = Attempt.objects.get()
        assert (attempt.right, attempt.items) == (0, 2)
        assert [checked.verdict for checked in compare_attempt(june.project, attempt)] == ["wrong", "wrong"]

    def test_it_can_be_done_again_with_new_answers_and_the_outcomes_stay(self, june):
        gold_sheets_for(june, "training", 0, 1)
        ravi = june.people["ravi"]
        for right in (0, 2):
            start_attempt(june.project, ravi, "training")
            rate_next(june, "ravi", SEVERE, but=2 - right)
            rate_next(june, "ravi", SEVERE)
        assert [(a.number, a.right, a.items) for a in Attempt.objects.all()] == [(1, 2, 4), (2, 4, 4)]
        assert Rating.objects.filter(rater=ravi).count() == 4
        assert RatingEvent.objects.filter(rater=ravi, pgh_label="delete").count() == 4
        assert not find_tally_differences()

    def test_who_has_worked_already_is_not_sent_into_training(self, june):
        rate_next(june, "ravi")
        done = Assignment.objects.get().sheet.response_id
        free = next(n for n, response in enumerate(june.responses) if response.pk != done)
        gold_sheets_for(june, "training", free)
        assert gate_of(june) is None and gate_of(june, "rosa") == "training"

    def test_what_was_taken_as_training_never_becomes_work_for_the_same_rater(self, june):
        [sheet] = gold_sheets_for(june, "training", 0)
        ravi = june.people["ravi"]
        start_attempt(june.project, ravi, "training")
        rate_next(june, "ravi")
        set_purpose(june.project, [sheet], "work")
        sheets = [rate_next(june, "ravi")[0].sheet_id for _ in range(3)]
        assert sheet.pk not in sheets and take_work(june.project, ravi) is None
        assert rater_work(ravi, june.project)[0].remaining == 0
        assert sheet.pk in [rate_next(june, "rosa")[0].sheet_id for _ in range(1)]

    def test_an_attempt_ends_when_what_is_left_of_it_is_taken_out(self, june):
        first, second = gold_sheets_for(june, "training", 0, 1)
        start_attempt(june.project, june.people["ravi"], "training")
        work, _ = rate_next(june, "ravi", SEVERE)
        set_purpose(june.project, [sheet for sheet in (first, second) if sheet.pk != work.sheet_id], "work")
        assert rate_next(june, "ravi")[0].purpose == "work"
        assert Attempt.objects.get().items == 2


class TestQualification:
    def test_with_the_pass_mark_the_work_begins(self, june):
        gold_sheets_for(june, "qualification", 0)
        start_attempt(june.project, june.people["ravi"], "qualification")
        assert rate_next(june, "ravi", SEVERE)[1] == ""
        assert Attempt.objects.get().passed and gate_of(june) is None
        assert rate_next(june, "ravi")[0].purpose == "work"

    def test_below_it_another_try_and_after_the_last_none(self, june):
        gold_sheets_for(june, "qualification", 0)
        ravi = june.people["ravi"]
        for n, (gate, news) in enumerate([("qualification", ""), ("failed", "failed")], 1):
            start_attempt(june.project, ravi, "qualification")
            assert rate_next(june, "ravi", SEVERE, but=1)[1] == news
            assert gate_of(june) == gate and Attempt.objects.count() == n
        with pytest.raises(BlockedByGate):
            take_work(june.project, ravi)
        with pytest.raises(AttemptRefused, match="No attempts are left"):
            start_attempt(june.project, ravi, "qualification")
        assert [rater.gate for rater in stopped_raters([june.project])[june.project.pk]] == ["failed"]

    def test_a_lead_grants_one_more(self, june):
        gold_sheets_for(june, "qualification", 0)
        june.project.tries = 1
        june.project.save()
        ravi = june.people["ravi"]
        start_attempt(june.project, ravi, "qualification")
        rate_next(june, "ravi", ACCURATE)
        assert grant_attempt(june.project, ravi, actor=june.people["lena"]) == 1
        start_attempt(june.project, ravi, "qualification")
        rate_next(june, "ravi", SEVERE)
        assert gate_of(june) is None and not stopped_raters([june.project])
        assert AuditEvent.objects.filter(action="grant try", actor=june.people["lena"]).exists()

    def test_raters_who_passed_at_their_last_attempt_take_no_queries(self, june, django_assert_num_queries):
        gold_sheets_for(june, "qualification", 0)
        june.project.tries = 1
        june.project.save()
        for name in ("ravi", "rosa"):
            start_attempt(june.project, june.people[name], "qualification")
            rate_next(june, name, SEVERE)
        with django_assert_num_queries(2):
            assert not stopped_raters([june.project])

    def test_the_number_of_queries_does_not_depend_on_the_raters(self, june, django_assert_num_queries):
        gold_sheets_for(june, "qualification", 0)
        june.project.tries = 1
        june.project.save()
        for name in ("ravi", "rosa"):
            start_attempt(june.project, june.people[name], "qualification")
            rate_next(june, name, ACCURATE)
        with django_assert_num_queries(5):
            stopped = stopped_raters([june.project])[june.project.pk]
        assert [(rater.membership.user.username, rater.gate) for rater in stopped] == [
            ("ravi", "failed"),
            ("rosa", "failed"),
        ]
        with django_assert_num_queries(7):
            assert [checks.gate for checks in rater_checks(june.project)] == ["failed", "failed"]

    def test_or_lets_the_rater_in(self, june):
        gold_sheets_for(june, "qualification", 0)
        exempt_rater(june.project, june.people["ravi"], actor=june.people["lena"])
        assert rate_next(june, "ravi")[0].purpose == "work"

    def test_begun_work_may_be_finished_first(self, june):
        work = take_work(june.project, june.people["ravi"])
        free = next(n for n, response in enumerate(june.responses) if response.pk != work.sheet.response_id)
        gold_sheets_for(june, "qualification", free)
        assert rate_next(june, "ravi")[0].pk == work.pk
        assert gate_of(june) == "qualification"

    def test_given_back_it_comes_again(self, june):
        gold_sheets_for(june, "qualification", 0)
        ravi = june.people["ravi"]
        start_attempt(june.project, ravi, "qualification")
        work = take_work(june.project, ravi)
        release(work)
        assert take_work(june.project, ravi).pk == work.pk


class TestCounting:
    def test_nothing_of_it_counts_and_each_reason_is_named(self, june):
        gold_sheets_for(june, "training", 0)
        gold_sheets_for(june, "qualification", 1)
        ravi = june.people["ravi"]
        for purpose in ("training", "qualification"):
            start_attempt(june.project, ravi, purpose)
            rate_next(june, "ravi", SEVERE)
        rate_next(june, "ravi")
        assert counted_ratings(june.project).count() == 2
        assert left_out(june.project) == {"training": 2, "qualification": 2, "gold": 4}
        assert left_out_of_export(june.project) == {"training": 2, "qualification": 2}
        assert exported_ratings(june.project).filter(role="rater").count() == 2
        assert not find_tally_differences()

    def test_a_corrected_answer_of_finished_training_does_not_count_either(self, june):
        gold_sheets_for(june, "training", 0)
        start_attempt(june.project, june.people["ravi"], "training")
        work, _ = rate_next(june, "ravi")
        save(work.rater, work.public_id, items(work)[0].public_id, Submission(SEVERE, 1))
        assert not counted_ratings(june.project).exists() and not find_tally_differences()

    def test_the_database_refuses_to_count_it(self, june):
        gold_sheets_for(june, "training", 0)
        start_attempt(june.project, june.people["ravi"], "training")
        rate_next(june, "ravi")
        with pytest.raises(Exception, match="no work, or open"), connection.cursor() as cursor:
            cursor.execute("UPDATE annotation_rating SET counted = TRUE WHERE role = 'rater'")

    def test_ratings_given_as_work_count_on_when_the_response_is_set_aside(self, june):
        work, _ = rate_next(june, "ravi")
        index = next(n for n, response in enumerate(june.responses) if response.pk == work.sheet.response_id)
        gold_sheets_for(june, "training", index)
        assert counted_ratings(june.project).count() == 2
        start_attempt(june.project, june.people["rosa"], "training")
        assert rate_next(june, "rosa")[0].sheet_id == work.sheet_id
        assert counted_ratings(june.project).count() == 2 and left_out(june.project)["training"] == 2

    def test_no_slot_of_the_work_is_used_and_progress_leaves_it_out(self, june):
        gold_sheets_for(june, "training", 0)
        start_attempt(june.project, june.people["ravi"], "training")
        start_attempt(june.project, june.people["rosa"], "training")
        rate_next(june, "ravi")
        rate_next(june, "rosa")
        state = project_progress(june.project)
        assert (state.slots, state.done, state.remaining, state.nothing_to_rate) == (3, 0, 3, 0)
        assert (state.responses, state.set_aside) == (4, 1)
        assert all(rater.ratings == rater.finished == 0 for rater in state.raters)
        assert Slot.objects.filter(project=None).count() == 2


class TestSettingAside:
    def test_training_needs_gold_for_every_item(self, june):
        sheet = Sheet.objects.select_related("response").get(response=june.responses[0])
        with pytest.raises(ProjectError, match="2 of 2 sentences"):
            set_purpose(june.project, [sheet], "training")
        with pytest.raises(ProjectError, match="hidden gold needs"):
            set_purpose(june.project, [sheet], "gold")
        assert Slot.objects.filter(sheet=sheet).count() == 1

    def test_who_is_at_it_is_not_sent_away(self, june):
        work = take_work(june.project, june.people["ravi"])
        index = next(n for n, response in enumerate(june.responses) if response.pk == work.sheet.response_id)
        sheet = make_gold(june, index)
        with pytest.raises(ProjectError, match="ravi is rating it"):
            set_purpose(june.project, [sheet], "training")

    def test_there_and_back_leaves_the_slots_as_they_were(self, june):
        [sheet] = gold_sheets_for(june, "training", 0)
        assert not Slot.objects.filter(sheet=sheet).exists()
        set_purpose(june.project, [sheet], "work")
        assert Slot.objects.filter(sheet=sheet, project=june.project, holder=None).count() == 1


def test_a_project_with_all_of_it_can_be_deleted(june):
    gold_sheets_for(june, "training", 0)
    start_attempt(june.project, june.people["ravi"], "training")
    rate_next(june, "ravi")
    take_work(june.project, june.people["ravi"])
    delete_project(june.project)
    assert not (Slot.objects.exists() or Attempt.objects.exists() or Sheet.objects.exists())


class TestPauses:
    def test_a_paused_rater_gets_nothing_and_their_lease_is_free(self, june):
        ravi = june.people["ravi"]
        work = take_work(june.project, ravi)
        save(ravi, work.public_id, items(work)[0].public_id, Submission(ACCURATE, 0))
        assert pause_rater(june.project, ravi, actor=june.people["lena"])
        with pytest.raises(BlockedByGate, match="You are paused"):
            take_work(june.project, ravi)
        with pytest.raises(RaterPaused):
            save(ravi, work.public_id, items(work)[1].public_id, Submission(ACCURATE, 0))
        with pytest.raises(RaterPaused):
            finish(work)
        assert Rating.objects.count() == 1
        assert not Slot.objects.filter(holder__isnull=False).exists()

    def test_after_the_pause_the_begun_response_comes_back_with_its_answers(self, june):
        ravi = june.people["ravi"]
        work = take_work(june.project, ravi)
        save(ravi, work.public_id, items(work)[0].public_id, Submission(ACCURATE, 0))
        pause_rater(june.project, ravi)
        assert lift_pause(june.project, ravi, actor=june.people["lena"])
        again = take_work(june.project, ravi)
        assert again.pk == work.pk
        save(ravi, again.public_id, items(again)[1].public_id, Submission(ACCURATE, 0))
        finish(again)
        assert counted_ratings(june.project).count() == 2

    def test_a_pause_in_the_middle_of_training_goes_on_there(self, june):
        gold_sheets_for(june, "training", 0)
        ravi = june.people["ravi"]
        start_attempt(june.project, ravi, "training")
        work = take_work(june.project, ravi)
        pause_rater(june.project, ravi)
        lift_pause(june.project, ravi)
        assert take_work(june.project, ravi).pk == work.pk

    def test_leads_are_not_paused_and_pausing_twice_is_once(self, june):
        with pytest.raises(ProjectError, match="only raters"):
            pause_rater(june.project, june.people["lena"])
        assert pause_rater(june.project, june.people["ravi"]) and not pause_rater(june.project, june.people["ravi"])
        assert [rater.gate for rater in rater_checks(june.project)] == ["paused", None]
        assert AuditEvent.objects.filter(action="pause rater").count() == 1

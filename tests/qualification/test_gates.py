"""Training, qualification and pauses: what comes before the work, and that nothing of it counts."""

import pytest
from django.db import connection

from annotation.exporting.ratings import exported_ratings
from annotation.exporting.ratings import left_out as left_out_of_export
from annotation.models import Assignment, Attempt, AuditEvent, Project, Rating, RatingEvent, Sheet, Slot
from annotation.projects.deleting import delete_project
from annotation.projects.overview import rater_work
from annotation.projects.progress import project_progress
from annotation.qualification.attempts import AttemptRefused, compare_attempt
from annotation.qualification.gates import BlockedByGate, qualification_status
from annotation.qualification.pausing import exempt_rater, grant_attempt, lift_pause, pause_rater
from annotation.qualification.rules import rater_checks, stopped_raters
from annotation.qualification.sheet_purposes import set_purpose
from annotation.queue.errors import ProjectError
from annotation.queue.leases import release
from annotation.rating.counting import counted_ratings, left_out
from annotation.rating.finish import finish
from annotation.rating.submit import Submission, save
from annotation.rating.tally_check import find_tally_differences
from tests.cast import ACCURATE, SEVERE, Study
from tests.gold_studies import answer_all_items, gold_sheets_for, items, make_gold, rate_next, start_attempt, take_work

pytestmark = [pytest.mark.django_db, pytest.mark.study(prompts=4, overlap=1, sentences=2)]


def begun(june: Study, purpose: str, *responses: int, by: tuple[str, ...] = ("ravi",)) -> list[Sheet]:
    """Return the sheets of these responses, or the first one, which are for the purpose that the raters have begun."""
    sheets = gold_sheets_for(june, purpose, *responses or (0,))
    for name in by:
        start_attempt(june.project, june.people[name], purpose)
    return sheets


def gate_of(june: Study, name: str = "ravi") -> str | None:
    status = qualification_status(june.project, june.people[name])
    assert status
    return status.gate


def other_than(june: Study, work: Assignment) -> int:
    """Return the number of a response that is not that of `work`."""
    return next(n for n, response in enumerate(june.responses) if response.pk != work.sheet.response_id)


class TestTraining:
    def test_a_new_rater_gets_nothing_before_the_training_and_once_begun_it_is_the_next_work(self, june):
        [sheet] = gold_sheets_for(june, "training", 0)
        with pytest.raises(BlockedByGate, match="Complete the training first") as refused:
            take_work(june.project, june.people["ravi"])
        assert refused.value.gate == "training"
        assert take_work(june.project, june.people["lena"])  # a lead who rates is not asked
        start_attempt(june.project, june.people["ravi"], "training")
        work, news = rate_next(june, "ravi", SEVERE)
        assert (work.sheet_id, work.purpose, news) == (sheet.pk, "training", "")
        assert rate_next(june, "ravi")[0].purpose == "work"
        [attempt] = Attempt.objects.all()
        assert (attempt.right, attempt.items, attempt.passed) == (2, 2, True)

    def test_the_score_is_of_the_first_answers_and_corrected_ones_do_not_count_either(self, june):
        begun(june, "training")
        ravi = june.people["ravi"]
        work = take_work(june.project, ravi)
        answer_all_items(work, ACCURATE)
        for item in items(work):
            save(ravi, work.public_id, item.public_id, Submission(SEVERE, 1))
        finish(work)
        attempt = Attempt.objects.get()
        assert (attempt.right, attempt.items) == (0, 2)
        assert [checked.verdict for checked in compare_attempt(june.project, attempt)] == ["wrong", "wrong"]
        save(ravi, work.public_id, items(work)[0].public_id, Submission(ACCURATE, 2))
        assert not counted_ratings(june.project).exists() and not find_tally_differences()
        with pytest.raises(Exception, match="no work, or open"), connection.cursor() as cursor:
            cursor.execute("UPDATE annotation_rating SET counted = TRUE WHERE role = 'rater'")

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
        work, _ = rate_next(june, "ravi")
        gold_sheets_for(june, "training", other_than(june, work))
        assert gate_of(june) is None and gate_of(june, "rosa") == "training"

    def test_what_was_taken_as_training_never_becomes_work_for_the_same_rater(self, june):
        [sheet] = begun(june, "training")
        rate_next(june, "ravi")
        set_purpose(june.project, [sheet], "work")
        sheets = [rate_next(june, "ravi")[0].sheet_id for _ in range(3)]
        assert sheet.pk not in sheets and take_work(june.project, june.people["ravi"]) is None
        assert rater_work(june.people["ravi"], june.project)[0].remaining == 0
        assert rate_next(june, "rosa")[0].sheet_id == sheet.pk

    def test_an_attempt_ends_when_what_is_left_of_it_is_taken_out(self, june):
        sheets = begun(june, "training", 0, 1)
        work, _ = rate_next(june, "ravi", SEVERE)
        set_purpose(june.project, [sheet for sheet in sheets if sheet.pk != work.sheet_id], "work")
        assert rate_next(june, "ravi")[0].purpose == "work"
        assert Attempt.objects.get().items == 2


class TestQualification:
    def test_below_the_pass_mark_there_is_another_try_and_after_the_last_none(self, june):
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

    def test_a_lead_grants_one_more_and_with_the_pass_mark_the_work_begins(self, june):
        Project.objects.update(tries=1)
        june.project.refresh_from_db()
        begun(june, "qualification")
        ravi = june.people["ravi"]
        rate_next(june, "ravi", ACCURATE)
        assert grant_attempt(june.project, ravi, actor=june.people["lena"]) == 1
        start_attempt(june.project, ravi, "qualification")
        assert rate_next(june, "ravi", SEVERE)[1] == ""
        assert gate_of(june) is None and not stopped_raters([june.project])
        assert AuditEvent.objects.filter(action="grant try", actor=june.people["lena"]).exists()
        assert Attempt.objects.latest("pk").passed and rate_next(june, "ravi")[0].purpose == "work"

    @pytest.mark.parametrize(("answers", "queries"), [(SEVERE, 2), (ACCURATE, 5)], ids=["passed", "failed"])
    def test_the_number_of_queries_does_not_depend_on_the_raters(
        self, june, answers, queries, django_assert_num_queries
    ):
        Project.objects.update(tries=1)
        june.project.refresh_from_db()
        begun(june, "qualification", by=("ravi", "rosa"))
        for name in ("ravi", "rosa"):
            rate_next(june, name, answers)
        with django_assert_num_queries(queries):
            stopped = stopped_raters([june.project]).get(june.project.pk, [])
        failed = [("ravi", "failed"), ("rosa", "failed")] if answers == ACCURATE else []
        assert [(rater.membership.user.username, rater.gate) for rater in stopped] == failed
        if failed:
            with django_assert_num_queries(7):
                assert [checks.gate for checks in rater_checks(june.project)] == ["failed", "failed"]

    def test_leads_see_the_attempts_after_its_responses_are_work_again(self, june):
        sheets = begun(june, "qualification")
        rate_next(june, "ravi", SEVERE)
        set_purpose(june.project, sheets, "work")
        ravi = rater_checks(june.project)[0]
        assert [attempt.passed for attempt in ravi.qualification] == [True] and ravi.gate is None

    def test_a_lead_lets_a_rater_in_without_it(self, june):
        gold_sheets_for(june, "qualification", 0)
        exempt_rater(june.project, june.people["ravi"], actor=june.people["lena"])
        assert rate_next(june, "ravi")[0].purpose == "work"

    def test_begun_work_may_be_finished_first(self, june):
        work = take_work(june.project, june.people["ravi"])
        gold_sheets_for(june, "qualification", other_than(june, work))
        assert rate_next(june, "ravi")[0].pk == work.pk
        assert gate_of(june) == "qualification"


@pytest.mark.parametrize("purpose", ["training", "qualification"])
def test_what_was_given_back_or_taken_away_by_a_pause_comes_again(june, purpose):
    begun(june, purpose)
    ravi = june.people["ravi"]
    work = take_work(june.project, ravi)
    release(work)
    assert take_work(june.project, ravi).pk == work.pk
    pause_rater(june.project, ravi)
    lift_pause(june.project, ravi)
    assert take_work(june.project, ravi).pk == work.pk


class TestCounting:
    def test_nothing_of_it_counts_and_each_reason_is_named(self, june):
        for response, purpose in enumerate(("training", "qualification")):
            begun(june, purpose, response)
            rate_next(june, "ravi", SEVERE)
        rate_next(june, "ravi")
        assert counted_ratings(june.project).count() == 2
        assert left_out(june.project) == {"training": 2, "qualification": 2, "gold": 4}
        assert left_out_of_export(june.project) == {"training": 2, "qualification": 2}
        assert exported_ratings(june.project).filter(role="rater").count() == 2
        assert not find_tally_differences()
        assert take_work(june.project, june.people["ravi"])
        delete_project(june.project)
        assert not (Slot.objects.exists() or Attempt.objects.exists() or Sheet.objects.exists())

    def test_ratings_given_as_work_count_on_when_the_response_is_set_aside(self, june):
        work, _ = rate_next(june, "ravi")
        begun(june, "training", june.responses.index(work.sheet.response), by=("rosa",))
        assert counted_ratings(june.project).count() == 2
        assert rate_next(june, "rosa")[0].sheet_id == work.sheet_id
        assert counted_ratings(june.project).count() == 2 and left_out(june.project)["training"] == 2

    def test_no_slot_of_the_work_is_used_and_progress_leaves_it_out(self, june):
        begun(june, "training", by=("ravi", "rosa"))
        rate_next(june, "ravi")
        rate_next(june, "rosa")
        state = project_progress(june.project)
        assert (state.slots, state.done, state.remaining, state.nothing_to_rate) == (3, 0, 3, 0)
        assert (state.responses, state.set_aside) == (4, 1)
        assert all(rater.ratings == rater.finished == 0 for rater in state.raters)
        assert Slot.objects.filter(project=None).count() == 2


def test_setting_aside_needs_gold_for_every_item_that_nobody_is_rating(june):
    work = take_work(june.project, june.people["ravi"])
    [free] = Sheet.objects.select_related("response").filter(response=june.responses[other_than(june, work)])
    for purpose, refusal in (("training", "2 of 2 sentences"), ("gold", "hidden gold needs")):
        with pytest.raises(ProjectError, match=refusal):
            set_purpose(june.project, [free], purpose)
    taken = make_gold(june, june.responses.index(work.sheet.response))
    with pytest.raises(ProjectError, match="ravi is rating it"):
        set_purpose(june.project, [taken], "training")
    assert Slot.objects.filter(sheet=free).count() == Slot.objects.filter(sheet=taken).count() == 1


def test_setting_aside_and_taking_back_leaves_the_slots_as_they_were(june):
    [sheet] = gold_sheets_for(june, "training", 0)
    assert not Slot.objects.filter(sheet=sheet).exists()
    set_purpose(june.project, [sheet], "work")
    assert Slot.objects.filter(sheet=sheet, project=june.project, holder=None).count() == 1


def test_leads_are_not_paused_and_pausing_twice_is_once(june):
    with pytest.raises(ProjectError, match="only raters"):
        pause_rater(june.project, june.people["lena"])
    assert pause_rater(june.project, june.people["ravi"]) and not pause_rater(june.project, june.people["ravi"])
    assert [rater.gate for rater in rater_checks(june.project)] == ["paused", None]
    assert AuditEvent.objects.filter(action="pause rater").count() == 1

"""What a lead does while a project runs: another overlap, a finished response opened again, archiving, deleting."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from annotation.assigning.archiving import archive, must_be_open, unarchive
from annotation.assigning.deleting import (
    InUse,
    contents_of_project,
    delete_dataset,
    delete_project,
    delete_project_job,
)
from annotation.assigning.forecast import forecast
from annotation.assigning.leases import AlreadyFinished, ProjectArchived, release
from annotation.assigning.overlap import change_overlap, overlap_effect
from annotation.assigning.overview import work_of
from annotation.assigning.pace import pace_of
from annotation.assigning.people import set_active
from annotation.assigning.projects import (
    ProjectError,
    add_responses,
    create_project,
    remove_member,
    replace_rater,
)
from annotation.assigning.queue import take_next
from annotation.assigning.reopening import NotFinished, reopen
from annotation.assigning.reservations import Selection, reserve
from annotation.assigning.responses import Filter, rows_of, sheets_matching
from annotation.jobs import Progress
from annotation.models import (
    AuditEvent,
    Dataset,
    Item,
    Job,
    Place,
    Project,
    Rating,
    RatingEvent,
    Report,
    Response,
    Sheet,
    Tally,
)
from annotation.rating.finish import finish
from annotation.rating.recount import differences
from annotation.rating.submit import Submission, save, take_back
from tests.assigning.test_queue import answer_all, work_through
from tests.cast import ACCURATE, SEVERE, article_accuracy, response, study

pytestmark = pytest.mark.django_db


def taken(project, rater, *, done: bool = True):
    work = take_next(project, rater)
    if done:
        answer_all(work)
    return work


@pytest.mark.django_db(transaction=True)
def test_more_raters_a_response_leave_the_free_places_to_whoever_asks_meanwhile():
    june = study(prompts=2, overlap=1, sentences=1)

    def ask():
        try:
            with transaction.atomic():
                return take_next(june.project, june.people["ravi"])
        finally:
            connection.close()

    with transaction.atomic(), ThreadPoolExecutor(1) as pool:
        change_overlap(june.project, 2)
        assert pool.submit(ask).result(timeout=30) is not None


class TestOverlap:
    def test_more_raters_give_every_response_more_places(self):
        june = study(prompts=3, overlap=1, sentences=1)
        taken(june.project, june.people["ravi"])
        assert change_overlap(june.project, 2, actor=june.people["lena"]).added == 3
        assert june.project.places.count() == 6
        assert len(work_through(june.project, june.people["rosa"])) == 3
        event = AuditEvent.objects.get(action="change overlap")
        assert (event.before, event.after["overlap"]) == (1, 2)

    def test_fewer_raters_cost_only_places_that_nobody_holds(self):
        june = study(prompts=3, overlap=3, raters=("ravi", "rosa", "tom"), sentences=1)
        taken(june.project, june.people["ravi"])
        taken(june.project, june.people["rosa"], done=False)
        expected = overlap_effect(june.project, 1)
        change = change_overlap(june.project, 1)
        assert change == expected
        assert change.added == 0
        assert Place.objects.exclude(holder=None).count() == 2
        assert Place.objects.count() == 9 - change.removed
        assert change.with_more == Place.objects.count() - 3
        assert Project.objects.get().overlap == 1

    def test_back_and_forth_is_where_it_began(self):
        june = study(prompts=3, overlap=2)
        change_overlap(june.project, 5)
        change_overlap(june.project, 2)
        assert june.project.places.count() == 6
        assert change_overlap(june.project, 2).removed == 0

    def test_a_response_with_nothing_to_rate_gets_no_place(self):
        june = study(prompts=1)
        response(june.responses[0].prompt, "heading-only", 0, heading=True)
        add_responses(june.project)
        assert change_overlap(june.project, 3).added == 1

    @pytest.mark.parametrize("overlap", [0, 101])
    def test_no_overlap_beyond_what_a_project_can_have(self, overlap):
        june = study()
        with pytest.raises(ProjectError, match="choose a number from 1 to 100"):
            change_overlap(june.project, overlap)


class TestReopening:
    def test_the_rater_has_it_back_and_its_ratings_do_not_count_until_it_is_finished_again(self):
        june = study(overlap=1)
        ravi = june.people["ravi"]
        work = taken(june.project, ravi)
        assert reopen(work, actor=june.people["lena"])
        place = Place.objects.get()
        assert (place.finished_at, place.holder, place.expires_at > timezone.now()) == (None, work, True)
        assert Rating.objects.filter(counted=False).count() == 3
        assert not differences()
        assert take_next(june.project, ravi) == work
        item = june.items()[0]
        save(ravi, work.public_id, item.public_id, Submission(SEVERE, 1))
        finish(work)
        assert Rating.objects.filter(counted=True).count() == 3
        assert not differences()
        assert AuditEvent.objects.get(action="reopen").actor == june.people["lena"]

    def test_the_place_of_somebody_who_has_left_is_free_for_others_and_the_answers_stay(self):
        june = study(overlap=1)
        work = taken(june.project, june.people["ravi"])
        remove_member(june.project, june.people["ravi"])
        assert not reopen(work)
        assert Rating.objects.filter(rater=june.people["ravi"], counted=False).count() == 3
        assert take_next(june.project, june.people["rosa"]).sheet == work.sheet

    def test_only_what_is_finished_is_opened_and_nothing_in_an_archived_project(self):
        june = study()
        begun = taken(june.project, june.people["ravi"], done=False)
        with pytest.raises(NotFinished):
            reopen(begun)
        done = taken(june.project, june.people["rosa"])
        archive(june.project)
        with pytest.raises(ProjectArchived):
            reopen(done)
        assert Place.objects.filter(finished_at__isnull=False).count() == 1

    def test_a_lead_frees_a_lease_and_is_named_for_it(self):
        june = study(overlap=1)
        begun = taken(june.project, june.people["ravi"], done=False)
        release(begun, actor=june.people["lena"])
        assert take_next(june.project, june.people["rosa"]).sheet == begun.sheet
        assert AuditEvent.objects.get(action="free lease").actor == june.people["lena"]
        with pytest.raises(AlreadyFinished):
            release(taken(june.project, june.people["rosa"]), actor=june.people["lena"])


class TestArchiving:
    def test_nobody_rates_and_running_work_is_kept_for_later(self):
        june = study(prompts=2)
        ravi = june.people["ravi"]
        work = taken(june.project, ravi, done=False)
        items = Item.objects.filter(response=work.sheet.response)
        save(ravi, work.public_id, items[0].public_id, Submission(ACCURATE, 0))
        archive(june.project, actor=june.people["lena"])
        assert take_next(june.project, ravi) is None
        assert work_of(ravi, june.project)[0].left == 0
        with pytest.raises(ProjectArchived, match="archived"):
            save(ravi, work.public_id, items[1].public_id, Submission(ACCURATE, 0))
        for act in (lambda: finish(work), lambda: take_back(ravi, work.public_id, items[0].public_id, 1)):
            with pytest.raises(ProjectArchived):
                act()
        assert Rating.objects.count() == 1
        unarchive(june.project, actor=june.people["lena"])
        assert take_next(june.project, ravi) == work
        assert list(AuditEvent.objects.filter(project=june.project).values_list("action", flat=True)[:2]) == [
            "unarchive project",
            "archive project",
        ]

    def test_a_save_that_came_before_is_answered_again(self):
        june = study()
        ravi = june.people["ravi"]
        work = taken(june.project, ravi, done=False)
        answer = Submission(ACCURATE, 0, key="k", fingerprint="f")
        first = save(ravi, work.public_id, june.items()[0].public_id, answer)
        archive(june.project)
        assert save(ravi, work.public_id, june.items()[0].public_id, answer) == first

    def test_people_can_leave_it_and_be_replaced_and_their_work_is_for_the_others_when_it_is_taken_up_again(self):
        june = study(prompts=3, overlap=1, sentences=1, raters=("ravi", "rosa", "tom"))
        ravi, rosa, tom = (june.people[name] for name in ("ravi", "rosa", "tom"))
        reserve(june.project, [ravi], Selection("document", "d1"))
        for rater in (ravi, rosa):
            taken(june.project, rater, done=False)
        archive(june.project)
        remove_member(june.project, rosa)
        replace_rater(june.project, ravi, tom)
        assert not Place.objects.exclude(holder=None).exists()
        unarchive(june.project)
        assert len(work_through(june.project, tom)) == 3

    def test_an_account_that_is_closed_gives_up_its_work_in_archived_projects_too(self):
        june = study(overlap=1)
        taken(june.project, june.people["ravi"], done=False)
        reserve(june.project, [june.people["ravi"]], Selection("system", "heron"))
        archive(june.project)
        set_active(june.people["ravi"], False)
        unarchive(june.project)
        assert take_next(june.project, june.people["rosa"])

    def test_nothing_about_the_work_itself_changes(self):
        june = study(overlap=1)
        archive(june.project)
        with pytest.raises(ProjectError, match="take it up again first"):
            change_overlap(june.project, 2)
        with pytest.raises(ProjectArchived, match="Take it up again to count birds"):
            must_be_open(june.project, "Take it up again to count birds.")

    def test_responses_loaded_meanwhile_come_in_when_it_is_unarchived(self):
        june = study()
        archive(june.project)
        response(june.responses[0].prompt, "plover", 2)
        assert add_responses(june.project) == 0
        unarchive(june.project)
        assert june.project.sheets.count() == 2

    def test_twice_is_as_once(self):
        june = study()
        for _ in range(2):
            archive(june.project)
        for _ in range(2):
            unarchive(june.project)
        assert AuditEvent.objects.filter(action__contains="archive").count() == 2


class TestDeleting:
    def test_a_project_goes_with_all_under_it_and_its_history_and_the_audit_stay(self):
        june, july = study("june", sentences=1, overlap=1), study("july", sentences=1, overlap=1)
        for one in (june, july):
            taken(one.project, one.people["ravi"])
            Report.objects.create(project=one.project, document="{}", data_sha256="0" * 64)
        contents = contents_of_project(june.project)
        assert (contents.responses, contents.finished, contents.people, contents.reports) == (1, 1, 1, 1)
        assert contents.ratings == {"rater": 1}
        events = RatingEvent.objects.count()
        delete_project(june.project, actor=june.people["lena"])
        assert list(Project.objects.all()) == [july.project]
        for model in (Rating, Place, Sheet, Report):
            assert model.objects.count() == 1
        assert set(Tally.objects.values_list("project", flat=True)) == {july.project.pk}
        assert RatingEvent.objects.count() == events + 1
        assert AuditEvent.objects.get(action="delete project").before["ratings"] == {"rater": 1}
        assert not differences()

    def test_the_job_of_a_project_that_is_gone_is_done(self):
        june = study()
        job = Job.objects.create(kind="delete_project", params={"slug": "june", "id": june.project.pk})
        assert delete_project_job(job, Progress())["responses"] == 1
        assert delete_project_job(job, Progress()) == {}

    def test_a_data_set_in_use_stays_and_says_who_needs_it(self):
        june = study()
        with pytest.raises(InUse, match="still used by Study june"):
            delete_dataset(june.project.dataset)
        data = june.project.dataset
        delete_project(june.project)
        delete_dataset(data)
        assert not Dataset.objects.exists()
        assert not Response.objects.exists()
        assert not Item.objects.exists()


class TestForecast:
    now = timezone.now()

    def days(self, forecast_of) -> tuple:
        return tuple(
            when and round((when - self.now) / timedelta(days=1), 1)
            for when in (forecast_of.earliest, forecast_of.likely, forecast_of.latest)
        )

    def test_an_even_pace_has_one_date(self):
        found = forecast([20] * 7, 140, 100, self.now)
        assert found.says == "forecast"
        assert found.a_day == 20
        assert self.days(found) == (5.0, 5.0, 5.0)

    def test_uneven_days_give_a_range(self):
        # mean 20, standard deviation 10, standard error 10/sqrt(3), t(.9; 2) = 1.886: 20 ± 10.89 a day
        assert self.days(forecast([10, 20, 30], 60, 100, self.now)) == (3.2, 5.0, 11.0)

    def test_a_range_that_never_gets_there_is_open(self):
        assert forecast([40, 0], 40, 100, self.now).latest is None

    @pytest.mark.parametrize(
        ("by_day", "finished", "left", "says"),
        [
            ([5], 5, 10, "too early"),
            ([4, 4], 8, 10, "too early"),
            ([], 0, 10, "too early"),
            ([0] * 7, 50, 10, "standing still"),
            ([9, 9], 18, 0, "done"),
        ],
    )
    def test_when_there_is_no_date_it_says_why(self, by_day, finished, left, says):
        assert forecast(by_day, finished, left, self.now).says == says


class TestPace:
    def test_raters_are_seen_with_what_they_did_today_and_an_hour(self):
        june = study(prompts=4, sentences=1)
        for _ in range(3):
            taken(june.project, june.people["ravi"])
        taken(june.project, june.people["rosa"], done=False)
        now = timezone.now()
        start = now.replace(minute=30) - timedelta(hours=48 if now.hour < 2 else 1)
        first = Place.objects.filter(holder__rater=june.people["ravi"]).first()
        Place.objects.filter(finished_at__isnull=False).update(finished_at=start)
        Place.objects.filter(pk=first.pk).update(finished_at=start - timedelta(hours=1))
        pace = pace_of(june.project, 5)
        ravi, rosa = pace.raters
        assert (ravi.username, ravi.finished, ravi.leased, ravi.an_hour) == ("ravi", 3, 0, 1.5)
        assert (rosa.finished, rosa.leased, rosa.today, rosa.an_hour, rosa.is_here) == (0, 1, 0, None, True)
        assert pace.ratings == 3
        assert pace.forecast.says == "too early"

    def test_whoever_left_is_still_shown_with_what_they_did(self):
        june = study(sentences=1)
        taken(june.project, june.people["ravi"])
        remove_member(june.project, june.people["ravi"])
        shown = {rater.username: rater for rater in pace_of(june.project, 1).raters}
        assert (shown["ravi"].is_member, shown["ravi"].finished, shown["ravi"].today) == (False, 1, 1)

    def test_four_queries_whatever_the_size(self, django_assert_num_queries):
        for prompts in (1, 5):
            june = study(f"of-{prompts}", prompts=prompts, sentences=1)
            taken(june.project, june.people["ravi"])
            with django_assert_num_queries(4):
                pace_of(june.project, 1)


class TestResponses:
    @pytest.mark.parametrize(
        ("chosen", "n"),
        [
            (Filter(), 6),
            (Filter(state="finished"), 1),
            (Filter(state="leased"), 1),
            (Filter(state="free"), 4),
            (Filter(state="open"), 5),
            (Filter(state="reserved"), 0),
            (Filter(state="nothing"), 0),
            (Filter(rater="ravi"), 1),
            (Filter(system="plover"), 3),
            (Filter(words="POINT 2"), 2),
            (Filter(words="q2 heron"), 1),
            (Filter(words="nowhere"), 0),
        ],
    )
    def test_are_found_by_words_state_rater_and_system(self, chosen, n):
        june = study(prompts=3, systems=("heron", "plover"), overlap=1, sentences=1)
        taken(june.project, june.people["ravi"])
        taken(june.project, june.people["rosa"], done=False)
        assert sheets_matching(june.project, chosen).count() == n

    def test_rows_take_as_many_queries_for_three_as_for_one(self, django_assert_num_queries):
        june = study(prompts=3, sentences=1)
        taken(june.project, june.people["ravi"])
        sheets = list(sheets_matching(june.project, Filter()))
        for n in (1, 3):
            with django_assert_num_queries(2):
                rows = rows_of(sheets[:n])
        assert [row.sheet for row in rows] == sheets


def test_the_order_is_that_of_sha_256_over_seed_and_imported_ids():
    import hashlib

    def bits(name: str) -> int:
        return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big") >> 1

    june = study(prompts=2)
    made = create_project("other", june.project.dataset, article_accuracy(), seed=99)
    for sheet in made.sheets.select_related("response__prompt__document"):
        one = sheet.response
        document = one.prompt.document.key
        assert sheet.rank == bits(f"99:document:{document}") << 31 | bits(f"99:response:{one.key}")
        assert [place.rank for place in sheet.places.all()] == [sheet.rank]

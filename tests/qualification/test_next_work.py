"""The queue: K raters a response and never more, nobody twice, articles kept together, nothing left unserved."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from annotation.access import project_for
from annotation.models import Item, Rating, Response, Slot
from annotation.projects.create import add_responses, create_project
from annotation.qualification.next_work import take_next
from annotation.queue.leases import release
from annotation.rating.submit import Submission, save
from tests.cast import ACCURATE, article_accuracy, person, response, study
from tests.qualification.finished_work import answer_all, work_through

pytestmark = pytest.mark.slow


@pytest.mark.django_db
class TestOneAfterTheOther:
    def test_unfinished_work_is_resumed(self):
        june = study(prompts=3)
        first = take_next(june.project, june.people["ravi"])
        assert take_next(june.project, june.people["ravi"]) == first

    def test_everybody_gets_every_response_once_up_to_the_overlap(self):
        june = study(prompts=3, systems=("heron", "plover"), overlap=2, raters=("ravi", "rosa", "tom"))
        ravi, rosa = (work_through(june.project, june.people[name]) for name in ("ravi", "rosa"))
        assert sorted(ravi) == sorted(rosa) == sorted(r.pk for r in june.responses)
        assert take_next(june.project, june.people["tom"]) is None

    def test_an_article_is_read_in_one_go(self):
        june = study(prompts=4, systems=("heron", "plover"))
        order = [Response.objects.get(pk=pk).prompt.document.key for pk in work_through(june.project, person("ravi"))]
        assert order in (["d1"] * 4 + ["d2"] * 4, ["d2"] * 4 + ["d1"] * 4)

    def test_the_order_follows_the_seed_and_not_the_order_of_loading(self):
        june = study(prompts=6)
        same = create_project("same", june.project.dataset, article_accuracy(), seed=june.project.seed)
        other = create_project("other", june.project.dataset, article_accuracy(), seed=99)
        orders = [
            list(p.sheets.order_by("rank").values_list("response__key", flat=True)) for p in (june.project, same, other)
        ]
        assert orders[0] == orders[1] != orders[2]
        assert orders[0] != [r.key for r in june.responses]

    def test_a_lease_that_ran_out_is_offered_to_others_and_kept_until_then(self):
        june = study(overlap=1)
        work = take_next(june.project, june.people["ravi"])
        Slot.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        assert take_next(june.project, june.people["ravi"]) == work
        assert take_next(june.project, june.people["rosa"]) is None
        Slot.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        assert take_next(june.project, june.people["rosa"]).sheet == work.sheet
        assert take_next(june.project, june.people["ravi"]) is None

    def test_work_given_back_comes_again_only_when_nothing_else_is_left(self):
        june = study(prompts=2)
        ravi = june.people["ravi"]
        refused = take_next(june.project, ravi)
        save(
            ravi,
            refused.public_id,
            june.items(june.responses.index(refused.sheet.response))[0].public_id,
            Submission(ACCURATE, 0),
        )
        release(refused)
        other = take_next(june.project, ravi)
        assert other.sheet != refused.sheet
        answer_all(other)
        again = take_next(june.project, ravi)
        assert again == refused
        assert Rating.objects.filter(assignment=again).count() == 1

    def test_a_response_with_nothing_to_rate_is_skipped_and_counted(self):
        june = study(prompts=1)
        empty = response(june.responses[0].prompt, "heading-only", 0, heading=True)
        assert add_responses(june.project) == 1
        assert work_through(june.project, june.people["ravi"]) == [june.responses[0].pk]
        assert june.project.sheets.filter(slots=None).get().response == empty

    def test_responses_that_came_later_join_the_work(self):
        june = study(prompts=1)
        response(june.responses[0].prompt, "plover", 2)
        assert add_responses(june.project) == 1
        assert add_responses(june.project) == 0
        assert len(work_through(june.project, june.people["ravi"])) == 2

    def test_whoever_has_imported_ratings_of_a_response_does_not_get_it_again(self):
        june = study(prompts=1)
        item = june.items()[0]
        Rating.objects.create(
            project=june.project,
            item=item,
            rater=person("ravi"),
            answers=ACCURATE,
            choices=ACCURATE,
            rated_at=timezone.now(),
        )
        assert take_next(june.project, person("ravi")) is None
        assert take_next(june.project, person("rosa"))

    def test_a_rater_at_the_end_gets_earlier_released_responses(self):
        june = study(prompts=3, overlap=1)
        ravi, rosa = june.people["ravi"], june.people["rosa"]
        first = take_next(june.project, ravi)
        assert len(work_through(june.project, rosa)) == 2
        release(first)
        assert take_next(june.project, rosa).sheet == first.sheet

    def test_a_response_without_items_of_the_protocols_unit_is_nothing_to_rate(self):
        june = study(prompts=1)
        claims = response(june.responses[0].prompt, "plover", 2)
        Item.objects.filter(response=claims).update(unit="claim")
        assert add_responses(june.project) == 1
        assert not Slot.objects.filter(sheet__response=claims).exists()

    def test_next_work_takes_the_same_few_queries_in_a_small_and_a_large_project(self, django_assert_num_queries):
        for prompts in (2, 40):
            june = study(f"of-{prompts}", prompts=prompts)
            with django_assert_num_queries(4):
                project = project_for(june.people["ravi"], june.project.slug, needs="rater", lock=True)
                take_next(project, june.people["ravi"])


@pytest.mark.django_db(transaction=True)
class TestAllAtOnce:
    def test_thirty_two_raters_at_once_never_exceed_the_overlap_and_leave_nothing(self):
        raters = tuple(f"rater{n:02}" for n in range(32))
        june = study(prompts=10, systems=("heron", "plover"), sentences=1, overlap=3, raters=raters)

        def work(name: str) -> list[int]:
            try:
                done = []
                while True:
                    with transaction.atomic():
                        project = project_for(june.people[name], "june", needs="rater", lock=True)
                        assignment = take_next(project, june.people[name])
                    if assignment is None:
                        return done
                    answer_all(assignment)
                    done.append(assignment.sheet.response_id)
            finally:
                connection.close()

        with ThreadPoolExecutor(32) as pool:
            done = list(pool.map(work, raters))
        assert Counter(pk for each in done for pk in each) == {r.pk: 3 for r in june.responses}
        assert all(len(each) == len(set(each)) for each in done)
        assert Rating.objects.filter(counted=True).count() == 60

    def test_two_tabs_of_one_rater_get_the_same_work(self):
        june = study(prompts=8)

        def ask(_: int) -> int:
            try:
                with transaction.atomic():
                    return take_next(
                        project_for(june.people["ravi"], "june", needs="rater", lock=True), june.people["ravi"]
                    ).pk
            finally:
                connection.close()

        with ThreadPoolExecutor(8) as pool:
            assert len(set(pool.map(ask, range(8)))) == 1

    def test_only_the_slot_that_is_given_is_locked(self):
        june = study(prompts=4, systems=("heron", "plover"), overlap=3)

        def lockable(_: int) -> int:
            try:
                with transaction.atomic():
                    return len(Slot.objects.select_for_update(skip_locked=True))
            finally:
                connection.close()

        for name in ("ravi", "rosa", "ravi"):  # the third time "further on" and "same document" look, too
            with transaction.atomic(), ThreadPoolExecutor(1) as pool:
                assignment = take_next(june.project, june.people[name])
                assert pool.submit(lockable, 0).result() == 23
                answer_all(assignment)

    def test_work_goes_on_while_responses_are_added(self):
        june = study(prompts=2)
        ravi = june.people["ravi"]
        response(june.responses[0].prompt, "plover", 2)

        def rate(_: int) -> int:
            try:
                with connection.cursor() as cursor, transaction.atomic():
                    cursor.execute("SET LOCAL lock_timeout = '3s'")
                    answer_all(take_next(june.project, ravi))
                return Rating.objects.filter(counted=True).count()
            finally:
                connection.close()

        with transaction.atomic(), ThreadPoolExecutor(1) as pool:
            add_responses(june.project)
            assert pool.submit(rate, 0).result() == 3

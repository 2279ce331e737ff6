"""The queue: K raters a response and never more, nobody twice, articles kept together, nothing left unserved."""

from collections import Counter
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from annotation.access import project_for
from annotation.models import Item, Rating, Response, Slot
from annotation.projects.create import add_responses, create_project
from annotation.qualification.next_work import take_next
from annotation.queue.leases import release
from annotation.rating.bulk_storage import NewRating, store_ratings
from annotation.rating.submit import Submission, save
from tests.cast import ACCURATE, article_accuracy, person, response, study
from tests.qualification.at_once import take, together
from tests.qualification.finished_work import answer_all, work_through


@pytest.mark.django_db
class TestOneAfterTheOther:
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
        project = study(prompts=6).project
        same, other = (
            create_project(f"of-{seed}", project.dataset, article_accuracy(), seed=seed) for seed in (project.seed, 99)
        )
        orders = [[sheet.response_id for sheet in each.sheets.order_by("rank")] for each in (project, same, other)]
        assert orders[0] == orders[1] != orders[2]
        assert orders[0] != sorted(orders[0])

    def test_a_lease_that_ran_out_is_offered_to_others_and_kept_until_then(self):
        june = study(overlap=1)
        work = take_next(june.project, june.people["ravi"])
        Slot.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        assert take_next(june.project, june.people["ravi"]) == work
        assert take_next(june.project, june.people["rosa"]) is None
        Slot.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        assert take_next(june.project, june.people["rosa"]).sheet == work.sheet
        assert take_next(june.project, june.people["ravi"]) is None

    def test_work_given_back_comes_again_only_when_nothing_else_is_left_or_to_others(self):
        june = study(prompts=2, overlap=1)
        ravi, rosa = june.people["ravi"], june.people["rosa"]
        refused = take_next(june.project, ravi)
        [item, *_] = Item.objects.filter(response=refused.sheet.response).order_by("position")
        save(ravi, refused.public_id, item.public_id, Submission(ACCURATE, 0))
        release(refused)
        other = take_next(june.project, ravi)
        assert other.sheet != refused.sheet
        answer_all(other)
        again = take_next(june.project, ravi)
        assert again == refused
        assert Rating.objects.filter(assignment=again).count() == 1
        assert take_next(june.project, rosa) is None
        release(again)
        assert take_next(june.project, rosa).sheet == refused.sheet

    def test_responses_that_came_later_join_the_work_unless_nothing_of_them_is_rated(self):
        june = study(prompts=1)
        prompt = june.responses[0].prompt
        later, claims = response(prompt, "plover", 2), response(prompt, "tern", 2)
        empty = response(prompt, "heading-only", 0, heading=True)
        Item.objects.filter(response=claims).update(unit="claim")
        assert [add_responses(june.project) for _ in range(2)] == [3, 0]
        assert set(work_through(june.project, june.people["ravi"])) == {june.responses[0].pk, later.pk}
        assert {sheet.response for sheet in june.project.sheets.filter(slots=None)} == {claims, empty}

    def test_whoever_has_imported_ratings_of_a_response_does_not_get_it_again(self):
        june = study(prompts=1)
        store_ratings(june.project, [NewRating(june.items()[0], june.people["ravi"], ACCURATE)])
        assert take_next(june.project, person("ravi")) is None
        assert take_next(june.project, person("rosa"))

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
        june = study(prompts=10, sentences=1, overlap=3, raters=raters)

        def work(name: str) -> list[int]:
            done = []
            while assignment := take(june.people[name]):
                answer_all(assignment)
                done.append(assignment.sheet.response_id)
            return done

        done = together(*[lambda name=name: work(name) for name in raters])
        assert Counter(pk for each in done for pk in each) == {r.pk: 3 for r in june.responses}
        assert all(len(each) == len(set(each)) for each in done)
        assert Rating.objects.filter(counted=True).count() == 30

    def test_two_tabs_of_one_rater_get_the_same_work(self):
        ravi = study(prompts=8).people["ravi"]
        assert len({work.pk for work in together(*[lambda: take(ravi)] * 8)}) == 1

    def test_only_the_slot_that_is_given_is_locked(self):
        june = study(prompts=4, systems=("heron", "plover"), overlap=3)

        def lockable() -> int:
            with transaction.atomic():
                return len(Slot.objects.select_for_update(skip_locked=True))

        for name in ("ravi", "rosa", "ravi"):  # the third time "further on" and "same document" look, too
            with transaction.atomic():
                assignment = take_next(june.project, june.people[name])
                assert together(lockable) == [23]
                answer_all(assignment)

    def test_work_goes_on_while_responses_are_added(self):
        june = study(prompts=2)
        response(june.responses[0].prompt, "plover", 2)

        def rate() -> int:
            with connection.cursor() as cursor, transaction.atomic():
                cursor.execute("SET LOCAL lock_timeout = '3s'")
                answer_all(take_next(june.project, june.people["ravi"]))
            return Rating.objects.filter(counted=True).count()

        with transaction.atomic():
            add_responses(june.project)
            assert together(rate) == [3]

"""Parts of the work: given to their raters first and to nobody else, chosen reproducibly, and undone."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from annotation.access import project_for
from annotation.accounts.users import set_active
from annotation.models import AuditEvent, Membership, Prompt, Reservation, Response, Slot
from annotation.projects.create import add_responses, create_project
from annotation.projects.members import add_member, remove_member, replace_rater
from annotation.projects.overlap import change_overlap
from annotation.projects.overview import rater_work
from annotation.qualification.next_work import take_next
from annotation.queue.errors import ProjectError
from annotation.queue.leases import release
from annotation.queue.reservations import (
    Selection,
    end_reservation,
    preview_reservation,
    reservation_requests,
    reserve,
    selection_choices,
    sheets_of,
)
from tests.cast import article_accuracy, person, response, study
from tests.qualification.finished_work import answer_all, work_through
from tests.queue.locked_queries import waiting
from tests.queue.reserved_work import HERON, assert_in_order

pytestmark = pytest.mark.slow


def systems(done: list[int]) -> list[str]:
    return [Response.objects.get(pk=pk).system.name for pk in done]


@pytest.mark.django_db
class TestTheQueue:
    def test_what_is_kept_for_a_rater_comes_first_and_to_nobody_else(self):
        june = study(prompts=3, systems=("heron", "plover"), overlap=2, sentences=1)
        ravi, rosa = june.people["ravi"], june.people["rosa"]
        assert reserve(june.project, [ravi], HERON, actor=june.people["lena"]) == 3
        assert_in_order(june.project)
        assert systems(work_through(june.project, ravi)) == ["heron"] * 3 + ["plover"] * 3
        assert systems(work_through(june.project, rosa)) == ["plover"] * 3

    def test_what_is_kept_for_a_closed_account_alone_is_for_everybody(self):
        june = study(prompts=2, systems=("heron", "plover"), overlap=1, sentences=1)
        ravi, rosa = june.people["ravi"], june.people["rosa"]
        reserve(june.project, [ravi], HERON)
        set_active(ravi, False, actor=june.people["lena"])
        assert_in_order(june.project)
        assert sorted(systems(work_through(june.project, rosa))) == ["heron", "heron", "plover", "plover"]

    def test_two_raters_of_one_part_share_it(self):
        june = study(prompts=2, systems=("heron", "plover"), overlap=2, raters=("ravi", "rosa", "tom"), sentences=1)
        reserve(june.project, [june.people["ravi"], june.people["rosa"]], HERON)
        for name, expected in (("ravi", 4), ("rosa", 4), ("tom", 0)):
            assert len(work_through(june.project, june.people[name])) == expected

    def test_a_part_is_read_article_by_article(self):
        june = study(prompts=4, systems=("heron", "plover"), sentences=1)
        reserve(june.project, [june.people["ravi"]], HERON)
        done = work_through(june.project, june.people["ravi"])[:4]
        order = [Response.objects.get(pk=pk).prompt.document.key for pk in done]
        assert order in (["d1", "d1", "d2", "d2"], ["d2", "d2", "d1", "d1"])

    def test_reserved_work_given_back_comes_again_to_its_rater_and_to_nobody_else(self):
        june = study(prompts=1, overlap=1)
        ravi, rosa = june.people["ravi"], june.people["rosa"]
        reserve(june.project, [ravi], HERON)
        work = take_next(june.project, ravi)
        release(work)
        assert take_next(june.project, rosa) is None
        assert take_next(june.project, ravi) == work

    def test_a_lease_that_somebody_has_runs_on(self):
        june = study(prompts=1, overlap=1)
        rosa = june.people["rosa"]
        work = take_next(june.project, rosa)
        reserve(june.project, [june.people["ravi"]], HERON)
        assert take_next(june.project, rosa) == work
        answer_all(work)
        assert take_next(june.project, june.people["ravi"]) is None

    @pytest.mark.parametrize("name", ["ravi", "rosa"])
    def test_what_is_left_for_a_rater_is_what_the_queue_still_gives(self, name):
        june = study(prompts=3, systems=("heron", "plover"), overlap=1, sentences=1)
        reserve(june.project, [june.people["ravi"]], HERON)
        remaining = rater_work(june.people[name], june.project)[0].remaining
        assert remaining == len(work_through(june.project, june.people[name])) == (6 if name == "ravi" else 3)

    def test_next_work_takes_as_few_queries_with_parts_as_without(self, django_assert_num_queries):
        june = study(prompts=20, systems=("heron", "plover"))
        reserve(june.project, [june.people["ravi"]], HERON)
        for name in ("ravi", "rosa"):
            with django_assert_num_queries(4):
                project = project_for(june.people[name], "june", needs="rater", lock=True)
                take_next(project, june.people[name])


@pytest.mark.django_db
class TestChoosing:
    def test_by_system_by_document_and_by_metadata(self):
        june = study(prompts=4, systems=("heron", "plover"))
        Prompt.objects.filter(key__in=["q1", "q2"]).update(metadata={"topic": ["birds", "fish"], "year": 2020})
        Prompt.objects.filter(key="q3").update(metadata={"topic": "birds"})
        numbers = {
            Selection("system", "plover"): 4,
            Selection("document", "d1"): 4,
            Selection("metadata", "birds", key="topic"): 6,
            Selection("metadata", "fish", key="topic"): 4,
            Selection("metadata", "2020", key="year"): 4,
            Selection("metadata", "stones", key="topic"): 0,
        }
        assert {s: sheets_of(june.project, s).count() for s in numbers} == numbers
        choices = selection_choices(june.project)
        assert choices.systems == [("heron", 4), ("plover", 4)]
        assert [(key, n) for key, _, n in choices.documents] == [("d1", 4), ("d2", 4)]
        assert choices.metadata == [("topic", "birds", 6), ("topic", "fish", 4), ("year", "2020", 4)]

    def test_the_same_seed_draws_the_same_and_never_what_somebody_has(self):
        june = study(prompts=10, sentences=1)
        draw = Selection("random", n=4, seed=7)
        first = set(sheets_of(june.project, draw))
        assert len(first) == 4
        assert set(sheets_of(june.project, draw)) == first
        assert set(sheets_of(june.project, Selection("random", n=4, seed=8))) != first
        reserve(june.project, [june.people["ravi"]], draw)
        assert not first & set(sheets_of(june.project, draw))

    def test_another_copy_of_the_project_draws_the_same(self):
        june = study(prompts=10)
        copy = create_project("copy", june.project.dataset, article_accuracy(), seed=5)
        draw = Selection("random", n=3, seed=7)
        keys = [set(sheets_of(p, draw).values_list("response__key", flat=True)) for p in (june.project, copy)]
        assert keys[0] == keys[1]

    def test_what_is_finished_is_not_kept(self):
        june = study(prompts=2, overlap=1, sentences=1)
        answer_all(take_next(june.project, june.people["ravi"]))
        assert reserve(june.project, [june.people["rosa"]], HERON) == 1

    def test_the_effect_says_how_many_who_shares_and_whether_the_raters_are_too_few(self):
        june = study(prompts=3, systems=("heron", "plover"), overlap=2)
        ravi, rosa = june.people["ravi"], june.people["rosa"]
        reserve(june.project, [ravi], Selection("document", "d1"))
        effect = preview_reservation(june.project, [rosa], HERON)
        assert (effect.responses, effect.shared, effect.shared_with, effect.too_few) == (3, 2, ["ravi"], True)
        assert not preview_reservation(june.project, [ravi, rosa], HERON).too_few

    @pytest.mark.parametrize(
        ("names", "selection", "message"),
        [
            ([], HERON, "choose at least one rater"),
            (["otto"], HERON, "otto: not active in this project"),
            (["ravi"], Selection("system", "gull"), "no unfinished response"),
        ],
    )
    def test_what_cannot_be_kept_is_refused(self, names, selection, message):
        june = study()
        with pytest.raises(ProjectError, match=message):
            reserve(june.project, [person(name) for name in names], selection)
        assert not Reservation.objects.exists()


@pytest.mark.django_db
class TestUndoing:
    def test_ending_one_act_leaves_the_others(self):
        june = study(prompts=2, systems=("heron", "plover"), sentences=1)
        lena = june.people["lena"]
        reserve(june.project, [june.people["ravi"]], HERON, actor=lena)
        reserve(june.project, [june.people["rosa"]], Selection("system", "plover"), actor=lena)
        newest, oldest = reservation_requests(june.project)
        assert (newest.words, newest.raters, newest.responses, newest.open) == ("responses of plover", ["rosa"], 2, 2)
        assert (oldest.words, oldest.made_by, oldest.too_few) == ("responses of heron", "lena", True)
        assert end_reservation(june.project, oldest.made_at, actor=lena) == 2
        assert_in_order(june.project)
        assert [part.words for part in reservation_requests(june.project)] == ["responses of plover"]
        assert systems(work_through(june.project, june.people["rosa"])) == ["plover"] * 2 + ["heron"] * 2
        assert end_reservation(june.project, oldest.made_at) == 0
        assert AuditEvent.objects.filter(action="end reservation").count() == 1

    def test_whoever_leaves_takes_no_part_along(self):
        june = study(prompts=2, sentences=1)
        reserve(june.project, [june.people["ravi"]], HERON)
        remove_member(june.project, june.people["ravi"])
        assert_in_order(june.project)
        assert len(work_through(june.project, june.people["rosa"])) == 2

    def test_a_successor_gets_the_part_and_the_leaver_keeps_what_is_finished(self):
        june = study(prompts=3, overlap=1, sentences=1)
        ravi, tom = june.people["ravi"], person("tom")
        reserve(june.project, [ravi], HERON)
        answer_all(take_next(june.project, ravi))
        begun = take_next(june.project, ravi)
        replace_rater(june.project, ravi, tom, actor=june.people["lena"])
        assert Membership.objects.get(project=june.project, user=tom).role == "rater"
        assert not Membership.objects.filter(project=june.project, user=ravi).exists()
        assert Slot.objects.filter(holder__rater=ravi).count() == 1
        assert Slot.objects.get(sheet=begun.sheet).holder is None
        assert work_through(june.project, june.people["rosa"]) == []
        assert len(work_through(june.project, tom)) == 2

    def test_a_successor_who_is_to_get_no_part_gets_the_work_of_everybody(self):
        june = study(prompts=2, overlap=1, sentences=1)
        reserve(june.project, [june.people["ravi"]], HERON)
        replace_rater(june.project, june.people["ravi"], person("tom"), move_reservations=False)
        assert not Reservation.objects.exists()
        assert_in_order(june.project)

    @pytest.mark.parametrize(("rater", "successor"), [("ravi", "ravi"), ("otto", "rosa")])
    def test_nobody_is_replaced_by_themselves_or_without_being_there(self, rater, successor):
        june = study()
        with pytest.raises(ProjectError):
            replace_rater(june.project, person(rater), person(successor))

    def test_whoever_sees_all_ratings_takes_over_from_nobody(self):
        june = study()
        for successor in (person("lena"), person("ines", admin=True)):
            with pytest.raises(ProjectError, match="sees all ratings"):
                replace_rater(june.project, person("ravi"), successor)

    def test_new_slots_and_new_responses_stand_where_they_belong(self):
        june = study(prompts=2, overlap=1)
        reserve(june.project, [june.people["ravi"]], HERON)
        change_overlap(june.project, 3)
        response(june.responses[0].prompt, "plover", 2)
        add_responses(june.project)
        assert_in_order(june.project)
        assert Slot.objects.filter(rank__lt=0).count() == 6
        assert Slot.objects.filter(rank__gte=0).count() == 3


@pytest.mark.django_db(transaction=True)
def test_raters_at_once_keep_to_their_parts_and_leave_nothing():
    raters = tuple(f"rater{n:02}" for n in range(12))
    june = study(prompts=8, systems=("heron", "plover"), sentences=1, overlap=2, raters=raters)
    insiders = raters[:4]
    reserve(june.project, [june.people[name] for name in insiders], HERON)
    add_member(june.project, person("lena"), "lead")

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

    with ThreadPoolExecutor(12) as pool:
        done = dict(zip(raters, pool.map(work, raters), strict=True))
    assert not Slot.objects.filter(finished_at=None).exists()
    outsiders = [pk for name in raters[4:] for pk in done[name]]
    assert "heron" not in systems(outsiders)


@pytest.mark.django_db(transaction=True)
def test_what_is_kept_while_somebody_leaves_is_kept():
    """A member leaves and, before that is committed, a part is kept on the same responses for somebody else."""
    june = study(prompts=2, systems=("heron", "plover"), overlap=1, raters=("ravi", "rosa"), sentences=1)
    ravi, rosa = june.people["ravi"], june.people["rosa"]
    reserve(june.project, [ravi], HERON)

    def keep() -> None:
        try:
            reserve(june.project, [rosa], HERON)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            remove_member(june.project, ravi)
            reservation = pool.submit(keep)
            while not waiting():
                assert not reservation.done(), "nobody waited for the change to be committed"
        reservation.result()
    assert_in_order(june.project)

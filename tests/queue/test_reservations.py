"""Parts of the work: given to their raters first and to nobody else, chosen reproducibly, and undone."""

from functools import partial

import pytest

from annotation.access import project_for
from annotation.accounts.users import set_active
from annotation.models import AuditEvent, Membership, Prompt, Reservation, Response, Slot
from annotation.projects.create import add_responses, create_project
from annotation.projects.members import add_member, remove_member, replace_rater
from annotation.projects.overview import rater_work
from annotation.projects.project_settings import change_settings
from annotation.qualification.next_work import take_next
from annotation.queue import reservations
from annotation.queue.errors import ProjectError
from annotation.queue.leases import release
from annotation.queue.reservations import Selection, end_reservation, reservation_requests, reserve, sheets_of
from tests.cast import article_accuracy, person, response, study
from tests.qualification.finished_work import answer_all, work_through
from tests.queue.reserved_work import HERON, assert_in_order

pytestmark = pytest.mark.django_db


def systems(done: list[int]) -> list[str]:
    return [Response.objects.get(pk=pk).system.name for pk in done]


class TestTheQueue:
    def test_what_is_kept_for_a_rater_comes_first_article_by_article_and_to_nobody_else(self):
        june = study(prompts=4, systems=("heron", "plover"), overlap=2, sentences=1)
        ravi, rosa = june.people["ravi"], june.people["rosa"]
        assert reserve(june.project, [ravi], HERON, actor=june.people["lena"]) == 4
        assert_in_order(june.project)
        remaining = [rater_work(rater, june.project)[0].remaining for rater in (ravi, rosa)]
        done = [work_through(june.project, rater) for rater in (ravi, rosa)]
        assert systems(done[0]) == ["heron"] * 4 + ["plover"] * 4
        assert systems(done[1]) == ["plover"] * 4
        assert remaining == [8, 4], "what is left for a rater is what the queue still gives"
        order = [Response.objects.get(pk=pk).prompt.document.key for pk in done[0][:4]]
        assert order in (["d1", "d1", "d2", "d2"], ["d2", "d2", "d1", "d1"])

    def test_what_is_kept_for_a_closed_account_alone_is_for_everybody(self):
        june = study(prompts=2, systems=("heron", "plover"), overlap=1, sentences=1)
        reserve(june.project, [june.people["ravi"]], HERON)
        set_active(june.people["ravi"], False, actor=june.people["lena"])
        assert_in_order(june.project)
        done = systems(work_through(june.project, june.people["rosa"]))
        assert sorted(done) == ["heron", "heron", "plover", "plover"]

    def test_two_raters_of_one_part_share_it(self):
        june = study(prompts=2, systems=("heron", "plover"), overlap=2, raters=("ravi", "rosa", "tom"), sentences=1)
        reserve(june.project, [june.people["ravi"], june.people["rosa"]], HERON)
        for name, expected in (("ravi", 4), ("rosa", 4), ("tom", 0)):
            assert len(work_through(june.project, june.people[name])) == expected

    def test_reserved_work_given_back_comes_again_to_its_rater_and_a_lease_of_somebody_else_runs_on(self):
        june = study(prompts=1, overlap=1)
        ravi, rosa = june.people["ravi"], june.people["rosa"]
        work = take_next(june.project, rosa)
        reserve(june.project, [ravi], HERON)
        assert take_next(june.project, ravi) is None
        assert take_next(june.project, rosa) == work
        release(work)
        assert take_next(june.project, rosa) is None
        ravis = take_next(june.project, ravi)
        release(ravis)
        assert take_next(june.project, rosa) is None
        assert take_next(june.project, ravi) == ravis

    def test_next_work_takes_as_few_queries_with_parts_as_without(self, django_assert_num_queries):
        june = study(prompts=20, systems=("heron", "plover"))
        reserve(june.project, [june.people["ravi"]], HERON)
        for name in ("ravi", "rosa"):
            with django_assert_num_queries(4):
                project = project_for(june.people[name], "june", needs="rater", lock=True)
                take_next(project, june.people[name])


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
        choices = reservations.selection_choices(june.project)
        assert choices.systems == [("heron", 4), ("plover", 4)]
        assert [(key, n) for key, _, n in choices.documents] == [("d1", 4), ("d2", 4)]
        assert choices.metadata == [("topic", "birds", 6), ("topic", "fish", 4), ("year", "2020", 4)]

    def test_the_same_seed_draws_the_same_also_in_a_copy_and_never_what_somebody_has(self):
        june = study(prompts=10, sentences=1)
        draw = Selection("random", n=4, seed=7)
        first = set(sheets_of(june.project, draw))
        assert len(first) == 4
        copy = create_project("copy", june.project.dataset, article_accuracy(), seed=5)
        keys = [set(sheets_of(p, draw).values_list("response__key", flat=True)) for p in (june.project, copy)]
        assert keys[0] == keys[1] == {sheet.response.key for sheet in first}
        assert set(sheets_of(june.project, Selection("random", n=4, seed=8))) != first
        reserve(june.project, [june.people["ravi"]], draw)
        assert not first & set(sheets_of(june.project, draw))

    def test_what_is_finished_is_not_kept(self):
        june = study(prompts=2, overlap=1, sentences=1)
        answer_all(take_next(june.project, june.people["ravi"]))
        assert reserve(june.project, [june.people["rosa"]], HERON) == 1

    def test_the_effect_says_how_many_who_shares_and_whether_the_raters_are_too_few(self):
        june = study(prompts=3, systems=("heron", "plover"), overlap=2)
        ravi, rosa = june.people["ravi"], june.people["rosa"]
        reserve(june.project, [ravi], Selection("document", "d1"))
        effect = reservations.preview_reservation(june.project, [rosa], HERON)
        assert (effect.responses, effect.shared, effect.shared_with, effect.too_few) == (3, 2, ["ravi"], True)
        assert not reservations.preview_reservation(june.project, [ravi, rosa], HERON).too_few

    def test_what_cannot_be_kept_is_refused(self, june):
        for names, selection, message in (
            ([], HERON, "choose at least one rater"),
            (["otto"], HERON, "otto: not active in this project"),
            (["ravi"], Selection("system", "gull"), "no unfinished response"),
        ):
            with pytest.raises(ProjectError, match=message):
                reserve(june.project, [person(name) for name in names], selection)
        assert not Reservation.objects.exists()


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

    def test_whoever_leaves_takes_no_part_along_unless_a_successor_gets_it(self):
        june = study(prompts=2, sentences=1)
        for leave in (remove_member, partial(replace_rater, successor=person("tom"), move_reservations=False)):
            reserve(june.project, [june.people["ravi"]], HERON)
            leave(june.project, june.people["ravi"])
            assert not Reservation.objects.exists()
            assert_in_order(june.project)
            assert june.project.slots.filter(rank__gte=0).count() == 4
            add_member(june.project, june.people["ravi"], "rater")
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

    def test_nobody_is_replaced_by_themselves_or_who_sees_all_ratings_or_without_being_there(self, june, ada):
        for rater, successor, says in (
            ("ravi", "ravi", "cannot replace ravi"),
            ("otto", "rosa", "not a member of this project"),
            ("ravi", "lena", "sees all ratings"),
            ("ravi", "ada", "sees all ratings"),
        ):
            with pytest.raises(ProjectError, match=says):
                replace_rater(june.project, person(rater), person(successor))

    def test_new_slots_and_new_responses_stand_where_they_belong(self):
        june = study(prompts=2, overlap=1)
        reserve(june.project, [june.people["ravi"]], HERON)
        change_settings(june.project, {"overlap": 3})
        response(june.responses[0].prompt, "plover", 2)
        add_responses(june.project)
        assert_in_order(june.project)
        assert Slot.objects.filter(rank__lt=0).count() == 6
        assert Slot.objects.filter(rank__gte=0).count() == 3

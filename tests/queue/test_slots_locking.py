"""Two connections that lock the same slots: the second waits, there is no deadlock, and no work is overlooked."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial

import pytest
from django.db import transaction
from django.db.models import F

from annotation.access import project_for
from annotation.accounts.users import set_active
from annotation.importing import load_ratings
from annotation.models import Assignment, Membership, Project, Rating, Reservation, Sheet, Slot
from annotation.projects.archiving import archive
from annotation.projects.members import remove_member
from annotation.projects.project_settings import change_settings
from annotation.qualification import sheet_purposes
from annotation.qualification.hidden_gold import GoldSchedule
from annotation.qualification.next_work import take_next
from annotation.queue import next_slot
from annotation.queue.errors import LeaseLost
from annotation.queue.exclusion import exclude
from annotation.queue.leases import release
from annotation.queue.reopening import reopen
from annotation.queue.reservations import reserve
from annotation.queue.slots import lock_project, lock_slots, update_slot_ranks
from annotation.rating.finish import finish
from annotation.rating.submit import Submission, save
from annotation.rating.tally_check import find_tally_differences
from tests.cast import ACCURATE, Study, study
from tests.gold_studies import gold_sheets_for
from tests.qualification.finished_work import answer_all, work_through
from tests.queue.locked_queries import LONG, closing, waiting
from tests.queue.reserved_work import HERON, assert_in_order

pytestmark = pytest.mark.django_db(transaction=True)
RunUntilLocked = Callable[[Callable[[], object]], Future]


@pytest.fixture
def run_until_locked() -> Iterator[RunUntilLocked]:
    """Return a function that runs another on a second connection, and returns when that waits for a lock."""
    with ThreadPoolExecutor(4) as pool:

        def start(act: Callable[[], object]) -> Future:
            before = waiting()
            doing = pool.submit(closing, act)
            while waiting() == before:
                assert not doing.done(), f"it did not wait: {doing.result()}"
            return doing

        yield start


def ask(june: Study, name: str) -> Assignment | None:
    """Request work, as the page does."""
    with transaction.atomic():
        return take_next(project_for(june.people[name], "june", needs="rater", lock=True), june.people[name])


class TestAskingForWork:
    def test_while_fewer_are_to_read_each_response_waits_for_the_slots_that_stay(self, run_until_locked):
        june = study(prompts=2, overlap=3, sentences=1)
        with transaction.atomic():
            change_settings(june.project, {"overlap": 1})
            assert june.project.slots.count() == 2
            asking = [run_until_locked(partial(ask, june, name)) for name in ("ravi", "rosa")]
        ravis, rosas = (each.result(LONG) for each in asking)
        assert ravis.sheet != rosas.sheet

    @pytest.mark.parametrize("is_undone", [False, True])
    def test_waits_until_a_reservation_of_all_slots_is_committed_or_rolled_back(self, run_until_locked, is_undone):
        june = study(prompts=2, overlap=1)
        with transaction.atomic():
            reserve(june.project, [june.people["rosa"]], HERON)
            asking = run_until_locked(partial(ask, june, "ravi"))
            transaction.set_rollback(is_undone)
        assert (asking.result(LONG) is not None) == is_undone

    def test_is_answered_in_the_end_though_the_change_goes_on(self, monkeypatch):
        monkeypatch.setattr(next_slot, "LOCK_TIMEOUT", "200ms")
        june = study(overlap=3)
        with ThreadPoolExecutor(1) as pool, transaction.atomic():
            change_settings(june.project, {"overlap": 1})
            assert pool.submit(closing, partial(ask, june, "ravi")).result(LONG) is None
            assert Slot.objects.filter(holder=None).count() == 1

    def test_removing_the_waiting_rater_does_not_deadlock(self, run_until_locked):
        june = study(overlap=3)
        ravi = june.people["ravi"]
        with transaction.atomic():
            change_settings(june.project, {"overlap": 1})
            asking = run_until_locked(partial(ask, june, "ravi"))
            removing = run_until_locked(partial(remove_member, june.project, ravi))
        assert asking.result(LONG) is not None
        removing.result(LONG)
        assert not Membership.objects.filter(user=ravi).exists()
        assert Slot.objects.get().holder is None

    def test_of_a_project_that_was_archived_meanwhile_does_not_wait(self, monkeypatch):
        """It may be about to be deleted, and that needs the membership which the request has locked."""
        monkeypatch.setattr(next_slot, "LOCK_TIMEOUT", "0")  # for ever
        june = study()
        archive(Project.objects.get())
        ask_with_what_was_read_before = transaction.atomic(partial(take_next, june.project, june.people["ravi"]))
        with ThreadPoolExecutor(1) as pool, transaction.atomic():
            lock_slots(Slot.objects.all())
            assert pool.submit(closing, ask_with_what_was_read_before).result(LONG) is None


class TestReserving:
    def test_waits_for_somebody_who_leaves_and_is_kept(self, run_until_locked):
        """A member leaves and, before that is committed, a part is kept on the same responses for somebody else."""
        june = study(prompts=2, systems=("heron", "plover"), overlap=1, sentences=1)
        reserve(june.project, [june.people["ravi"]], HERON)
        with transaction.atomic():
            remove_member(june.project, june.people["ravi"])
            reserving = run_until_locked(partial(reserve, june.project, [june.people["rosa"]], HERON))
        reserving.result(LONG)
        assert_in_order(june.project)

    def test_raters_at_once_keep_to_their_parts_and_leave_nothing(self):
        names = tuple(f"rater{n}" for n in range(8))
        june = study(prompts=6, systems=("heron", "plover"), sentences=1, overlap=2, raters=names)
        reserve(june.project, [june.people[name] for name in names[:3]], HERON)

        def work(name: str) -> list[str]:
            done = []
            while assignment := ask(june, name):
                answer_all(assignment)
                done.append(assignment.sheet.response.system.name)
            return done

        with ThreadPoolExecutor(8) as pool:
            done = list(pool.map(lambda name: closing(partial(work, name)), names))
        assert not Slot.objects.filter(finished_at=None).exists()
        assert not any("heron" in systems for systems in done[3:])


class TestOneOrder:
    def test_closing_an_account_waits_for_the_project_before_it_touches_a_slot(self, run_until_locked):
        june = study(prompts=2, overlap=1, sentences=1)
        ravi = june.people["ravi"]
        reserve(june.project, [ravi], HERON)
        ask(june, "ravi")
        with transaction.atomic():
            lock_project(june.project)
            closing = run_until_locked(partial(set_active, ravi, False))
            Reservation.objects.all().delete()
            assert update_slot_ranks(june.project) == 2
        closing.result(LONG)
        assert not Slot.objects.exclude(holder=None).exists()
        assert_in_order(june.project)

    @pytest.mark.parametrize("purpose", ["work", "training"])
    def test_a_sheet_is_locked_before_its_slots_by_whoever_changes_or_relies_on_its_purpose(
        self, run_until_locked, monkeypatch, purpose
    ):
        """Rosa is due for gold whose slot Ravi gave back, while a lead takes it out of the gold."""
        june = study(prompts=4, overlap=2, sentences=2)
        [sheet] = gold_sheets_for(june, "gold", 0)
        Project.objects.update(gold_every=2)
        june.project.refresh_from_db()
        monkeypatch.setattr(GoldSchedule, "is_due", lambda draw, had: True)
        release(ask(june, "ravi"))
        asking = []
        emptied = sheet_purposes._delete_unfinished_slots

        def and_then_rosa_asks(sheets: list[Sheet]) -> None:
            emptied(sheets)
            asking.append(run_until_locked(partial(ask, june, "rosa")))

        monkeypatch.setattr(sheet_purposes, "_delete_unfinished_slots", and_then_rosa_asks)
        assert sheet_purposes.set_purpose(june.project, [sheet], purpose) == 1
        assert asking[0].result(LONG).purpose == "work"

    @pytest.mark.parametrize("act", ["leave", "order"])
    def test_several_slots_are_locked_from_the_lowest_id_on(self, run_until_locked, act):
        """The lowest lies last in the table, where a plain UPDATE may come by last."""
        june = study(prompts=6, overlap=1, sentences=1)
        ravi = june.people["ravi"]
        with transaction.atomic():
            work_through(june.project, ravi)
        for work in Assignment.objects.all():
            reopen(work)
        Reservation.objects.bulk_create(
            Reservation(sheet=sheet, project=june.project, rater=ravi) for sheet in june.project.sheets.all()
        )
        lowest, *others = Slot.objects.order_by("pk").values_list("pk", flat=True)
        Slot.objects.filter(pk=lowest).update(rank=F("rank"))
        doing = {
            "leave": partial(remove_member, june.project, ravi),
            "order": transaction.atomic(partial(update_slot_ranks, june.project)),
        }
        with transaction.atomic():
            lock_slots(Slot.objects.filter(pk=lowest))
            acting = run_until_locked(doing[act])
            lock_slots(Slot.objects.filter(pk__in=others))
        acting.result(LONG)
        assert_in_order(june.project)


class TestExcluding:
    """Whatever happens at the same time, no rating of an excluded response counts."""

    @pytest.mark.parametrize("comes_first", ["import", "exclude"])
    def test_while_ratings_are_imported(self, run_until_locked, tmp_path, comes_first):
        june = study(overlap=1)
        rows = [{"response": "q1-heron", "item": n, "rater": "tom", "answers": ACCURATE} for n in range(3)]
        path = tmp_path / "ratings.jsonl"
        path.write_text("\n".join(map(json.dumps, rows)))
        [sheet] = june.project.sheets.all()
        acts = [partial(load_ratings, path, june.project), partial(exclude, june.project, [sheet.pk], "a duplicate")]
        first, second = acts if comes_first == "import" else acts[::-1]
        with transaction.atomic():
            first()
            doing = run_until_locked(second)
        assert doing.result(LONG) == 1 if comes_first == "import" else doing.result(LONG).new == 3
        assert list(Rating.objects.values_list("counted", flat=True)) == [False] * 3
        assert not find_tally_differences()

    @pytest.mark.parametrize("comes_first", ["finish", "exclude"])
    def test_while_a_rater_finishes(self, run_until_locked, comes_first):
        june = study(overlap=1)
        work = ask(june, "ravi")
        for item in june.items():
            save(work.rater, work.public_id, item.public_id, Submission(ACCURATE, 0))
        excluding = partial(exclude, june.project, [work.sheet_id], "a duplicate")
        first, second = (finish, excluding) if comes_first == "finish" else (excluding, finish)
        first, second = (partial(each, work) if each is finish else each for each in (first, second))
        with transaction.atomic():
            first()
            doing = run_until_locked(second)
        if comes_first == "finish":
            assert doing.result(LONG) == 1
        else:
            with pytest.raises(LeaseLost, match="excluded"):
                doing.result(LONG)
        assert not Rating.objects.filter(counted=True).exists()
        assert not find_tally_differences()

    def test_while_a_rater_gets_it(self, run_until_locked):
        june = study(overlap=1)
        [sheet] = june.project.sheets.all()
        with transaction.atomic():
            ask(june, "ravi")
            excluding = run_until_locked(partial(exclude, june.project, [sheet.pk], "a duplicate"))
        assert excluding.result(LONG) == 1
        assert not Slot.objects.exists()
        assert ask(june, "ravi") is None

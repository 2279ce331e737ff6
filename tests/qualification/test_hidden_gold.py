"""Hidden gold: at the rate the lead sets, the same every time, and not to be told from other work."""

from dataclasses import replace

import pytest
from django.utils import timezone

from annotation.models import AuditEvent, Item, Membership, Slot
from annotation.projects.overview import rater_work
from annotation.qualification.gold_comparison import hidden_gold_scores
from annotation.qualification.hidden_gold import GoldSchedule
from annotation.qualification.pausing import lift_pause
from annotation.queue.leases import release
from annotation.queue.slots import add_slots
from annotation.rating.counting import counted_ratings, left_out
from annotation.rating.tally_check import find_tally_differences
from tests.cast import ACCURATE, SEVERE, Study, study
from tests.gold_studies import gold_sheets_for, rate_next, take_work

pytestmark = pytest.mark.django_db


def mixed(every: int = 3, *, prompts: int = 12, gold: tuple[int, ...] = (0, 1, 2, 3), overlap: int = 1) -> Study:
    """Create twelve responses of one sentence each, four of them hidden gold."""
    june = study(prompts=prompts, overlap=overlap, sentences=1)
    gold_sheets_for(june, "gold", *gold)
    june.project.gold_every = every
    june.project.save()
    return june


def purposes_of(june: Study, name: str, answers=ACCURATE) -> list[str]:
    """Return the purposes of the responses that the rater gets until nothing is left: w (work) and g (gold)."""
    purposes = []
    while take_work(june.project, june.people[name]):
        purposes.append(rate_next(june, name, answers)[0].purpose[0])
    return purposes


class TestTheDraw:
    def test_one_in_each_block_falls_anywhere_by_seed_and_rater_and_the_same_again(self):
        draw = GoldSchedule(1, "ravi", 20)
        for block in range(50):
            assert [draw.is_due(block * 20 + position) for position in range(20)].count(True) == 1
        positions = [draw.gold_position(block) for block in range(50)]
        assert len(set(positions)) > 10
        for other, is_same in (
            (replace(draw), True),
            (replace(draw, rater="rosa"), False),
            (replace(draw, seed=2), False),
        ):
            assert (positions == [other.gold_position(block) for block in range(50)]) == is_same

    @pytest.mark.parametrize("every", [2, 3, 7])
    @pytest.mark.parametrize("gold", [0, 2, 100])
    def test_how_many_are_to_come_is_what_then_comes(self, every, gold):
        draw = GoldSchedule(4, "rosa", every)
        for had in range(12):
            for remaining in range(15):
                index, work, golds = had, remaining, 0
                while work:
                    if draw.is_due(index) and golds < gold:
                        golds += 1
                    else:
                        work -= 1
                    index += 1
                assert draw.count_upcoming(had, remaining, gold) == golds


class TestTheWay:
    def test_one_in_three_is_gold_none_is_left_over_for_the_end_and_nothing_of_it_counts(self):
        june = mixed()
        ravi, purposes, counts = june.people["ravi"], [], []
        while True:
            work = rater_work(ravi, june.project)[0]
            counts.append((work.remaining, work.finished))
            if not take_work(june.project, ravi):
                break
            shown = rater_work(ravi, june.project)[0]
            assert (shown.remaining, shown.finished) == counts[-1] and shown.begun
            purposes.append(rate_next(june, "ravi")[0].purpose[0])
        total, gold, draw = counts[0][0], purposes.count("g"), GoldSchedule(1, "ravi", 3)
        assert counts == [(total - n, n) for n in range(total + 1)], "it goes down by one with each"
        expected = [
            "g" if draw.is_due(index) and purposes[:index].count("g") < 4 and "w" in purposes[index:] else "w"
            for index in range(len(purposes))
        ]
        assert purposes == expected and purposes[-1] == "w" and purposes.count("w") == 8 and gold >= 2
        assert counted_ratings(june.project).count() == 8
        assert left_out(june.project) == {"hidden gold": gold, "gold": 4}
        assert not find_tally_differences()
        assert Slot.objects.filter(project=june.project, finished_at__isnull=False).count() == 8
        assert add_slots(june.project) == 0

    def test_two_tabs_get_the_same_and_one_given_back_comes_again_at_the_end(self):
        june = mixed(2)
        ravi = june.people["ravi"]
        while (work := take_work(june.project, ravi)).purpose != "gold":
            rate_next(june, "ravi")
        assert take_work(june.project, ravi).pk == work.pk
        before = rater_work(ravi, june.project)[0].remaining
        release(work)
        assert rater_work(ravi, june.project)[0].remaining == before
        assert purposes_of(june, "ravi")[-1] == "g"
        work.refresh_from_db()
        assert work.finished_at

    def test_raters_get_gold_each_for_themselves_a_lead_none_and_nobody_where_it_is_switched_off(self):
        june = mixed(overlap=3)
        assert "g" in purposes_of(june, "ravi") and "g" not in purposes_of(june, "lena")
        while rate_next(june, "rosa")[0].purpose != "gold":
            pass
        june.project.gold_every = None
        june.project.save()
        assert "g" not in purposes_of(june, "rosa")
        assert rater_work(june.people["rosa"], june.project)[0].remaining == 0


def until_news(answers: dict) -> tuple[Study, list[str], str]:
    """Create a study that pauses early; return the purposes that Ravi gets with these answers, and the last news."""
    june, purposes, news = mixed(2, prompts=10, gold=(0, 1, 2)), [], ""
    june.project.least_gold, june.project.fewest_gold = 0.7, 2
    june.project.save()
    while not news and take_work(june.project, june.people["ravi"]):
        work, news = rate_next(june, "ravi", answers)
        purposes.append(work.purpose)
    return june, purposes, news


def test_right_answers_pause_nobody():
    assert until_news(SEVERE)[2] == ""


def test_too_many_wrong_ones_pause_but_never_right_after_a_gold_one_and_later_gold_alone_is_looked_at_after_a_lift():
    june, purposes, news = until_news(ACCURATE)
    ravi = june.people["ravi"]
    assert news == "paused" and purposes.count("gold") >= 2 and purposes[-1] == "work"
    member = Membership.objects.get(user=ravi)
    assert member.paused_at and "differ from the gold answers" in member.pause_reason
    assert AuditEvent.objects.filter(action="pause rater").count() == 1
    assert lift_pause(june.project, ravi, actor=june.people["lena"])
    assert hidden_gold_scores(june.project, ravi)[ravi.pk].items >= 2
    assert ravi.pk not in hidden_gold_scores(june.project, ravi, since_lift=True)
    assert rate_next(june, "ravi", ACCURATE)[1] == ""
    Item.objects.update(retired_at=timezone.now())
    assert not hidden_gold_scores(june.project), "retired items measure nobody"

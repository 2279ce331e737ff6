"""Rating in a project with a sample: raters are asked about the drawn items, judges and leads about all."""

import pytest

from annotation.access import assignments_for
from annotation.judging.judged_items import judged_items
from annotation.models import Assignment, Item, Rating
from annotation.projects.overview import rater_work
from annotation.qualification.next_work import take_next
from annotation.qualification.sheet_purposes import count_gold
from annotation.rating.bookmarks import add_bookmark
from annotation.rating.bulk_storage import CannotStore, NewRating, store_ratings
from annotation.rating.finish import StillOpen, finish
from annotation.rating.rater_view import answered_items
from annotation.rating.submit import NoSuchItem, NotAllowed, Submission, save
from annotation.reviewing.disagreement_ranking import ReviewSelection
from annotation.reviewing.disagreements import items_needing_review
from annotation.reviewing.reviewable_items import items_for_review
from annotation.reviewing.side_panel import panel_contents
from tests.cast import ACCURATE, Study, study

pytestmark = pytest.mark.django_db


@pytest.fixture
def june() -> Study:
    """Create one response of four sentences and a heading, of which two sentences are drawn."""
    return study(sentences=4, heading=True, sample=2)


def drawn(june: Study, *, is_drawn: bool = True) -> list[Item]:
    rows = june.project.sampled_items.filter(is_drawn=is_drawn)
    return [row.item for row in rows.select_related("item").order_by("item__position")]


@pytest.fixture
def work(june: Study) -> Assignment:
    taken = take_next(june.project, june.people["ravi"])
    assert taken
    return assignments_for(june.people["ravi"]).get(pk=taken.pk)


def answer(june: Study, work: Assignment, item: Item) -> None:
    save(june.people["ravi"], work.public_id, item.public_id, Submission(ACCURATE, 0))


def test_a_response_is_finished_with_the_drawn_items(june: Study, work: Assignment) -> None:
    first, second = drawn(june)
    answer(june, work, first)
    with pytest.raises(StillOpen) as caught:
        finish(work)
    assert caught.value.open == [second.public_id]
    answer(june, work, second)
    finish(work)
    assert Rating.objects.filter(counted=True).count() == 2


def test_other_items_take_no_answer_and_no_bookmark(june: Study, work: Assignment) -> None:
    other = drawn(june, is_drawn=False)[0]
    with pytest.raises(NotAllowed) as caught:
        answer(june, work, other)
    assert caught.value.errors == {"item": ["Raters are not asked about this part of the response."]}
    with pytest.raises(NoSuchItem):
        add_bookmark(june.people["ravi"], work.public_id, other.public_id)


def test_pages_and_programs_are_told_which_items_are_asked(june: Study, work: Assignment) -> None:
    asked = [item.public_id for item in drawn(june)]
    assert [item.public_id for item in answered_items(work) if item.rate] == asked
    assert panel_contents(work)["items"] == asked
    answer(june, work, drawn(june)[0])
    begun = rater_work(june.people["ravi"], june.project)[0].begun
    assert begun and (begun.done, begun.total) == (1, 2)


def test_raters_ratings_of_other_items_are_bad_input(june: Study) -> None:
    ravi, other = june.people["ravi"], drawn(june, is_drawn=False)[0]
    message = f"sentence {other.position} is not in the project's sample, and raters are not asked about it"
    with pytest.raises(CannotStore, match=message):
        store_ratings(june.project, [NewRating(drawn(june)[0], ravi, ACCURATE), NewRating(other, ravi, ACCURATE)])
    assert not Rating.objects.exists()


def test_judges_and_leads_rate_all_items(june: Study) -> None:
    everything = drawn(june) + drawn(june, is_drawn=False)
    assert set(judged_items(june.project)) == set(everything) == set(items_for_review(june.project))
    for role in (Rating.Role.JUDGE, Rating.Role.GOLD):
        ratings = [NewRating(item, june.people["lena"], ACCURATE, role) for item in everything]
        assert store_ratings(june.project, ratings).new == 4


def test_gold_for_checks_and_reviews_is_about_the_drawn_items(june: Study) -> None:
    ratings = [NewRating(item, june.people["lena"], ACCURATE, "gold") for item in drawn(june)]
    store_ratings(june.project, ratings)
    [candidate] = count_gold(june.project, list(june.project.sheets.all()))
    assert (candidate.items, candidate.gold, candidate.is_whole) == (2, 2, True)
    listed = items_needing_review(june.project, ReviewSelection(show="all"))
    assert {row.item for row in listed.rows} == set(drawn(june))

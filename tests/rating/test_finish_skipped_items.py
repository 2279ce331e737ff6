"""Rating in a project that skips items marked as likely free of claims."""

import pytest

from annotation.access import assignments_for
from annotation.models import Assignment, Project, Rating
from annotation.projects.overview import rater_work
from annotation.qualification.next_work import take_next
from annotation.qualification.sheet_purposes import count_gold
from annotation.rating.bookmarks import add_bookmark
from annotation.rating.bulk_storage import CannotStore, NewRating, store_ratings
from annotation.rating.finish import StillOpen, finish
from annotation.rating.rater_view import answered_items
from annotation.rating.submit import NoSuchItem, NotAllowed, Submission, save
from annotation.rating.whole_response_questions import last_items
from annotation.reviewing.disagreement_ranking import ReviewSelection
from annotation.reviewing.disagreements import items_needing_review
from annotation.reviewing.reviewable_items import items_for_review
from annotation.reviewing.side_panel import panel_contents
from tests.cast import ACCURATE, Study, marked_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def june() -> Study:
    return marked_study(skips=True)


def taken(june: Study) -> Assignment:
    work = take_next(june.project, june.people["ravi"])
    assert work
    return assignments_for(june.people["ravi"]).get(pk=work.pk)


def answer(june: Study, work: Assignment, position: int) -> None:
    save(june.people["ravi"], work.public_id, june.items()[position].public_id, Submission(ACCURATE, 0))


def test_a_response_is_finished_without_the_skipped_items(june: Study) -> None:
    work = taken(june)
    answer(june, work, 0)
    with pytest.raises(StillOpen) as caught:
        finish(work)
    assert caught.value.open == [june.items()[2].public_id]
    answer(june, work, 2)
    finish(work)
    assert Rating.objects.filter(counted=True).count() == 2


def test_a_skipped_item_takes_no_answer_and_no_bookmark(june: Study) -> None:
    work = taken(june)
    with pytest.raises(NotAllowed) as caught:
        answer(june, work, 1)
    assert caught.value.errors == {"item": ["Raters are not asked about this part of the response."]}
    with pytest.raises(NoSuchItem):
        add_bookmark(june.people["ravi"], work.public_id, june.items()[1].public_id)


def test_pages_and_programs_are_told_that_it_is_not_rated(june: Study) -> None:
    work = taken(june)
    assert [item.rate for item in answered_items(work)] == [True, False, True, False]
    rated = [june.items()[position].public_id for position in (0, 2)]
    assert panel_contents(work)["items"] == rated
    begun = rater_work(june.people["ravi"], june.project)[0].begun
    assert begun and (begun.done, begun.total) == (0, 2)
    answer(june, work, 0)
    begun = rater_work(june.people["ravi"], june.project)[0].begun
    assert begun and (begun.done, begun.total) == (1, 2)


def test_an_import_of_an_answer_about_it_is_bad_input(june: Study) -> None:
    first, second, *_ = june.items()
    ravi = june.people["ravi"]
    assert store_ratings(june.project, [NewRating(first, ravi, ACCURATE)]).new == 1
    with pytest.raises(CannotStore, match=r"sentence 1 is marked as likely free of claims \(question\)"):
        store_ratings(june.project, [NewRating(second, ravi, ACCURATE)])


def test_the_last_item_is_the_last_that_is_asked(june: Study) -> None:
    items = [item.pk for item in june.items()]
    assert [item.position for item in last_items(june.project, items)] == [2, 3]
    assert june.items()[2] in last_items(june.project, items)
    Project.objects.update(skips_claim_free=False)
    june.project.refresh_from_db()
    assert [item.position for item in last_items(june.project, items)] == [3]


def test_gold_and_reviews_are_about_the_rated_items(june: Study) -> None:
    ratings = [NewRating(june.items()[n], june.people["lena"], ACCURATE, "gold") for n in (0, 2)]
    store_ratings(june.project, ratings)
    [candidate] = count_gold(june.project, list(june.project.sheets.all()))
    assert (candidate.items, candidate.gold, candidate.is_whole) == (2, 2, True)
    assert [item.position for item in items_for_review(june.project)] == [0, 2]
    listed = items_needing_review(june.project, ReviewSelection(show="all"))
    assert sorted(row.item.position for row in listed.rows) == [0, 2]

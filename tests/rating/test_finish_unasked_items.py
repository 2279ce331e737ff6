"""Rating where raters are not asked about some items: those outside the sample, or marked as likely free of claims."""

import pytest

from annotation.access import assignments_for
from annotation.judging.workload import judged_items
from annotation.models import Assignment, Item, Project, Rating
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
from annotation.reviewing.lead_ratings import items_for_review
from annotation.reviewing.side_panel import panel_contents
from tests.cast import ACCURATE, Study, marked_study, study

pytestmark = pytest.mark.django_db


@pytest.fixture(params=["sample", "claim-free"])
def june(request: pytest.FixtureRequest) -> Study:
    """Create one response of four sentences, of which two are drawn, or two are not marked."""
    return study(sentences=4, heading=True, sample=2) if request.param == "sample" else marked_study(skips=True)


@pytest.fixture
def work(june: Study) -> Assignment:
    taken = take_next(june.project, june.people["ravi"])
    assert taken
    return assignments_for(june.people["ravi"]).get(pk=taken.pk)


def items(june: Study, *, asked: bool = True) -> list[Item]:
    """Return the two sentences that raters are asked about, or the two others."""
    rows = june.project.sampled_items.filter(is_drawn=True).values_list("item", flat=True)
    return [
        item
        for item in june.items()
        if item.kind == "sentence" and (item.pk in rows if rows else not item.claim_free) == asked
    ]


def answer(work: Assignment, item: Item) -> None:
    save(work.rater, work.public_id, item.public_id, Submission(ACCURATE, 0))


def test_a_response_is_finished_with_the_items_that_are_asked(june: Study, work: Assignment) -> None:
    first, second = items(june)
    answer(work, first)
    with pytest.raises(StillOpen) as caught:
        finish(work)
    assert caught.value.open == [second.public_id]
    answer(work, second)
    finish(work)
    assert Rating.objects.filter(counted=True).count() == 2


def test_other_items_take_no_answer_and_no_bookmark(june: Study, work: Assignment) -> None:
    other = items(june, asked=False)[0]
    with pytest.raises(NotAllowed) as caught:
        answer(work, other)
    assert caught.value.errors == {"item": ["Raters are not asked about this part of the response."]}
    with pytest.raises(NoSuchItem):
        add_bookmark(work.rater, work.public_id, other.public_id)


def test_pages_and_programs_are_told_which_items_are_asked(june: Study, work: Assignment) -> None:
    asked = [item.public_id for item in items(june)]
    assert [item.public_id for item in answered_items(work) if item.rate] == asked == panel_contents(work)["items"]
    for done in (0, 1):
        begun = rater_work(work.rater, june.project)[0].begun
        assert begun and (begun.done, begun.total) == (done, 2)
        answer(work, items(june)[done])


def test_imported_answers_of_raters_about_other_items_are_bad_input(june: Study) -> None:
    ravi, first, other = june.people["ravi"], items(june)[0], items(june, asked=False)[0]
    reason = r"marked as likely free of claims \(question\)" if other.claim_free else "not in the project's sample, and"
    with pytest.raises(CannotStore, match=f"sentence {other.position} is {reason}"):
        store_ratings(june.project, [NewRating(first, ravi, ACCURATE), NewRating(other, ravi, ACCURATE)])
    assert not Rating.objects.exists()
    assert store_ratings(june.project, [NewRating(first, ravi, ACCURATE)]).new == 1


def test_gold_and_reviews_are_about_the_items_that_are_asked(june: Study) -> None:
    store_ratings(june.project, [NewRating(item, june.people["lena"], ACCURATE, "gold") for item in items(june)])
    [candidate] = count_gold(june.project, list(june.project.sheets.all()))
    assert (candidate.items, candidate.gold, candidate.is_whole) == (2, 2, True)
    listed = items_needing_review(june.project, ReviewSelection(show="all"))
    assert {row.item for row in listed.rows} == set(items(june))


@pytest.mark.parametrize("june", ["sample"], indirect=True)
def test_judges_and_leads_rate_all_items_of_a_sampled_project(june: Study) -> None:
    everything = items(june) + items(june, asked=False)
    assert set(judged_items(june.project)) == set(everything) == set(items_for_review(june.project))
    for role in (Rating.Role.JUDGE, Rating.Role.GOLD):
        ratings = [NewRating(item, june.people["lena"], ACCURATE, role) for item in everything]
        assert store_ratings(june.project, ratings).new == 4


@pytest.mark.parametrize("june", ["claim-free"], indirect=True)
def test_marked_items_are_not_reviewed_and_the_last_item_is_the_last_that_is_asked(june: Study) -> None:
    assert [item.position for item in items_for_review(june.project)] == [0, 2]
    every = [item.pk for item in june.items()]
    assert [item.position for item in last_items(june.project, every)] == [2, 3]
    assert june.items()[2] in last_items(june.project, every)
    Project.objects.update(skips_claim_free=False)
    june.project.refresh_from_db()
    assert [item.position for item in last_items(june.project, every)] == [3]

"""The order of disagreements against an example counted by hand, and what a list shows and leaves out."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import Item, Project, Rating
from annotation.reviewing.disagreement_ranking import ReviewSelection
from annotation.reviewing.disagreements import count_reviewable, items_needing_review, neighbors
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE, person
from tests.reporting.project_rows import Row, project_of

pytestmark = pytest.mark.django_db
NOT_SEVERE = {"accuracy": "inaccurate", "severity": "not_severe"}
DISPUTED = {"accuracy": "disputed", "severity": "not_severe"}
VERY_DISPUTED = {"accuracy": "disputed", "severity": "severe"}
RATERS = ("ravi", "rosa", "tom", "ines")

# Sentence by sentence what each rater said, and the score by hand: weights of the pairs that differ, over the pairs
# that would differ in an even split (1 of two raters, 2 of three, 4 of four).
EXAMPLE = {
    "all agree": ([ACCURATE, ACCURATE, ACCURATE], 0),
    "one rater": ([SEVERE], 0),
    "opposite": ([ACCURATE, SEVERE], 5),
    "two against one": ([ACCURATE, ACCURATE, SEVERE], 2 * 5 / 2),
    "three answers": ([ACCURATE, DISPUTED, SEVERE], (3 + 5 + 4) / 2),
    "three against one": ([ACCURATE, ACCURATE, ACCURATE, SEVERE], 3 * 5 / 4),
    "not severe": ([ACCURATE, NOT_SEVERE], 4),
    "severity of an inaccurate one": ([SEVERE, NOT_SEVERE], 2),
    "severity of a disputed one": ([DISPUTED, VERY_DISPUTED], 1),
    "cannot assess": ([ACCURATE, CANNOT_ASSESS], 1),
    "next to it": ([ACCURATE, DISPUTED], 3),
}
BY_HAND = [
    "three answers", "two against one", "opposite", "not severe", "three against one", "next to it",
    "severity of an inaccurate one", "severity of a disputed one", "cannot assess",
]  # fmt: skip


@pytest.fixture(scope="module")
def june(module_rows: None) -> Project:
    """Create one response; each of its sentences is one line of the example, and is called so."""
    rows = [
        Row("q1", "heron", rater, answers, item=n)
        for n, (votes, _) in enumerate(EXAMPLE.values())
        for rater, answers in zip(RATERS, votes, strict=False)
    ]
    project = project_of(rows)
    for n, name in enumerate(EXAMPLE):
        Item.objects.filter(position=n).update(text=name)
    return project


def names(project: Project, **selection: object) -> list[str]:
    return [row.item.text for row in items_needing_review(project, ReviewSelection(**selection)).rows]


def item(name: str) -> Item:
    return Item.objects.get(text=name)


def store_rating(
    project: Project, name: str, role: str, user: str = "lena", answers: dict = SEVERE, **more: object
) -> Rating:
    return Rating.objects.create(
        project=project, item=item(name), rater=person(user), role=role, answers=answers, choices=answers,
        rated_at=timezone.now(), **more,
    )  # fmt: skip


def test_the_worst_comes_first_with_its_votes_and_what_nobody_contests_not_at_all(june):
    rows = items_needing_review(june).rows
    assert [row.item.text for row in rows] == BY_HAND
    assert {row.item.text: row.score for row in rows} == {name: EXAMPLE[name][1] for name in BY_HAND}
    assert [(vote.label, vote.n, vote.choices["accuracy"]) for vote in rows[0].votes] == [
        ("Accurate", 1, "accurate"), ("Disputed, Not Severe", 1, "disputed"), ("Inaccurate, Severe", 1, "inaccurate"),
    ]  # fmt: skip
    response = rows[0].item.response
    assert (response.prompt.text, response.system.name, rows[0].raters) == ("q1", "heron", 3)
    pages = [items_needing_review(june, offset=n, limit=4) for n in (0, 4, 8)]
    assert [row.item.text for listing in pages for row in listing.rows] == BY_HAND
    assert [listing.total for listing in pages] == [9, 9, 9]


def test_what_does_not_count_or_was_taken_out_is_not_listed(june):
    store_rating(june, "all agree", "judge", "a-model")
    store_rating(june, "all agree", "gold")
    store_rating(june, "all agree", "rater", "unfinished")
    assert "all agree" not in names(june)
    Item.objects.filter(text="opposite").update(retired_at=timezone.now())
    assert "opposite" not in names(june, show="all")


def test_an_adjudicated_item_leaves_the_open_list_and_is_found_with_the_adjudicated(june):
    assert items_needing_review(june, ReviewSelection(show="adjudicated")).counts == count_reviewable(june)
    store_rating(june, "opposite", "adjudicator", "lena", SEVERE)
    store_rating(june, "opposite", "adjudicator", "ines", ACCURATE)
    assert "opposite" not in names(june) and "opposite" in names(june, show="disputed")
    [row] = items_needing_review(june, ReviewSelection(show="adjudicated")).rows
    assert (row.item.text, row.adjudication.rater) == ("opposite", person("ines")), "the newest stands"
    worst = items_needing_review(june, ReviewSelection(show="disputed"), limit=3).rows
    assert [row.adjudication is not None for row in worst] == [False, False, True]
    state = count_reviewable(june)
    assert (state.rated, state.shared, state.disputed, state.open) == (11, 10, 9, 8)
    listing = items_needing_review(june, offset=100)
    assert (listing.rows, listing.total, listing.counts) == ([], len(BY_HAND) - 1, state)


def test_comments_are_found_where_the_rating_counts_and_each_condition_must_be_met(june):
    store_rating(june, "one rater", "rater", "unfinished", comment="not yet")
    Rating.objects.filter(rater__username="ravi", item__text__in=["all agree", "opposite"]).update(comment="Twice.")
    ravi, severe = person("ravi").pk, (("severity", "severe"),)
    assert set(names(june, show="commented")) == set(names(june, show="commented", rater=ravi))
    assert set(names(june, show="commented")) == {"all agree", "opposite"}
    assert items_needing_review(june, ReviewSelection(show="commented")).rows[0].comments == 1
    assert names(june, show="commented", rater=ravi, answers=severe) == ["opposite"]
    assert names(june, show="commented", rater=person("otto").pk) == []
    store_rating(june, "opposite", "adjudicator")
    assert names(june, show="adjudicated", rater=ravi, answers=severe) == ["opposite"]
    assert "opposite" not in names(june, show="open", rater=ravi)


def test_items_are_chosen_by_two_answers_that_were_given_by_rater_and_by_system(june):
    assert names(june, show="all") == [*BY_HAND, "all agree", "one rater"]
    pair = (("accuracy", "accurate"), ("accuracy", "disputed"))
    assert names(june, answers=pair) == ["three answers", "next to it"]
    both = (("severity", "not_severe"), ("severity", "severe"))
    assert names(june, answers=both) == ["three answers", *BY_HAND[6:8]]
    assert names(june, rater=person("ines").pk) == ["three against one"]
    assert names(june, system="heron") == BY_HAND
    assert names(june, system="tern") == []


def test_another_project_on_the_same_data_sees_its_own_ratings_only(june):
    other = project_of([Row("q1", "heron", "ravi", ACCURATE)], "other")
    assert names(other, show="all") == ["q1.heron 0"]
    assert names(other) == []


def test_an_item_keeps_its_place_when_it_has_left_the_list(june):
    for is_listed, total in ((True, 9), (False, 8)):
        place = neighbors(june, ReviewSelection(), item("opposite"))
        assert (place.before.text, place.after.text) == ("two against one", "not severe")
        assert (place.passed, place.total, place.is_listed) == (2, total, is_listed)
        if is_listed:
            store_rating(june, "opposite", "adjudicator")
    place = neighbors(june, ReviewSelection(), item("not severe"))
    assert (place.before.text, place.passed, place.is_listed) == ("opposite", 2, True), "back to what is decided"
    assert neighbors(june, ReviewSelection(), item("two against one")).after.text == "not severe"
    assert neighbors(june, ReviewSelection(), item("three answers")).before is None
    assert neighbors(june, ReviewSelection(), item("cannot assess")).after is None


def test_one_row_costs_as_many_queries_as_three(june, django_assert_num_queries):
    with CaptureQueriesContext(connection) as queries_of_one:
        items_needing_review(june, limit=1)
    with django_assert_num_queries(len(queries_of_one)):
        items_needing_review(june, limit=3)
    assert len(queries_of_one) <= 6

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
RAVI, ROSA, TOM, INES = "ravi", "rosa", "tom", "ines"

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
    "three answers",
    "two against one",
    "opposite",
    "not severe",
    "three against one",
    "next to it",
    "severity of an inaccurate one",
    "severity of a disputed one",
    "cannot assess",
]


@pytest.fixture
def june() -> Project:
    """Create one response; each of its sentences is one line of the example, and is called so."""
    rows = [
        Row("q1", "heron", rater, answers, item=n)
        for n, (votes, _) in enumerate(EXAMPLE.values())
        for rater, answers in zip((RAVI, ROSA, TOM, INES), votes, strict=False)
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


def test_the_worst_comes_first_and_what_nobody_contests_not_at_all(june):
    rows = items_needing_review(june).rows
    assert [row.item.text for row in rows] == BY_HAND
    assert {row.item.text: row.score for row in rows} == {name: EXAMPLE[name][1] for name in BY_HAND}


def test_every_row_says_how_many_said_what_in_the_order_of_the_options(june):
    first = items_needing_review(june).rows[0]
    assert [(vote.label, vote.n) for vote in first.votes] == [
        ("Accurate", 1),
        ("Disputed, Not Severe", 1),
        ("Inaccurate, Severe", 1),
    ]
    assert [vote.choices["accuracy"] for vote in first.votes] == ["accurate", "disputed", "inaccurate"]
    response = first.item.response
    assert (response.prompt.text, response.system.name, first.raters) == ("q1", "heron", 3)


def test_what_does_not_count_is_no_disagreement(june):
    store_rating(june, "all agree", "judge", "a-model")
    store_rating(june, "all agree", "gold")
    store_rating(june, "all agree", "rater", "unfinished")
    assert "all agree" not in names(june)


def test_an_adjudicated_item_leaves_the_open_list_and_is_found_with_the_adjudicated(june):
    store_rating(june, "opposite", "adjudicator")
    assert "opposite" not in names(june) and "opposite" in names(june, show="disputed")
    assert names(june, show="adjudicated") == ["opposite"]
    worst = items_needing_review(june, ReviewSelection(show="disputed"), limit=3).rows
    assert [row.adjudication is not None for row in worst] == [False, False, True]
    state = count_reviewable(june)
    assert (state.rated, state.shared, state.disputed, state.open) == (11, 10, 9, 8)


def test_the_newest_adjudication_of_an_item_stands(june):
    store_rating(june, "opposite", "adjudicator", "lena", SEVERE)
    store_rating(june, "opposite", "adjudicator", "ines", ACCURATE)
    [row] = items_needing_review(june, ReviewSelection(show="adjudicated")).rows
    assert row.adjudication.rater == person("ines")


def test_comments_are_found_where_the_rating_counts(june):
    Rating.objects.filter(item=item("all agree"), rater__username=RAVI).update(comment="I looked twice.")
    store_rating(june, "one rater", "rater", "unfinished", comment="not yet")
    assert names(june, show="commented") == ["all agree"]
    assert items_needing_review(june, ReviewSelection(show="commented")).rows[0].comments == 1


def test_a_page_has_the_counts_of_all_items_even_without_a_row(june):
    assert items_needing_review(june, ReviewSelection(show="adjudicated")).counts == count_reviewable(june)
    store_rating(june, "opposite", "adjudicator")
    listing = items_needing_review(june, offset=100)
    assert (listing.rows, listing.total, listing.counts) == ([], len(BY_HAND) - 1, count_reviewable(june))


def test_each_condition_must_be_met(june):
    Rating.objects.filter(rater__username=RAVI, item__text__in=["all agree", "opposite"]).update(comment="Twice.")
    ravi, severe = person(RAVI).pk, (("severity", "severe"),)
    assert set(names(june, show="commented", rater=ravi)) == {"all agree", "opposite"}
    assert names(june, show="commented", rater=ravi, answers=severe) == ["opposite"]
    assert names(june, show="commented", rater=person("otto").pk) == []
    store_rating(june, "opposite", "adjudicator")
    assert names(june, show="adjudicated", rater=ravi, answers=severe) == ["opposite"]
    assert "opposite" not in names(june, show="open", rater=ravi)


def test_all_items_come_with_the_contested_first(june):
    assert names(june, show="all") == [*BY_HAND, "all agree", "one rater"]


def test_items_are_chosen_by_two_answers_that_were_given(june):
    pair = (("accuracy", "accurate"), ("accuracy", "disputed"))
    assert names(june, answers=pair) == ["three answers", "next to it"]
    assert names(june, answers=(("severity", "not_severe"), ("severity", "severe"))) == [
        "three answers",
        "severity of an inaccurate one",
        "severity of a disputed one",
    ]


def test_items_are_chosen_by_rater_and_by_system(june):
    assert names(june, rater=person(INES).pk) == ["three against one"]
    assert names(june, system="heron") == BY_HAND
    assert names(june, system="tern") == []


def test_another_project_on_the_same_data_sees_its_own_ratings_only(june):
    other = project_of([Row("q1", "heron", RAVI, ACCURATE)], "other")
    assert names(other, show="all") == ["q1.heron 0"]
    assert names(other) == []


def test_an_item_that_was_taken_out_is_not_listed(june):
    Item.objects.filter(text="opposite").update(retired_at=timezone.now())
    assert "opposite" not in names(june, show="all")


def test_pages_are_stretches_of_one_list(june):
    pages = [items_needing_review(june, offset=n, limit=4) for n in (0, 4, 8)]
    assert [row.item.text for listing in pages for row in listing.rows] == BY_HAND
    assert [listing.total for listing in pages] == [9, 9, 9]


def test_an_item_keeps_its_place_when_it_has_left_the_list(june):
    neighboring = neighbors(june, ReviewSelection(), item("opposite"))
    assert (neighboring.before.text, neighboring.after.text, neighboring.passed, neighboring.total) == (
        "two against one",
        "not severe",
        2,
        9,
    )
    store_rating(june, "opposite", "adjudicator")
    neighboring = neighbors(june, ReviewSelection(), item("opposite"))
    assert (neighboring.before.text, neighboring.after.text, neighboring.passed, neighboring.total) == (
        "two against one",
        "not severe",
        2,
        8,
    )
    assert not neighboring.is_listed
    neighboring = neighbors(june, ReviewSelection(), item("not severe"))
    assert (neighboring.before.text, neighboring.passed, neighboring.is_listed) == ("opposite", 2, True), (
        "the way back to what is decided"
    )
    assert neighbors(june, ReviewSelection(), item("two against one")).after.text == "not severe"
    assert neighbors(june, ReviewSelection(), item("three answers")).before is None
    assert neighbors(june, ReviewSelection(), item("cannot assess")).after is None


def test_one_row_costs_as_many_queries_as_three(june, django_assert_num_queries):
    with CaptureQueriesContext(connection) as queries_of_one:
        items_needing_review(june, limit=1)
    with django_assert_num_queries(len(queries_of_one)):
        items_needing_review(june, limit=3)
    assert len(queries_of_one) <= 6

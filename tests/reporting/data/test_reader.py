"""The reader yields what the database has, in an order that imported ids decide."""

import numpy as np
import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import Item, Rating
from annotation.rating.bulk_storage import NewRating, deferred_tally, store_ratings
from annotation.reporting import Choices
from annotation.reporting.data import reader
from annotation.reporting.data.reader import read_ratings, read_tally
from annotation.reporting.data.study import read_study
from annotation.reporting.data.table import RatingTable
from annotation.reviewing.adjudication import adjudicate
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE, person
from tests.reporting.project_rows import Row, project_of

RATERS, SENTENCES = ("ravi", "rosa", "tom"), 10


@pytest.fixture
def june(db):
    """Create ten sentences in two prompts, rated by three raters."""
    return project_of(
        Row(f"q{n % 2}", "heron", name, SEVERE if (n + number) % 4 == 0 else ACCURATE, item=n // 2)
        for number, name in enumerate(RATERS)
        for n in range(SENTENCES)
    )


def item_of(project) -> Item:
    return Item.objects.filter(response__dataset=project.dataset).first()


def table_rows(table: RatingTable) -> list[tuple]:
    """Return the ratings of a table by item and rater, in a form that does not depend on how anything is numbered."""
    columns = (table.item, table.rater, table.answer, table.week, table.rating_id.tolist(), table.seconds.tolist())
    return [
        (int(table.items.item_id[item]), table.raters[rater], table.answer_texts[answer], table.weeks[week], pk,
         time if time >= 0 else None)
        for item, rater, answer, week, pk, time in zip(*columns, strict=True)
    ]  # fmt: skip


def database_rows(project) -> list[tuple]:
    """Return the same, read by Django, in the order of prompts, positions and raters."""
    counted = Rating.objects.filter(project=project, role="rater", counted=True).select_related("item", "rater")
    rows = counted.order_by("item__response__key", "item__position", "rater__username")
    texts = dict(counted.extra(select={"text": "annotation_rating.choices::text"}).values_list("pk", "text"))
    return [
        (row.item_id, row.rater.username, texts[row.pk], row.rated_at.strftime("%G-W%V"), row.pk, row.seconds)
        for row in rows
    ]


def of_item(project, item: Item):
    return Rating.objects.filter(project=project, item=item)


CHANGES = [
    lambda p, i: store_ratings(p, [NewRating(i, person("june"), SEVERE)]),
    lambda p, i: store_ratings(p, [NewRating(i, person("may"), CANNOT_ASSESS)]),  # an answer that nobody gave
    lambda p, i: of_item(p, i).update(answers=SEVERE, choices=SEVERE),
    lambda p, i: of_item(p, i).update(seconds=2.5),
    lambda p, i: of_item(p, i).update(rated_at=F("rated_at") - timezone.timedelta(days=30)),
    lambda p, i: of_item(p, i).filter(rater__username="tom").update(rater=person("april")),
    lambda p, i: of_item(p, i).update(counted=False),
    lambda p, i: of_item(p, i).filter(rater__username="tom").delete(),
]


def test_ratings_are_read_as_the_database_has_them_after_changes(june):
    items = Item.objects.filter(response__dataset=june.dataset).order_by("response__key", "position")
    for number, (change, item) in enumerate(zip([*CHANGES, *CHANGES[:2]], items, strict=True)):
        change(june, item)
        table, tally = read_ratings(june), read_tally(june)
        assert table_rows(table) == database_rows(june), number
        of_tally, of_table = ([(r.key, r.prompt.key) for r in each.responses.rated] for each in (tally, table))
        assert of_tally == of_table
        of_tally, of_table = (vars(each.counts).values() for each in (tally, table))
        assert all((tallied == right).all() for tallied, right in zip(of_tally, of_table, strict=True))


def test_the_number_of_queries_does_not_depend_on_the_data(june):
    adjudicate(june, item_of(june), SEVERE, "A reason.", person("lena"))
    for read, number in ((read_ratings, 6), (read_tally, 3)):
        with CaptureQueriesContext(connection) as queries:
            read(june)
        assert len(queries) == number


def test_a_project_without_ratings_has_an_empty_table(db):
    empty = project_of([])
    table = read_study(empty).ratings
    assert (len(table.item), len(table.responses), table.raters, table.weeks) == (0, 0, [], [])
    assert table.counts.n.tolist() == read_tally(empty).counts.n.tolist() == []


def test_an_answer_that_comes_in_between_two_queries_is_in_the_next_table(june, monkeypatch):
    """The sets of answers are read before the ratings: an answer that is new in between is not among them."""
    read_by_role = reader._read_by_role

    def save_first(*arguments):
        store_ratings(june, [NewRating(item_of(june), person("june"), CANNOT_ASSESS)])
        return read_by_role(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(reader, "_read_by_role", save_first)
        assert len(read_ratings(june).item) == 3 * SENTENCES
    assert table_rows(read_ratings(june)) == database_rows(june)


def test_an_import_that_goes_on_can_be_read_and_ratings_are_in_the_order_of_items(june):
    with deferred_tally():
        store_ratings(june, [NewRating(item_of(june), person("june"), CANNOT_ASSESS)])
        assert len(read_ratings(june).item) == 3 * SENTENCES
    assert table_rows(read_ratings(june)) == database_rows(june)
    items = [rating.item for rating in Rating.objects.filter(project=june, rater__username="ravi").order_by("item")]
    for number, item in enumerate(items[1::2]):
        adjudicate(june, item, SEVERE, "A reason.", person(RATERS[number % 3]))
    table = read_study(june, Choices(answers="adjudicated")).ratings
    assert (np.diff(table.item) >= 0).all()
    assert sorted(table.adjudicators) == sorted(RATERS) and (table.rater < 0).sum() == len(items[1::2])

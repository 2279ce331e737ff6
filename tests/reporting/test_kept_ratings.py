"""Of ratings that are kept, only those of items that changed are read again; what is shown never depends on it."""

from dataclasses import replace

import pytest
from django.core.cache import cache
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotation.models import Change, Rating
from annotation.models.changes import MOST_NAMED
from annotation.rating.bulk_storage import Given, store_many
from annotation.rating.deferred_tally import tally_at_the_end
from annotation.reporting import Choices, build, live_cache
from annotation.reporting.build import as_bytes
from annotation.reporting.data import rating_cache, report_input
from annotation.reporting.data.rated_data import take_stock
from annotation.reporting.data.rating_cache import key_of
from annotation.reviewing.adjudication import adjudicate
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE, person
from tests.reporting.given import Row, project_of

RATERS, SENTENCES = ("ravi", "rosa", "tom"), 10
PLAIN = Choices(resamples=100)


@pytest.fixture
def june(db):
    """Ten sentences in two prompts, rated by three raters."""
    rows = [
        Row(f"q{n % 2}", "heron", name, SEVERE if (n + at) % 4 == 0 else ACCURATE, item=n // 2)
        for at, name in enumerate(RATERS)
        for n in range(SENTENCES)
    ]
    return project_of(rows)


def read(project) -> list[tuple]:
    """The ratings as a report reads them, in a form that does not depend on how answers are numbered."""
    stock = take_stock(project)
    found = stock.ratings
    seconds = [known if known >= 0 else None for known in found.seconds.tolist()]
    columns = (column.tolist() for column in (found.items, found.raters, found.answers, found.days, found.ids))
    rows = zip(*columns, seconds, strict=True)
    return [(item, rater, stock.texts[answers], *others) for item, rater, answers, *others in rows]


def in_the_database(project) -> list[tuple[int, int, int]]:
    counts = Rating.objects.filter(project=project, role="rater", counted=True)
    return list(counts.order_by("item", "rater").values_list("item", "rater", "pk"))


def named(rows: list[tuple]) -> list[tuple[int, int, int]]:
    return [(item, rater, pk) for item, rater, _, _, pk, _ in rows]


def items_read(monkeypatch) -> list:
    """What the database is asked for: a list of items each time, or None for all ratings."""
    asked: list = []
    plain = rating_cache.read_counted

    def noting(project, texts, items=None):
        asked.append(items)
        return plain(project, texts, items)

    monkeypatch.setattr(rating_cache, "read_counted", noting)
    return asked


def of_item(project, item) -> list:
    return Rating.objects.filter(project=project, item=item)


CHANGES = {
    "a rating comes in": lambda p, i: store_many(p, [Given(i, person("june"), SEVERE)]),
    "in an answer that nobody gave": lambda p, i: store_many(p, [Given(i, person("june"), CANNOT_ASSESS)]),
    "a rating is changed": lambda p, i: of_item(p, i).update(answers=SEVERE, choices=SEVERE),
    "its time": lambda p, i: of_item(p, i).update(seconds=2.5),
    "its day": lambda p, i: of_item(p, i).update(rated_at=F("rated_at") - timezone.timedelta(days=30)),
    "its rater": lambda p, i: of_item(p, i).filter(rater__username="tom").update(rater=person("june")),
    "it counts no more": lambda p, i: of_item(p, i).update(counted=False),
    "it is deleted": lambda p, i: of_item(p, i).filter(rater__username="tom").delete(),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_only_the_ratings_of_a_changed_item_are_read_again(june, monkeypatch, change):
    before = read(june)
    item = Rating.objects.filter(project=june).order_by("pk")[4].item
    change(june, item)
    asked = items_read(monkeypatch)
    after = read(june)
    assert asked == [[item.pk]] and after != before
    cache.clear()
    assert read(june) == after and asked[1:] == [None]
    assert named(after) == in_the_database(june)


def test_what_is_unchanged_is_not_read_at_all(june, monkeypatch):
    before, asked = read(june), items_read(monkeypatch)
    assert read(june) == before and asked == []


@pytest.mark.parametrize("worth", [0.0, 0.5])
def test_what_little_changed_is_kept_with_the_rest_or_read_once_more(june, monkeypatch, worth):
    monkeypatch.setattr(rating_cache, "WORTH_KEEPING", worth)
    first, second = {rating.item for rating in Rating.objects.filter(project=june)[:2]}
    read(june)
    of_item(june, first).update(seconds=7)
    read(june)
    of_item(june, second).update(seconds=8)
    asked = items_read(monkeypatch)
    assert {7, 8} <= {seconds for *_, seconds in read(june)}
    assert asked == [[second.pk] if worth == 0 else sorted([first.pk, second.pk])]


def test_an_item_that_moves_from_one_rating_to_another_is_read_with_both(june, monkeypatch):
    first, second = Rating.objects.filter(project=june, rater__username="tom").order_by("pk")[:2]
    read(june)
    Rating.objects.filter(pk=second.pk).delete()
    Rating.objects.filter(pk=first.pk).update(item=second.item)
    asked = items_read(monkeypatch)
    assert named(read(june)) == in_the_database(june)
    assert asked == [sorted([first.item_id, second.item_id])]


@pytest.mark.parametrize("most", [0.2, 0.0])
def test_where_much_changed_everything_is_read(june, monkeypatch, most):
    read(june)
    of_item(june, Rating.objects.filter(project=june).first().item).update(seconds=9)
    asked = items_read(monkeypatch)
    monkeypatch.setattr(rating_cache, "MOST_CHANGED", most)
    assert named(read(june)) == in_the_database(june)
    assert (asked[-1] is None) == (most == 0)


def test_a_statement_that_changed_very_many_ratings_names_no_items(monkeypatch, db):
    many = project_of(Row("q1", "heron", f"rater{n:03}", ACCURATE, item=n % 6) for n in range(MOST_NAMED // 2 + 6))
    before, known = set(Change.objects.values_list("pk", flat=True)), read(many)
    Rating.objects.filter(project=many).update(seconds=3)
    assert Change.objects.exclude(pk__in=before).get().items is None
    asked = items_read(monkeypatch)
    assert read(many) != known and asked == [None]


def test_an_import_is_read_as_a_whole(june, monkeypatch):
    """Until it ends, the tally does not know its answers, so what is read before its end may lack some."""
    item = Rating.objects.filter(project=june).first().item
    with tally_at_the_end():
        store_many(june, [Given(item, person("june"), CANNOT_ASSESS)])
        read(june)
    asked = items_read(monkeypatch)
    assert named(read(june)) == in_the_database(june) and asked == [None]


def test_an_answer_that_comes_in_while_a_report_reads_is_in_the_next_one(june):
    """The sets of answers are read before the ratings: one that is new in between is not among them."""
    stock = take_stock(june)
    store_many(june, [Given(Rating.objects.filter(project=june).first().item, person("june"), CANNOT_ASSESS)])
    assert len(stock.ratings) == 3 * SENTENCES
    assert named(read(june)) == in_the_database(june)


def test_changes_that_were_gathered_are_not_mistaken_for_none(june, monkeypatch):
    read(june)
    of_item(june, Rating.objects.filter(project=june).first().item).update(seconds=9)
    monkeypatch.setattr(live_cache, "MOST_CHANGES", 1)
    assert live_cache.gather_changes()
    asked = items_read(monkeypatch)
    assert 9 in [seconds for *_, seconds in read(june)] and asked == [None]


def test_changes_that_are_gathered_while_a_report_reads_are_not_mistaken_for_none(june, monkeypatch):
    read(june)
    of_item(june, Rating.objects.filter(project=june).first().item).update(seconds=9)
    stock = take_stock(june)
    monkeypatch.setattr(live_cache, "MOST_CHANGES", 1)
    assert live_cache.gather_changes()
    assert 9 in stock.ratings.seconds


@pytest.mark.django_db(transaction=True)
def test_what_was_rolled_back_is_not_kept(june):
    before = read(june)
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        of_item(june, Rating.objects.filter(project=june).first().item).update(seconds=9)
        assert read(june) != before
        raise ZeroDivisionError
    assert read(june) == before


def test_a_frozen_report_is_read_from_the_database_whatever_is_kept(june):
    frozen, live = (as_bytes(build(june, PLAIN, agreement_intervals=slow)) for slow in (True, False))
    key = key_of(june)
    right = cache.get(key)
    cache.set(key, replace(right, columns=[column[:-1] for column in right.columns]))
    assert as_bytes(build(june, PLAIN)) != live
    assert as_bytes(build(june, PLAIN, agreement_intervals=True)) == frozen


def test_ratings_stay_in_the_order_of_items_where_raters_adjudicate_too(june):
    items = [rating.item for rating in Rating.objects.filter(project=june, rater__username="ravi").order_by("item")]
    for number, item in enumerate(items[1::2]):
        adjudicate(june, item, SEVERE, "A reason.", person(RATERS[number % 3]))
    found = report_input.read(june, Choices(answers="adjudicated")).standing.items
    assert found.tolist() == sorted(found.tolist())


def test_a_live_report_says_the_same_from_what_is_kept(june):
    build(june, PLAIN)
    of_item(june, Rating.objects.filter(project=june).first().item).update(answers=SEVERE, choices=SEVERE)
    found = as_bytes(build(june, PLAIN))
    cache.clear()
    assert as_bytes(build(june, PLAIN)) == found

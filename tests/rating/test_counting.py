"""What counts, what is left out and why, and a tally that always agrees with a recount."""

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from django.db import connection, transaction
from django.utils import timezone

from annotation.models import Item, Rating, Tally
from annotation.qualification.next_work import take_next
from annotation.rating.bulk_storage import NewRating, deferred_tally, store_ratings
from annotation.rating.counting import counted_ratings, counted_tallies, left_out
from annotation.rating.finish import finish
from annotation.rating.submit import NotAllowed, Submission, delete_answer, save
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE, person, study

pytestmark = pytest.mark.django_db


KEYS = ("project", "response", "unit", "role", "counted", "choices")


def check_tally(n: int) -> None:
    """Check that the tally is a recount of all ratings, of which there are `n`."""
    rows = Rating.objects.values_list("project", "item__response", "item__unit", "role", "counted", "choices")
    recount = Counter((*row[:5], str(row[5])) for row in rows)
    assert {(*row[:5], str(row[5])): row[6] for row in Tally.objects.values_list(*KEYS, "n") if row[6]} == recount
    assert recount.total() == n


def rated(june, rater: str, answers: list[dict], *, done: bool = True):
    work = take_next(june.project, june.people[rater])
    items = Item.objects.filter(response=work.sheet.response, rate=True).order_by("position")
    for item, answer in zip(items, answers, strict=False):
        save(work.rater, work.public_id, item.public_id, Submission(answer, 0))
    if done:
        finish(work)
    return work


def test_only_finished_work_of_raters_counts_and_the_rest_is_left_out_by_reason():
    june = study()
    rated(june, "ravi", [ACCURATE, SEVERE, CANNOT_ASSESS])
    rated(june, "rosa", [ACCURATE, ACCURATE], done=False)
    gold = {"project": june.project, "rater": june.people["lena"], "rated_at": timezone.now()}
    Rating.objects.create(item=june.items()[0], role="gold", answers=ACCURATE, choices=ACCURATE, **gold)
    assert counted_ratings(june.project).count() == 3
    assert sum(t.n for t in counted_tallies(june.project)) == 3
    assert left_out(june.project) == {"unfinished": 2, "gold": 1}


def test_the_tally_follows_every_change():
    june = study()
    work = rated(june, "ravi", [ACCURATE, SEVERE], done=False)
    check_tally(2)
    first = june.items()[0]
    save(work.rater, work.public_id, first.public_id, Submission(SEVERE, 1))
    check_tally(2)
    delete_answer(work.rater, work.public_id, first.public_id, 2)
    check_tally(1)
    save(work.rater, work.public_id, first.public_id, Submission(CANNOT_ASSESS, 0))
    save(work.rater, work.public_id, june.items()[2].public_id, Submission(ACCURATE, 0))
    finish(work)
    check_tally(3)


def test_the_tally_follows_a_bulk_insert_and_a_bulk_delete():
    june = study(prompts=3, systems=("heron", "plover"))
    same = {"project": june.project, "counted": True, "rated_at": timezone.now()}
    Rating.objects.bulk_create(
        Rating(item=item, rater=person(name), answers=answers, choices=answers, **same)
        for item in Item.objects.all()
        for name, answers in (("ravi", ACCURATE), ("rosa", SEVERE if item.position else ACCURATE))
    )
    check_tally(36)
    Rating.objects.filter(rater=person("rosa")).delete()
    check_tally(18)


def imported(june, answers: dict, name: str, response: int) -> None:
    items = june.items(response)
    store_ratings(june.project, [NewRating(item, june.people[name], answers) for item in items], replace=True)


def test_many_statements_reach_the_tally_together_at_their_end_and_what_is_undone_never():
    june = study(prompts=2)
    with deferred_tally():
        imported(june, ACCURATE, "ravi", 0)
        imported(june, SEVERE, "ravi", 1)
        imported(june, CANNOT_ASSESS, "ravi", 0)
        assert not Tally.objects.exclude(n=0).exists()
    check_tally(6)
    with pytest.raises(NotAllowed), deferred_tally():
        imported(june, ACCURATE, "rosa", 1)
        raise NotAllowed({})
    imported(june, ACCURATE, "rosa", 0)
    check_tally(9)


@pytest.mark.django_db(transaction=True)
def test_an_import_and_a_rater_who_touch_the_same_tallies_in_opposite_orders_do_not_lock_each_other():
    june = study(prompts=1)
    with transaction.atomic():
        work = rated(june, "rosa", [ACCURATE, SEVERE, SEVERE], done=False)
    begun = Event()

    def import_in_two_statements() -> None:
        try:
            with deferred_tally():
                store_ratings(june.project, [NewRating(june.items()[0], june.people["ravi"], SEVERE)])
                begun.set()
                time.sleep(0.3)  # in which Rosa's finishing would wait for the import, and then the import for it
                store_ratings(june.project, [NewRating(june.items()[1], june.people["ravi"], ACCURATE)])
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        importing = pool.submit(import_in_two_statements)
        begun.wait()
        finish(work)
        importing.result()
    check_tally(5)

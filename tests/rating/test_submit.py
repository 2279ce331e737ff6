"""Saving an answer: once, in order, and never over what has not been seen."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from uuid import uuid4

import pytest
from django.db import DatabaseError, ProgrammingError, connection, transaction
from django.utils import timezone

from annotation.models import Assignment, Item, Rating, RatingEvent, Slot
from annotation.projects.protocol_versions import store_protocol
from annotation.qualification.next_work import take_next
from annotation.queue.errors import LeaseLost
from annotation.queue.leases import release
from annotation.rating import submit
from annotation.rating.finish import StillOpen, finish
from annotation.rating.submit import (
    KeyReused,
    NoSuchItem,
    NotAllowed,
    Outdated,
    Saved,
    Submission,
    delete_answer,
    fingerprint,
    save,
)
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE, study
from tests.protocol_text import choice, protocol_text

pytestmark = pytest.mark.django_db
RANGE = {"paragraph": "p2", "start": 4, "end": 16, "stance": "supports", "text": "median range"}


@pytest.fixture
def work() -> Assignment:
    june = study(heading=True)
    assignment = take_next(june.project, june.people["ravi"])
    assert assignment
    return assignment


def sentence(work: Assignment, n: int = 1) -> Item:
    return Item.objects.get(response=work.sheet.response, position=n)


def put(work: Assignment, answers: dict, base: int = 0, key: str = "", n: int = 1, **more) -> Saved:
    item = sentence(work, n).public_id
    digest = fingerprint(item, [answers, base])
    return save(work.rater, work.public_id, item, Submission(answers, base, key=key, fingerprint=digest, **more))


def test_an_answer_is_stored_with_its_version_and_choices(work):
    assert put(work, SEVERE) == Saved(SEVERE, 1)
    rating = Rating.objects.get()
    assert (rating.answers, rating.choices, rating.version, rating.counted) == (SEVERE, SEVERE, 1, False)


def test_an_answer_to_a_question_that_is_not_asked_any_more_is_pruned(work):
    put(work, SEVERE)
    assert put(work, {"accuracy": "accurate", "severity": "severe"}, base=1) == Saved(ACCURATE, 2)
    assert Rating.objects.get().choices == ACCURATE


def test_a_flagged_sentence_needs_its_severity(work):
    with pytest.raises(NotAllowed) as refused:
        put(work, {"accuracy": "unsupported"})
    assert list(refused.value.errors) == ["severity"]
    assert not Rating.objects.exists()


def test_a_heading_is_not_rated(work):
    with pytest.raises(NotAllowed) as refused:
        put(work, ACCURATE, n=0)
    assert list(refused.value.errors) == ["item"]


def test_the_same_key_again_is_answered_from_the_receipt(work):
    first = put(work, ACCURATE, key="k1")
    put(work, SEVERE, base=1, key="k2")
    assert put(work, ACCURATE, key="k1") == replace(first, is_replayed=True)
    assert Rating.objects.get().answers == SEVERE
    assert RatingEvent.objects.count() == 2


def test_the_same_key_with_another_body_is_refused(work):
    put(work, ACCURATE, key="k1")
    with pytest.raises(KeyReused):
        put(work, SEVERE, base=1, key="k1")
    with pytest.raises(KeyReused):
        put(work, ACCURATE, key="k1", n=2)


def test_a_stale_tab_is_told_what_is_stored(work):
    put(work, ACCURATE)
    with pytest.raises(Outdated) as outdated:
        put(work, SEVERE, base=0)
    assert (outdated.value.version, outdated.value.answers) == (1, ACCURATE)
    assert Rating.objects.get().answers == ACCURATE


def test_an_answer_taken_back_leaves_only_history_and_versions_go_on(work):
    put(work, ACCURATE)
    delete_answer(work.rater, work.public_id, sentence(work).public_id, 1)
    assert not Rating.objects.exists()
    assert list(RatingEvent.objects.order_by("pgh_id").values_list("pgh_label", flat=True)) == ["insert", "delete"]
    assert put(work, SEVERE, base=0).version == 2
    with pytest.raises(Outdated):
        put(work, CANNOT_ASSESS, base=1)


def test_taking_back_twice_is_once_and_a_stale_one_is_refused(work):
    put(work, ACCURATE)
    with pytest.raises(Outdated):
        delete_answer(work.rater, work.public_id, sentence(work).public_id, 4)
    delete_answer(work.rater, work.public_id, sentence(work).public_id, 1)
    delete_answer(work.rater, work.public_id, sentence(work).public_id, 1)
    assert RatingEvent.objects.filter(pgh_label="delete").count() == 1


def test_comment_evidence_and_time_stay_when_a_later_save_does_not_send_them(work):
    put(work, SEVERE, comment="See Table 2", evidence=[RANGE], seconds=4.5)
    put(work, ACCURATE, base=1)
    rating = Rating.objects.get()
    assert (rating.comment, rating.evidence, rating.seconds) == ("See Table 2", [RANGE], 4.5)
    put(work, ACCURATE, base=2, comment="")
    assert Rating.objects.get().comment == ""


def test_items_of_another_response_are_not_found(work):
    with pytest.raises(NoSuchItem):
        save(work.rater, work.public_id, uuid4(), Submission(ACCURATE, 0))


def test_a_released_slot_loses_the_lease_but_not_the_answers(work):
    put(work, ACCURATE)
    release(work)
    with pytest.raises(LeaseLost):
        put(work, SEVERE, base=1)
    assert Rating.objects.get().answers == ACCURATE


def test_ratings_count_once_the_response_is_finished(work):
    put(work, ACCURATE)
    with pytest.raises(StillOpen) as still:
        finish(work)
    assert still.value.open == [sentence(work, 2).public_id, sentence(work, 3).public_id]
    put(work, ACCURATE, n=2)
    put(work, CANNOT_ASSESS, n=3)
    finish(work)
    finish(work)
    assert set(Rating.objects.values_list("counted", flat=True)) == {True}
    assert Slot.objects.filter(finished_at__isnull=False).count() == 1


def test_a_finished_answer_can_be_changed_but_not_taken_back(work):
    for n in (1, 2, 3):
        put(work, ACCURATE, n=n)
    finish(work)
    work.refresh_from_db()
    put(work, SEVERE, base=1)
    assert Rating.objects.get(item=sentence(work)).counted
    with pytest.raises(NotAllowed):
        delete_answer(work.rater, work.public_id, sentence(work).public_id, 2)


def test_taking_back_never_deletes_an_answer_that_came_meanwhile(work, monkeypatch):
    put(work, ACCURATE)
    look = submit._fetch

    def look_and_let_another_answer_in(*args):
        result = look(*args)
        monkeypatch.setattr(submit, "_fetch", look)
        put(work, SEVERE, base=1)
        return result

    monkeypatch.setattr(submit, "_fetch", look_and_let_another_answer_in)
    with pytest.raises(Outdated) as outdated:
        delete_answer(work.rater, work.public_id, sentence(work).public_id, 1)
    assert (outdated.value.version, outdated.value.answers) == (2, SEVERE)
    assert outdated.value.comment == ""
    assert Rating.objects.exists()


def test_an_answer_is_not_written_when_the_lease_is_lost_between_reading_and_writing(work, monkeypatch):
    look = submit._fetch

    def look_and_lose_the_lease(*args):
        result = look(*args)
        monkeypatch.setattr(submit, "_fetch", look)
        release(work)
        return result

    monkeypatch.setattr(submit, "_fetch", look_and_lose_the_lease)
    with pytest.raises(LeaseLost):
        put(work, ACCURATE)
    assert not Rating.objects.exists()


def imported_rating(work: Assignment, n: int) -> None:
    fields = {"project": work.project, "rater": work.rater, "rated_at": timezone.now(), "counted": True}
    Rating.objects.create(item=sentence(work, n), answers=ACCURATE, choices=ACCURATE, **fields)


def test_an_imported_rating_that_its_rater_changes_counts_again_when_the_response_is_finished(work):
    imported_rating(work, 1)
    put(work, SEVERE, base=1)
    assert not Rating.objects.get().counted
    put(work, ACCURATE, n=2)
    put(work, ACCURATE, n=3)
    finish(work)
    assert Rating.objects.filter(counted=True).count() == 3


def test_no_answers_at_all_are_no_answer_where_every_question_is_optional(work):
    text = protocol_text(
        "optional", choice("ok", "Is it good?", {"yes": "Yes", "no": "No"}, required=False), counts={"ok": ["yes"]}
    )
    work.project.protocol, _ = store_protocol(text)
    work.project.save()
    with pytest.raises(NotAllowed) as refused:
        put(work, {})
    assert list(refused.value.errors) == ["answers"]
    assert put(work, {"ok": "yes"}).version == 1


class TestWhatTheDatabaseRefuses:
    def refuses(self, write) -> None:
        with pytest.raises(DatabaseError), transaction.atomic():
            write()

    def test_a_rating_does_not_count_before_its_lease_is_finished(self, work):
        put(work, ACCURATE)
        self.refuses(lambda: Rating.objects.update(counted=True))

    def test_only_what_raters_say_counts(self, work):
        imported_rating(work, 1)
        self.refuses(lambda: Rating.objects.update(role="judge"))

    def test_a_rating_is_not_given_under_somebody_elses_lease_or_about_another_sheet(self, work):
        other = study("july")
        theirs = take_next(other.project, other.people["rosa"])
        put(work, ACCURATE)
        self.refuses(lambda: Rating.objects.update(assignment=theirs))
        self.refuses(lambda: Rating.objects.update(rater=other.people["rosa"]))
        self.refuses(lambda: Rating.objects.update(item=other.items()[0]))

    def test_a_slot_has_no_holder_of_another_sheet(self, work):
        other = study("july", overlap=1)
        release(work)
        self.refuses(lambda: Slot.objects.filter(project=other.project).update(holder=work, expires_at=timezone.now()))

    def test_a_finished_slot_is_never_used_again(self, work):
        for n in (1, 2, 3):
            put(work, ACCURATE, n=n)
        finish(work)
        slots = Slot.objects.filter(holder=work)
        self.refuses(lambda: slots.update(finished_at=None))
        self.refuses(lambda: slots.update(holder=None, expires_at=None, finished_at=None))

    def test_finished_work_is_not_given_back(self, work):
        now = timezone.now()
        self.refuses(lambda: Assignment.objects.update(finished_at=now, released_at=now))


def test_history_cannot_be_changed_or_deleted(work):
    put(work, ACCURATE)
    with pytest.raises(ProgrammingError), transaction.atomic():
        RatingEvent.objects.update(version=7)
    with pytest.raises(ProgrammingError), transaction.atomic():
        RatingEvent.objects.all().delete()


@pytest.mark.django_db(transaction=True)
class TestAllAtOnce:
    def test_of_many_first_answers_at_once_one_is_stored_and_the_others_are_told(self):
        june = study()
        work = take_next_in_transaction(june)
        item = june.items()[0].public_id

        def answer(n: int) -> str:
            try:
                save(work.rater, work.public_id, item, Submission(ACCURATE, 0, key=f"k{n}"))
                return "stored"
            except Outdated:
                return "told"
            finally:
                connection.close()

        with ThreadPoolExecutor(12) as pool:
            results = Counter(pool.map(answer, range(12)))
        assert results == {"stored": 1, "told": 11}
        assert RatingEvent.objects.count() == 1

    def test_the_same_request_sent_many_times_at_once_is_answered_alike_and_stored_once(self):
        june = study()
        work = take_next_in_transaction(june)
        item = june.items()[0].public_id

        def answer(_: int) -> Saved:
            try:
                return save(work.rater, work.public_id, item, Submission(SEVERE, 0, key="one"))
            finally:
                connection.close()

        with ThreadPoolExecutor(12) as pool:
            saved = list(pool.map(answer, range(12)))
        assert {(str(each.answers), each.version) for each in saved} == {(str(SEVERE), 1)}
        assert [each.is_replayed for each in saved].count(False) == 1
        assert RatingEvent.objects.count() == 1


def take_next_in_transaction(june) -> Assignment:
    with transaction.atomic():
        assignment = take_next(june.project, june.people["ravi"])
    assert assignment
    return assignment

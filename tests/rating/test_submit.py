"""Saving an answer: once, in order, and never over what has not been seen."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from uuid import uuid4

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from annotation.models import Assignment, Item, Rating, RatingEvent, Slot
from annotation.projects.protocol_versions import store_protocol
from annotation.qualification.next_work import take_next
from annotation.queue.errors import LeaseLost
from annotation.queue.leases import release
from annotation.rating import submit
from annotation.rating.finish import StillOpen, finish
from annotation.rating.submit import NotAllowed, Outdated, Saved, Submission, delete_answer, save
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE, study
from tests.protocol_text import choice, protocol_text

pytestmark = pytest.mark.django_db
RANGE = {"paragraph": "p2", "start": 4, "end": 16, "stance": "supports", "text": "median range"}


@pytest.fixture(scope="module")
def taken(module_rows) -> Assignment:
    june = study(heading=True)
    assignment = take_next(june.project, june.people["ravi"])
    assert assignment
    return assignment


@pytest.fixture
def work(taken) -> Assignment:
    return deepcopy(taken)


def sentence(work: Assignment, n: int = 1) -> Item:
    return Item.objects.get(response=work.sheet.response, position=n)


def put(work: Assignment, answers: dict, base: int = 0, key: str = "", n: int = 1, **more) -> Saved:
    item = sentence(work, n).public_id
    digest = submit.fingerprint(item, [answers, base])
    return save(work.rater, work.public_id, item, Submission(answers, base, key=key, fingerprint=digest, **more))


def test_an_answer_is_stored_with_its_version_and_an_answer_that_is_not_asked_for_any_more_is_pruned(work):
    assert put(work, SEVERE) == Saved(SEVERE, 1)
    rating = Rating.objects.get()
    assert (rating.answers, rating.choices, rating.version, rating.counted) == (SEVERE, SEVERE, 1, False)
    assert put(work, {"accuracy": "accurate", "severity": "severe"}, base=1) == Saved(ACCURATE, 2)
    assert Rating.objects.get().choices == ACCURATE


@pytest.mark.parametrize(
    ("n", "answers", "field"), [(1, {"accuracy": "unsupported"}, "severity"), (0, ACCURATE, "item")]
)
def test_a_flagged_sentence_needs_its_severity_and_a_heading_is_not_rated(work, n, answers, field):
    with pytest.raises(NotAllowed) as refused:
        put(work, answers, n=n)
    assert list(refused.value.errors) == [field]
    assert not Rating.objects.exists()


def test_the_same_key_again_is_answered_from_the_receipt_and_with_another_body_refused(work):
    first = put(work, ACCURATE, key="k1")
    put(work, SEVERE, base=1, key="k2")
    assert put(work, ACCURATE, key="k1") == replace(first, is_replayed=True)
    assert Rating.objects.get().answers == SEVERE
    assert RatingEvent.objects.count() == 2
    for other in ({"answers": SEVERE, "base": 1}, {"answers": ACCURATE, "n": 2}):
        with pytest.raises(submit.KeyReused):
            put(work, key="k1", **other)


def test_a_stale_tab_is_told_what_is_stored(work):
    put(work, ACCURATE)
    with pytest.raises(Outdated) as outdated:
        put(work, SEVERE, base=0)
    assert (outdated.value.version, outdated.value.answers) == (1, ACCURATE)
    assert Rating.objects.get().answers == ACCURATE


def test_an_answer_taken_back_leaves_only_history_and_versions_go_on(work):
    put(work, ACCURATE)
    with pytest.raises(Outdated):
        delete_answer(work.rater, work.public_id, sentence(work).public_id, 4)
    for _again in range(2):
        delete_answer(work.rater, work.public_id, sentence(work).public_id, 1)
    assert not Rating.objects.exists()
    assert list(RatingEvent.objects.order_by("pgh_id").values_list("pgh_label", flat=True)) == ["insert", "delete"]
    assert put(work, SEVERE, base=0).version == 2
    with pytest.raises(Outdated):
        put(work, CANNOT_ASSESS, base=1)


def test_comment_evidence_and_time_stay_when_a_later_save_does_not_send_them(work):
    put(work, SEVERE, comment="See Table 2", evidence=[RANGE], seconds=4.5)
    put(work, ACCURATE, base=1)
    rating = Rating.objects.get()
    assert (rating.comment, rating.evidence, rating.seconds) == ("See Table 2", [RANGE], 4.5)
    put(work, ACCURATE, base=2, comment="")
    assert Rating.objects.get().comment == ""


def test_a_released_slot_loses_the_lease_but_not_the_answers(work):
    with pytest.raises(submit.NoSuchItem):  # of another response
        save(work.rater, work.public_id, uuid4(), Submission(ACCURATE, 0))
    put(work, ACCURATE)
    release(work)
    with pytest.raises(LeaseLost):
        put(work, SEVERE, base=1)
    assert Rating.objects.get().answers == ACCURATE


def test_ratings_count_once_the_response_is_finished_and_can_then_be_changed_but_not_taken_back(work):
    put(work, ACCURATE)
    with pytest.raises(StillOpen) as still:
        finish(work)
    assert still.value.open == [sentence(work, 2).public_id, sentence(work, 3).public_id]
    put(work, ACCURATE, n=2)
    put(work, CANNOT_ASSESS, n=3)
    for _again in range(2):
        finish(work)
    assert set(Rating.objects.values_list("counted", flat=True)) == {True}
    slots = Slot.objects.filter(finished_at__isnull=False)
    assert slots.count() == 1
    refuses(lambda: slots.update(finished_at=None))
    refuses(lambda: slots.update(holder=None, expires_at=None, finished_at=None))
    work.refresh_from_db()
    put(work, SEVERE, base=1)
    assert Rating.objects.get(item=sentence(work)).counted
    with pytest.raises(NotAllowed):
        delete_answer(work.rater, work.public_id, sentence(work).public_id, 2)


def refuses(write) -> None:
    """Check that the database refuses what `write` does."""
    with pytest.raises(DatabaseError), transaction.atomic():
        write()


@pytest.fixture
def between(monkeypatch) -> Callable[[Callable[[], object]], None]:
    """Return a function that lets something happen between the reading and the writing of the next request."""
    look = submit._fetch

    def let_happen(act: Callable[[], object]) -> None:
        def look_and_act(*args):
            result = look(*args)
            monkeypatch.setattr(submit, "_fetch", look)
            act()
            return result

        monkeypatch.setattr(submit, "_fetch", look_and_act)

    return let_happen


def test_taking_back_never_deletes_an_answer_that_came_meanwhile(work, between):
    put(work, ACCURATE)
    between(lambda: put(work, SEVERE, base=1))
    with pytest.raises(Outdated) as outdated:
        delete_answer(work.rater, work.public_id, sentence(work).public_id, 1)
    assert (outdated.value.version, outdated.value.answers, outdated.value.comment) == (2, SEVERE, "")
    assert Rating.objects.exists()


def test_an_answer_is_not_written_when_the_lease_is_lost_between_reading_and_writing(work, between):
    between(lambda: release(work))
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
    def test_a_rating_counts_before_its_lease_is_finished_or_in_another_role_or_its_history_changes(self, work):
        put(work, ACCURATE)
        refuses(lambda: Rating.objects.update(counted=True))
        refuses(lambda: RatingEvent.objects.update(version=7))
        refuses(lambda: RatingEvent.objects.all().delete())
        imported_rating(work, 2)
        refuses(lambda: Rating.objects.filter(counted=True).update(role="judge"))

    def test_a_rating_under_somebody_elses_lease_or_about_another_sheet(self, work):
        other = study("july")
        theirs = take_next(other.project, other.people["rosa"])
        put(work, ACCURATE)
        refuses(lambda: Rating.objects.update(assignment=theirs))
        refuses(lambda: Rating.objects.update(rater=other.people["rosa"]))
        refuses(lambda: Rating.objects.update(item=other.items()[0]))

    def test_a_holder_of_another_sheet_and_finished_work_given_back(self, work):
        other, now = study("july", overlap=1), timezone.now()
        refuses(lambda: Assignment.objects.update(finished_at=now, released_at=now))
        release(work)
        refuses(lambda: Slot.objects.filter(project=other.project).update(holder=work, expires_at=now))

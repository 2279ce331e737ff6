"""Many answers to one item at the same time."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from annotation.models import RatingEvent
from annotation.qualification.next_work import take_next
from annotation.rating.submit import Outdated, Saved, Submission, save
from tests.cast import ACCURATE, SEVERE, study

pytestmark = pytest.mark.django_db(transaction=True)


def test_one_of_many_first_answers_is_stored_and_one_request_sent_many_times_is_answered_alike():
    june = study()
    first, second, _ = june.items()
    with transaction.atomic():
        work = take_next(june.project, june.people["ravi"])
    assert work

    def answer(n: int) -> str:
        try:
            save(work.rater, work.public_id, first.public_id, Submission(ACCURATE, 0, key=f"k{n}"))
            return "stored"
        except Outdated:
            return "told"
        finally:
            connection.close()

    def answer_with_one_key(_: int) -> Saved:
        try:
            return save(work.rater, work.public_id, second.public_id, Submission(SEVERE, 0, key="one"))
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        assert Counter(pool.map(answer, range(8))) == {"stored": 1, "told": 7}
        assert RatingEvent.objects.count() == 1
        saved = list(pool.map(answer_with_one_key, range(8)))
    assert {(str(each.answers), each.version) for each in saved} == {(str(SEVERE), 1)}
    assert [each.is_replayed for each in saved].count(False) == 1
    assert RatingEvent.objects.count() == 2

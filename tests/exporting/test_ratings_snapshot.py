"""An export is of one moment, and leaves nothing open. These tests commit, so they are no part of `test_ratings.py`."""

from threading import Thread

import pytest
from django.db import connection, transaction

from annotation.exporting import RatingsExport
from annotation.models import Rating
from annotation.rating.bulk_storage import NewRating, store_ratings
from tests.cast import ACCURATE, study
from tests.exporting.odd_ratings import exported

pytestmark = pytest.mark.django_db(transaction=True)


def test_an_export_is_of_one_moment_even_if_raters_go_on_and_one_left_unread_leaves_no_transaction_open():
    june = study("june", prompts=4, sentences=1)
    items = [june.items(n)[0] for n in range(4)]
    store_ratings(june.project, [NewRating(item, june.people["ravi"], ACCURATE) for item in items])
    export = RatingsExport(june.project, "csv")
    pieces = iter(export)
    read = [next(pieces)]  # the header: the snapshot stands

    def meanwhile() -> None:
        try:
            store_ratings(june.project, [NewRating(item, june.people["rosa"], ACCURATE) for item in items])
        finally:
            connection.close()

    rater = Thread(target=meanwhile)
    rater.start()
    rater.join()
    read += pieces
    assert export.rows == 4
    assert b"rosa" not in b"".join(read)
    assert b"rosa" in exported(june.project, "csv")
    unread = iter(RatingsExport(june.project, "csv"))
    next(unread)
    unread.close()
    assert not connection.in_atomic_block
    with transaction.atomic():
        assert Rating.objects.count() == 8

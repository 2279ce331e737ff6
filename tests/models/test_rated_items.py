"""The rule that decides which items raters are asked about, in its three forms."""

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.db.utils import IntegrityError

from annotation.models import Item, Rating
from annotation.models.rated_items import asks_about, is_rated, is_rated_sql
from annotation.rating.bulk_storage import NewRating, store_ratings
from tests.cast import ACCURATE, marked_study

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("skips", [False, True])
def test_the_condition_its_sql_and_the_function_agree(skips: bool) -> None:
    june = marked_study(skips=skips, responses=2)
    Item.objects.filter(response=june.responses[1], position=0).update(rate=False)
    Item.objects.filter(response=june.responses[1], position=2).update(retired_at=datetime(2026, 6, 1, tzinfo=UTC))
    by_condition = set(Item.objects.filter(is_rated(june.project)).values_list("pk", flat=True))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT id FROM annotation_item item WHERE {is_rated_sql('item', '%s')}", [skips])
        by_sql = {pk for (pk,) in cursor.fetchall()}
    by_function = {item.pk for item in Item.objects.all() if asks_about(june.project, item)}
    assert by_condition == by_sql == by_function
    assert len(by_condition) == (2 if skips else 6)


def test_a_prefix_leads_to_the_item() -> None:
    june = marked_study(skips=True)
    store_ratings(june.project, [NewRating(june.items()[0], june.people["ravi"], ACCURATE)])
    Item.objects.filter(pk=june.items()[2].pk).update(claim_free="")
    store_ratings(june.project, [NewRating(june.items()[2], june.people["ravi"], ACCURATE)])
    Item.objects.filter(pk=june.items()[2].pk).update(claim_free="meta")
    rated = Rating.objects.filter(is_rated(june.project, "item__"))
    assert [rating.item.position for rating in rated] == [0]


def test_another_reason_cannot_be_stored() -> None:
    june = marked_study()
    with pytest.raises(IntegrityError, match="item_claim_free_valid"):
        Item.objects.filter(pk=june.items()[0].pk).update(claim_free="boring")

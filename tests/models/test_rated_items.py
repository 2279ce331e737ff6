"""The rule that decides which items raters are asked about, in its forms."""

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.db.models import Count
from django.db.utils import IntegrityError

from annotation.models import Item, Project, Rating, SampledItem
from annotation.models.rated_items import (
    can_be_rated,
    is_rateable,
    is_rateable_sql,
    is_rated,
    is_rated_sql,
    rated_among,
)
from annotation.rating.bulk_storage import NewRating, store_ratings
from tests.cast import ACCURATE, Study, marked_study

pytestmark = pytest.mark.django_db


def keys_by_sql(condition: str, *values: object) -> set[int]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT id FROM annotation_item item WHERE {condition}", values)
        return {pk for (pk,) in cursor.fetchall()}


def mixed_study(*, skips: bool) -> Study:
    june = marked_study(skips=skips, responses=2)
    Item.objects.filter(response=june.responses[1], position=0).update(rate=False)
    Item.objects.filter(response=june.responses[1], position=2).update(retired_at=datetime(2026, 6, 1, tzinfo=UTC))
    return june


def draw(project: Project, items: list[Item], *, other: list[Item]) -> None:
    """Give the project a sample with these items, and with rows for the `other` ones."""
    project.sampling_design, project.sample_size = "uniform", len(items)
    project.save()
    rows = [(item, True) for item in items] + [(item, False) for item in other]
    SampledItem.objects.bulk_create(
        SampledItem(project=project, item=item, probability=0.5, is_drawn=drawn) for item, drawn in rows
    )


@pytest.mark.parametrize(
    ("skips", "has_sample", "rated"), [(False, False, 6), (False, True, 3), (True, False, 2), (True, True, 1)]
)
def test_the_condition_its_sql_and_the_function_agree(skips: bool, has_sample: bool, rated: int) -> None:
    june = mixed_study(skips=skips)
    if has_sample:
        draw(june.project, june.items(0)[:2] + june.items(1)[:3], other=june.items(0)[2:])
    sql = is_rated_sql("item", skips="%s", design="%s", project="%s")
    by_condition = set(Item.objects.filter(is_rated(june.project)).values_list("pk", flat=True))
    by_sql = keys_by_sql(sql, skips, june.project.sampling_design, june.project.pk)
    assert by_condition == by_sql == rated_among(june.project, Item.objects.all())
    assert len(by_condition) == rated
    assert Item.objects.aggregate(n=Count("pk", filter=is_rated(june.project)))["n"] == rated
    by_condition = set(Item.objects.filter(is_rateable(june.project)).values_list("pk", flat=True))
    by_function = {item.pk for item in Item.objects.all() if can_be_rated(june.project, item)}
    assert by_condition == keys_by_sql(is_rateable_sql("item", "%s"), skips) == by_function
    assert len(by_condition) == (2 if skips else 6), "whatever the sample"


def test_the_sample_of_another_project_does_not_matter_and_another_reason_cannot_be_stored() -> None:
    june = marked_study()
    draw(june.project, june.items()[:1], other=june.items()[1:])
    july = Project.objects.get(pk=june.project.pk)
    july.pk, july.slug = None, "july"
    july.save()
    assert not Item.objects.filter(is_rated(july)).exists()
    july.sampling_design, july.sample_size = "", None
    assert Item.objects.filter(is_rated(july)).count() == 4
    with pytest.raises(IntegrityError, match="item_claim_free_valid"):
        Item.objects.filter(pk=june.items()[0].pk).update(claim_free="boring")


def test_a_prefix_leads_to_the_item() -> None:
    june = marked_study(skips=True)
    Item.objects.update(claim_free="")
    store_ratings(june.project, [NewRating(june.items()[n], june.people["ravi"], ACCURATE) for n in (0, 2)])
    Item.objects.filter(pk=june.items()[2].pk).update(claim_free="meta")
    rated = Rating.objects.filter(is_rated(june.project, "item__"))
    assert [rating.item.position for rating in rated] == [0]
    draw(june.project, june.items()[2:3], other=june.items()[:1])
    assert not Rating.objects.filter(is_rated(june.project, "item__")).exists()

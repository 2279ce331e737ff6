"""Which items raters are asked about: the one rule, as a condition for items, in SQL, and for fetched items.

An item can be rated if its kind is, it is not retired, and the project does not skip it as likely free of claims. Those
are the items that judges rate and that can have a gold answer. Raters are asked about all of them, or about those that
were drawn if the project has a sample.
"""

from collections.abc import Iterable

from django.db.models import Exists, Expression, OuterRef, Q

from .items import Item, SampledItem
from .projects import Project


def is_rateable(project: Project, prefix: str = "") -> Q:
    """Return the condition that an item can be rated in the project, drawn or not; `prefix` leads to the item."""
    condition = Q(**{f"{prefix}rate": True, f"{prefix}retired_at": None})
    return condition & Q(**{f"{prefix}claim_free": ""}) if project.skips_claim_free else condition


def is_rated(project: Project, prefix: str = "") -> Q:
    """Return the condition that the project's raters are asked about an item; `prefix` leads to the item."""
    condition = is_rateable(project, prefix)
    return condition & is_drawn(project.pk, prefix) if project.sampling_design else condition


def is_drawn(project: int | Expression, prefix: str = "") -> Q:
    """Return the condition that an item is in the sample of the project with this primary key."""
    rows = SampledItem.objects.filter(project=project, item=OuterRef(f"{prefix}pk"), is_drawn=True)
    return Q(Exists(rows))


def is_rateable_sql(item: str, skips: str) -> str:
    """Return `is_rateable` as SQL, for the table alias `item`; `skips` is SQL of the project's setting."""
    return f"({item}.rate AND {item}.retired_at IS NULL AND NOT ({skips} AND {item}.claim_free <> ''))"


def is_rated_sql(item: str, *, skips: str, design: str, project: str) -> str:
    """Return `is_rated` as SQL, in this order with SQL of the project's settings and of its primary key."""
    drawn = f"SELECT FROM annotation_sampleditem s WHERE s.item_id = {item}.id AND s.project_id = {project}"
    return f"({is_rateable_sql(item, skips)} AND ({design} = '' OR EXISTS ({drawn} AND s.is_drawn)))"


def rated_among(project: Project, items: Iterable[Item]) -> set[int]:
    """Return the primary keys of those fetched items that raters are asked about. A query only with a sample."""
    rateable = {item.pk for item in items if can_be_rated(project, item)}
    if not project.sampling_design or not rateable:
        return rateable
    return set(
        SampledItem.objects.filter(project=project, item__in=rateable, is_drawn=True).values_list("item", flat=True)
    )


def can_be_rated(project: Project, item: Item) -> bool:
    """Return `is_rateable` for a fetched item."""
    return item.rate and item.retired_at is None and not (project.skips_claim_free and item.claim_free)

"""Which items raters are asked about: the one rule, as a condition for items, in SQL, and for a fetched item.

An item is rated if its kind is, it is not retired, and the project does not skip it as likely free of claims.
"""

from django.db.models import Q

from .items import Item
from .projects import Project


def is_rated(project: Project, prefix: str = "") -> Q:
    """Return the condition that the project's raters are asked about an item; `prefix` leads to the item."""
    condition = Q(**{f"{prefix}rate": True, f"{prefix}retired_at": None})
    return condition & Q(**{f"{prefix}claim_free": ""}) if project.skips_claim_free else condition


def is_rated_sql(item: str, skips: str) -> str:
    """Return the same condition as SQL, for the table alias `item`; `skips` is SQL of the project's setting."""
    return f"({item}.rate AND {item}.retired_at IS NULL AND NOT ({skips} AND {item}.claim_free <> ''))"


def asks_about(project: Project, item: Item) -> bool:
    """Return the same for a fetched item."""
    return item.rate and item.retired_at is None and not (project.skips_claim_free and item.claim_free)

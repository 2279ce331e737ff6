"""Short names of projects and data sets, derived from their titles."""

from itertools import count
from typing import Any

from django.db.models import QuerySet
from django.utils.text import slugify

MAX_LENGTH = 80


def derived_short_name(title: str, existing: QuerySet[Any], reserved: str) -> str:
    """Return a name from a title that no row of `existing` has as its `slug`: june-study, or june-study-2; "" for a
    title without Latin letters and digits.
    """
    stem = slugify(title)[: MAX_LENGTH - 6].strip("-_")
    if not stem:
        return ""
    used = {reserved, *existing.filter(slug__startswith=stem).values_list("slug", flat=True)}
    numbered = (f"{stem}-{number}" for number in count(2))
    return stem if stem not in used else next(name for name in numbered if name not in used)

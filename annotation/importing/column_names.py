"""Names of columns and fields that differ only in how they are written."""

import re
from collections.abc import Iterable

from django.utils.translation import gettext as _


def plain_name(name: str) -> str:
    """Return the name in lower case with underscores: `Model Name` -> `model_name`."""
    return re.sub(r"[\s_-]+", "_", name.strip().lower())


def similar_name(wanted: str, names: Iterable[str]) -> str:
    """Return the first name that differs from `wanted` only in case, spaces, hyphens or underscores; "" without one."""
    return next((name for name in names if name != wanted and plain_name(name) == plain_name(wanted)), "")


def did_you_mean(wanted: Iterable[str], names: Iterable[str]) -> str:
    """Return the end of a message that suggests names for those which are missing; "" without a suggestion."""
    there_are = list(names)
    pairs = [(similar, name) for name in wanted if (similar := similar_name(name, there_are))]
    hint = _("; it has '%(similar)s': did you mean '%(name)s'?")
    return "".join(hint % {"similar": similar, "name": name} for similar, name in pairs)


def suggested_column(wanted: str, names: Iterable[str]) -> str:
    """Return the end of a message about a mapping that names a missing column; "" without a suggestion."""
    similar = similar_name(wanted, names)
    return _("; did you mean '%(name)s'?") % {"name": similar} if similar else ""

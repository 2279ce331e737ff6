"""Names of columns and fields that differ only in how they are written."""

import re
from collections.abc import Iterable


def plain_name(name: str) -> str:
    """Return the name in lower case with underscores: `Model Name` -> `model_name`."""
    return re.sub(r"[\s_-]+", "_", name.strip().lower())


def similar_name(name: str, names: Iterable[str]) -> str:
    """Return the first of `names` that differs from `name` only in case, spaces, hyphens or underscores; "" if none."""
    return next((other for other in names if other != name and plain_name(other) == plain_name(name)), "")


def did_you_mean(missing: Iterable[str], names: Iterable[str]) -> str:
    """Return the end of a message that suggests names for those which are missing; "" without a suggestion."""
    existing = list(names)
    pairs = [(similar, name) for name in missing if (similar := similar_name(name, existing))]
    return "".join(f"; it has '{similar}': did you mean '{name}'?" for similar, name in pairs)


def suggested_column(name: str, names: Iterable[str]) -> str:
    """Return the end of a message about a mapping that names a missing column; "" without a suggestion."""
    similar = similar_name(name, names)
    return f"; did you mean '{similar}'?" if similar else ""

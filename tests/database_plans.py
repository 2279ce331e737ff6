"""Plans of queries."""

from collections.abc import Iterator


def nodes(plan: dict) -> Iterator[dict]:
    """Yield a plan's nodes, subplans included."""
    yield plan
    for child in plan.get("Plans", []):
        yield from nodes(child)

"""Names of pairs of systems in a report."""


def name_of_pair(first: str, second: str, *, has_sides: bool) -> tuple[str, bool]:
    """Return the name, `heron vs tern`, and whether the second system is first in it: where the sides of a pair can
    change places, the name is in alphabetical order.
    """
    is_turned = has_sides and second < first
    return (f"{second} vs {first}" if is_turned else f"{first} vs {second}"), is_turned

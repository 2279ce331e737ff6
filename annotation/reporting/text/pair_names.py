"""What a report calls a pair of systems."""


def name_of_pair(first: str, second: str, *, has_sides: bool) -> tuple[str, bool]:
    """The name, `heron vs tern`, and whether it says the second one first: where a pair can be turned round it has one
    name, in the order of the alphabet, whatever the order of its responses.
    """
    is_turned = has_sides and second < first
    return (f"{second} vs {first}" if is_turned else f"{first} vs {second}"), is_turned

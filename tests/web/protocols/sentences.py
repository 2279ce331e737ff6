"""A protocol about sentences."""

from tests.protocol_text import choice, protocol_text

YES_OR_NO = choice("so", "Is it so?", {"yes": "Yes", "no": "No"}, "12")


def own_protocol(unit: str) -> str:
    return protocol_text("own", YES_OR_NO, counts={"so": ["yes"]}, among={"so": ["yes", "no"]}, unit=unit)


SENTENCES = own_protocol("sentence")

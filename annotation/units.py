"""The words for what a rating is about, in the reader's language: sentence, sentences.

A protocol names its unit (`sentence`, `claim`, `fact`, `response`, `pair`). Pages and messages put these words into
theirs, so a language translates each unit once, not each message for each unit.
"""

from django.utils.translation import ngettext


def unit_words(unit: str, count: int = 1) -> str:
    """The word for `count` of `unit`, without the number: ("claim", 2) -> claims. An unknown unit is named as it is."""
    words = {
        "sentence": ngettext("sentence", "sentences", count),
        "claim": ngettext("claim", "claims", count),
        "fact": ngettext("fact", "facts", count),
        "response": ngettext("response", "responses", count),
        "pair": ngettext("pair", "pairs", count),
    }
    return words.get(unit, unit)

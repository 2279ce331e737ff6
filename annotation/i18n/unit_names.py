"""The words for units of rating in the reader's language: sentence, sentences.

A protocol names its unit (`sentence`, `claim`, `fact`, `response`, `pair`). Pages and messages insert these words, so a
translation has each unit once, not each message for each unit. Prompts, documents and other counted words are here,
too.
"""

from collections.abc import Callable

from django.utils.formats import number_format
from django.utils.translation import ngettext


def unit_words(unit: str, count: int = 1) -> str:
    """Return the word for `count` of `unit`: ("claim", 2) -> claims. An unknown unit keeps its name."""
    return _WORDS[unit](count) if unit in _WORDS else unit


def counted(count: int, unit: str) -> str:
    """Return the number and the word: (1204, "claim") -> 1,204 claims."""
    return f"{number_format(count, force_grouping=True)} {unit_words(unit, count)}"


_WORDS: dict[str, Callable[[int], str]] = {
    "sentence": lambda n: ngettext("sentence", "sentences", n),
    "claim": lambda n: ngettext("claim", "claims", n),
    "fact": lambda n: ngettext("fact", "facts", n),
    "response": lambda n: ngettext("response", "responses", n),
    "pair": lambda n: ngettext("pair", "pairs", n),
    "item": lambda n: ngettext("item", "items", n),
    "prompt": lambda n: ngettext("prompt", "prompts", n),
    "document": lambda n: ngettext("document", "documents", n),
    "rating": lambda n: ngettext("rating", "ratings", n),
    "rater": lambda n: ngettext("rater", "raters", n),
    "system": lambda n: ngettext("system", "systems", n),
    "adjudication": lambda n: ngettext("adjudication", "adjudications", n),
}

"""Decide whether a quotation is one span with a reporting clause, or is split into its sentences."""

import re

from annotation.splitting import word_lists
from annotation.splitting.regions import Quote
from annotation.splitting.trailing_marks import Trailing

_WORDS = re.compile(r"[^\W\d_][\w'’-]*")


def is_tied(text: str, quote: Quote, first_word: int, trailing: Trailing) -> str:
    """Return "before" if the sentence leads into the quotation, "after" if it continues after it, else "".

    `first_word` is the start of the sentence's first word.
    """
    if first_word < quote.start:
        return "before"
    after = trailing.skip_space(quote.end)
    if after >= len(text):
        return ""
    mark = text[quote.end - 1]
    if mark in "」』" or (mark == "”" and after == quote.end and not text[after].isascii()):
        return "after" if after == quote.end else ""
    goes_on = text[after].islower() or text[after] in ",;:)–—-&/=+"
    return "after" if goes_on or text[quote.end - 2] not in ".?!…*_~" or _reports(text, after) else ""


def _reports(text: str, index: int) -> bool:
    """Return whether a capitalized clause of a few words ends in a reporting verb: "Ann said", "Dr. Lee then asked"."""
    stop = index + 60
    sample = text[index:stop]
    if sample[:1] in '"“„«‘':
        return False  # the next quotation follows
    for number, match in enumerate(_WORDS.finditer(sample)):
        if match.group().lower() in ("not", "never") or match.group().endswith(("n't", "n’t")):
            return False
        if match.group() in word_lists.REPORTING:
            return number > 0
        gap = sample[match.end() : match.end() + 2]
        if number >= 4 or gap[:1] in ("?", "!", ",", ";", ":", '"', "“") or (gap == ". " and number > 1):
            return False
    return False

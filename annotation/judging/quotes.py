"""Find a quoted passage in what a judge was shown to judge by, the document and the evidence of the items: word for
word, whatever the white space and the quotation marks.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate

from ..rating.evidence import Passage, evidence_problems_in
from .passages import PassageIndex

MAX_QUOTE = 5_000
_MARKS = "\"'“”„‟‘’‚‛«»"
_ALIKE = str.maketrans("’‘‛“”„‐‑–ſµİ", "'''\"\"\"---sμi")
_WORD = re.compile(r"\S+")


def locate(quote: str, index: PassageIndex | None, stance: str) -> Passage | None:
    """Return where the document has the quote, as evidence that its checker accepts; None if it does not."""
    words = _words_of_quote(quote)
    if index is None or not words:
        return None
    for paragraph in index.paragraphs:
        if span := _find(words, paragraph.text):
            start, end = span
            passage: Passage = {
                "paragraph": paragraph.id,
                "start": start,
                "end": end,
                "stance": stance,
                "text": paragraph.text[start:end],
            }
            return None if evidence_problems_in(index.document, [passage]) else passage
    return None


def is_shown(quote: str, index: PassageIndex | None, evidence: Iterable[str]) -> bool:
    """Return whether the document has the quote, its headings and several paragraphs in a row included, or one of the
    texts that the data set has as evidence.
    """
    words = _words_of_quote(quote)
    texts = [*([index.text] if index else []), *evidence]
    return bool(words) and any(_find(words, text) for text in texts)


def _words_of_quote(quote: str) -> str:
    """Return the words to look for, one blank between two; "" for none, and for a quote that is too long."""
    if len(quote) > MAX_QUOTE:
        return ""
    return " ".join(_plain(quote.strip().strip(_MARKS).strip(" .…")).split())


def _plain(text: str) -> str:
    """Return the text, as long as it is, in lower case and with one form of each mark."""
    return text.translate(_ALIKE).lower().replace("ς", "σ")


def _find(quoted: str, text: str) -> tuple[int, int] | None:
    """Return start and end of the first place where the text has the quoted words.

    `str.find` looks for them in time that is linear in the text, where a pattern with white space between the words
    would try them anew at each position.
    """
    plain = _plain(text)
    position = " ".join(plain.split()).find(quoted)
    if position < 0:
        return None
    words = list(_WORD.finditer(plain))
    starts = [0, *accumulate(len(word[0]) + 1 for word in words)]
    first, last = (bisect_right(starts, place) - 1 for place in (position, position + len(quoted) - 1))
    start = words[first].start() + position - starts[first]
    end = words[last].start() + position + len(quoted) - starts[last]
    return start, end

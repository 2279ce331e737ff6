"""Find a quoted passage in what a judge was shown to judge by, the document and the evidence of the items: word for
word, whatever the white space and the quotation marks.
"""

import re
from collections.abc import Iterable

from ..rating.evidence import Passage, evidence_problems_in
from .passages import PassageIndex

MAX_QUOTE = 5_000
_MARKS = "\"'“”„‟‘’‚‛«»"
_ALIKE = {"'": "['’‘‛]", "’": "['’‘‛]", "‘": "['’‘‛]", '"': '["“”„]', "“": '["“”„]', "”": '["“”„]', "-": "[-‐‑–]"}


def locate(quote: str, index: PassageIndex | None, stance: str) -> Passage | None:
    """Return where the document has the quote, as evidence that its checker accepts; None if it does not."""
    pattern = _quote_pattern(quote)
    if index is None or pattern is None:
        return None
    for paragraph in index.paragraphs:
        if match := pattern.search(paragraph.text):
            passage: Passage = {
                "paragraph": paragraph.id,
                "start": match.start(),
                "end": match.end(),
                "stance": stance,
                "text": match[0],
            }
            return None if evidence_problems_in(index.document, [passage]) else passage
    return None


def is_shown(quote: str, index: PassageIndex | None, evidence: Iterable[str]) -> bool:
    """Return whether the document has the quote, its headings and several paragraphs in a row included, or one of the
    texts that the data set has as evidence.
    """
    pattern = _quote_pattern(quote)
    texts = [*([index.text] if index else []), *evidence]
    return pattern is not None and any(pattern.search(text) for text in texts)


def _quote_pattern(quote: str) -> re.Pattern[str] | None:
    words = quote.strip().strip(_MARKS).strip(" .…").split()
    if not words or len(quote) > MAX_QUOTE:
        return None
    return re.compile(r"\s+".join(map(_pattern, words)), re.IGNORECASE)


def _pattern(word: str) -> str:
    return "".join(_ALIKE.get(char) or re.escape(char) for char in word)

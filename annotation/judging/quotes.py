"""Find a quoted passage in the document: word for word, whatever the white space and the quotation marks."""

import re

from ..rating.evidence import Passage, evidence_problems_in
from .passages import PassageIndex

MAX_QUOTE = 5_000
_MARKS = "\"'“”„‟‘’‚‛«»"
_ALIKE = {"'": "['’‘‛]", "’": "['’‘‛]", "‘": "['’‘‛]", '"': '["“”„]', "“": '["“”„]', "”": '["“”„]', "-": "[-‐‑–]"}


def locate(quote: str, index: PassageIndex | None, stance: str) -> Passage | None:
    """Return where the document has the quote, as evidence that its checker accepts; None if it does not."""
    words = quote.strip().strip(_MARKS).strip(" .…").split()
    if index is None or not words or len(quote) > MAX_QUOTE:
        return None
    pattern = re.compile(r"\s+".join(map(_pattern, words)), re.IGNORECASE)
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


def _pattern(word: str) -> str:
    return "".join(_ALIKE.get(char) or re.escape(char) for char in word)

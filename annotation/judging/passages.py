"""Rank the passages of a document for a sentence: BM25 over paragraphs (Robertson and Zaragoza 2009, equation 3.15).

The words of a section's heading count for its paragraphs, and words are stemmed lightly.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from ..models import Document

K1, B = 1.5, 0.75
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
_SENTENCE = re.compile(r"\S.*?(?:[.!?](?=\s)|$)", re.DOTALL)
_ENDING = re.compile(r"(?:ations?|ments?|ings?|ies|ed|es|s|ly)$")
_STOP = """
a about above after all also am an and any are as at be because been before being below between both but by can
could did do does doing down during each either for from further had has have having he her here him his how i if in
into is it its just may might more most must no nor not of off on once only or other our out over own same she
should so some such than that the their them then there these they this those through to too under until up upon
very was we were what when where which while who whom why will with would you your
"""
_STOP_WORDS = frozenset(_STOP.split())


def stems_in(text: str) -> list[str]:
    """Return the content words of a text in lower case without endings; numbers without separators of thousands."""
    words = (match[0].lower() for match in _WORD.finditer(text))
    return [_stem(word) for word in words if word not in _STOP_WORDS]


def numbers_in(text: str) -> list[str]:
    """Return the numbers of a text in order, without separators of thousands and without zeros after the point."""
    return [_stem(match[0]) for match in _WORD.finditer(text) if match[0][0].isdigit()]


def _stem(word: str) -> str:
    if word[0].isdigit():
        number = re.sub(r",(?=\d{3}(?!\d))", "", word).replace(",", ".")
        return number.rstrip("0").rstrip(".") if "." in number and number.count(".") == 1 else number
    base = _ENDING.sub("", word)
    return base if len(base) >= 3 else word


@dataclass(frozen=True)
class Paragraph:
    """A paragraph of a document. `number` counts from 1 through the document."""

    number: int
    id: str
    heading: str
    text: str

    @cached_property
    def stems(self) -> Counter[str]:
        return Counter(stems_in(self.text)) + Counter(stems_in(self.heading))

    def sentences(self) -> Iterator[tuple[int, int]]:
        """Yield start and end of each sentence."""
        return (match.span() for match in _SENTENCE.finditer(self.text))


class PassageIndex:
    """The paragraphs of a document, and their ranks for a sentence."""

    def __init__(self, document: Document):
        self.document = document
        pairs = [(section, each) for section in document.sections for each in section["paragraphs"]]
        self.paragraphs = [
            Paragraph(number, paragraph["id"], section.get("heading") or "", paragraph["text"])
            for number, (section, paragraph) in enumerate(pairs, 1)
        ]

    @cached_property
    def text(self) -> str:
        """The whole document with its headings, one paragraph a line."""
        lines, heading = [], ""
        for paragraph in self.paragraphs:
            lines += [paragraph.heading] * (paragraph.heading != heading) + [paragraph.text]
            heading = paragraph.heading
        return "\n".join(lines)

    @cached_property
    def numbers(self) -> frozenset[str]:
        """All numbers in the document."""
        return frozenset(number for paragraph in self.paragraphs for number in numbers_in(paragraph.text))

    def best(self, text: str, most: int) -> list[Paragraph]:
        """Return at most `most` paragraphs, best first; none that shares no word with the text."""
        words = set(stems_in(text))
        scores = [(self._score(paragraph, words), paragraph) for paragraph in self.paragraphs]
        ranked = sorted((pair for pair in scores if pair[0] > 0), key=lambda pair: (-pair[0], pair[1].number))
        return [paragraph for _score, paragraph in ranked[:most]]

    def _score(self, paragraph: Paragraph, words: set[str]) -> float:
        length = B * sum(paragraph.stems.values()) / self._mean_length + 1 - B
        counts = ((word, paragraph.stems[word]) for word in words if word in paragraph.stems)
        return sum(self._weight(word) * n * (K1 + 1) / (n + K1 * length) for word, n in counts)

    def _weight(self, word: str) -> float:
        n = self._frequency[word]
        return math.log(1 + (len(self.paragraphs) - n + 0.5) / (n + 0.5))

    @cached_property
    def _frequency(self) -> Counter[str]:
        return Counter(word for paragraph in self.paragraphs for word in paragraph.stems)

    @cached_property
    def _mean_length(self) -> float:
        return sum(sum(paragraph.stems.values()) for paragraph in self.paragraphs) / len(self.paragraphs) or 1.0

"""The paragraphs of a document for judges: which bear most on a sentence, as the rating page suggests them to raters
(`retrieval.passage_ranking`), and which numbers and words they have.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ..models import Document
from ..retrieval.passage_ranking import PassageRanking, RankedPassage, words_in

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def stems_in(text: str) -> list[str]:
    """Return the content words of a text without endings, and its numbers as `numbers_in` writes them."""
    return [_plain_number(word.stem) if word.is_number else word.stem for word in words_in(text)]


def numbers_in(text: str) -> list[str]:
    """Return the numbers of a text in order, without separators of thousands and without zeros after the point."""
    return [_plain_number(match[0]) for match in _NUMBER.finditer(text)]


def _plain_number(number: str) -> str:
    number = re.sub(r",(?=\d{3}(?!\d))", "", number).replace(",", ".")
    return number.rstrip("0").rstrip(".") if number.count(".") == 1 else number


@dataclass(frozen=True)
class Paragraph:
    """A paragraph of a document. `number` counts from 1 through the document."""

    number: int
    id: str
    heading: str
    text: str

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(stems_in(f"{self.heading}\n{self.text}"))


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

    def best(self, text: str, most: int, prompt: str = "") -> list[Paragraph]:
        """Return at most `most` paragraphs, best first; none that shares no word with the text or the prompt."""
        return [self.paragraphs[passage.number] for passage in self.passages(text, most, prompt)]

    def passages(self, text: str, most: int, prompt: str = "") -> Sequence[RankedPassage]:
        """Return the same with the sentence of each paragraph that fits best."""
        return self._ranking.best(text, prompt, most)

    @cached_property
    def _ranking(self) -> PassageRanking:
        return PassageRanking([(paragraph.heading, paragraph.text) for paragraph in self.paragraphs])

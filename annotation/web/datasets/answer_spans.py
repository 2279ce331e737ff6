"""Find in a document the spans on which a data set's own answer is based.

Annotators typed or pasted them, so line ends, dashes and quotation marks differ from the document's. They are compared
by letters and digits alone; a paraphrase is not found, and the page reports that.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.safestring import SafeString, mark_safe

from ...importing.records import Paragraph, Section
from ...importing.syllabusqa import SPANS
from ...models import Document, Prompt
from ..rendering.articles import render_paragraph

MIN_LETTERS = 3
"""A shorter span, such as "A", would occur everywhere."""


@dataclass(frozen=True)
class SpanPosition:
    """Code points `start` to `end` of a paragraph's text."""

    paragraph: str
    start: int
    end: int


def find_spans(sections: Sequence[Section], spans: Iterable[str]) -> list[list[SpanPosition]]:
    """Return the positions of each span in reading order: none if it is not there, several if it crosses paragraphs.

    A span that is not found as a whole is searched for line by line.
    """
    text = _Text([paragraph for section in sections for paragraph in section["paragraphs"]])
    return [
        text.find(span) or [position for line in span.splitlines() for position in text.find(line)] for span in spans
    ]


def _letters(text: str) -> list[tuple[str, int]]:
    """Return the letters and digits of a text with their positions."""
    return [(character.lower()[:1], index) for index, character in enumerate(text) if character.isalnum()]


class _Text:
    """A document's letters with their positions in their paragraphs, and where each paragraph begins."""

    def __init__(self, paragraphs: Sequence[Paragraph]) -> None:
        letters, self.begins = list[tuple[str, int]](), list[int]()
        for paragraph in paragraphs:
            self.begins.append(len(letters))
            letters += _letters(paragraph["text"])
        self.letters = "".join(letter for letter, _ in letters)
        self.offsets = [offset for _, offset in letters]
        self.paragraphs = [paragraph["id"] for paragraph in paragraphs]

    def find(self, span: str) -> list[SpanPosition]:
        letters = "".join(letter for letter, _ in _letters(span))
        start = self.letters.find(letters) if len(letters) >= MIN_LETTERS else -1
        positions, end = [], start + len(letters)
        while 0 <= start < end:
            n = bisect_right(self.begins, start) - 1
            stop = min(end, self.begins[n + 1] if n + 1 < len(self.begins) else end)
            positions.append(SpanPosition(self.paragraphs[n], self.offsets[start], self.offsets[stop - 1] + 1))
            start = stop
        return positions


def render_with_marks(text: str, positions: Sequence[SpanPosition]) -> SafeString:
    """Return safe HTML of a paragraph with these positions marked."""
    parts, reached = list[str](), 0
    for position in sorted(positions, key=lambda position: position.start):
        start = max(reached, position.start)
        if start < position.end:
            parts += [
                render_paragraph(text[reached:start]),
                "<mark>",
                render_paragraph(text[start : position.end]),
                "</mark>",
            ]
            reached = position.end
    return mark_safe("".join([*parts, render_paragraph(text[reached:])]))  # noqa: S308 - every part is safe


def found_spans(prompt: Prompt, spans: Sequence[str]) -> list[tuple[str, list[SpanPosition]]]:
    """Return each span with its positions in the prompt's document."""
    return list(zip(spans, find_spans(prompt.document.sections if prompt.document else [], spans), strict=True))


def positions_by_paragraph(document: Document, prompt: str) -> dict[str, list[SpanPosition]]:
    """Return the positions to mark in a document for one of its prompts (public id); {} for another value."""
    try:
        row = document.prompts.filter(public_id=UUID(prompt)).first()
    except ValueError:
        row = None
    spans = [span for annotation in (row.annotations if row else []) for span in annotation.get(SPANS, [])]
    positions: dict[str, list[SpanPosition]] = {}
    for span_positions in find_spans(document.sections, spans):
        for position in span_positions:
            positions.setdefault(position.paragraph, []).append(position)
    return positions

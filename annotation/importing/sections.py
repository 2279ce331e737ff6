"""Headings and paragraphs of an article, with numbered paragraphs."""

from collections.abc import Iterable

from .records import Paragraph, Section, SourceDocument

SEPARATOR = ":::"  # separates a heading from its ancestors in Qasper
CAPTIONS = "Figures and tables"


class Sections:
    """Collects sections as `models.Document` stores them; paragraph ids p1, p2 … run through the document."""

    def __init__(self) -> None:
        self.sections: list[Section] = []
        self.empty_paragraphs = 0
        self._path: list[str] = []
        self._paragraphs = 0

    def add(self, heading: str, paragraphs: Iterable[str], level: int = 1) -> None:
        """Add one section. Empty paragraphs are dropped and counted; an empty section without a heading is dropped."""
        texts = list(paragraphs)
        new_paragraphs = [self._paragraph("text", text) for text in texts if text.strip()]
        self.empty_paragraphs += len(texts) - len(new_paragraphs)
        if heading or new_paragraphs:
            self.sections.append({"heading": heading, "level": level, "paragraphs": new_paragraphs})

    def add_path(self, name: str, paragraphs: Iterable[str]) -> None:
        """Add a section named `A ::: B ::: C`: heading C, level 3. Missing ancestors are added without text."""
        path = [part.strip() for part in name.split(SEPARATOR) if part.strip()]
        shared = 0
        for ours, theirs in zip(path[:-1], self._path, strict=False):
            if ours != theirs:
                break
            shared += 1
        for level, heading in ((n + 1, path[n]) for n in range(shared, len(path) - 1)):
            self.sections.append({"heading": heading, "level": level, "paragraphs": []})
        self._path = path
        self.add(path[-1] if path else "", paragraphs, level=max(1, len(path)))

    def add_captions(self, captions: Iterable[tuple[str, str]]) -> None:
        """Add a last section of figures and tables: kind and caption each. Empty captions are dropped."""
        new_captions = [self._paragraph(kind, text) for kind, text in captions if text.strip()]
        if new_captions:
            self.sections.append({"heading": CAPTIONS, "level": 1, "paragraphs": new_captions})

    def _paragraph(self, kind: str, text: str) -> Paragraph:
        self._paragraphs += 1
        return {"id": f"p{self._paragraphs}", "kind": kind, "text": text}


def document(location: str, key: str, title: str, sections: Sections) -> SourceDocument:
    """Return the finished document."""
    return SourceDocument(location, key, title, sections.sections, sections.empty_paragraphs)

"""What each block's pieces are: sentence, item, math, heading, lead-in, code, reference.

A line is judged by its own shape first (only code, only a formula, only an address), then by its neighbours: a short
line is a title because something follows it, a line below "References" is an entry because of what stands above it.
"""

import re

from annotation.splitting.blocks import Block
from annotation.splitting.labels import has_verb, is_title_case
from annotation.splitting.mathematics import is_only_formula
from annotation.splitting.references import (
    is_bibliographic,
    is_entry,
    is_numbered_entry,
    is_only_marks,
    is_reference_title,
    is_source_line,
)
from annotation.splitting.sentences import Piece, cut
from annotation.splitting.spans import RATED_KINDS, Span
from annotation.splitting.verse import verse_lines

_ONLY_CODE = re.compile(r"[*_]*(`+)(?!`)[^`]*[^`]\1(?!`)[*_]*[.,;:]?")
_EMPHASISED = re.compile(r"(?P<mark>\*{1,3}|_{1,3})(?=[^\s*_])(?P<text>[^*\n]+?)(?P=mark)(?P<rest>.*)")
_CITATIONS = re.compile(r"(?:\s*(?:\[\^?[\d,;\s–-]+\]|\[\^[^\]]+\]|[⁰¹²³⁴⁵⁶⁷⁸⁹]+|\(\d{4}\)))+\s*$")
_CLOSED = re.compile(r"[.?!…。！？।؟]")
_TITLE_WORDS = 12
_LABEL_WORDS = 6


def name_spans(text: str, blocks: list[Block]) -> list[Span]:
    """Spans of all blocks in order, with their kinds."""
    verse = verse_lines(text, blocks)
    namer = _Namer(text, blocks, verse)
    return [
        Span(start, end, kind, kind in RATED_KINDS)
        for number in range(len(blocks))
        for start, end, kind in namer.block(number)
    ]


class _Namer:
    def __init__(self, text: str, blocks: list[Block], verse: set[int]) -> None:
        self.text = text
        self.blocks = blocks
        self.verse = verse
        self.in_references = False

    def block(self, number: int) -> list[tuple[int, int, str]]:
        block = self.blocks[number]
        if block.role == "heading":
            self.in_references = is_reference_title(self.text[block.start : block.end])
        if block.role == "footnote":
            return [(block.start, block.end, "reference")]
        if block.role != "text":
            return [(block.start, block.end, block.role)]
        return self._text(number, block)

    def _text(self, number: int, block: Block) -> list[tuple[int, int, str]]:
        line = self.text[block.start : block.end]
        if kind := self._whole(line, block) or self._title(number, line, block):
            return [(block.start, block.end, kind)]
        if number in self.verse:
            return [(block.start, block.end, "sentence" if _CLOSED.search(line[-4:]) else "item")]
        pieces = cut(line)
        return [
            (block.start + piece.start, block.start + piece.end, self._kind(piece, line, block, pieces))
            for piece in pieces
        ]

    def _whole(self, line: str, block: Block) -> str:
        """The kind of a line that is one span whatever stands around it, or ""."""
        if _ONLY_CODE.fullmatch(line):
            return "code"
        if is_only_marks(line) or is_source_line(line) or is_numbered_entry(line):
            return "reference"
        if is_only_formula(line):
            return "math"
        if self.in_references and is_entry(line, block.marker):
            return "reference"
        return ""

    def _title(self, number: int, line: str, block: Block) -> str:
        following = self.blocks[number + 1] if number + 1 < len(self.blocks) else None
        if block.before_math or block.after_math or not self._is_title(line, block, number, following):
            return ""
        self.in_references = is_reference_title(line)
        return "heading"

    def _is_title(self, line: str, block: Block, number: int, following: Block | None) -> bool:
        if len(line) > 200:
            return False
        bare = _CITATIONS.sub("", line).strip()
        if match := _EMPHASISED.fullmatch(bare):
            return self._is_bold_title(match, block, following)
        if bare.endswith(":"):
            return _is_label(bare[:-1])
        if following is None or block.marker or not bare or following.role == "heading":
            return False
        cited = bare != line.strip()
        if bare[-1] == ".":
            return _is_title_with_stop(bare[:-1], cited) and self._leads(block, following)
        if bare[-1] in ".?!…,;-–—" or len(bare.split()) > _TITLE_WORDS or has_verb(bare):
            return False
        return self._leads(block, following) and _names_a_part(bare, self._next_is_longer(block, following))

    def _is_bold_title(self, match: re.Match[str], block: Block, following: Block | None) -> bool:
        title, rest = match["text"], match["rest"].strip()
        if rest.strip(":. ") and not re.fullmatch(r"\([^()]*\)[:.]?", rest):
            return False
        if "**" in title or "__" in title:
            return False
        whole = (title + rest).rstrip()
        if whole.endswith(":"):
            return True
        if whole[-1] in ".?!…":
            return False
        if block.marker:
            return following is not None and (
                following.indent > block.indent and not following.role == "heading" and not rest
            )
        return len(match["mark"]) > 1 or following is not None

    def _leads(self, block: Block, following: Block) -> bool:
        return (
            following.role in ("text", "code", "math", "table_header", "table_row") and block.quotes == following.quotes
        )

    def _next_is_longer(self, block: Block, following: Block) -> bool:
        return following.marker or following.end - following.start > max(60, 1.5 * (block.end - block.start))

    def _kind(self, piece: Piece, line: str, block: Block, pieces: list[Piece]) -> str:
        if piece.end == len(line) and line[piece.start : piece.end].rstrip("*_ \"”'’)")[-1:] in (":", "："):
            return "lead_in"
        if piece.closed or len(pieces) > 1 or block.before_math or block.after_math:
            sample = line[piece.start : piece.end]
            return "reference" if len(pieces) > 1 and is_source_line(sample) else "sentence"
        return "item"


def _is_label(label: str) -> bool:
    label = label.strip("*_ ")
    count = len(label.split())
    if count > _TITLE_WORDS or has_verb(label):
        return False
    return count <= 2 or (is_title_case(label) and count <= _LABEL_WORDS)


def _is_title_with_stop(bare: str, cited: bool) -> bool:
    count = len(bare.split())
    if not 2 <= count <= _TITLE_WORDS or has_verb(bare) or not is_title_case(bare):
        return False
    return cited or count >= 3


def _names_a_part(bare: str, next_is_longer: bool) -> bool:
    if not bare[0].isupper() and not bare[0].isdigit():
        return False
    return is_title_case(bare) or (len(bare.split()) <= _LABEL_WORDS and next_is_longer)


__all__ = ["is_bibliographic", "name_spans"]

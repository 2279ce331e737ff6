"""The kinds of each block's pieces: sentence, item, math, heading, lead-in, code, reference.

The form of a line is checked first (only code, only a formula, only an address), then its neighbors: a short line is a
title because of the text after it, a line below "References" is an entry because of the title above it.
"""

import re
from dataclasses import dataclass

from annotation.splitting.blocks import Block
from annotation.splitting.display_math import is_only_formula
from annotation.splitting.marks import ENDS
from annotation.splitting.references import (
    is_entry,
    is_numbered_entry,
    is_only_marks,
    is_reference_title,
    is_source_line,
)
from annotation.splitting.sentences import Piece, cut
from annotation.splitting.titles import is_title
from annotation.splitting.verse import verse_lines

KINDS = (
    "sentence", "item", "table_row", "math", "heading", "lead_in", "code", "table_header", "reference", "reasoning",
)  # fmt: skip
RATED_KINDS = frozenset({"sentence", "item", "table_row", "math"})

_ONLY_CODE = re.compile(r"[*_]*(`+)(?!`)[^`]*[^`]\1(?!`)[*_]*[.,;:]?")
_CLOSED = re.compile(rf"[{ENDS}]")
_COLON = re.compile(r"[:：][*_~\"”’»')\]\s]*(?:\[\^?\d[^\]]{0,20}\]\s*)*[:：]?$")


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a response: code points `start` to `end` (exclusive) of the raw text, and its kind."""

    start: int
    end: int
    kind: str
    rate: bool


def name_spans(text: str, blocks: list[Block]) -> list[Span]:
    """Return spans of all blocks in order, with their kinds."""
    namer = _Namer(text, blocks)
    return [
        Span(start, end, kind, kind in RATED_KINDS)
        for number in range(len(blocks))
        for start, end, kind in namer.block(number)
    ]


class _Namer:
    def __init__(self, text: str, blocks: list[Block]) -> None:
        self.text = text
        self.blocks = blocks
        self.verse = verse_lines(text, blocks)
        self.in_references = False

    def block(self, number: int) -> list[tuple[int, int, str]]:
        """Return start, end and kind of each span of one block."""
        block = self.blocks[number]
        line = self.text[block.start : block.end]
        if block.role == "heading":
            self.in_references = is_reference_title(line)
        if block.role != "text":
            return [(block.start, block.end, "reference" if block.role == "footnote" else block.role)]
        before = self.blocks[number - 1] if number else None
        after = self.blocks[number + 1] if number + 1 < len(self.blocks) else None
        kind = _by_itself(line)
        if not kind and self.in_references and is_entry(line, block.marker):
            kind = "reference"
        elif not kind:
            # A remark ends a list of references; titles are looked at later and may begin one.
            self.in_references = False
        if not kind and is_title(line, block, before, after):
            kind = "heading"
            self.in_references = is_reference_title(line)
        if not kind and number in self.verse:
            kind = "sentence" if _CLOSED.search(line[-4:]) else "item"
        if kind:
            return [(block.start, block.end, kind)]
        pieces = cut(line)
        into_math = block.before_math or block.after_math or (after is not None and after.role == "math")
        return [
            (block.start + piece.start, block.start + piece.end, _kind(piece, line, into_math or len(pieces) > 1))
            for piece in pieces
        ]


def _by_itself(line: str) -> str:
    """Return the kind of a line that is one span whatever its neighbors, or ""."""
    if "`" in line and _ONLY_CODE.fullmatch(line):
        return "code"
    if is_only_marks(line) or is_source_line(line) or is_numbered_entry(line):
        return "reference"
    return "math" if is_only_formula(line) else ""


def _kind(piece: Piece, line: str, in_prose: bool) -> str:
    if piece.end == len(line) and _COLON.search(line, max(piece.start, piece.end - 60)):
        return "lead_in"
    return "sentence" if piece.closed or in_prose else "item"

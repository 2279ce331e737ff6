"""Verse: stanzas of short lines, each of which is one span whatever its inner punctuation."""

from annotation.splitting.blocks import Block

_LONGEST = 62
_FEWEST = 3


def verse_lines(text: str, blocks: list[Block]) -> set[int]:
    """Numbers of the blocks that are lines of verse.

    A stanza is at least three short lines in a row, most of which begin with a capital, and a third of which run on
    into the next line or end in a comma. Where a text has one, its couplets are verse too.
    """
    stanzas = _stanzas(text, blocks)
    if not any(len(stanza) >= _FEWEST and _runs_on(text, blocks, stanza) for stanza in stanzas):
        return set()
    return {number for stanza in stanzas if _runs_on(text, blocks, stanza) for number in stanza}


def _stanzas(text: str, blocks: list[Block]) -> list[list[int]]:
    stanzas: list[list[int]] = [[]]
    for number, block in enumerate(blocks):
        line = text[block.start : min(block.end, block.start + _LONGEST + 1)]
        if block.gap or not _may_be_verse(block, line):
            stanzas.append([])
        if _may_be_verse(block, line):
            stanzas[-1].append(number)
    return [stanza for stanza in stanzas if len(stanza) > 1]


def _may_be_verse(block: Block, line: str) -> bool:
    if block.role != "text" or block.marker or len(line) > _LONGEST or ":" in line[:20]:
        return False
    return 3 <= len(line.split()) <= 12


def _runs_on(text: str, blocks: list[Block], stanza: list[int]) -> bool:
    capitals = sum(
        text[blocks[number].start : blocks[number].end].lstrip("\"“'‘*_(")[:1].isupper() for number in stanza
    )
    if capitals * 3 < len(stanza) * 2:
        return False
    last = [text[blocks[number].end - 1] for number in stanza]
    return sum(c.isalpha() or c in ",;—–-’" for c in last) * 3 >= len(last)

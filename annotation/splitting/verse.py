"""Verse: stanzas of short lines, each of which is one span whatever its inner punctuation."""

from annotation.splitting.blocks import Block

_MAX_LINE_LENGTH = 62
_HAIKU = 40
_MIN_LINES = 3


def verse_lines(text: str, blocks: list[Block]) -> set[int]:
    """Return the numbers of the blocks that are lines of verse.

    A stanza is at least three short lines in a row, most of which begin with a capital, and a third of which run on
    into the next line or end in a comma. Where a text has one, its couplets are verse too.
    """
    stanzas: list[list[int]] = [[]]
    for number, block in enumerate(blocks):
        line = text[block.start : min(block.end, block.start + _MAX_LINE_LENGTH + 1)]
        is_short = block.role == "text" and not block.marker and len(line) <= _MAX_LINE_LENGTH and ":" not in line[:20]
        may_be_verse = is_short and 3 <= len(line.split()) <= 12
        if block.gap or not may_be_verse:
            stanzas.append([])
        if may_be_verse:
            stanzas[-1].append(number)
    stanzas = [stanza for stanza in stanzas if len(stanza) > 1]
    if not any(len(stanza) >= _MIN_LINES and _runs_on(text, blocks, stanza) for stanza in stanzas):
        return set()
    return {number for stanza in stanzas if _runs_on(text, blocks, stanza) for number in stanza}


def _runs_on(text: str, blocks: list[Block], stanza: list[int]) -> bool:
    lines = [text[blocks[number].start : blocks[number].end] for number in stanza]
    capitals = [line.lstrip("\"“'‘*_(")[:1].isupper() for line in lines]
    # A haiku's lines are very short, and may begin in lower case after the first.
    if not capitals[0] or (3 * sum(capitals) < 2 * len(lines) and max(map(len, lines)) > _HAIKU):
        return False
    return 3 * sum(line[-1].isalpha() or line[-1] in ",;—–-’" for line in lines) >= len(lines)

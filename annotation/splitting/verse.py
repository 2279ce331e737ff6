"""Verse: stanzas of short lines, each of which is one span whatever its inner punctuation."""

from annotation.splitting.blocks import Block

_LONGEST = 62
_FEWEST = 4


def verse_lines(text: str, blocks: list[Block]) -> set[int]:
    """Numbers of the blocks that are lines of verse."""
    found: set[int] = set()
    stanza: list[int] = []
    for number, block in enumerate(blocks):
        if stanza and (block.gap or not _may_be_verse(block)):
            found.update(stanza if _is_verse(text, blocks, stanza) else ())
            stanza = []
        if _may_be_verse(block):
            stanza.append(number)
    found.update(stanza if _is_verse(text, blocks, stanza) else ())
    return found


def _may_be_verse(block: Block) -> bool:
    return block.role == "text" and not block.marker and block.end - block.start <= _LONGEST


def _is_verse(text: str, blocks: list[Block], stanza: list[int]) -> bool:
    """At least four short lines in a row, most of which begin with a capital and run on or end in a comma."""
    lines = [text[blocks[number].start : blocks[number].end] for number in stanza]
    if len(lines) < _FEWEST:
        return False
    capitals = sum(line.lstrip("\"“'‘*_")[:1].isupper() for line in lines)
    wordy = sum(3 <= len(line.split()) <= 12 for line in lines)
    running_on = sum(line[-1].isalpha() or line[-1] in ",;—–-" for line in lines)
    plain = not any(":" in line[:20] for line in lines)
    return plain and capitals >= 0.8 * len(lines) and wordy >= 0.8 * len(lines) and running_on * 3 >= len(lines)

"""Ligatures of TeX's bitmap fonts in older articles, which PDF fonts do not define.

Such a font gives each glyph a code below 32 and no name: `efficient` is extracted as an e, a control character and
`cient`. Inside words these codes are decoded by the font's encoding: OT1 if a code occurs that is a ligature only in
OT1, else T1 (both in the LaTeX Font Encodings Guide). Codes without a meaning there, as in formulas, become U+FFFD.
"""

import re

UNREADABLE = "\ufffd"

_T1 = {0x1B: "ff", 0x1C: "fi", 0x1D: "fl", 0x1E: "ffi", 0x1F: "ffl"}
_OT1 = {0x0B: "ff", 0x0C: "fi", 0x0D: "fl", 0x0E: "ffi", 0x0F: "ffl", 0x19: "ß", 0x1A: "æ", 0x1B: "œ", 0x1C: "ø"}
_IS_OT1 = re.compile("[\x0b\x0c\x0e\x0f][a-z]|[a-z][\x0b\x0c\x0e\x0f]")
_T1_WORD = re.compile("[A-Za-z\x1b-\x1f]+")
_OT1_WORD = re.compile("(?:[A-Za-z\x0b\x0c\x0e\x0f\x19-\x1c]|\r(?!\n))+")
_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f]")
_MIN_LETTERS = 2  # with fewer neighboring letters, it may be a Greek letter of a formula


def decode_glyphs(page: str) -> str:
    """Return the text of a page with its ligatures written out, and U+FFFD for each unknown glyph."""
    ligatures, word = (_OT1, _OT1_WORD) if _IS_OT1.search(page) else (_T1, _T1_WORD)
    return _CONTROL.sub(UNREADABLE, word.sub(lambda found: _written_out(found[0], ligatures), page))


def _written_out(word: str, ligatures: dict[int, str]) -> str:
    letters = sum(character.isalpha() for character in word)
    return word.translate(ligatures) if letters >= _MIN_LETTERS else word

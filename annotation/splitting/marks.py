"""Characters that end sentences in any script, and characters that nobody sees.

The marks are those that Unicode calls sentence terminals, with three differences: Tibetan and Hebrew marks that end
sentences are added, the Myanmar "little section" (U+104A) is left out, because it is a comma today, and a semicolon
ends a question in Greek (`sentences`). All strings are contents of a character class of regular expressions.
"""

CASED = "!.?\u037e\u2024\u2026\u203c\u203d\u2047\u2048\u2049\u2e2e\u2e3c\u2e53\u2e54"
"""Marks before white space and a capital letter, as in scripts with two cases; the Greek question mark is U+037E."""

TIBETAN = "\u0f0d-\u0f12\U00011c71"
"""Shads, which may stand twice with a space between them."""

UNCASED = (
    "\u0589\u05c3\u061d-\u061f\u06d4\u0700-\u0702\u07f9\u0837\u0839\u083d\u083e\u0964\u0965"
    + TIBETAN
    + "\u104b\u1362\u1367\u1368\u166e\u1735\u1736\u17d4\u17d5\u1803\u1809\u1944\u1945\u1aa8-\u1aab\u1b4e\u1b4f"
    "\u1b5a\u1b5b\u1b5e\u1b5f\u1b7d-\u1b7f\u1c3b\u1c3c\u1c7e\u1c7f\u2cf9-\u2cfb\u2e60\u2e61\u3002\ua4ff\ua60e\ua60f"
    "\ua6f3\ua6f7\ua876\ua877\ua8ce\ua8cf\ua92f\ua9c8\ua9c9\uaa5d-\uaa5f\uaaf0\uaaf1\uabeb\ufe12\ufe15\ufe16"
    "\ufe52\ufe56\ufe57\uff01\uff0e\uff1f\uff61\U00010a56\U00010a57\U00010f55-\U00010f59\U00010f86-\U00010f89"
    "\U00011047\U00011048\U000110be-\U000110c1\U00011141-\U00011143\U000111c5\U000111c6\U000111cd\U000111de\U000111df"
    "\U00011238\U00011239\U0001123b\U0001123c\U000112a9\U000113d4\U000113d5\U0001144b\U0001144c\U000115c2\U000115c3"
    "\U000115c9-\U000115d7\U00011641\U00011642\U0001173c-\U0001173e\U00011944\U00011946\U00011a42\U00011a43"
    "\U00011a9b\U00011a9c\U00011c41\U00011c42\U00011ef7\U00011ef8\U00011f43\U00011f44\U00016a6e\U00016a6f\U00016af5"
    "\U00016b37\U00016b38\U00016b44\U00016d6e\U00016d6f\U00016e98\U0001bc9f\U0001da88"
)
"""Marks of scripts without cases: any text may follow, with or without white space."""

ENDS = CASED + UNCASED

WIDE_STOPS = "\uff0e\ufe52"
"""Full stops that also follow the number of a list entry and the digits before decimals."""

_UNSEEN_RANGES = (
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E),
    (0x2060, 0x206F), (0xFEFF, 0xFEFF), (0xFFF9, 0xFFFB), (0x1D173, 0x1D17A),
)  # fmt: skip
INVISIBLE = "".join(chr(code) for first, last in _UNSEEN_RANGES for code in range(first, last + 1))
"""Zero-width spaces and joiners, marks of direction, soft hyphens, byte order marks. Not the selectors and tags that
belong to the emoji before them."""


def text_end(text: str, start: int, end: int) -> int:
    """Return where `text` from `start` to `end` ends without the white space and invisible characters after it."""
    while end > start and (text[end - 1].isspace() or text[end - 1] in INVISIBLE):
        end -= 1
    return end


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the bounds of the text from `start` to `end` without white space and invisible characters around it."""
    while start < end and (text[start].isspace() or text[start] in INVISIBLE):
        start += 1
    return start, text_end(text, start, end)

"""Expected spans written into the text: `S⟦It works.⟧ S⟦Really!⟧`, a letter for each kind before the bracket."""

import re

from annotation.splitting import split

LETTERS = {
    "S": "sentence", "I": "item", "R": "table_row", "M": "math", "H": "heading", "L": "lead_in", "C": "code",
    "T": "table_header", "F": "reference", "N": "reasoning",
}  # fmt: skip
_NAMES = {kind: letter for letter, kind in LETTERS.items()}
_MARK = re.compile(r"[SIRMHLCTFN]⟦|⟧")


def unmarked(marked: str) -> str:
    return _MARK.sub("", marked)


def mark(text: str) -> str:
    """Return the text with the spans that `split` finds written into it."""
    pieces, last = [], 0
    for span in split(text):
        pieces += [text[last : span.start], f"{_NAMES[span.kind]}⟦{text[span.start : span.end]}⟧"]
        last = span.end
    return "".join([*pieces, text[last:]])


def check(*texts: str) -> None:
    """Check that splitting each text without its marks gives exactly the marked spans."""
    assert [mark(unmarked(marked)) for marked in texts] == list(texts)

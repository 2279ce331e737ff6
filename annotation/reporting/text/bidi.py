"""Characters that turn the direction of the text after them, as a name from outside may hold them."""

_TURNING = {ord(sign): f"(U+{ord(sign):04X})" for sign in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"}


def visible(text: str) -> str:
    """The same with embeddings, overrides and isolates written out, U+202E as `(U+202E)`: in a file for reading they
    would turn the rest of the line around. Marks, which scripts written from the right need, stay.
    """
    return text.translate(_TURNING)

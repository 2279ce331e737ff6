"""Characters in imported names that change the direction of the following text."""

_TURNING = {ord(sign): f"(U+{ord(sign):04X})" for sign in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"}


def show_direction_marks(text: str) -> str:
    """Write out embeddings, overrides and isolates, U+202E as `(U+202E)`: in a text file they would reverse the rest of
    the line. Marks, which right-to-left scripts need, stay.
    """
    return text.translate(_TURNING)

"""Cut a text into overlapping chunks at its white space."""


def chunks_of(text: str, size: int, overlap: int) -> list[str]:
    """Return chunks of at most `size` characters in order, each of which repeats at most `overlap` of the one before.

    A chunk ends at the last line break of its second half, else at its last space, else anywhere, and begins at a word.
    White space at the ends is removed; a blank text has no chunk. Raises ValueError unless 0 <= overlap < size / 2.
    """
    if not 0 <= overlap < size / 2:
        raise ValueError(f"an overlap of {overlap} characters in chunks of {size}: it must be less than half")
    chunks, start = [], 0
    while start < len(text):
        end = _end(text, start, size)
        if chunk := text[start:end].strip():
            chunks.append(chunk)
        start = len(text) if end >= len(text) else _next_start(text, end, overlap)
    return chunks


def _end(text: str, start: int, size: int) -> int:
    """Return where the chunk ends that begins at `start`: after more than half of `size`, unless the text ends."""
    limit, half = start + size, start + size // 2
    if limit >= len(text):
        return len(text)
    breaks = (text.rfind(mark, half, limit + 1) for mark in ("\n", " "))
    return next((position for position in breaks if position > half), limit)


def _next_start(text: str, end: int, overlap: int) -> int:
    """Return the first beginning of a word within the last `overlap` characters, else the end."""
    for position in range(end - overlap, end):
        if text[position - 1].isspace() and not text[position].isspace():
            return position
    return end

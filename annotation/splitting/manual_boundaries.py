"""Split a part of a text at boundaries that a person set: the new parts, one on each line.

White space is not compared: a form may change it, and boundaries are only at line ends. Everything else must be the
same as before, because a split never changes a response.
"""

from collections.abc import Sequence


class NotTheText(ValueError):
    """The lines together differ from the text. `words` with `values` in them explain where and why."""

    def __init__(self, words: str, values: dict[str, str]):
        self.words, self.values = words, values
        super().__init__(words % values)


def gettext_noop(words: str) -> str:
    """Mark words for translation by the caller, as this package does not import Django."""
    return words


GOES_ON = gettext_noop("The text continues after the last line: “%(rest)s”.")
OTHERWISE = gettext_noop("“%(wanted)s” does not match the response, which has “%(rest)s” there.")
ENDS = gettext_noop("“%(wanted)s” does not match the response: the text ends there.")


def line_spans(text: str, lines: Sequence[str]) -> list[tuple[int, int]]:
    """Return the span of each line in `text`, as `(start, end)` in code points; empty lines are skipped. Raises
    NotTheText if letters were added, omitted or changed.
    """
    spans: list[tuple[int, int]] = []
    index = 0
    for line in lines:
        characters = [character for character in line if not character.isspace()]
        start = None
        for character in characters:
            while index < len(text) and text[index].isspace():
                index += 1
            if index == len(text) or text[index] != character:
                rest = text[index if start is None else start :].strip()
                values = {"wanted": _short("".join(characters)), "rest": _short(rest)}
                raise NotTheText(OTHERWISE if rest else ENDS, values)
            start = index if start is None else start
            index += 1
        if start is not None:
            spans.append((start, index))
    if text[index:].strip():
        raise NotTheText(GOES_ON, {"rest": _short(text[index:].strip())})
    return spans


def _short(words: str) -> str:
    return words if len(words) <= 60 else f"{words[:60]}…"

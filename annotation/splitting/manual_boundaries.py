"""Cutting a stretch of text anew as a person says: the parts one after another, each on a line of its own.

White space is not compared: a form may change it, and a cut is only where the lines end. Everything else must come
back as it was, because a cut never changes what a system wrote.
"""

from collections.abc import Sequence


class NotTheText(ValueError):
    """The lines together are not the text that was to be cut. `words` with `values` in them say where and why."""

    def __init__(self, words: str, values: dict[str, str]):
        self.words, self.values = words, values
        super().__init__(words % values)


def gettext_noop(words: str) -> str:
    """Marks words for translation by those who show them: this room knows nothing of languages."""
    return words


GOES_ON = gettext_noop("The text goes on after the last line: “%(rest)s”.")
OTHERWISE = gettext_noop("“%(wanted)s” is not what the response says: “%(rest)s” stands there.")
ENDS = gettext_noop("“%(wanted)s” is not what the response says: the text ends there.")


def cuts(text: str, lines: Sequence[str]) -> list[tuple[int, int]]:
    """Where each line stands in `text`, as `(start, end)` in code points; empty lines are passed over.

    Raises NotTheText where letters were added, left out or changed.
    """
    found: list[tuple[int, int]] = []
    at = 0
    for line in lines:
        wanted = [character for character in line if not character.isspace()]
        if not wanted:
            continue
        start, at = _stretch(text, at, wanted)
        found.append((start, at))
    if text[at:].strip():
        raise NotTheText(GOES_ON, {"rest": _short(text[at:].strip())})
    return found


def _stretch(text: str, at: int, wanted: Sequence[str]) -> tuple[int, int]:
    start = None
    for character in wanted:
        while at < len(text) and text[at].isspace():
            at += 1
        if at == len(text) or text[at] != character:
            rest = text[at if start is None else start :].strip()
            raise NotTheText(OTHERWISE if rest else ENDS, {"wanted": _short("".join(wanted)), "rest": _short(rest)})
        start = at if start is None else start
        at += 1
    assert start is not None  # there is something wanted
    return start, at


def _short(words: str) -> str:
    return words if len(words) <= 60 else f"{words[:60]}…"

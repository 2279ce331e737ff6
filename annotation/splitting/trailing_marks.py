"""Marks that trail a sentence's closing mark and belong to it: quotes, brackets, emphasis, citations, emoji."""

import re

from annotation.splitting.marks import ENDS, INVISIBLE
from annotation.splitting.regions import Quote, Region
from annotation.splitting.sentence_starts import opens_sentence

CLOSERS = "\"”’»'」』)]）】}*_~`›“"
_SPACE = re.compile(rf"[\s{INVISIBLE}]*")
_BLANKS = re.compile(rf"(?:[^\S\r\n]|[{INVISIBLE}])*")
_UNSEEN = re.compile(rf"[{INVISIBLE}]+(?=[{re.escape(CLOSERS)}])")
_TAGS = re.compile(r"(?:</[a-zA-Z]{1,10}>|<br ?/?>)+")
_SUPERSCRIPT = re.compile(
    r"[⁰¹²³⁴⁵⁶⁷⁸⁹](?:[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺˒ʼ,–-]*[⁰¹²³⁴⁵⁶⁷⁸⁹])?|<sup>[^<]{0,40}</sup>"
    r"|\^\d{1,3}(?!\w)|\^\{\d[\d, ]{0,20}\}|[†‡§]+(?=\s|$)"
)
# Emoji with their modifiers: skin tones, joiners, keycaps, flags. One class, so that nothing backtracks.
PICTURES = "\U0001f000-\U0001faff☀-➿⬀-⯿™ℹ⌚-⏿Ⓜ\ufe0e\ufe0f\u200d\u20e3\U000e0020-\U000e007f"
EMOJI = re.compile(
    rf"(?![\ufe0e\ufe0f\u200d\u20e3])[{PICTURES}]+|(?:[:;=]['’]?-?[)(DPpO3/\\|]+|<3|\^_\^|XD|xD)(?=\s|$)"
)
_NUMBERS = re.compile(
    r"[\[【\s]*\^?\s*(?:\d[\w\s,;:.&–—†‡-]*|[ivxIVX]+|\^[^\]]+|[a-z]|\*+)[\]】\s]*(?:source|L\d.*)?[\]】]*"
)
_YEAR_LAST = re.compile(r"\b(?:1[5-9]|20)\d\d[a-z]?\b[^.?!]{0,24}[)\]）]$")
_SOURCE_WORD = re.compile(
    r"[(\[（](?:source|sources|see|cf\.|ref|refs|reference|citation|from|via|adapted|p\.|pp\.|fig|table|sec|https?:|www\.)\b"
    r"|https?://|\bet al\b|†|needed\]$",
    re.IGNORECASE,
)
_CLOSED_INSIDE = re.compile(rf"[{ENDS}][\"”’»'*_~」』]*[)\]）】]$")
_GLUED_NUMBERS = re.compile(r"\(\d{1,3}(?:\s?[,;–-]\s?\d{1,3})*\)")
_SPACED_CLOSER = re.compile(r"[ \u00a0\u202f]»")
_LINKED_SENTENCE = re.compile(r"\[(?:[*_\"“]*[A-Z][\w'’-]*)(?:\s+\S+){4,}\]\(")
_ENUMERATOR = re.compile(r"[(\[（](?:\d{1,2}|[a-z]|[ivx]{1,4})[)\]）]")
_NOTHING = re.compile(r"[\s.*_]*")


class Trailing:
    """Reads on from a closing mark in one line."""

    def __init__(self, text: str, outer: list[Region], quotes: list[Quote]) -> None:
        self.text = text
        self.brackets = {r.start: r.end for r in outer if r.kind in "([（【〔"}
        self.opening_quotes = {q.start for q in quotes}
        self.tail = len(text)  # from which only brackets follow to the end of the line
        for region in reversed(outer):
            if region.kind not in "([（【〔" or not _NOTHING.fullmatch(text, region.end, self.tail):
                break
            self.tail = region.start

    def skip_space(self, index: int) -> int:
        """Return the next position from `index` that is neither white space nor an invisible mark."""
        match = _SPACE.match(self.text, index)
        return match.end() if match else index

    def end(self, index: int) -> int:
        """Return the end of a sentence whose closing mark ends at `index`."""
        while (further := self._one_more(index)) > index:
            index = further
        return index

    def _one_more(self, index: int) -> int:
        text = self.text
        if index >= len(text):
            return index
        if unseen := _UNSEEN.match(text, index):
            index = unseen.end()
        if text[index] in CLOSERS and self._closes(index):
            return index + 1
        index = unseen.start() if unseen else index
        for pattern in (_TAGS, _SUPERSCRIPT, _SPACED_CLOSER):
            if match := pattern.match(text, index):
                return match.end()
        match = _BLANKS.match(text, index)
        after = match.end() if match else index
        if match := EMOJI.match(text, after):
            return match.end()
        if after in self.brackets:
            stop = self.brackets[after]
            while stop in self.brackets and text[stop] == "(" and text[stop - 1] == "]":  # the address of a link
                stop = self.brackets[stop]
            group = text[after:stop]
            is_closed = _CLOSED_INSIDE.search(group[-12:])
            return stop if not is_closed and self._belongs(index, after, stop, group) else index
        if after > index and (match := _SUPERSCRIPT.match(text, after)):
            return match.end() if text[match.end() : match.end() + 1] in ("", " ") else index
        return index

    def _closes(self, index: int) -> bool:
        """Return whether a glued mark closes the sentence: not if a word is glued to its other side."""
        text = self.text
        if index in self.opening_quotes:
            return False
        stop = index + 1
        while stop < len(text) and stop - index < 8 and text[stop] in CLOSERS:
            stop += 1
        after = text[stop : stop + 1]
        return not after.isalnum() or text[index] in "”»」』)]）】" or not after.isascii()

    def _belongs(self, index: int, after: int, stop: int, group: str) -> bool:
        rest = self.skip_space(stop)
        ends_line = rest >= len(self.text)
        following = self.text[rest : rest + 1]
        if group[0] in "[【" and _NUMBERS.fullmatch(group.split("](")[0].rstrip("]") + "]"):
            # "See [3]. [4] shows more.": text in lower case after a mark begins with the mark.
            return after == index or not following.islower() or opens_sentence(self.text, rest)
        if after == index and _GLUED_NUMBERS.fullmatch(group):
            return True
        if _LINKED_SENTENCE.match(group[:400]) and following in ("", ".", "!", "?") and not _SOURCE_WORD.match(group):
            return False  # a sentence that is a link as a whole, not the source of the one before
        if ends_line:
            return True
        if _ENUMERATOR.fullmatch(group):
            return False
        if following.islower() or following in ",;:":
            return False
        if _SOURCE_WORD.search(group[:200]) or _YEAR_LAST.search(group[-60:]):
            return True
        if rest >= self.tail:
            return True
        return (group[0] in "(（" and group[1:2].islower()) or (group[0] in "[【" and after == index)

    def is_open_remark(self, index: int) -> bool:
        """Return whether a bracket at `index` continues the sentence before it: in lower case, never closed."""
        if index not in self.brackets:
            return False
        group = self.text[index : self.brackets[index]]
        return group[1:2].islower() and not _ENUMERATOR.fullmatch(group) and not _CLOSED_INSIDE.search(group[-12:])

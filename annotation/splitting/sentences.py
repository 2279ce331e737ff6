"""Find the ends of the sentences of one line or paragraph.

A candidate is a mark that can end a sentence together with everything that trails it: quotes, brackets, emphasis,
citations, emoji. The text before and after it decides; Punkt decides only a full stop after a word in none of our
lists. Positions are those of the given string.
"""

import re
from functools import cached_property, lru_cache
from typing import NamedTuple

from annotation.splitting import word_lists
from annotation.splitting.full_stops import ends_at_full_stop, is_abbreviation
from annotation.splitting.inline_lists import counting_runs
from annotation.splitting.line_labels import label_end
from annotation.splitting.marks import CASED, TIBETAN, UNCASED, WIDE_STOPS
from annotation.splitting.quotations import is_tied
from annotation.splitting.regions import Quote, Region, regions
from annotation.splitting.sentence_starts import opens_sentence, plainly_opens
from annotation.splitting.trailing_marks import CLOSERS, Trailing

_MARK = re.compile(
    rf"\.(?:[ \u00a0]\.){{2,}}|[{CASED}](?:\ufe0f?[{CASED}])*\ufe0f?"
    rf"|(?P<uncased>[{TIBETAN}](?:\s?[{TIBETAN}])*|[{UNCASED}]+)"
    r"|(?<=[\u0370-\u03ff\u1f00-\u1fff]{2});(?![^\s\"»”’)\]*_])"
)
_ALNUM = re.compile(r"[^\W_]")
_ENUMERATOR = re.compile(
    r"[\W_]*(?:\d{1,3}(?:\.\d{1,3})*(?:\[\d+\])*|[^\W\d_\u3400-\u9fff]|[一二三四五六七八九十]{1,3}"
    r"|[ivx]{2,4}|[IVX]{2,4}|[QA]\d{1,3})[)\]*_]*"
)
_NUMBER_AT_END = re.compile(rf"(?:^|\s|(?<!\d)[:;(：；（{UNCASED}])(\d{{1,2}})(?:\[\d+\])*$")
_WIDE_POINT = re.compile(rf"\d[{WIDE_STOPS}]\d|(?<![^\W\d_])[A-Za-zＡ-Ｚａ-ｚ][{WIDE_STOPS}]")
_LABEL_AT_END = re.compile(r"(?:\d|(?<![^\W_])[^\W\d_]|[ivxIVX])$")
_GREEK_WORD = re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]{2,}")
_LATIN_WORD = re.compile(r"[A-Za-z]{2,}")
_GREEK_SHARE = 2  # Latin words for each Greek one: "Τι είναι το machine learning;"
_SPACE = re.compile(r"\s")
_CAPITALIZED = re.compile(r"[A-Z][a-z']*")
_WORD_AT_END = re.compile(r"\w+$")


class Piece(NamedTuple):
    """A sentence `start` to `end`; `closed`: closing punctuation ends it."""

    start: int
    end: int
    closed: bool


def cut(text: str) -> list[Piece]:
    """Cut one line or paragraph, without white space at its ends, into its sentences."""
    return _cut_again(text) if len(text) <= _SHORT else _cut(text)


def _cut(text: str) -> list[Piece]:
    first = _MARK.search(text)
    if first is None:
        return [Piece(0, len(text), False)] if text else []
    return _Cutter(text).pieces(first.start())


# Responses of very many lines have very short, repeated ones.
_SHORT = 12
_cut_again = lru_cache(maxsize=4_096)(_cut)


class _Cutter:
    def __init__(self, text: str) -> None:
        self.text = text
        self.regions, self.quotes = regions(text)
        self.trailing = Trailing(text, self.regions, self.quotes)
        self.start = 0
        self.word = -1
        self.region = self.quote = 0
        self.ties: dict[int, str] = {}
        self.last_number = 0
        self.found: list[Piece] = []

    def pieces(self, first: int) -> list[Piece]:
        """Return all sentences; `first` is the position of the first mark."""
        text, size = self.text, len(self.text)
        not_before = label_end(text)
        for match in _MARK.finditer(text, first):
            index, after = match.span()
            if index < self.start or index < not_before or (text[index] == ";" and not self._is_greek):
                continue
            closing = self._closing(index, after)
            if closing is None or self._first_word() >= index:
                continue
            end = self.trailing.end(closing)
            if end < size and not self._ends(match, closing, end):
                continue
            self._add(end, end < size or not self._abbreviates(index, after, closing))
            if self.start >= size:
                break
        if self.start < size:
            self._add(size, False)
        return self.found

    def _add(self, end: int, closed: bool) -> None:
        self.found.append(Piece(self.start, end, closed))
        self.start = self.trailing.skip_space(end)

    def _first_word(self) -> int:
        """Return the position of the first word of the sentence that begins at `start`."""
        if self.word < self.start:
            match = _ALNUM.search(self.text, self.start)
            self.word = match.start() if match else len(self.text)
        return self.word

    def _closing(self, index: int, after: int) -> int | None:
        """Return the end of the mark, with closed brackets and a tied quotation; None if nothing may end here."""
        region = self._region_at(index)
        if region is not None:
            if region.kind not in "([（【" or self.text[after : min(region.end, after + 9)].strip(CLOSERS):
                return None
            after = region.end
        quote = self._quote_at(index)
        if quote is not None and quote.start not in self.ties:
            self.ties[quote.start] = is_tied(self.text, quote, self._first_word(), self.trailing)
        if quote is not None and (tie := self.ties[quote.start]):
            if tie == "after" or self.text[after : min(quote.end, after + 9)].strip(CLOSERS + " \u00a0\u202f"):
                return None
            after = max(after, quote.end)
        return after

    def _region_at(self, index: int) -> Region | None:
        while self.region < len(self.regions) and self.regions[self.region].end <= index:
            self.region += 1
        if self.region < len(self.regions) and self.regions[self.region].start <= index:
            return self.regions[self.region]
        return None

    def _quote_at(self, index: int) -> Quote | None:
        while self.quote < len(self.quotes) and self.quotes[self.quote].end <= index:
            self.quote += 1
        if self.quote < len(self.quotes) and self.quotes[self.quote].start <= index:
            return self.quotes[self.quote]
        return None

    def _ends(self, match: re.Match[str], closing: int, end: int) -> bool:
        """Return whether a sentence ends at the mark of `match`, whose trail ends at `end`."""
        text, following = self.text, self.trailing.skip_space(end)
        index, after = match.span()
        mark, single_stop = text[index], match.group() == "."
        if match["uncased"]:
            return not self._is_wide_point(index) and opens_sentence(text, following, uncased=True)
        if not _SPACE.search(text, end, following) and not self._ends_without_space(index, after, end, following):
            return False
        if single_stop and self._is_enumerator(index):
            return False
        if self.trailing.is_open_remark(following):
            return False
        if not opens_sentence(text, following, after_mark=text[after - 1], quoted=text[end - 1] in "\"”»’'"):
            return False
        if mark not in ".…" and self._in_bracket_within(index, after, closing):
            return plainly_opens(text, following)
        if single_stop:
            return ends_at_full_stop(text, self.start, index, following)
        named = mark == "!" and _word_before(text, index).lower() in word_lists.NAMES_WITH_MARK
        return not named or plainly_opens(text, following)

    def _in_bracket_within(self, index: int, after: int, closing: int) -> bool:
        """Return whether the mark closes a bracket inside a sentence: "… (what a surprise!) …"."""
        region = self._region_at(index) if closing > after else None
        return region is not None and region.start > self._first_word()

    def _abbreviates(self, index: int, after: int, closing: int) -> bool:
        """Return whether the last mark only abbreviates a word in a bracket: "Costs (rent, travel, etc.)"."""
        if after - index > 1 or self.text[index] != "." or not self._in_bracket_within(index, after, closing):
            return False
        return is_abbreviation(self.text[max(0, index - 40) : index].split()[-1].lstrip("([\"“'‘*_"))

    def _is_wide_point(self, index: int) -> bool:
        """Return whether a full-width stop follows a counting number or an initial, or begins decimals: "３．５"."""
        if self.text[index] not in WIDE_STOPS:
            return False
        return self._is_enumerator(index) or bool(_WIDE_POINT.match(self.text, index - 1))

    def _is_enumerator(self, index: int) -> bool:
        """Return whether the full stop follows a counting number or letter: at the sentence's start, or in a row."""
        if index - self.start <= 16 and _ENUMERATOR.fullmatch(self.text, self.start, index):
            self._count(index)
            return True
        return self._count(index) or (
            bool(_LABEL_AT_END.search(self.text, max(0, index - 5), index)) and index in self._stops_of_numbers
        )

    @cached_property
    def _is_greek(self) -> bool:
        """Return whether the line is in Greek, where a semicolon asks, and not one with "αβ" or "λόγος" in it."""
        greek = _GREEK_WORD.findall(self.text)
        return max(map(len, greek), default=0) > 2 and _GREEK_SHARE * len(greek) >= len(_LATIN_WORD.findall(self.text))

    @cached_property
    def _stops_of_numbers(self) -> frozenset[int]:
        """The full stops after numbers that count: "The colors are 1. Red, 2. Blue, and 3. Green."."""
        runs = counting_runs(self.text, 0, len(self.text))
        return frozenset(marker.stop for run in runs for marker in run.markers)

    def _count(self, index: int) -> bool:
        """Return whether the number before `index` continues an enumeration in the line ("… are: 1. Red 2. Blue")."""
        window = self.text[max(self.start, index - 30) : index]
        match = _NUMBER_AT_END.search(window)
        if match is None or int(match[1]) != self.last_number + 1:
            return False
        before = window[: match.start(1)].rstrip(" (")
        if before and (before[-1] not in ":;：；" if self.last_number == 0 else _needs_number(before)):
            return False
        self.last_number += 1
        return True

    def _ends_without_space(self, index: int, after: int, end: int, following_text: int) -> bool:
        """Return whether a sentence may end without a space: after a citation, or before an opening word.

        Characters that nobody sees, such as a zero-width space, may be between `end` and `following_text`.
        """
        text = self.text
        if following_text > end:
            first = text[following_text : following_text + 1]
            return not (first.islower() or first.isdigit())
        following = _CAPITALIZED.match(text, end)
        if not following:
            return False
        if end > after and text[end - 1] in "])】>":
            return True
        before = _word_before(text, index)
        if text[index] not in ".…":
            return len(before) > 1 and before.isalpha()
        lower_word = text[index] == "." and len(before) > 2 and before.isalpha() and before.islower()
        opener = following.group().lower() in word_lists.STARTERS and text[following.end() : following.end() + 1] == " "
        return lower_word and opener


def _needs_number(before: str) -> bool:
    """Return whether the last word asks for a number after it: "phase 2", "of 3"."""
    word = _word_before(before, len(before)).lower()
    return word in word_lists.LABEL_NOUNS or word in word_lists.FUNCTION_WORDS or word in word_lists.BEFORE_LETTER


def _word_before(text: str, index: int) -> str:
    match = _WORD_AT_END.search(text[max(0, index - 40) : index])
    return match.group() if match else ""

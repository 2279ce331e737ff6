"""Where the sentences of one line or paragraph end.

A candidate is a mark that can end a sentence together with everything that trails it: quotes, brackets, emphasis,
citations, emoji. What stands before it and what comes after it decide; only a full stop after a word that no rule
knows is left to Punkt. Positions are those of the string given.
"""

import re
from typing import NamedTuple

from annotation.splitting import words
from annotation.splitting.following import opens_sentence, plainly_opens
from annotation.splitting.fullstops import ends_at_full_stop
from annotation.splitting.labels import label_end
from annotation.splitting.quotations import is_tied
from annotation.splitting.regions import Quote, Region, regions
from annotation.splitting.trailing import CLOSERS, Trailing

_MARK = re.compile(r"\.(?:[ \u00a0]\.){2,}|[.?!…‽⁇⁈⁉]+|[。！？．｡]+|[؟۔।॥።׃։။]+")
_ALNUM = re.compile(r"[^\W_]")
_ENUMERATOR = re.compile(
    r"[\W_]*(?:\d{1,3}(?:\.\d{1,3})*(?:\[\d+\])*|[A-Za-z]|[ivx]{2,4}|[IVX]{2,4}|[QA]\d{1,3})[\W_]*"
)
_WIDE = "。！？．｡"
_UNCASED_SCRIPT = "؟۔।॥።׃։။" + _WIDE


class Piece(NamedTuple):
    """A sentence `start` to `end`; `closed` says that closing punctuation ends it."""

    start: int
    end: int
    closed: bool


def cut(text: str) -> list[Piece]:
    """Cut one line or paragraph, without white space at its ends, into its sentences."""
    return _Cutter(text).pieces() if text else []


class _Cutter:
    def __init__(self, text: str) -> None:
        self.text = text
        self.regions, self.quotes = regions(text)
        self.trailing = Trailing(text, self.regions, self.quotes)
        self.start = 0
        self.first_word = -1
        self.region = self.quote = 0
        self.tied: dict[int, str] = {}
        self.found: list[Piece] = []

    def pieces(self) -> list[Piece]:
        text, size = self.text, len(self.text)
        not_before = label_end(text)
        for match in _MARK.finditer(text):
            at, after = match.span()
            if at < self.start or at < not_before:
                continue
            candidate = self._candidate(at, after)
            if candidate is None or not self._has_word(at):
                continue
            end = self.trailing.end(candidate)
            if end < size and not self._ends(at, after, candidate, end):
                continue
            self._add(end, True)
            if self.start >= size:
                break
        if self.start < size:
            self._add(size, False)
        return self.found

    def _add(self, end: int, closed: bool) -> None:
        self.found.append(Piece(self.start, end, closed))
        self.start = self.trailing.skip_space(end)
        self.first_word = -1

    def _has_word(self, at: int) -> bool:
        if self.first_word < self.start:
            match = _ALNUM.search(self.text, self.start)
            self.first_word = match.start() if match else len(self.text)
        return self.first_word < at

    def _candidate(self, at: int, after: int) -> int | None:
        """Where the mark's own end is, brackets and a tied quotation included; None if nothing may end here."""
        if region := self._region_at(at):
            if region.kind not in "([（【" or self.text[after : region.end].strip(CLOSERS):
                return None
            after = region.end
        if quote := self._quote_at(at):
            tie = self._tie(quote)
            if tie and (tie == "after" or self.text[after : quote.end].strip(CLOSERS)):
                return None
            if tie:
                after = max(after, quote.end)
        return after

    def _region_at(self, at: int) -> Region | None:
        while self.region < len(self.regions) and self.regions[self.region].end <= at:
            self.region += 1
        if self.region < len(self.regions) and self.regions[self.region].start <= at:
            return self.regions[self.region]
        return None

    def _quote_at(self, at: int) -> Quote | None:
        while self.quote < len(self.quotes) and self.quotes[self.quote].end <= at:
            self.quote += 1
        if self.quote < len(self.quotes) and self.quotes[self.quote].start <= at:
            return self.quotes[self.quote]
        return None

    def _tie(self, quote: Quote) -> str:
        if quote.start not in self.tied:
            self.tied[quote.start] = is_tied(self.text, self.start, quote, self.trailing)
        return self.tied[quote.start]

    def _ends(self, at: int, after: int, candidate: int, end: int) -> bool:
        """Whether a sentence ends at the mark `at`–`after`, whose trail ends at `end`, before more text."""
        text = self.text
        mark = text[at]
        if mark in _UNCASED_SCRIPT:
            return opens_sentence(text, self.trailing.skip_space(end), uncased=True)
        following = self.trailing.skip_space(end)
        if following == end and not self._glued(at, after, end):
            return False
        in_brackets = candidate > after and self._region_at(at) is not None
        whole = (
            in_brackets
            and self.regions[self.region].start <= self.first_word <= at
            and (not _ALNUM.search(text, self.start, self.regions[self.region].start))
        )
        if mark == "." and after - at == 1 and self._is_enumerator(at):
            return False
        if self._continues_with_bracket(following):
            return False
        if not opens_sentence(text, following, after_mark=text[after - 1], quoted=text[end - 1] in "\"”»’'"):
            return False
        if in_brackets and not whole and mark in "?!":
            return plainly_opens(text, following)
        if mark == "." and after - at == 1:
            return ends_at_full_stop(text, self.start, at, following)
        return not (mark == "!" and _word_before(text, at).lower() in words.NAMES_WITH_MARK)

    def _is_enumerator(self, at: int) -> bool:
        return at - self.start <= 16 and bool(_ENUMERATOR.fullmatch(self.text, self.start, at))

    def _continues_with_bracket(self, following: int) -> bool:
        return self.trailing.is_open_remark(following)

    def _glued(self, at: int, after: int, end: int) -> bool:
        """Whether a sentence may end without a space: after a citation, or before a word that opens one."""
        text = self.text
        following = re.compile(r"[A-Z][a-z']*").match(text, end)
        if not following:
            return False
        if end > after and text[end - 1] in "])】":
            return True
        before = _word_before(text, at)
        if text[at] in "?!":
            return len(before) > 1 and before.isalpha()
        return (
            text[at] == "."
            and len(before) > 2
            and before.isalpha()
            and before.islower()
            and following.group().lower() in words.STARTERS
            and text[following.end() : following.end() + 1] == " "
        )


def _word_before(text: str, at: int) -> str:
    match = re.search(r"\w+$", text[max(0, at - 40) : at])
    return match.group() if match else ""

"""Marks of items that probably claim nothing, each with a reason.

A mark is a guess from the wording alone, made for precision: a sentence that claims something should not have one, and
many that claim nothing have none. "Is it safe? Yes, it is safe." are one question and one claim.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import takewhile

from annotation.splitting import claim_phrases
from annotation.splitting.line_labels import has_verb
from annotation.splitting.marks import CASED, UNCASED
from annotation.splitting.questions import asks_for_questions, is_question, is_yes_no_question
from annotation.splitting.sentences import cut
from annotation.splitting.word_lists import word_set

REASONS = ("question", "courtesy", "meta", "fragment", "outline", "echo")

_CITATIONS = re.compile(r"\s*(?:\[\^?\d[^\]]{0,20}\]|[⁰¹²³⁴-⁹]+|【[^】]{1,40}】)")
_EDGES = re.compile(r"^[^\w(]+|[^\w)%?]+$")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_ECHO_LABEL = re.compile(r"(?:question|prompt|instructions?|task|query|your question)\s?:\s")
_ECHO_FRAME = re.compile(
    r"(?:you(?:'re| are)? (?:asked|asking|want(?:ed)? to know|would like to know)|your question (?:is|was|asks)"
    r"|the (?:question|prompt|user) (?:asks|is asking|wants|asked))\b(?:(?!\b(?:but|and|because|however)\b)[^;]){3,160}"
)
_OUTLINE_REQUEST = re.compile(
    r"\b(?:creat|writ|mak|draft|giv|provid|prepar|generat|develop|produc|design)\w*\b[^.?!]{0,40}"
    r"\b(?:outlines?|table of contents)\b|^outline\b",
    re.IGNORECASE,
)
_IMPERATIVES = word_set(
    """
    summarize summarise explain describe list write give provide discuss compare outline analyze analyse define name
    identify create make draft generate translate rewrite tell state show find calculate evaluate please answer suggest
    """
)
_PARAGRAPH_KINDS = ("sentence", "item", "lead_in", "claim")
_INNER_END = re.compile(rf"[{CASED}]\W*\s\W*\w|\n|[{UNCASED}]")
_LONG = 400  # characters: more is never courtesy or a title
_CUT_OFF_WORDS = 4
_FEWEST_ECHO_WORDS = 4
_ECHO_RATIO = 0.9
_TITLE_WORDS = 6
_NEAR = 8  # items before and after an entry of an outline
_FEWEST_PARTS = 2
_LIST_KINDS = ("item", "sentence", "lead_in")
_LENGTH_ASKED = re.compile(
    r"\b(?:in|within|using|at most|no more than|under|about|exactly) (?:\w+ ){0,3}(?:words?|sentences?|paragraphs?)$"
)
_TEXT_ASKED = re.compile(
    r"\b(?:the|this|that) (?:\w+ )?(?:article|passage|text|paper|story|document|excerpt|report|essay)\b"
)

_INSTRUCTIONS_WANTED = re.compile(
    r"\b(?:instruct|prompt|task|assignment|exercise|guideline|wording|phras|told\b|asked\b|tell)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class MarkedText:
    """An item to mark: its text, `kind`, whether it is rated, and whether a list marker precedes it."""

    text: str
    kind: str
    rate: bool = True
    in_list: bool = False


def mark_items(items: Sequence[MarkedText], prompt: str) -> list[str]:
    """Return the reason of each item of one response, "" for one that may claim something or is not rated."""
    context = _Context.read(prompt)
    return [
        context.reason(items, number) if item.rate and item.kind in _PARAGRAPH_KINDS else ""
        for number, item in enumerate(items)
    ]


def plain(text: str) -> str:
    """Return a sentence in lower case without emphasis, citations, and the marks at its edges."""
    bare = _CITATIONS.sub("", text).replace("’", "'").replace("*", "").replace("`", "").replace("_", " ")
    return " ".join(_EDGES.sub("", bare).lower().split())


@dataclass(frozen=True, slots=True)
class _Context:
    """What the marks need of a prompt: its instructions and questions as words."""

    asks_yes_or_no: bool
    asks_for_questions: bool
    asks_for_instructions: bool
    asks_for_outline: bool
    requests: tuple[tuple[str, ...], ...]

    @classmethod
    def read(cls, prompt: str) -> "_Context":
        sentences = [sentence for sentence in _sentences(prompt) if len(sentence) <= _LONG]
        requests = [sentence for sentence in sentences if is_question(sentence) or _is_imperative(sentence)]
        return cls(
            any(is_yes_no_question(sentence) for sentence in sentences),
            asks_for_questions(prompt),
            bool(_INSTRUCTIONS_WANTED.search(prompt)),
            bool(_OUTLINE_REQUEST.search(prompt)),
            tuple(words for request in requests if len(words := _words(request)) >= _FEWEST_ECHO_WORDS),
        )

    def reason(self, items: Sequence[MarkedText], number: int) -> str:
        item = items[number]
        if len(item.text) > _LONG:
            return ""
        bare = plain(item.text)
        if self._is_fragment(items, number, bare):
            return "fragment"
        if self._is_echo(items, number, bare):
            return "echo"
        sentences = list(_sentences(item.text))
        if not self.asks_for_questions and all(is_question(sentence) for sentence in sentences):
            return "question"
        if phrase := self._phrase(items, number, sentences):
            return phrase
        return "outline" if self._is_outline(item, bare) or self._is_part_beside_others(items, number, bare) else ""

    def _phrase(self, items: Sequence[MarkedText], number: int, sentences: Sequence[str]) -> str:
        """Return "meta" or "courtesy" if every sentence is such a phrase. "Sure" may be the answer to a question."""
        may_answer = self.asks_yes_or_no or (number > 0 and items[number - 1].text.rstrip(' *_"”').endswith("?"))
        marks = set()
        for sentence in sentences:
            inner = plain(sentence).strip("() ")
            is_length = number >= len(items) - 2 and claim_phrases.LENGTH.fullmatch(inner)
            if is_length or claim_phrases.META.fullmatch(inner):
                marks.add("meta")
            elif inner in claim_phrases.AGREEMENT or inner == "of course":
                marks.add("courtesy" if number == 0 and not may_answer else "")
            else:
                marks.add("courtesy" if claim_phrases.COURTESY.fullmatch(inner) else "")
        return "" if "" in marks or not marks else ("meta" if "meta" in marks else "courtesy")

    def _is_fragment(self, items: Sequence[MarkedText], number: int, bare: str) -> bool:
        """Return whether it has no letter and digit, is a connective alone, or a short start that was cut off."""
        if not _WORD.search(items[number].text):
            return True
        if len(items) > 1 and claim_phrases.CONNECTIVES.fullmatch(bare.strip(",.:; ")):
            return True
        words = bare.split()
        is_open = items[number].text.rstrip()[-1:].isalpha()
        return is_open and 1 < len(words) <= _CUT_OFF_WORDS and words[-1] in claim_phrases.UNFINISHED_ENDS

    def _is_echo(self, items: Sequence[MarkedText], number: int, bare: str) -> bool:
        text = items[number].text
        if _ECHO_FRAME.fullmatch(bare.rstrip("?")) or self._is_instruction(items, number, bare):
            return True
        longest = max(map(len, self.requests), default=0)
        if bare.count(" ") > 2 * longest:
            return False
        label = _ECHO_LABEL.match(bare)
        words = _words(bare[label.end() :] if label else bare)
        may_differ = is_question(text) or _is_imperative(text)  # a statement may be the answer in the question's words
        return any(
            words == request
            or (
                may_differ
                # Only lists of about equal length are compared.
                and 2 * min(len(words), len(request)) >= _ECHO_RATIO * (len(words) + len(request))
                and SequenceMatcher(None, words, request, autojunk=False).ratio() >= _ECHO_RATIO
            )
            for request in self.requests
        )

    def _is_instruction(self, items: Sequence[MarkedText], number: int, bare: str) -> bool:
        """Return whether it says how long the answer about a text may be, as only an instruction to its author does.

        It stands first, before the answer, or the prompt has the like. In an answer about instructions it is a claim.
        """
        if self.asks_for_questions or not _is_imperative(bare):
            return False
        if not _LENGTH_ASKED.search(bare) or not _TEXT_ASKED.search(bare):
            return False
        words = _words(bare)
        is_shared = any(words[0] == request[0] for request in self.requests)
        return is_shared or (number == 0 and len(items) > 1 and not self.asks_for_instructions)

    def _is_outline(self, item: MarkedText, bare: str) -> bool:
        """Return whether a list entry only names a part of a text, or any topic if the prompt asks for an outline."""
        if item.kind != "item" or has_verb(bare) or re.search(r"[:=\d?]", bare):
            return False
        if self.asks_for_outline:
            return item.in_list and len(bare.split()) <= 2 * _TITLE_WORDS and not item.text.rstrip().endswith(".")
        return _names_part(bare)

    def _is_part_beside_others(self, items: Sequence[MarkedText], number: int, bare: str) -> bool:
        """Return whether an entry such as "Model" is in a list with two that can only name a part of a text."""
        if items[number].kind != "item" or bare not in claim_phrases.OUTLINE_NEAR_OTHERS:
            return False
        in_list = items[number].in_list
        before, after = items[max(0, number - _NEAR) : number], items[number + 1 : number + 1 + _NEAR]
        others = [
            other
            for side in (reversed(before), after)
            for other in takewhile(lambda each: each.in_list == in_list and each.kind in _LIST_KINDS, side)
        ]
        short = (plain(other.text) for other in others if other.kind == "item" and len(other.text) <= _LONG)
        return sum(map(_names_part, short)) >= _FEWEST_PARTS


def _names_part(bare: str) -> bool:
    return bare in claim_phrases.OUTLINE or claim_phrases.OUTLINE_PHRASES.fullmatch(bare) is not None


def _sentences(text: str) -> Iterable[str]:
    """Yield the sentences of a text; most items are one, which needs no search."""
    if not _INNER_END.search(text):
        yield text.strip()
        return
    for line in text.splitlines():
        stripped = line.strip()
        for piece in cut(stripped):
            yield stripped[piece.start : piece.end]


def _is_imperative(sentence: str) -> bool:
    words = _words(sentence)
    return bool(words) and words[0] in _IMPERATIVES


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.lower().replace("’", "'") for word in _WORD.findall(_CITATIONS.sub("", text)))

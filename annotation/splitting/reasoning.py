"""Where a model has written its reasoning into its answer: between marks, or before a closing mark alone.

Marks count where a model writes them, at the start of a line, after a sentence or around several lines, and not in code
or where a sentence is about them ("R1 reasons in <think> tags."). Reasoning that is never closed runs to the answer's
tag, or to the end of the text.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable
from typing import NamedTuple

from annotation.splitting.marks import ENDS, INVISIBLE, text_end, trimmed

REASONING_TAGS = (
    "think", "thinking", "thought", "thoughts", "reason", "reasoning", "analysis", "reflection", "reflect",
    "scratchpad", "scratch_pad", "chain_of_thought", "cot", "deliberation", "inner_thoughts", "inner_monologue",
    "antthinking",
)  # fmt: skip
"""Names of tags in lower case, with variants of all: `<think>`, `<seed:think>`, `[THINK]` (Magistral), `◁think▷`
(Kimi), `<|START_THINKING|>` (Command A), `<|begin_of_thought|>` (Sky-T1), `<|think|>`."""
_NAME = rf"(?:{'|'.join(sorted(REASONING_TAGS, key=len, reverse=True))})"
_HEADER = r"(?:[^<>{}\n]{0,200}?(?:<\|constrain\|>[ \t]*\w+)?[ \t]*<\|message\|>)?"
_TURN = r"(?:<\|end\|>\s{0,9})?(?:<\|(?:start|begin)\|>\s{0,9}assistant\s{0,9})?"
_CHANNEL = rf"{_TURN}<\|channel\|>\s{{0,9}}"
_MARKS = (
    (rf"<(?:[\w-]{{1,20}}:)?{_NAME}(?:\s[^<>\n]{{0,200}})?(?<!/)>", rf"</(?:[\w-]{{1,20}}:)?{_NAME}\s{{0,9}}>"),
    (rf"\[{_NAME}\]", rf"\[/{_NAME}\]"),
    (f"◁{_NAME}▷", f"◁/{_NAME}▷"),
    (
        rf"<\|(?:(?:start|begin)_(?:of_)?)?{_NAME}(?:_(?:start|begin))?\|>",
        rf"<\|(?:/|end_(?:of_)?){_NAME}\|>|<\|{_NAME}_end\|>|</\|{_NAME}\|>",
    ),
    (r"<details\s(?:[^<>\n]{0,99}\s)?type=[\"']reasoning[\"'][^<>\n]{0,200}>", "</details>"),  # Open WebUI
    (
        rf"{_CHANNEL}(?:analysis|commentary){_HEADER}",
        rf"{_CHANNEL}final{_HEADER}",
    ),  # gpt-oss
    (r"<\|channel>thought\b", r"<channel\|>"),  # Gemma
    (r"<unused94>(?:thought\b)?", "<unused95>"),  # MedGemma
    (r"<\|inner_prefix\|>", r"<\|inner_suffix\|>"),  # Apertus
)
"""What opens and what closes reasoning: tags and tokens with names, and those of some models."""
_WITHOUT_TOKENS = re.compile(
    r"\A\s*analysis(.*)(?:(?<![ \t\"“'‘`(])assistantfinal|assistantfinal(?![\s\"”'’`.,;:)]))(.*)\Z", re.DOTALL
)
"""Reasoning and answer of gpt-oss of which the endpoint has left out the special tokens, so that words are joined."""
_ANSWER_TAG = "(?:answer|final|final_answer|response|output|solution)"
_ANSWER_TOKEN = rf"{_TURN}<\|(?:START_RESPONSE|begin_of_solution|message|content|answer|response|final)\|>"
_ANSWER = re.compile(rf"<{_ANSWER_TAG}>|{_ANSWER_TOKEN}", re.IGNORECASE)
_ANSWER_START = re.compile(
    rf"(?:[\s{INVISIBLE}]*{_ANSWER_TOKEN})*(?:[\s{INVISIBLE}]*<({_ANSWER_TAG})>)?", re.IGNORECASE
)
_ANSWER_END = re.compile(
    r"<\|(?:end|return|call|im_end|endoftext|eot_id|END_RESPONSE|end_of_solution)\|>\Z", re.IGNORECASE
)
_LONGEST_END = 24

_OPENING, _CLOSING = ("|".join(patterns) for patterns in zip(*_MARKS, strict=True))
_FENCE = re.compile(r"^[ \t]{0,3}(`{3,}|~{3,})([^\n]*)$", re.MULTILINE)
_TOKEN = re.compile(
    r"(?=[ \t<\[◁`~{])(?:(?P<fence>^[ \t]{0,3}(?:`{3,}|~{3,})[^\n]*$)"
    r"|(?P<code>(?<!`)(?P<ticks>`++)[^\n]{1,200}?(?<!`)(?P=ticks)(?!`))"
    rf'|(?P<object>\{{\s*")|(?P<opening>{_OPENING})|(?P<closing>{_CLOSING}))',
    re.IGNORECASE | re.MULTILINE,
)
_END = re.compile(_CLOSING, re.IGNORECASE)
_ANY = re.compile(rf"(?=[<\[◁])(?:{_OPENING}|{_CLOSING}|{_ANSWER.pattern})", re.IGNORECASE)
_DETAILS_END = "</details>"  # of any other details, too: it ends its own reasoning only
_IN_NAME = re.compile(_NAME, re.IGNORECASE)

_FREE = re.compile(rf"(?:^|[\n\r]|[{ENDS}>▷][\"”’»)*_]*)[\s{INVISIBLE}]*$")
_QUOTES = {'"': '"', "'": "'", "`": "`", "“": "”", "„": "“", "‘": "’", "«": "»"}
_IN_SENTENCE = re.compile(r"[\w,(] \Z")
_GOES_ON = re.compile(r"[^\S\n][a-z]|[.,;:!?)]")
_NAMED = re.compile(
    r"[^\S\n](?:(?:opening|closing|end|start)\s)?(?:(?:tags?|tokens?|blocks?|elements?|markers?)\b|(?:and|or)\s[<\[◁`\"“'‘]"
    r"|(?:is|are)\s(?:an?|the|used)\b)"
)


class Reasoning(NamedTuple):
    """Reasoning with its marks, `start` to `end`, and between them, `first` to `last`."""

    start: int
    end: int
    first: int
    last: int


def separate(
    text: str, end_of_object: Callable[[int], int] | None = None
) -> tuple[list[Reasoning], list[tuple[int, int]]]:
    """Return the reasoning, and the bounds of the answer's parts around it, in order.

    Tags and tokens that enclose the answer are in neither. `end_of_object` returns where the JSON object ends that may
    begin at a position, or the position after it: marks in an object are none.
    """
    if joined := _WITHOUT_TOKENS.match(text):
        reasoning = [Reasoning(0, joined.start(2), *joined.span(1))]
    elif _ANY.search(text):
        reasoning = _all_reasoning(text, end_of_object)
    else:
        return [], [(0, len(text))]
    reasoning = [Reasoning(*trimmed(text, start, end), first, last) for start, end, first, last in reasoning]
    answers, index = [], 0
    for start, end in [*((each.start, each.end) for each in reasoning), (len(text), len(text))]:
        if index < start:
            answers.append(_without_tags(text, index, start))
        index = end
    return reasoning, answers


def answer_of(text: str, asked_about: Iterable[tuple[int, int]] = ()) -> str:
    """Return the text without its reasoning, as raters and judges read it.

    It stays if one of the items, whose bounds are `asked_about`, begins or ends in it: it is rated then.
    """
    reasoning, answers = separate(text)
    if not reasoning or any(is_asked_about(each, asked_about) for each in reasoning):
        return text
    return "\n\n".join(part for start, end in answers if (part := text[start:end].strip()))


def is_asked_about(reasoning: Reasoning, asked_about: Iterable[tuple[int, int]]) -> bool:
    """Return whether an item begins or ends in the reasoning. The item of a whole response does neither."""
    return any(
        start < reasoning.end and reasoning.start < end and not (start <= reasoning.start and reasoning.end <= end)
        for start, end in asked_about
    )


def _without_tags(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the bounds of an answer between its tokens and its tags. Only after reasoning may the end be missing."""
    opening = _ANSWER_START.match(text, start, end)
    tag = f"</{opening[1]}>".lower() if opening and opening[1] else ""
    if opening and opening.end() > start:
        is_closed = not tag or start > 0 or tag in text[max(0, end - _LONGEST_END) : end].lower()
        start = opening.end() if is_closed else start
    while True:
        last = text_end(text, start, end)
        before = text[max(start, last - _LONGEST_END) : last]
        if closing := _ANSWER_END.search(before):
            end = last - len(closing.group())
        elif tag and before.lower().endswith(tag):
            end, tag = last - len(tag), ""
        else:
            return start, end


def _all_reasoning(text: str, end_of_object: Callable[[int], int] | None) -> list[Reasoning]:
    reasoning: list[Reasoning] = []
    fences, ends = _fenced(text), _Ends(text)
    position = 0
    while token := _TOKEN.search(text, position):
        position = token.end()
        if token.lastgroup == "fence":
            position = fences.get(token.start(), position)
        elif token.lastgroup == "object" and end_of_object is not None:
            position = end_of_object(token.start())
        elif token.lastgroup == "closing" and not _is_mention(token) and token.group().lower() != _DETAILS_END:
            # Without a mark that opens it, reasoning is all since the last reasoning, or the text, began.
            start, _, first, _ = reasoning.pop() if reasoning else Reasoning(0, 0, 0, 0)
            reasoning.append(Reasoning(start, token.end(), first, token.start()))
        elif token.lastgroup == "opening" and not _is_mention(token):
            closing = ends.after(position, _kind(token))
            if closing is None and _may_stay_open(token, reasoning[-1].end if reasoning else 0):
                answers = (each.start() for each in _ANSWER.finditer(text, position) if _is_free(each))
                position = max(answers, default=len(text))
                reasoning.append(Reasoning(token.start(), position, token.end(), position))
            elif closing is not None and not _is_talked_about(token, closing):
                reasoning.append(Reasoning(token.start(), closing.end(), token.end(), closing.start()))
                position = closing.end()
            elif closing is not None:  # only talked about: both marks stay in the answer
                position = closing.end()
    return reasoning


class _Ends:
    """The marks in a text that close reasoning."""

    def __init__(self, text: str) -> None:
        self._all: list[re.Match[str]] = []
        self._own: dict[str, list[re.Match[str]]] = {}
        self._mentions: dict[str, list[re.Match[str]]] = {}
        for match in _END.finditer(text):
            is_mention = _is_mention(match)
            (self._mentions if is_mention else self._own).setdefault(_kind(match), []).append(match)
            if not is_mention and match.group().lower() != _DETAILS_END:
                self._all.append(match)

    def after(self, position: int, kind: str) -> re.Match[str] | None:
        """Return the first one after the position: of this kind, else of another, else one that is talked about."""
        lists = (self._own.get(kind, []), self._all, self._mentions.get(kind, []))
        starts = ((each, bisect_left(each, position, key=re.Match.start)) for each in lists)
        return next((each[index] for each, index in starts if index < len(each)), None)


def _kind(mark: re.Match[str]) -> str:
    """Return what an opening and its closing mark have in common: the form and the name."""
    words = mark.group().lower()
    for word in ("<|channel>", "<channel|>"):
        if word in words:
            return "channel>"
    for word in ("channel|>", "details", "unused9", "inner_"):
        if word in words:
            return word
    name = _IN_NAME.search(words)
    return f"{'|' if '|' in words else words[0]}{name.group() if name else ''}"


def _is_mention(mark: re.Match[str]) -> bool:
    """Return whether the text is about the mark: it is in quotation marks, or among words of a sentence."""
    text, before = mark.string, mark.string[max(mark.start() - 2, 0) : mark.start()]
    quote = _QUOTES.get(before[-1:])
    if quote is not None and text.startswith(quote, mark.end()):
        return True
    in_sentence = _IN_SENTENCE.search(before) and _GOES_ON.match(text, mark.end())
    return bool(in_sentence or _NAMED.match(text, mark.end()))


def _is_free(mark: re.Match[str]) -> bool:
    return bool(_FREE.search(mark.string[max(0, mark.start() - 40) : mark.start()])) and not _is_mention(mark)


def _is_talked_about(opening: re.Match[str], closing: re.Match[str]) -> bool:
    """Return whether a sentence is about both marks: "R1 writes <think>hm</think>", "It is: <think>hm</think>"."""
    text = opening.string
    if _is_free(opening) or not text[opening.start() - 1].isspace():
        return False
    in_sentence = _IN_SENTENCE.search(text[max(0, opening.start() - 2) : opening.start()])
    return bool(in_sentence) or "\n" not in text[opening.end() : closing.start()]


def _may_stay_open(opening: re.Match[str], index: int) -> bool:
    """Return whether reasoning without an end begins there: first in the text or after the reasoning that ends at
    `index`; else at the start of a line, or right before its text. `[Analysis]` is a heading, too.
    """
    text = opening.string
    if opening.group()[0] == "[" and "think" not in opening.group().lower():
        return False
    before = text_end(text, index, opening.start())
    if before == index:
        return True
    if "\n" in text[before : opening.start()]:
        return not _GOES_ON.match(text, opening.end())
    return _is_free(opening) and text[opening.end() : opening.end() + 1].isalnum()


def _fenced(text: str) -> dict[int, int]:
    """Return start -> end of the fenced code. A fence with the name of a language begins a code also where another one
    was not ended.
    """
    fenced: dict[int, int] = {}
    opening: re.Match[str] | None = None
    for line in _FENCE.finditer(text):
        fence, info = line[1], line[2].strip()
        if opening is None or info:
            opening = line
        elif fence[0] == opening[1][0] and len(fence) >= len(opening[1]):
            fenced[opening.start()] = line.end()
            opening = None
    return fenced

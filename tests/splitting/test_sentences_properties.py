"""What holds for every text: spans are sorted, disjoint and trimmed, and nothing but markup and space is left out."""

import re

from hypothesis import example, given, settings
from hypothesis import strategies as st

from annotation.splitting import KINDS, RATED_KINDS, split
from annotation.splitting.marks import INVISIBLE

PIECES = [
    "The gate is open", "It fell", " ", "  ", ".", ". ", "?", "! ", "...", "…", "\n", "\n\n", "\r\n", "\r",
    "\u2028", "\t", "\u00a0", "\u200b", "\ufeff", "- ", "* ", "1. ", "a) ", "(1) ", "A. ", "\nB. ", "> ",
    "# ", "## ", "---", "\n---\n", "===", "|", "| a | b |", "\n|---|---|\n", "```", "\n```\n", "~~~", "`",
    "$", "$$", "\\(", "\\)", "\\[", "\\]", "\\begin{align}", "\\end{align}", "[1]", "[^1]", "[^1]: ", "[",
    "]", "(", ")", '"', "“", "”", "'", "‘", "’", "**", "*", "_", "😀", "https://x.org/a", "e.g. ", "U.S. ",
    "et al. ", "Fig. 3", "mRNA", "he said", "References\n", "Source: ", ":", ": ", ";", "—", " - ", "。", "？",
    "「", "」", "中文", "।", "؟", "x = 1", "<br>", "[x] ", "\\", "\x00", "\ud800",
    "<think>", "</think>", "<answer>", "</answer>", "1．", "\u200f", "\u00ad", "‼", "2. ",
]  # fmt: skip
texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=6), max_size=40).map("".join)

# What may stand outside every span: white space, marks that cannot be seen, block markup, tags around an answer.
OUTSIDE = re.compile(
    rf"(?:[\s{INVISIBLE}]|[-*+•>#|=_:]|[—–⸻─━═]|</?answer>"
    r"|[(（]?(?:\d{1,3}|[^\W\d_]|[ivxIVX]{1,5})[.)．﹒）、]|\[[ xX]\]|\[\^[^\]\s]+\]:)*"
)


@settings(max_examples=600, deadline=None)
@given(texts)
@example("1. 1. 1. 1. x")
@example("\u200f:")
@example("\ufeff# a\r\n\u200b- b")
def test_spans_are_sorted_disjoint_trimmed_and_of_known_kinds(text):
    last = 0
    for span in split(text):
        assert last <= span.start < span.end <= len(text)
        assert text[span.start : span.end] == text[span.start : span.end].strip()
        assert span.kind in KINDS
        assert span.rate == (span.kind in RATED_KINDS)
        last = span.end


@settings(max_examples=600, deadline=None)
@given(texts)
def test_only_white_space_and_block_markup_is_left_out(text):
    last = 0
    for span in split(text):
        assert OUTSIDE.fullmatch(text, last, span.start)
        last = span.end
    assert OUTSIDE.fullmatch(text, last, len(text))


@settings(max_examples=300, deadline=None)
@given(texts.map(lambda text: text.replace("\r", "")))
def test_carriage_returns_change_no_span(text):
    other = text.replace("\n", "\r\n")
    assert [(other[s.start : s.end].replace("\r", ""), s.kind) for s in split(other)] == [
        (text[s.start : s.end], s.kind) for s in split(text)
    ]


@settings(max_examples=200, deadline=None)
@given(texts)
def test_the_same_text_always_gives_the_same_spans(text):
    assert split(text) == split(text)

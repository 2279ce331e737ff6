"""What holds for every text: spans are sorted, disjoint and trimmed, and nothing but markup and space is left out."""

import re

from hypothesis import example, given, settings

from annotation.splitting import KINDS, RATED_KINDS, split
from annotation.splitting.marks import INVISIBLE
from tests.splitting.odd_texts import texts

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
def test_spans_are_sorted_disjoint_trimmed_and_leave_out_white_space_and_markup_only(text):
    last = 0
    for span in split(text):
        assert last <= span.start < span.end <= len(text)
        assert text[span.start : span.end] == text[span.start : span.end].strip()
        assert span.kind in KINDS
        assert span.rate == (span.kind in RATED_KINDS)
        assert OUTSIDE.fullmatch(text, last, span.start)
        last = span.end
    assert OUTSIDE.fullmatch(text, last, len(text))
    assert split(text) == split(text)


@settings(max_examples=200, deadline=None)
@given(texts.map(lambda text: text.replace("\r", "")))
def test_carriage_returns_change_no_span(text):
    other = text.replace("\n", "\r\n")
    assert [(other[s.start : s.end].replace("\r", ""), s.kind) for s in split(other)] == [
        (text[s.start : s.end], s.kind) for s in split(text)
    ]

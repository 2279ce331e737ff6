"""Whatever a response consists of, something of it is rated; only fenced code and reasoning alone are not."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.splitting import split, split_items
from annotation.splitting.marks import INVISIBLE
from tests.splitting.marked_text import check
from tests.splitting.test_sentences_properties import texts


@pytest.mark.parametrize(
    "answer",
    ["17.", "7)", "c)", "(d)", "(iii)", "IV.", "C.", "D", "é)", "٣.", "３．", "5、", "（2）", "1.\n2.", "a)\nb)",
     "[x]", "- 7", "> 8.", "# 17", "**C**", "**Result:**", "The result is:", "`17`", "**`ls`**", "https://example.org/a",
     "[2]", "[^1]: It is open.", "References", "| 17 |\n|---|", "Source: Moreno (2019), Weirs", "___", "$17$",
     "+", "-", "*", "> -", "---", "…", "✓", "The result is:\n```\n17\n```", "# Result\n```\n17\n```"],
)  # fmt: skip
def test_a_short_answer_is_rated(answer):
    assert any(span.rate for span in split(answer))
    assert any(span.rate for span in split_items(answer))


def test_a_number_without_text_is_the_answer_and_not_a_marker():
    check("L⟦The result is:⟧\n\nS⟦17.⟧")
    check("S⟦7.⟧\n\nS⟦Both gates are counted.⟧")
    check("I⟦c)⟧\nS⟦The gate is a weir.⟧")
    check("I⟦B)⟧\n\nS⟦The old gate is the only one of the four that was oiled before it was opened.⟧")


def test_a_number_in_a_count_or_above_its_text_is_a_marker():
    check("1.\n\nS⟦Open it.⟧\n\n2.\n\nS⟦Close it.⟧")
    check("1.\n   S⟦Open it.⟧")
    check("a)\n- I⟦lid⟧\nb)\n- I⟦base⟧")
    check("-\nS⟦Open it.⟧")


def test_what_stands_alone_is_an_item():
    check("# I⟦Tides⟧\n\n## I⟦Weirs⟧")
    check("L⟦The result is:⟧\n\nI⟦`17`⟧")
    check("H⟦References⟧\n\n1. I⟦Osei R, Moreno A. Tides. J Gates. 2020;12(3):45-67.⟧")
    check("L⟦The result is:⟧\nI⟦```\n17\n```⟧")
    check("# H⟦Result⟧\n\nI⟦~~~\n17\n~~~⟧\n\nC⟦```\nls\n```⟧")
    check("I⟦The result is:⟧\nC⟦```\n```⟧")
    check("> I⟦b)⟧")
    check("> S⟦8.⟧")
    check("I⟦+⟧")
    check("N⟦<think>Hm.</think>⟧\n\n## I⟦17⟧")


@pytest.mark.parametrize("text", ["```\n17\n```", "<think>17</think>", "<think>Hm.</think>\n```\nls\n```", "```\n```"])
def test_code_and_reasoning_alone_are_never_rated(text):
    assert not any(span.rate for span in split(text))


@settings(max_examples=600, deadline=None)
@given(texts | st.text(max_size=12))
def test_every_text_that_is_seen_has_something_rated(text):
    spans = split(text)
    never = any(span.kind == "reasoning" or (span.kind == "code" and not span.rate) for span in spans)
    assert never or any(span.rate for span in spans) or not re.search(rf"[^\s{INVISIBLE}]", text)

"""Whatever a response consists of, something of it is rated; only fenced code and reasoning alone are not."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.splitting import split, split_items
from annotation.splitting.marks import INVISIBLE
from tests.splitting.marked_text import check
from tests.splitting.odd_texts import texts


def test_a_short_answer_is_rated():
    for answer in (
        "17.", "7)", "c)", "(d)", "(iii)", "IV.", "C.", "D", "é)", "٣.", "３．", "5、", "（2）", "1.\n2.", "a)\nb)",
        "[x]", "- 7", "> 8.", "# 17", "**C**", "**Result:**", "The result is:", "`17`", "**`ls`**",
        "https://example.org/a", "[2]", "[^1]: It is open.", "References", "| 17 |\n|---|",
        "Source: Moreno (2019), Weirs", "___", "$17$", "+", "-", "*", "> -", "---", "…", "✓",
        "The result is:\n```\n17\n```", "# Result\n```\n17\n```",
    ):  # fmt: skip
        assert any(span.rate for span in split(answer)) and any(span.rate for span in split_items(answer)), answer


def test_a_number_alone_and_what_else_stands_alone():
    check(
        "1.\n\nS⟦Open it.⟧\n\n2.\n\nS⟦Close it.⟧", "1.\n   S⟦Open it.⟧", "a)\n- I⟦lid⟧\nb)\n- I⟦base⟧",
        "-\nS⟦Open it.⟧", "# I⟦Tides⟧\n\n## I⟦Weirs⟧", "L⟦The result is:⟧\n\nI⟦`17`⟧",
        "H⟦References⟧\n\n1. I⟦Osei R, Moreno A. Tides. J Gates. 2020;12(3):45-67.⟧",
        "L⟦The result is:⟧\nI⟦```\n17\n```⟧", "# H⟦Result⟧\n\nI⟦~~~\n17\n~~~⟧\n\nC⟦```\nls\n```⟧",
        "I⟦The result is:⟧\nC⟦```\n```⟧", "> I⟦b)⟧", "> S⟦8.⟧", "I⟦+⟧", "N⟦<think>Hm.</think>⟧\n\n## I⟦17⟧",
        "L⟦The result is:⟧\n\nS⟦17.⟧", "S⟦7.⟧\n\nS⟦Both gates are counted.⟧", "I⟦c)⟧\nS⟦The gate is a weir.⟧",
        "I⟦B)⟧\n\nS⟦The old gate is the only one of the four that was oiled before it was opened.⟧",
    )  # fmt: skip


def test_code_and_reasoning_alone_are_never_rated():
    for text in ("```\n17\n```", "<think>17</think>", "<think>Hm.</think>\n```\nls\n```", "```\n```"):
        assert not any(span.rate for span in split(text))


@settings(max_examples=300, deadline=None)
@given(texts | st.text(max_size=12))
def test_every_text_that_is_seen_has_something_rated(text):
    spans = split(text)
    never = any(span.kind == "reasoning" or (span.kind == "code" and not span.rate) for span in spans)
    assert never or any(span.rate for span in spans) or not re.search(rf"[^\s{INVISIBLE}]", text)

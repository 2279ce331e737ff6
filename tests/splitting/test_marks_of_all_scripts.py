"""Marks that end sentences in the scripts of the world, and characters between sentences that nobody sees."""

import re
from itertools import product

import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.splitting import split
from annotation.splitting.marks import ENDS, INVISIBLE
from tests.splitting.marked_text import check

TERMINALS = [chr(code) for code in range(0x20000) if regex.match(r"\p{STerm}", chr(code))]
MYANMAR_COMMA = "\u104a"


def test_every_terminal_of_unicode_but_the_comma_of_myanmar_ends_a_sentence():
    assert [mark for mark in TERMINALS if not re.match(f"[{ENDS}]", mark)] == [MYANMAR_COMMA]
    check(*(f"S⟦The gate is open{mark}⟧ S⟦Come in{mark}⟧" for mark in TERMINALS if mark != MYANMAR_COMMA))


def test_sentences_of_other_scripts():
    check(
        "S⟦Stop‼⟧ S⟦Really⁉⟧ S⟦Why⁇⟧ S⟦So⁈⟧ S⟦Yes‼️⟧ S⟦No?!⟧", "S⟦በሩ ተከፍቷል።⟧ S⟦ለምን፧⟧ S⟦ግቡ።⟧",
        "S⟦སྒོ་ཕྱེ་འདུག།⟧ S⟦ནང་དུ་ཕེབས། །⟧", "S⟦ទ្វារបើក។⟧ S⟦ចូលមក៕⟧", "S⟦တံခါးဖွင့်ထားသည်။⟧ S⟦ဝင်ပါ။⟧",
        "S⟦դուռը բաց է։⟧ S⟦Ներս եկեք։⟧", "S⟦দরজা খোলা।⟧ S⟦ভেতরে আসুন॥⟧", "S⟦دروازہ کھلا ہے۔⟧ S⟦کیوں؟⟧ S⟦آئیے۔⟧",
        "S⟦Ποιος ήρθε;⟧ S⟦Η Άννα.⟧", "S⟦Ποιος ήρθε\u037e⟧ S⟦Η Άννα.⟧", "S⟦门开了．⟧S⟦我们走吧｡⟧S⟦好﹗⟧",
    )  # fmt: skip


def test_what_only_looks_like_such_a_mark_ends_nothing():
    check(
        "S⟦Οι τιμές είναι α; Β; και γ.⟧", "S⟦It is old; Anna knows.⟧", "S⟦Το ξέρω; ναι.⟧", "S⟦在第3．5节，鹭吃鱼。⟧",
        "S⟦Ｊ．リーは言った。⟧", "S⟦ကောင်း၊ လှ၊ မြင့်သည်။⟧",
    )  # fmt: skip


def test_an_invisible_character_after_the_mark_hides_no_sentence():
    sentences = ("The gate is open.", "Is it open?", '"It is open."', "It is open [1].", "门开了。", "הדלת פתוחה.")
    for before, unseen in product(sentences, INVISIBLE):
        check(
            f"S⟦{before}⟧{unseen} S⟦Come in.⟧{unseen}\nI⟦wide gate⟧{unseen}",
            f"S⟦{before}⟧ {unseen}S⟦Come in.⟧",
            f"S⟦{before}⟧{unseen}S⟦Come in.⟧",
        )


def test_an_invisible_character_within_a_word_number_or_emoji_ends_nothing():
    check("S⟦They came. 👩\u200d🚀❤️⟧ S⟦They left.⟧")
    check(*(f"S⟦See example.{unseen}com, 3.{unseen}5 and Fig.{unseen} 3 here.⟧" for unseen in INVISIBLE))


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from([*INVISIBLE, *TERMINALS, " ", "\n", "Gate", "ab", "门", "3", "\ufe0f"]), max_size=20))
def test_spans_have_no_invisible_edges_after_a_mark(parts):
    text, last = "".join(parts), 0
    for span in split(text):
        assert last <= span.start < span.end <= len(text)
        assert not text[span.end - 1].isspace() and text[span.end - 1] not in INVISIBLE
        last = span.end

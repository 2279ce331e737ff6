"""Markdown of responses as plain words, for lists."""

import pytest

from annotation.web.rendering.markdown import ItemSpan, excerpt_of, render, texts_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("**Step 2:** They are *heated*\nat `350 °C`.", "Step 2: They are heated at 350 °C."),
        ("See [the table](https://example.org) on\nthe next page.", "See the table on the next page."),
        ("5 < 6 & <b>bold</b>", "5 < 6 & <b>bold</b>"),
        ("The $p = 0.09$ was not significant.", "The p = 0.09 was not significant."),
        ("*Terns* fly **far**off, {{ 7*7 }} km", "Terns fly faroff, {{ 7*7 }} km"),
        ("", ""),
    ],
)
def test_a_sentence_loses_its_marks(text, words):
    assert texts_of(text) == words


def test_an_excerpt_has_the_words_of_all_blocks_in_one_line():
    text = "### Short answer\n\nPart-night lighting **helps**.\n\n- `one`\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    assert excerpt_of(text) == "Short answer Part-night lighting helps. one two a b 1 2"
    assert excerpt_of("") == ""
    assert excerpt_of("<think>Is it two?</think>\n\nIt is **two**.") == "It is two."
    assert excerpt_of("<think>Is it two?") == "Reasoning, not shown here"


def test_a_single_asterisk_in_a_word_is_shown_as_it_is_written():
    text = "The first room is 3*4 m. The second is 5*6 m."
    assert texts_of(text) == text
    html = render(text, [ItemSpan(0, 0, 24), ItemSpan(1, 25, 45)]).html
    assert "3*4 m." in html and "5*6 m." in html and "<em>" not in html

"""Markdown of responses as plain words, for lists."""

from annotation.web.rendering.markdown import excerpt_of, texts_of


def test_a_sentence_loses_its_marks() -> None:
    assert texts_of("**Step 2:** heat\nit by `10` °C") == "Step 2: heat it by 10 °C"


def test_an_excerpt_has_the_words_of_all_blocks_in_one_line() -> None:
    text = "### Short answer\n\nPart-night lighting **helps**.\n\n- `one`\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    assert excerpt_of(text) == "Short answer Part-night lighting helps. one two a b 1 2"
    assert excerpt_of("") == ""

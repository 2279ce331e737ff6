"""Articles: tokens of the data set, and the way back to the stored text."""

import re

from hypothesis import given
from hypothesis import strategies as st

from annotation.web.rendering.articles import render_paragraph
from tests.web.rendering.rendered_text import Page


def test_tokens_become_quiet_words_that_keep_their_source_and_what_looks_like_them_stays():
    html = render_paragraph("As shown BIBREF12, BIBREF0 and in TABREF3 of FIGREF4 with INLINEFORM0.")
    text = re.sub("<[^>]*>", "", html)
    assert text == "As shown [13], [1] and in Table 3 of Figure 4 with formula 1."
    assert re.findall(r'data-raw="(\w+)"', html) == ["BIBREF12", "BIBREF0", "TABREF3", "FIGREF4", "INLINEFORM0"]
    assert render_paragraph("BIBREFS and TABREF and BIBREF12x") == "BIBREFS and TABREF and BIBREF12x"
    assert render_paragraph("One\r\ntwo & <three>") == "One&#13;\ntwo &amp; &lt;three&gt;"
    text = "If $x_1 < 2$ then BIBREF3 <NAME> & more."
    assert Page(render_paragraph(text)).text == text


def test_bold_text_and_code_are_shown_and_keep_their_source():
    text = "It **rose by 12 BIBREF0** where `x_1 < y`, $a**b$ and **again**."
    html = render_paragraph(text)
    assert "<strong>rose by 12 " in html and "<code>x_1 &lt; y</code>" in html and "<strong>again</strong>" in html
    assert Page(html).text == text
    assert re.sub("<[^>]*>", "", html.split("<math")[0]) == "It rose by 12 [1] where x_1 &lt; y, "


def test_what_only_looks_like_bold_or_code_stays():
    for text in (
        "2**3**4",
        "a ** b",
        "``so'' and `this' or `that'",
        "**",
        "****",
        "a `b",
        "** open",
        "* item",
        "**a\nb**",
    ):
        html = render_paragraph(text)
        assert "<strong>" not in html and "<code>" not in html
        assert Page(html).text == text


@given(st.text(alphabet="ab *`$\\_x1\n", max_size=60))
def test_every_paragraph_can_be_traced_back_to_the_stored_text(text):
    assert Page(render_paragraph(text)).text == text

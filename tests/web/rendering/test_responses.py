"""What raters read: nothing of a sentence is lost."""

import gzip
import json
import re
from html import unescape

import pytest
from django.utils.translation import override
from hypothesis import example, given, settings
from hypothesis import strategies as st

from annotation.web.rendering.responses import MAX_MARKDOWN_LENGTH, render_response, unplaced
from tests.web.rendering.rendered_text import ROOT, Page, Piece, as_written, letters, pieces, rendered, runs

REAL = sorted((ROOT.parent / "shared" / "data" / "expertqa").glob("*.gz"))


def test_what_is_rated_is_lit_in_each_run_cell_and_equation_and_marks_are_shown_plainly():
    html = rendered("It **rose by `12`** in June. Then it fell.")
    assert runs(html) == [(0, "It "), (0, "rose by "), (0, "12"), (0, " in June."), (1, "Then it fell.")]
    assert "<strong>" in html and "<code>" in html
    assert html.count('class="s first"') == 2
    html = rendered("| Name | Value |\n|---|--:|\n| alpha | 1 |\n| beta | 2 |\n")
    assert runs(html) == [(1, "alpha"), (1, "1"), (2, "beta"), (2, "2")]
    assert '<td class="right">' in html
    html = rendered("## Steps\n\n1. Heat it.\n2. Cool it.\n\n```python\nprint(1)\n```\n")
    assert [words for _, words in runs(html)] == ["Heat it.", "Cool it."]
    assert "<h3>Steps</h3>" in html and "<ol>" in html and "<pre><code>print(1)\n</code></pre>" in html
    html = rendered("It holds that\n\n\\[\nE = mc^2\n\\]\n\nfor all of them.")
    assert '<math display="block">' in html
    assert Page(html).items[1] == "\\[\nE = mc^2\n\\]"
    text = "The result is:\n\n```\n17\n```"
    html = render_response(text, [Piece(0, 16, len(text))])
    assert [words.strip("`\n") for _, words in runs(html)] == ["17"]


def test_bold_around_two_sentences_stays_bold_in_both_and_only_line_breaks_between_sentences_stay():
    html = render_response(
        "**One is bold. So is two.** Three is not.", [Piece(0, 0, 14), Piece(1, 15, 27), Piece(2, 28, 41)]
    )
    strong = re.search("<strong>(.*)</strong>", html)
    assert strong and runs(strong[1]) == [(0, "One is bold."), (1, "So is two.")]
    assert "*" not in html
    html = render_response("First line.\nSecond line\nis wrapped.", [Piece(0, 0, 11), Piece(1, 12, 35)])
    assert html.count("<br>") == 1


def test_money_and_code_are_no_formulas_and_definitions_of_links_and_placeholders_are_shown():
    assert "<math" not in rendered("It costs $5 today and $6 tomorrow. A dollar ($) is a dollar ($).")
    assert "<math" in rendered("It costs $x_1$ today.")
    assert "<math" not in rendered("Write `$x^2$` for it.\n\n```\n$$y$$\n```")
    assert "https://example.org/paper" in rendered("See [the paper][1] for more.\n\n[1]: https://example.org/paper")
    assert "&lt;PROF_FULL_NAME&gt;" in rendered("Ask <PROF_FULL_NAME> about it.")


def test_links_lead_out_safely_and_images_are_named_and_never_loaded():
    html = rendered("See [this](https://example.org/a_b) now.")
    [link] = [given for tag, given in Page(html).elements if tag == "a"]
    assert link == {"href": "https://example.org/a_b", "target": "_blank", "rel": "noopener noreferrer nofollow"}
    html = rendered("Look: ![a tern](https://elsewhere.example/t.png) flies.")
    assert "<img" not in html and "a tern" in html and "https://elsewhere.example/t.png" in html
    assert 'class="picture" title="Image"' in html
    with override("es"):
        assert 'class="picture" title="Imagen"' in rendered("![a tern](t.png)")


def test_text_that_uses_every_mark_or_is_very_long_is_shown_as_it_is():
    text = "".join(map(chr, range(0x2980, 0x29FF))) + "".join(map(chr, range(0x2E00, 0x2E5E))) + " End."
    assert runs(render_response(text, [Piece(0, 0, len(text))])) == [(0, text)]
    text = "| a |\n|---|\n| one | and two |\n"
    html = render_response(text, [Piece(0, 14, 27)])
    assert runs(html) == [(0, "one | and two")]
    assert html.startswith('<div class="plain">')
    text = "A sentence of some words. " * (MAX_MARKDOWN_LENGTH // 20)
    assert render_response(text, [Piece(0, 0, 25)]).startswith('<div class="plain">')


def test_what_has_no_position_in_the_text_is_named():
    items = [Piece(0, 0, 5), Piece(1, 3, 8), Piece(2, None, None), Piece(3, 6, 500), Piece(4, None, None, rate=False)]
    assert unplaced("Hello world.", items) == [1, 2, 3]
    assert runs(render_response("Hello world.", items)) == [(0, "Hello")]


WORDS = st.sampled_from(
    ["Terns", "fly", "12.5 %", "mRNA", "naïve", "far", "*so*", "**very**", "`code`", "~~not~~", "[1]"]
)
LINKS = st.sampled_from(
    ["[a link](https://example.org/x)", "$x_1^2$", "\\(a < b\\)", "<NAME>", "&amp;", "[^2]", "![pic](u.png)"]
)
SENTENCES = st.lists(st.one_of(WORDS, WORDS, WORDS, LINKS), min_size=1, max_size=8).map(lambda w: " ".join(w) + ".")
LINES = st.lists(SENTENCES, min_size=1, max_size=3).map(" ".join)
SEVERAL = st.lists(LINES, min_size=1, max_size=3)
BLOCKS = st.one_of(
    LINES,
    LINES.map("# {}".format),
    SEVERAL.map(lambda lines: "\n".join(f"- {line}" for line in lines)),
    SEVERAL.map(lambda lines: "\n".join(f"  {n}. {line}" for n, line in enumerate(lines, 1))),
    LINES.map("> {}".format),
    LINES.map("**{}**".format),
    st.tuples(SENTENCES, SENTENCES).map(lambda row: "| a | b |\n|---|---|\n| {} | {} |".format(*row)),
    LINES.map("```\n{}\n```".format),
    st.just("$$\nx = \\frac{1}{2}\n$$"),
)
MARKDOWN = st.lists(BLOCKS, min_size=1, max_size=5).map("\n\n".join)


@settings(max_examples=75, deadline=None)
@given(MARKDOWN)
@example("*so* [a link](https://example.org/x) **very**. far `code`.")
@example("# Terns.\n\n```\n[a link](https://example.org/x).\n```")
def test_every_rated_sentence_of_any_markdown_comes_out_whole(text):
    items = pieces(text)
    rated, page = [piece for piece in items if piece.rate], Page(render_response(text, items))
    for piece in rated:
        written = text[piece.start : piece.end]
        shown = letters(written) if written.startswith("```") else as_written(written)
        assert letters(page.items.get(piece.position, "")) == shown
    assert set(page.items) == {piece.position for piece in rated}


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="ab1 \n\n*_`#>-|[]()!$\\<>&;~.:⸨⸩", max_size=80), st.data())
def test_any_text_with_any_spans_is_lit_span_by_span(text, data):
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    items = [Piece(n, start, end) for n, (start, end) in enumerate(zip(cuts[::2], cuts[1::2], strict=False))]
    page = Page(render_response(text, items))
    for item in items:
        raw, lit = letters(unescape(text[item.start : item.end])), letters(page.items.get(item.position, ""))
        remaining = iter(raw)
        assert all(letter in remaining for letter in lit)
        assert lit == raw or "](" in text


if REAL:

    def test_real_answers_come_out_whole_and_as_markdown():
        lines = [line for path in REAL for line in gzip.decompress(path.read_bytes()).rstrip().split(b"\n")[::7]]
        found = [each for line in lines for each in json.loads(line).get("answers", {}).values()]
        answers, plain = [each["answer_string"] for each in found if each.get("answer_string")], 0
        for text in answers:
            items = pieces(text)
            html = render_response(text, items)
            page, plain = Page(html), plain + ('class="plain"' in html)
            for piece in items:
                if piece.rate and "](" not in text:
                    assert letters(page.items[piece.position]) == as_written(text[piece.start : piece.end])
        assert len(answers) > 100
        assert plain <= len(answers) / 50


def test_each_block_has_the_direction_of_its_first_letter_if_one_is_from_right_to_left():
    html = rendered("In English.\n\nשלום (abc).\n\n- אחת\n- two\n\n> ציטוט\n\n| א | b |\n|---|---|\n| 1 | ב |\n\n(12)")
    directions = [(tag, given_.get("dir")) for tag, given_ in Page(html).elements if tag not in ("span", "tr")]
    assert directions == [
        ("p", "ltr"), ("p", "rtl"), ("ul", "rtl"), ("li", "rtl"), ("li", "ltr"), ("blockquote", "rtl"), ("p", "rtl"),
        ("table", "rtl"), ("thead", None), ("th", "rtl"), ("th", "ltr"), ("tbody", None), ("td", None), ("td", "rtl"),
        ("p", None),
    ]  # fmt: skip
    assert "dir=" not in rendered("# Head\n\nIn English, *française* and Ελληνικά.\n\n- one")


@pytest.mark.parametrize(
    "reasoning", ["<think>\nIs it *so*?\n\n</think>", "Perhaps.\n</think>", "[THINK]<b>Hm</b>[/THINK]"]
)
def test_reasoning_is_folded_as_plain_text_and_the_answer_is_lit(reasoning):
    text = f"{reasoning}\n\nIt **rose**. Then it fell."
    html = rendered(text)
    assert html.startswith('<details class="reasoning"><summary>Reasoning (not rated)</summary><div class="plain">')
    assert unescape(re.findall('<div class="plain">(.*?)</div></details>', html, re.DOTALL)[0]) == reasoning
    assert "<b>" not in html
    assert [words for _, words in runs(html)] == ["It ", "rose", ".", "Then it fell."]


def test_reasoning_that_raters_are_asked_about_is_shown_as_it_was_and_none_without_a_word():
    html = render_response("<think>It rose.</think>\nIt fell.", [Piece(0, 7, 15), Piece(1, 24, 32)])
    assert "<details" not in html
    assert [words for _, words in runs(html)] == ["It rose.", "It fell."]
    text = "<think>Hm.</think>\n\nIt fell."
    assert render_response(text, []).count("<details") == 1
    html = render_response(text, [Piece(0, 0, len(text))])  # the whole response
    assert html.count("<details") == 1 and [words for _, words in runs(html)] == ["It fell."]
    html = render_response("<think>\n\n</think>\n\nIt fell.", [])
    assert "<details" not in html and "think" not in html and "It fell." in html

"""What raters read: nothing of a sentence is lost, and nothing that a model wrote does anything."""

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from annotation.splitting import split
from annotation.web.articles import render_paragraph
from annotation.web.cleaning import clean
from annotation.web.formulas import as_mathml, find_formulas
from annotation.web.markdown import words_of
from annotation.web.rendering import LONGEST_MARKDOWN, render_response, unplaced

ROOT = Path(__file__).resolve().parents[2]
HOSTILE = ROOT / "fixtures" / "hostile"
REAL = sorted((ROOT.parent / "shared" / "data" / "expertqa").glob("*.gz"))


@dataclass(frozen=True)
class Piece:
    position: int
    start: int | None
    end: int | None
    rate: bool = True


def pieces(text: str) -> list[Piece]:
    return [Piece(n, span.start, span.end, span.rate) for n, span in enumerate(split(text))]


class Page(HTMLParser):
    """The elements of some HTML, and the text of each item: of a formula the source that it stands for."""

    VOID = frozenset({"br", "hr", "img", "input", "meta", "link", "base"})

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.items: dict[int, str] = {}
        self.text = ""
        self.open: list[tuple[int | None, bool]] = []  # of each open element: its item, and whether it is a formula
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.elements.append((tag, given))
        if tag in self.VOID:
            return
        item, formula = self.open[-1] if self.open else (None, False)
        if given.get("data-item"):
            item = int(given["data-item"] or "")
        self.open.append((item, formula or "data-raw" in given))
        if "data-raw" in given:
            self._say(given["data-raw"] or "", item)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID and self.open:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        item, formula = self.open[-1] if self.open else (None, False)
        if not formula:
            self._say(data, item)

    def _say(self, words: str, item: int | None) -> None:
        self.text += words
        if item is not None:
            self.items[item] = self.items.get(item, "") + words


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def as_written(raw: str) -> str:
    """A sentence's letters without addresses of links and with entities read."""
    pictures = re.sub(r"!\[(.*?)\]\((\S*?)\)", r"\1 \2", raw)  # the address of a picture is shown
    return letters(unescape(re.sub(r"\]\([^()\s]*\)", "]", pictures)))


def runs(html: str) -> list[tuple[int, str]]:
    return [(int(n), unescape(re.sub("<[^>]*>", "", words))) for n, words in SPAN.findall(html)]


SPAN = re.compile(r'<span class="s(?: first)?" data-item="(\d+)">(.*?)</span>', re.DOTALL)


def rendered(text: str) -> str:
    return render_response(text, pieces(text))


# A sentence and its spans


def test_a_sentence_that_crosses_bold_and_code_is_lit_in_each_run() -> None:
    html = rendered("It **rose by `12`** in June. Then it fell.")
    assert runs(html) == [(0, "It "), (0, "rose by "), (0, "12"), (0, " in June."), (1, "Then it fell.")]
    assert "<strong>" in html and "<code>" in html
    assert html.count('class="s first"') == 2


def test_bold_around_two_sentences_stays_bold_in_both() -> None:
    html = render_response(
        "**One is bold. So is two.** Three is not.", [Piece(0, 0, 14), Piece(1, 15, 27), Piece(2, 28, 41)]
    )
    strong = re.search("<strong>(.*)</strong>", html)
    assert strong and runs(strong[1]) == [(0, "One is bold."), (1, "So is two.")]
    assert "*" not in html


def test_a_table_row_is_lit_in_every_cell() -> None:
    html = rendered("| Name | Value |\n|---|--:|\n| alpha | 1 |\n| beta | 2 |\n")
    assert runs(html) == [(1, "alpha"), (1, "1"), (2, "beta"), (2, "2")]
    assert '<td class="right">' in html


def test_headings_code_and_list_markers_are_shown_plainly() -> None:
    html = rendered("## Steps\n\n1. Heat it.\n2. Cool it.\n\n```python\nprint(1)\n```\n")
    assert [words for _, words in runs(html)] == ["Heat it.", "Cool it."]
    assert "<h3>Steps</h3>" in html and "<ol>" in html and "<pre><code>print(1)\n</code></pre>" in html


def test_a_display_equation_can_be_lit() -> None:
    text = "It holds that\n\n\\[\nE = mc^2\n\\]\n\nfor all of them."
    html = rendered(text)
    assert '<math display="block">' in html
    assert Page(html).items[1] == "\\[\nE = mc^2\n\\]"


def test_a_line_break_between_sentences_is_kept_and_one_inside_a_wrapped_sentence_is_not() -> None:
    html = render_response("First line.\nSecond line\nis wrapped.", [Piece(0, 0, 11), Piece(1, 12, 35)])
    assert html.count("<br>") == 1


def test_sums_of_money_are_not_a_formula() -> None:
    assert "<math" not in rendered("It costs $5 today and $6 tomorrow. A dollar ($) is a dollar ($).")
    assert "<math" in rendered("It costs $x_1$ today.")


def test_a_formula_in_code_is_code() -> None:
    assert "<math" not in rendered("Write `$x^2$` for it.\n\n```\n$$y$$\n```")


def test_definitions_of_links_do_not_vanish() -> None:
    html = rendered("See [the paper][1] for more.\n\n[1]: https://example.org/paper")
    assert "https://example.org/paper" in html


def test_an_image_is_named_and_never_loaded() -> None:
    html = rendered("Look: ![a tern](https://elsewhere.example/t.png) flies.")
    assert "<img" not in html
    assert "a tern" in html and "https://elsewhere.example/t.png" in html


def test_links_lead_out_safely() -> None:
    html = rendered("See [this](https://example.org/a_b) now.")
    [link] = [given for tag, given in Page(html).elements if tag == "a"]
    assert link == {"href": "https://example.org/a_b", "target": "_blank", "rel": "noopener noreferrer nofollow"}


def test_placeholders_in_angle_brackets_are_shown() -> None:
    assert "&lt;PROF_FULL_NAME&gt;" in rendered("Ask <PROF_FULL_NAME> about it.")


def test_where_markdown_drops_text_the_response_is_shown_as_it_is() -> None:
    text = "| a |\n|---|\n| one | and two |\n"
    html = render_response(text, [Piece(0, 14, 27)])
    assert runs(html) == [(0, "one | and two")]
    assert html.startswith('<div class="plain">')


def test_text_that_uses_every_mark_is_shown_as_it_is() -> None:
    text = "".join(map(chr, range(0x2980, 0x29FF))) + "".join(map(chr, range(0x2E00, 0x2E5E))) + " End."
    assert runs(render_response(text, [Piece(0, 0, len(text))])) == [(0, text)]


def test_what_has_no_place_in_the_text_is_named() -> None:
    items = [Piece(0, 0, 5), Piece(1, 3, 8), Piece(2, None, None), Piece(3, 6, 500), Piece(4, None, None, rate=False)]
    assert unplaced("Hello world.", items) == [1, 2, 3]
    assert runs(render_response("Hello world.", items)) == [(0, "Hello")]


def test_a_very_long_response_is_shown_at_once() -> None:
    text = "A sentence of some words. " * (LONGEST_MARKDOWN // 20)
    assert render_response(text, [Piece(0, 0, 25)]).startswith('<div class="plain">')


# Nothing is lost

WORDS = st.sampled_from(
    ["Terns", "fly", "12.5 %", "mRNA", "naïve", "far", "*so*", "**very**", "`code`", "~~not~~", "[1]"]
)
LINKS = st.sampled_from(
    ["[a link](https://example.org/x)", "$x_1^2$", "\\(a < b\\)", "<NAME>", "&amp;", "[^2]", "![pic](u.png)"]
)
SENTENCES = st.lists(st.one_of(WORDS, WORDS, WORDS, LINKS), min_size=1, max_size=8).map(
    lambda words: " ".join(words) + "."
)
LINES = st.lists(SENTENCES, min_size=1, max_size=3).map(" ".join)
BLOCKS = st.one_of(
    LINES,
    LINES.map("# {}".format),
    st.lists(LINES, min_size=1, max_size=3).map(lambda lines: "\n".join(f"- {line}" for line in lines)),
    st.lists(LINES, min_size=1, max_size=3).map(
        lambda lines: "\n".join(f"  {n}. {line}" for n, line in enumerate(lines, 1))
    ),
    LINES.map("> {}".format),
    LINES.map("**{}**".format),
    st.tuples(SENTENCES, SENTENCES).map(lambda row: "| a | b |\n|---|---|\n| {} | {} |".format(*row)),
    LINES.map("```\n{}\n```".format),
    st.just("$$\nx = \\frac{1}{2}\n$$"),
)
MARKDOWN = st.lists(BLOCKS, min_size=1, max_size=5).map("\n\n".join)


@settings(max_examples=150, deadline=None)
@given(MARKDOWN)
@example("*so* [a link](https://example.org/x) **very**. far `code`.")
def test_every_rated_sentence_of_any_markdown_comes_out_whole(text: str) -> None:
    page = Page(rendered(text))
    for piece in pieces(text):
        if piece.rate:
            assert letters(page.items.get(piece.position, "")) == as_written(text[piece.start : piece.end])
    assert set(page.items) == {piece.position for piece in pieces(text) if piece.rate}


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="ab1 \n\n*_`#>-|[]()!$\\<>&;~.:⸨⸩", max_size=80), st.data())
def test_any_text_with_any_spans_is_lit_span_by_span(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    items = [Piece(n, start, end) for n, (start, end) in enumerate(zip(cuts[::2], cuts[1::2], strict=False))]
    page = Page(render_response(text, items))
    for item in items:
        raw, shown = letters(unescape(text[item.start : item.end])), letters(page.items.get(item.position, ""))
        remaining = iter(raw)
        assert all(letter in remaining for letter in shown)
        assert shown == raw or "](" in text


def real_answers() -> Iterator[str]:
    for path in REAL:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines):
                row = json.loads(line) if number % 7 == 0 else {}
                yield from filter(None, (a.get("answer_string") for a in row.get("answers", {}).values()))


if REAL:

    def test_real_answers_come_out_whole_and_as_markdown() -> None:
        answers = list(real_answers())
        plain = 0
        for text in answers:
            html = rendered(text)
            page, plain = Page(html), plain + ('class="plain"' in html)
            for piece in pieces(text):
                if piece.rate and "](" not in text:
                    assert letters(page.items[piece.position]) == as_written(text[piece.start : piece.end])
        assert len(answers) > 100
        assert plain <= len(answers) / 50


# Nothing runs, loads or styles

HOSTILE_ROWS = [json.loads(line) for line in (HOSTILE / "responses.jsonl").read_text(encoding="utf-8").splitlines()]
OWN = {
    "javascript in a title": '[a](https://a.example "x\\" onmouseover=\\"alert(1)")',
    "javascript behind a mark": "[a](java⸨script:alert(1))",
    "javascript by entity in an autolink": "<javascript&colon;alert(1)>",
    "formula in an address": "[a](https://a.example/$x$?q=$y$)",
    "text command with markup": r"$\text{<img src=x onerror=alert(1)>}$",
    "link command": r"$\href{javascript:alert(1)}{x}$ and $\url{javascript:alert(1)}$",
    "style command": r"$\style{position:fixed;inset:0}{x}$ $\color{red}{x}$ $\hspace{900em}$ $\raise{900em}{x}$",
    "class and id commands": r"$\class{s now}{x} \cssId{main}{y}$",
    "fence with attributes": "```js onload=alert(1) style=x\n</code></pre><script>alert(1)</script>\n```",
    "our own span": '<span class="s" data-item="0">not mine</span>',
    "protocol-relative address": "[a](//evil.example/x) and [b](/accounts/logout/)",
}
ELEMENTS = frozenset(
    {
        "a",
        "blockquote",
        "br",
        "code",
        "div",
        "em",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "li",
        "math",
        "menclose",
        "mfrac",
        "mi",
        "mmultiscripts",
        "mn",
        "mo",
        "mover",
        "mphantom",
        "mprescripts",
        "mroot",
        "mrow",
        "ms",
        "mspace",
        "msqrt",
        "mstyle",
        "msub",
        "msubsup",
        "msup",
        "mtable",
        "mtd",
        "mtext",
        "mtr",
        "munder",
        "munderover",
        "none",
        "ol",
        "p",
        "pre",
        "s",
        "small",
        "span",
        "strong",
        "sup",
        "table",
        "tbody",
        "td",
        "th",
        "thead",
        "tr",
        "ul",
    }
)


def assert_inert(html: str, among: frozenset[str] = ELEMENTS) -> None:
    for tag, given_ in Page(html).elements:
        assert tag in among, tag
        assert not [
            name for name in given_ if name.startswith("on") or name in ("style", "id", "src", "srcset", "action")
        ]
        assert re.fullmatch(r"(https?://|mailto:).+", given_.get("href") or "https://none"), given_
        if "class" in given_:
            known = {"s", "first", "formula", "picture", "box", "ref", "cite", "right", "middle", "plain"}
            assert set((given_["class"] or "").split()) <= known


@pytest.mark.parametrize("text", [pytest.param(row["text"], id=row["id"]) for row in HOSTILE_ROWS])
def test_a_hostile_response_is_only_text(text: str) -> None:
    html = rendered(text)
    assert_inert(html)
    rated = {piece.position for piece in pieces(text) if piece.rate}
    assert set(Page(html).items) == rated


@pytest.mark.parametrize("text", OWN.values(), ids=OWN)
def test_our_own_marks_and_formulas_open_no_door(text: str) -> None:
    assert_inert(rendered(text))
    assert_inert(render_paragraph(text))
    ours = {int(given_["data-item"] or "-1") for _, given_ in Page(rendered(text)).elements if "data-item" in given_}
    assert ours == {piece.position for piece in pieces(text) if piece.rate}


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="<>/=\"'abonscript:&;\\{}$()[]! \n`", max_size=120))
def test_any_text_at_all_is_inert(text: str) -> None:
    assert_inert(rendered(text))
    assert_inert(render_paragraph(text))


def test_the_sanitiser_stands_on_its_own() -> None:
    bad = (
        '<p onclick="x()" style="color:red" id="main">a<script>b</script><iframe src="//c"></iframe>'
        '<a href="javascript:d">e</a></p>'
    )
    html = clean(bad)
    assert [tag for tag, _ in Page(html).elements] == ["p", "a"]
    assert "javascript" not in html and "onclick" not in html and "style" not in html and "script" not in html


def test_hostile_articles_are_only_text() -> None:
    articles = json.loads((HOSTILE / "articles.json").read_text(encoding="utf-8"))
    for article in articles.values():
        for section in article.get("full_text") or []:
            for paragraph in section.get("paragraphs") or []:
                assert_inert(render_paragraph(paragraph))


# Formulas


@pytest.mark.parametrize(
    "latex", [r"\frac{a}", "{", "a_", r"\left( x", r"\notacommand", r"\text{<b>}", r"\input{/etc/passwd}", "x" * 5_000]
)
def test_a_formula_that_cannot_be_shown_gives_its_source(latex: str) -> None:
    mathml = as_mathml(latex)
    html = rendered(f"Here ${latex}$ stands.") if mathml is None else str(mathml)
    assert_inert(html)
    assert mathml is not None or letters(latex) in letters(unescape(html))


@pytest.mark.parametrize(
    "latex",
    [
        r"\hat{y} = \arg\max_{y} \frac{\exp(s_y)}{\sum_{y'} \exp(s_{y'})}",
        r"\begin{align} a &= b \\ &= c \label{x}\end{align}",
        r"\begin{cases} 1 & x > 0 \\ 0 & \text{otherwise} \end{cases}",
        r"\bm{W} \in \mathbb{R}^{d \times d}, \; \Tilde{p}, \left\{ x \right\}",
    ],
)
def test_formulas_as_models_and_papers_write_them_are_shown(latex: str) -> None:
    mathml = as_mathml(latex, display=True)
    assert mathml is not None and "\\" not in mathml and "&amp;" not in mathml
    assert_inert(mathml)


def test_formulas_are_found_with_their_delimiters() -> None:
    text = r"a \(b\) c $d$ e $$f$$ g \[h\] i \begin{align}j\end{align} k \$l\$ `$m$`"
    found = [(text[f.start : f.end], f.latex, f.display) for f in find_formulas(text)]
    assert found == [
        (r"\(b\)", "b", False),
        ("$d$", "d", False),
        ("$$f$$", "f", True),
        (r"\[h\]", "h", True),
        (r"\begin{align}j\end{align}", r"\begin{align}j\end{align}", True),
    ]


# Articles


def test_tokens_of_the_data_set_become_quiet_words_that_keep_their_source() -> None:
    html = render_paragraph("As shown BIBREF12, BIBREF0 and in TABREF3 of FIGREF4 with INLINEFORM0.")
    shown = re.sub("<[^>]*>", "", html)
    assert shown == "As shown [13], [1] and in Table 3 of Figure 4 with formula 1."
    assert re.findall(r'data-raw="(\w+)"', html) == ["BIBREF12", "BIBREF0", "TABREF3", "FIGREF4", "INLINEFORM0"]


def test_a_place_in_a_paragraph_can_be_led_back_to_the_stored_text() -> None:
    text = "If $x_1 < 2$ then BIBREF3 <NAME> & more."
    assert Page(render_paragraph(text)).text == text


def test_words_that_only_look_like_tokens_stay() -> None:
    assert render_paragraph("BIBREFS and TABREF and BIBREF12x") == "BIBREFS and TABREF and BIBREF12x"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("**Step 2:** They are *heated* at `350 °C`.", "Step 2: They are heated at 350 °C."),
        ("See [the table](https://example.org) on\nthe next page.", "See the table on the next page."),
        ("5 < 6 & <b>bold</b>", "5 < 6 & <b>bold</b>"),
        ("The $p = 0.09$ was not significant.", "The $p = 0.09$ was not significant."),
        ("", ""),
    ],
)
def test_a_list_shows_a_sentence_without_its_marks(text, words):
    assert words_of(text) == words

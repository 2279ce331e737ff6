"""Nothing that a model or an article wrote runs, loads or styles anything."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.web.rendering.articles import render_paragraph
from annotation.web.rendering.cleaning import clean
from annotation.web.rendering.responses import render_response
from tests.web.rendering.rendered_text import HOSTILE, Page, assert_inert, pieces, rendered

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


@pytest.mark.parametrize("text", [pytest.param(row["text"], id=row["id"]) for row in HOSTILE_ROWS])
def test_a_hostile_response_is_only_text(text):
    items = pieces(text)
    html = render_response(text, items)
    assert_inert(html)
    assert set(Page(html).items) == {piece.position for piece in items if piece.rate}


@pytest.mark.parametrize("text", OWN.values(), ids=OWN)
def test_our_own_marks_and_formulas_open_no_door(text):
    html = rendered(text)
    assert_inert(html)
    assert_inert(render_paragraph(text))
    ours = {int(given_["data-item"] or "-1") for _, given_ in Page(html).elements if "data-item" in given_}
    assert ours == {piece.position for piece in pieces(text) if piece.rate}


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="<>/=\"'abonscript:&;\\{}$()[]! \n`", max_size=120))
def test_any_text_at_all_is_inert(text):
    assert_inert(rendered(text))
    assert_inert(render_paragraph(text))


def test_the_sanitizer_stands_on_its_own():
    bad = (
        '<p onclick="x()" style="color:red" id="main">a<script>b</script><iframe src="//c"></iframe>'
        '<a href="javascript:d">e</a></p>'
    )
    html = clean(bad)
    assert [tag for tag, _ in Page(html).elements] == ["p", "a"]
    assert "javascript" not in html and "onclick" not in html and "style" not in html and "script" not in html


def test_hostile_articles_are_only_text():
    articles = json.loads((HOSTILE / "articles.json").read_text(encoding="utf-8")).values()
    for section in (section for article in articles for section in article.get("full_text") or []):
        for paragraph in section.get("paragraphs") or []:
            assert_inert(render_paragraph(paragraph))

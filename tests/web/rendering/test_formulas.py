"""Formulas: found with their delimiters, shown as MathML or as their source."""

from html import unescape

import pytest

from annotation.web.rendering.formulas import as_mathml, find_formulas
from tests.web.rendering.rendered_text import assert_inert, letters, rendered


@pytest.mark.parametrize(
    "latex", [r"\frac{a}", "{", "a_", r"\left( x", r"\notacommand", r"\text{<b>}", r"\input{/etc/passwd}", "x" * 5_000]
)
def test_a_formula_that_cannot_be_shown_gives_its_source(latex):
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
def test_formulas_as_models_and_papers_write_them_are_shown(latex):
    mathml = as_mathml(latex, display=True)
    assert mathml is not None and "\\" not in mathml and "&amp;" not in mathml
    assert_inert(mathml)


def test_formulas_are_found_with_their_delimiters():
    text = r"a \(b\) c $d$ e $$f$$ g \[h\] i \begin{align}j\end{align} k \$l\$ `$m$`"
    formulas = [(text[f.start : f.end], f.latex, f.display) for f in find_formulas(text)]
    assert formulas == [
        (r"\(b\)", "b", False),
        ("$d$", "d", False),
        ("$$f$$", "f", True),
        (r"\[h\]", "h", True),
        (r"\begin{align}j\end{align}", r"\begin{align}j\end{align}", True),
    ]

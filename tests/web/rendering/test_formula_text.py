"""Formulas as plain text in one line."""

import pytest

from annotation.web.rendering.formula_text import formula_text
from annotation.web.rendering.markdown import excerpt_of, texts_of


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"p < 0.05", "p < 0.05"),
        (r"\frac{a_1+b}{c^2} \leq x_i", "(a₁ + b)/c² ≤ xᵢ"),
        (r"\sum_{i=1}^n x_i", "∑ᵢ₌₁ⁿ xᵢ"),
        (r"\text{softmax}(QK^T/\sqrt{d_k})", "softmax(QKᵀ/√dₖ)"),
        (r"O(n\log n)", "O(n log n)"),
        (r"x = -10^{-5}", "x = −10⁻⁵"),
        (r"\hat{y} \pm \sqrt{x+1}", "ŷ ± √(x + 1)"),
        (r"\Delta t_{\max}", "Δt_max"),
        (r"\mathbb{R}^{d\times k}", "ℝ^(d × k)"),
        (r"350^\circ", "350°"),
        (r"\begin{matrix}a&b\\c&d\end{matrix}", "a, b; c, d"),
    ],
)
def test_a_formula_is_readable_in_one_line(latex, text):
    assert formula_text(latex) == text


def test_lists_show_formulas_where_they_were_written_and_others_unchanged():
    assert texts_of(r"**Loss** is $\alpha_1 * x$, `$x$` and **$2 * y$**.") == "Loss is α₁ * x, $x$ and 2 * y."
    assert excerpt_of("# Result\n\n$$\\beta = 2$$\n\n- costs $5 or $6") == "Result β = 2 costs $5 or $6"
    assert formula_text(r"\nope x") is None
    assert texts_of(r"So $\nope x$ holds.") == r"So $\nope x$ holds."
    marks = "⸪⸫⸬⸭⸖⸎⸓⸰⸱⸳⹂⹃"
    assert texts_of(f"{marks} $x$") == f"{marks} $x$"

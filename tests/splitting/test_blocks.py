"""Headings, code, tables, display math, wrapped prose, verse, and every kind of line end."""

import pytest

from annotation.splitting import split
from tests.splitting.marked_text import check


def test_heading_hashes_stand_outside_and_numbers_inside():
    check("# H⟦Tides⟧\n### H⟦1. Data⟧\n## H⟦Two things. Really?⟧ ##\n#### H⟦**Bold** and `code`⟧\n##H⟦Tight⟧\nS⟦So.⟧")


def test_a_hash_tag_is_text():
    check("I⟦#tides are rising⟧")


def test_setext_underlines_stand_outside():
    check("H⟦Tides⟧\n=====\n\nH⟦Currents⟧\n-----\nS⟦They flow.⟧")


def test_a_rule_under_a_sentence_is_a_rule():
    check("S⟦They flow.⟧\n---\nS⟦They ebb.⟧")


@pytest.mark.parametrize("fence", ["```", "~~~", "````"])
def test_a_fenced_block_is_one_span_with_its_fences(fence):
    check(f"L⟦Run this:⟧\nC⟦{fence}sh\nls -l. And more.\n\n# no heading\n{fence}⟧\nS⟦Done.⟧")


def test_a_fence_never_closed_runs_to_the_end():
    check("S⟦See.⟧\n\nC⟦```python\nx = 1\n\n- y. Z⟧")


def test_a_shorter_or_other_fence_does_not_close():
    check("C⟦````\n```\n~~~\n````⟧\nS⟦Out.⟧")


def test_code_in_a_list_and_in_a_quote():
    check("1. L⟦Type this:⟧\n   C⟦```\n   ls\n   ```⟧\n2. S⟦Stop.⟧\n\n> C⟦```\n> ls\n> ```⟧\n> S⟦Out.⟧")


def test_a_line_of_inline_code_alone_is_code():
    check("C⟦`pip install pumps`⟧\n\n- C⟦`ls -l`⟧\n\nS⟦Type `ls. -l` now.⟧ S⟦`Ls` is wrong.⟧")


def test_rows_run_from_the_first_cell_to_the_last():
    check("| T⟦Port | Depth⟧ |\n|---|:-:|\n| R⟦Esk | 3 m. Deep.⟧ |\n|  R⟦Ure  |  4⟧   |\nS⟦So it is.⟧")


def test_tables_without_outer_pipes_and_with_escaped_ones():
    check("T⟦Port | Depth⟧\n--- | ---\nR⟦Esk | 3⟧\nR⟦Ure \\| Swale | 4⟧")


def test_tables_in_a_list_and_in_a_quote():
    check("- H⟦Depths:⟧\n\n  | T⟦a | b⟧ |\n  |---|---|\n  | R⟦1 | 2⟧ |\n\n> | T⟦a | b⟧ |\n> |---|---|\n> | R⟦3 | 4⟧ |")


def test_a_pipe_in_prose_makes_no_table():
    check("S⟦The odds are P(A|B) and no more.⟧ S⟦We use `a | b` too.⟧")


@pytest.mark.parametrize(
    "equation",
    [
        "\\[ x = 1 \\]",
        "\\[\nx = 1\n\\]",
        "$$x = 1$$",
        "$$\nx = 1\n$$",
        "\\begin{align}\na &= b \\\\\nc &= d\n\\end{align}",
    ],
)
def test_display_math_in_every_delimiter(equation):
    check(f"L⟦We find:⟧\n\nM⟦{equation}⟧\n\nS⟦That is all.⟧")


def test_prose_into_a_display_equation_and_on_gives_three_spans():
    check(
        "S⟦The energy is⟧\n\\[\nE = mc^2\n\\]\nS⟦where $m$ is the mass.⟧ S⟦It is large.⟧".replace(
            "\\[\nE = mc^2\n\\]", "M⟦\\[\nE = mc^2\n\\]⟧"
        )
    )
    check("S⟦Thus⟧ M⟦$$x = 1$$⟧ S⟦holds.⟧ S⟦And⟧ M⟦\\[ y = 2 \\],⟧ S⟦which is less.⟧")
    check("L⟦Thus:⟧ M⟦\\[ x = 1 \\]⟧")


def test_an_equation_never_closed_ends_with_its_paragraph():
    check("S⟦We find this.⟧\n\nM⟦\\[\nx = 1⟧\n\nS⟦And on.⟧")


def test_a_line_that_is_only_a_formula_is_math():
    check("M⟦$E = mc^2$⟧\n- M⟦\\( (2)^3 = 8 \\)⟧\nM⟦2x + 3 = 7⟧\nM⟦x = 4⟧\nS⟦So x = 4.⟧")


def test_money_is_no_math():
    check("S⟦It costs $5.⟧ S⟦That costs $10.⟧ S⟦Both cost $15 or US$16.⟧")


WRAPPED = (
    "S⟦The old harbour was dredged twice in that century, and each time the silt\n"
    "came back within ten years.⟧ S⟦Nobody asked why, because nobody who could have\n"
    "answered was paid to.⟧ S⟦It is deep now.⟧"
)


def test_hard_wrapped_prose_is_joined():
    check(WRAPPED)
    check(f"S⟦Short first.⟧\n{WRAPPED}")
    check("- " + WRAPPED.replace("\n", "\n  "))


def test_lines_that_are_not_filled_are_not_joined():
    check(
        "S⟦This first line is rather long, and yet nobody wrapped it by hand anywhere.⟧\nI⟦and a second⟧\n"
        "S⟦A third one.⟧"
    )


def test_a_line_of_verse_is_a_span_whatever_it_holds():
    check(
        "H⟦The Weir⟧\n\nI⟦Below the weir the water sleeps,⟧\nI⟦Who wakes it? None. The heron keeps⟧\n"
        "I⟦His narrow watch on silver deeps⟧\nS⟦And does not stir.⟧\n\nS⟦Hush! Go by.⟧\nI⟦The night is dry⟧"
    )


def test_a_haiku_may_begin_a_line_in_lower_case():
    check("I⟦The gate at low tide⟧\nI⟦a heron waits, then it goes,⟧\nS⟦ripples! Silence falls.⟧")


def test_brackets_that_markdown_escapes_are_no_equation():
    check("S⟦He said \\[not my words exactly\\] that it holds.⟧ S⟦It does.⟧")


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r", "\u2028", "\u2029"])
def test_every_kind_of_line_end_ends_a_span(newline):
    check(f"# H⟦Tides⟧{newline}S⟦They rise.⟧{newline}- I⟦a list⟧{newline}{newline}S⟦They fall.⟧")


def test_other_white_space_is_never_at_the_edge_of_a_span():
    check("\u00a0\u00a0- I⟦rope⟧\u00a0\n\u3000S⟦One.⟧\u00a0S⟦Two.⟧\t")


def test_invisible_marks_do_not_hide_markup():
    check("\ufeff# H⟦Tides⟧\n\u200b- I⟦\u200brope⟧\nS⟦\u200bThey rise.⟧")


@pytest.mark.parametrize("text", ["- ", "***", "> ", "#", "|-|"])
def test_markup_beside_an_answer_has_no_span(text):
    check(f"I⟦Gates⟧\n\n{text}")


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\ufeff"])
def test_a_text_in_which_nothing_is_seen_has_no_spans(text):
    assert split(text) == []

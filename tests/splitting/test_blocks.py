"""Headings, code, tables, display math, wrapped prose, verse, and every kind of line end."""

from annotation.splitting import split
from tests.splitting.marked_text import check


def test_headings_and_code():
    check(
        "# H⟦Tides⟧\n### H⟦1. Data⟧\n## H⟦Two things. Really?⟧ ##\n#### H⟦**Bold** and `code`⟧\n##H⟦Tight⟧\nS⟦So.⟧",
        "I⟦#tides are rising⟧",
        "H⟦Tides⟧\n=====\n\nH⟦Currents⟧\n-----\nS⟦They flow.⟧",
        "S⟦They flow.⟧\n---\nS⟦They ebb.⟧",
    )
    for fence in ("```", "~~~", "````"):
        check(f"L⟦Run this:⟧\nC⟦{fence}sh\nls -l. And more.\n\n# no heading\n{fence}⟧\nS⟦Done.⟧")
    check(
        "S⟦See.⟧\n\nC⟦```python\nx = 1\n\n- y. Z⟧",
        "C⟦````\n```\n~~~\n````⟧\nS⟦Out.⟧",
        "1. L⟦Type this:⟧\n   C⟦```\n   ls\n   ```⟧\n2. S⟦Stop.⟧\n\n> C⟦```\n> ls\n> ```⟧\n> S⟦Out.⟧",
        "C⟦`pip install pumps`⟧\n\n- C⟦`ls -l`⟧\n\nS⟦Type `ls. -l` now.⟧ S⟦`Ls` is wrong.⟧",
    )


def test_rows_of_tables_run_from_the_first_cell_to_the_last():
    check(
        "| T⟦Port | Depth⟧ |\n|---|:-:|\n| R⟦Esk | 3 m. Deep.⟧ |\n|  R⟦Ure  |  4⟧   |\nS⟦So it is.⟧",
        "T⟦Port | Depth⟧\n--- | ---\nR⟦Esk | 3⟧\nR⟦Ure \\| Swale | 4⟧",
        "- H⟦Depths:⟧\n\n  | T⟦a | b⟧ |\n  |---|---|\n  | R⟦1 | 2⟧ |\n\n> | T⟦a | b⟧ |\n> |---|---|\n> | R⟦3 | 4⟧ |",
        "S⟦The odds are P(A|B) and no more.⟧ S⟦We use `a | b` too.⟧",
    )


def test_display_math_in_every_delimiter():
    aligned = "\\begin{align}\na &= b \\\\\nc &= d\n\\end{align}"
    for equation in ("\\[ x = 1 \\]", "\\[\nx = 1\n\\]", "$$x = 1$$", "$$\nx = 1\n$$", aligned):
        check(f"L⟦We find:⟧\n\nM⟦{equation}⟧\n\nS⟦That is all.⟧")


def test_equations_between_prose_alone_and_never_closed_and_what_is_none():
    check(
        "S⟦The energy is⟧\nM⟦\\[\nE = mc^2\n\\]⟧\nS⟦where $m$ is the mass.⟧ S⟦It is large.⟧",
        "S⟦Thus⟧ M⟦$$x = 1$$⟧ S⟦holds.⟧ S⟦And⟧ M⟦\\[ y = 2 \\],⟧ S⟦which is less.⟧",
        "L⟦Thus:⟧ M⟦\\[ x = 1 \\]⟧",
    )
    check(
        "S⟦We find this.⟧\n\nM⟦\\[\nx = 1⟧\n\nS⟦And on.⟧",
        "M⟦$E = mc^2$⟧\n- M⟦\\( (2)^3 = 8 \\)⟧\nM⟦2x + 3 = 7⟧\nM⟦x = 4⟧\nS⟦So x = 4.⟧",
        "S⟦It costs $5.⟧ S⟦That costs $10.⟧ S⟦Both cost $15 or US$16.⟧",
        "S⟦He said \\[not my words exactly\\] that it holds.⟧ S⟦It does.⟧",
    )


WRAPPED = (
    "S⟦The old harbour was dredged twice in that century, and each time the silt\n"
    "came back within ten years.⟧ S⟦Nobody asked why, because nobody who could have\n"
    "answered was paid to.⟧ S⟦It is deep now.⟧"
)


def test_wrapped_prose_is_joined_and_lines_of_verse_are_not_whatever_ends_them():
    check(WRAPPED)
    check(f"S⟦Short first.⟧\n{WRAPPED}")
    check("- " + WRAPPED.replace("\n", "\n  "))
    check(
        "H⟦The Weir⟧\n\nI⟦Below the weir the water sleeps,⟧\nI⟦Who wakes it? None. The heron keeps⟧\n"
        "I⟦His narrow watch on silver deeps⟧\nS⟦And does not stir.⟧\n\nS⟦Hush! Go by.⟧\nI⟦The night is dry⟧",
        "I⟦The gate at low tide⟧\nI⟦a heron waits, then it goes,⟧\nS⟦ripples! Silence falls.⟧",
        "S⟦This first line is rather long, and yet nobody wrapped it by hand anywhere.⟧\nI⟦and a second⟧\n"
        "S⟦A third one.⟧",
    )
    for newline in ("\n", "\r\n", "\r", "\u2028", "\u2029"):
        check(f"# H⟦Tides⟧{newline}S⟦They rise.⟧{newline}- I⟦a list⟧{newline}{newline}S⟦They fall.⟧")


def test_white_space_invisible_marks_and_markup_alone_have_no_span():
    check(
        "\u00a0\u00a0- I⟦rope⟧\u00a0\n\u3000S⟦One.⟧\u00a0S⟦Two.⟧\t",
        "\ufeff# H⟦Tides⟧\n\u200b- I⟦\u200brope⟧\nS⟦\u200bThey rise.⟧",
    )
    check(*(f"I⟦Gates⟧\n\n{text}" for text in ("- ", "***", "> ", "#", "|-|")))
    assert not any(split(text) for text in ("", " ", "\n\n", "\ufeff"))

"""List markers, task boxes and quote marks are outside every span; what looks like one in running text is not."""

from tests.splitting.marked_text import check


def test_every_marker_and_task_box_stands_outside():
    for marker in ("-", "*", "+", "•", "1.", "12.", "1)", "(1)", "a)", "a.", "iv.", "(b)", "ii)"):
        check(f"{marker} S⟦The pump runs.⟧ S⟦It is loud.⟧\n{marker} I⟦two seals⟧")
    for box in ("[ ]", "[x]", "[X]"):
        check(f"- {box} I⟦oil the hinge⟧\n- {box} S⟦Then close it.⟧")


def test_markers_that_need_a_neighbour_which_carries_the_next():
    check(
        "S⟦Which gas is it?⟧\nA. I⟦Argon⟧\nB. I⟦Neon⟧\nC. I⟦Helium⟧", "A) I⟦Argon⟧\nB) I⟦Neon⟧",
        "I. I⟦Harbour⟧\nII. I⟦Mole⟧\n\nIII. I⟦Light⟧", "S⟦A. Moreno drew the map.⟧\nS⟦The ink is blue.⟧",
        "S⟦Option B. Green ink is right.⟧", "-I⟦Argon⟧\n-I⟦Neon⟧", "1.I⟦Argon⟧\n2.I⟦Neon⟧", "I⟦-Argon⟧",
        "S⟦1.1. Scope is narrow.⟧", "S⟦3.5 litres are enough.⟧",
    )  # fmt: skip


def test_nested_items_quotes_and_damaged_markers():
    check(
        "- H⟦Tools:⟧\n  - I⟦saw⟧\n    1. S⟦Sharpen it.⟧\n  - I⟦plane⟧\n- I⟦glue⟧",
        "- 1. I⟦first of the first⟧\n- a) S⟦It holds.⟧",
        "> S⟦The tide turned.⟧ S⟦We waited.⟧\n> - I⟦rope⟧\n>   1. I⟦knot⟧\n>> S⟦Deeper still.⟧\n>\n> ### H⟦Log⟧",
        "> I⟦a line that was wrapped in the middle of what it wanted to say, and it⟧\n> S⟦goes on.⟧",
        "S⟦1[3]. Turn the key [4].⟧ S⟦Wait.⟧ S⟦2[5]. Turn it back.⟧",
        "S⟦✅ The seal is tight.⟧\nS⟦❌ The lid is not.⟧\nS⟦1️⃣ Close it.⟧",
        "S⟦Above.⟧\n\n---\n***\n* * *\n___\n\nS⟦Below.⟧",
        "1. S⟦**Warm up:** Walk.⟧ S⟦Then run!⟧\nS⟦Rest now.⟧",
    )

"""List markers, task boxes and quote marks are outside every span; what looks like one in running text is not."""

import pytest

from tests.splitting.marked_text import check


@pytest.mark.parametrize("marker", ["-", "*", "+", "•", "1.", "12.", "1)", "(1)", "a)", "a.", "iv.", "(b)", "ii)"])
def test_every_marker_stands_outside(marker):
    check(f"{marker} S⟦The pump runs.⟧ S⟦It is loud.⟧\n{marker} I⟦two seals⟧")


@pytest.mark.parametrize("box", ["[ ]", "[x]", "[X]"])
def test_task_boxes_stand_outside(box):
    check(f"- {box} I⟦oil the hinge⟧\n- {box} S⟦Then close it.⟧")


def test_capital_letters_and_numerals_are_markers_where_a_neighbour_carries_the_next():
    check("S⟦Which gas is it?⟧\nA. I⟦Argon⟧\nB. I⟦Neon⟧\nC. I⟦Helium⟧")
    check("I. I⟦Harbour⟧\nII. I⟦Mole⟧\n\nIII. I⟦Light⟧")
    check("A) I⟦Argon⟧\nB) I⟦Neon⟧")


def test_a_lone_capital_letter_is_text():
    check("S⟦A. Moreno drew the map.⟧\nS⟦The ink is blue.⟧")
    check("S⟦Option B. Green ink is right.⟧")


def test_markers_without_a_space_need_a_like_neighbour():
    check("-I⟦Argon⟧\n-I⟦Neon⟧")
    check("1.I⟦Argon⟧\n2.I⟦Neon⟧")
    check("I⟦-Argon⟧")


def test_a_section_number_or_a_decimal_is_no_marker():
    check("S⟦1.1. Scope is narrow.⟧")
    check("S⟦3.5 litres are enough.⟧")


def test_nested_items_are_items_of_their_own():
    check("- H⟦Tools:⟧\n  - I⟦saw⟧\n    1. S⟦Sharpen it.⟧\n  - I⟦plane⟧\n- I⟦glue⟧")


def test_two_markers_on_one_line_are_both_outside():
    check("- 1. I⟦first of the first⟧\n- a) S⟦It holds.⟧")


def test_quote_marks_stand_outside_with_whatever_they_hold():
    check("> S⟦The tide turned.⟧ S⟦We waited.⟧\n> - I⟦rope⟧\n>   1. I⟦knot⟧\n>> S⟦Deeper still.⟧\n>\n> ### H⟦Log⟧")


def test_quote_lines_are_never_joined():
    check("> I⟦a line that was wrapped in the middle of what it wanted to say, and it⟧\n> S⟦goes on.⟧")


def test_a_damaged_marker_is_text():
    check("S⟦1[3]. Turn the key [4].⟧ S⟦Wait.⟧ S⟦2[5]. Turn it back.⟧")


def test_an_emoji_used_as_a_bullet_is_text():
    check("S⟦✅ The seal is tight.⟧\nS⟦❌ The lid is not.⟧\nS⟦1️⃣ Close it.⟧")


def test_rules_are_no_spans():
    check("S⟦Above.⟧\n\n---\n***\n* * *\n___\n\nS⟦Below.⟧")


def test_an_item_with_several_sentences_has_several_spans_and_ends_with_its_line():
    check("1. S⟦**Warm up:** Walk.⟧ S⟦Then run!⟧\nS⟦Rest now.⟧")

"""What a span is, and so whether raters are asked about it."""

from annotation.splitting import KINDS, RATED_KINDS, split
from tests.splitting.marked_text import LETTERS, check


def test_which_kinds_are_rated_and_which_lines_are_headings():
    assert set(LETTERS.values()) == set(KINDS)
    assert {"sentence", "item", "table_row", "math"} == RATED_KINDS
    assert all(span.rate == (span.kind in RATED_KINDS) for span in split("# A\n\nB is here.\n\n- c\n\nhttps://x.org"))
    for title in [
        "**Steps:**", "Notes:", "**Steps**", "**Speed tests** [2]:", "*Steps:*", "__Steps__", "Methods [2]",
        "Tidal Gates and Weirs [3].", "**Tidal Gates** [0] [1].", "Body Part 2 (Weirs)",
    ]:  # fmt: skip
        check(f"H⟦{title}⟧\n\nS⟦The gate is oiled before it is opened for the first time.⟧")


def test_lead_ins_headings_items_and_answers():
    check(
        "L⟦These are the parts:⟧\n- I⟦lid⟧\n\nS⟦It is done.⟧ L⟦Here is how:⟧\n\nC⟦```\nls\n```⟧\n\n"
        "L⟦This implies:⟧\nM⟦$$x$$⟧",
        "L⟦Some causes are[1] [2]:⟧\n\n- I⟦rain⟧",
        "1. H⟦**Lids**:⟧\n   - S⟦They close.⟧\n2. H⟦Bases:⟧\n   - I⟦oak⟧",
        "1. I⟦**Lids**⟧\n2. I⟦**Bases** (oak)⟧",
        "I⟦Dear Ms Lee,⟧\n\nS⟦I write about the gate.⟧\n\nI⟦Sincerely,⟧\nI⟦Rosa Osei⟧\nI⟦[Company Name]⟧",
        "I⟦**Muscles:** Lower back⟧\n\nI⟦Total: 45⟧\n- I⟦2 eggs⟧\n- I⟦salt [1]⟧",
        "S⟦Question: Is it open? [1][4]⟧\n\nH⟦Answer:⟧\n\nS⟦Yes, it is open now, and has been so for a year.⟧",
        "I⟦Best regards,⟧\nI⟦Rosa Osei⟧\nI⟦Tidal Gates Ltd⟧\n\nS⟦The gate is oiled before it is opened again.⟧",
    )


def test_entries_below_a_title_of_references():
    for marked in ("H⟦**References**⟧", "## H⟦Sources⟧", "H⟦References:⟧", "H⟦Bibliography⟧", "### H⟦Works Cited⟧"):
        check(
            f"S⟦It holds [1].⟧\n\n{marked}\n\n1. F⟦Osei R, Moreno A. Tides. J Gates. 2020;12(3):45-67.⟧\n2. "
            "F⟦https://example.com/tides⟧\n- F⟦Moreno, B. (2019). Weirs. *Water*.⟧\n\nS⟦I hope this helps!⟧\n\nI⟦rope⟧"
        )


def test_entries_sources_addresses_and_marks_alone_are_references():
    for line in (
        "[1] Osei, R. et al. (2020). Tides. arXiv:2001.1234.", "[2] https://example.com/a", "https://example.com/a?b=c",
        "Source: https://example.com", "**Source:** [Tides](https://example.com)", "[Tides](https://example.com/a_(b))",
        "[1][2][3]", "[1], [4–6]", "Reference: Moreno (2019), Weirs", "<https://example.com>", "[^1][^2]",
    ):  # fmt: skip
        check(f"S⟦It holds.⟧\n\nF⟦{line}⟧\n\nS⟦It does.⟧")


def test_a_footnote_is_a_reference_and_what_only_looks_like_a_source_is_none():
    check("S⟦It holds.[^1]⟧\n\n[^1]: F⟦Osei. Tides. 2020. With a remark.⟧")
    check("S⟦[Rosa hangs up the phone and leaves.]⟧", "S⟦See https://example.com for more.⟧", "S⟦Source code is free.⟧")


def test_titles_and_what_only_looks_like_one():
    check(
        "I⟦**Final answer: 42**⟧\n\nI⟦Yes⟧\n\nS⟦The gate is oiled before it is opened for the first time.⟧",
        "I⟦**The gate is open**⟧\n\nS⟦It was oiled before it was opened for the first time.⟧",
        "1. I⟦Apples⟧\n2. I⟦Green Pears⟧\n\nS⟦All of these are sold on the market every Saturday morning.⟧",
        "- I⟦**Apples**⟧\n- I⟦**Pears**⟧\n\nS⟦All of these are sold on the market every Saturday morning.⟧",
        "1. H⟦**Apples**⟧\n\nS⟦They are sold on the market every Saturday morning.⟧\n\n"
        "2. H⟦Pears⟧\nS⟦They are sold on the market every Sunday morning, and sometimes on Mondays.⟧",
        "H⟦ROSA⟧\nS⟦Come in!⟧ S⟦Sit down.⟧\n\nH⟦[Chorus]⟧\nI⟦Oh, the gate, the gate⟧",
        "H⟦🌟 **Gates** 🌟⟧\n\nS⟦They open at high tide.⟧",
    )

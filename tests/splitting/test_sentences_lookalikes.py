"""Marks, labels and lines that look like something else: times, ratios, letters, italics, links, formulas in words."""

from tests.splitting.marked_text import check


def test_times_ratios_measures_and_letters():
    check(
        "S⟦The odds are 5:1.⟧ S⟦The gate has two sizes.⟧", "S⟦We left at 4 p.m. EST.⟧ S⟦Sen. Osei spoke.⟧",
        "S⟦They came at 8 a.m.⟧ S⟦Water was pumped at 9 a.m. on day 2.⟧", "S⟦The 5 p.m. Nordbahn was late.⟧",
        "S⟦The answer is C.⟧ S⟦Option D is wrong.⟧", "S⟦The answer is B.⟧ S⟦Herons catch fish.⟧",
        "S⟦Lids have an X *and* a Y.⟧ S⟦The rest have X and Y.⟧ S⟦Gates merely have one.⟧",
        "S⟦The chair was J. Moreno.⟧ S⟦Her aide was Asst. Prof. Osei.⟧", "S⟦It is 5 ft. 9 in. tall.⟧",
        "S⟦It is 5 ft.⟧ S⟦Nine came.⟧", "S⟦It has vit. C.⟧",
    )  # fmt: skip


def test_citations_links_dots_and_quotations():
    check(
        "S⟦The gate rises.(1)⟧ S⟦It falls again.(2,3)⟧ S⟦So it goes.(4–6)⟧",
        "S⟦There are two: (1) lids and (2) bases.⟧",
        "S⟦It can.⟧ S⟦[A gate that rose for forty days was kept](https://example.com/a).⟧ S⟦Few know it.⟧",
        "S⟦It can. [Tidal gates](https://example.com/a)⟧ S⟦Few know it.⟧",
        "S⟦The gate would gain a gram.⟧ S⟦...I know, this is dull.⟧",
        'S⟦"Stop!"⟧ S⟦"Why?"⟧ S⟦"Because I said so!"⟧',
        "I⟦**English:** the library⟧\nS⟦**French:** « Où est la bibliothèque ? »⟧",
    )


def test_sentences_in_italics_are_no_labels():
    check(
        "S⟦*She nods.*⟧ S⟦Come in.⟧", "S⟦*The old gate creaks open.*⟧ S⟦Somebody steps out.⟧",
        "S⟦**You win.**⟧ S⟦Take the prize.⟧", "S⟦*Tidal data.* All of it is open.⟧ S⟦Use it.⟧",
        "S⟦**Speed of the gates.** They close in 2 s.⟧",
    )  # fmt: skip


def test_a_label_of_sources_alone_on_its_line_heads_a_list_of_references():
    source = "1. F⟦Osei, R. & Moreno, A. (2020). Tides. *Gates*, 43(2), 11–19.⟧"
    for title in ("**Sources:**", "*References:*", "**Source**:", "Sources:"):
        check(f"S⟦It holds [1].⟧\n\nH⟦{title}⟧\n\n{source}")


def test_titles_abbreviations_in_brackets_and_cited_answers():
    check(
        "H⟦A Short History of Tides⟧\n\n## H⟦I. Gates⟧\n\nS⟦They open at high tide.⟧",
        "I⟦Dear Ms Osei,⟧\n\n## H⟦Gates⟧\n\nS⟦They open at high tide.⟧",
        "- I⟦Low costs (rent, travel, etc.)⟧\n- S⟦(It is free.)⟧\n- S⟦Rent, travel, etc.⟧",
        "S⟦Paris [4].⟧\n\nS⟦It has been the capital for most of the time since the year 508, when Clovis chose it.⟧",
    )


def test_formulas_in_words_and_of_compounds_are_math():
    check(*(f"L⟦This is how it goes:⟧\n\nM⟦{line}⟧\n\nS⟦It is short.⟧" for line in (
        "Volume = length (in m) × width (in m)", "Profit = Revenue − Costs", "2H₂ + O₂ → 2H₂O",
        "HNO₃ + NaOH → NaNO₃ + H₂O", "Net yield = (Output – Loss) / (Hours × Gates)",
    )))  # fmt: skip


def test_a_setting_is_no_formula():
    check(*(f"L⟦These are set:⟧\n\n- I⟦{line}⟧\n- I⟦lid⟧" for line in (
        "learning rate = 1e-5", "Result = what we have - or had", "Gate = open",
    )))  # fmt: skip


def test_cited_titles_of_any_length_are_headings():
    long = "The Long Way of Tidal Gates From the Rivers of the North to the Sea [2]"
    for title in ("Limits and Future Gates [1], [2]", "Conclusion [4].", long):
        check(f"H⟦{title}⟧\n\nS⟦The gate is oiled before it is opened for the first time, and so are all the others.⟧")

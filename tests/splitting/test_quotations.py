"""A quotation is one span with its reporting clause; standing alone it is cut into its sentences."""

from tests.splitting.marked_text import check


def test_a_clause_before_after_or_in_the_middle_of_it():
    check(
        'S⟦She said, "It works. I tried it twice."⟧ S⟦Then she left.⟧',
        'S⟦As Osei put it: "Wait. Then wait again."⟧ S⟦We did.⟧',
        'S⟦I lean over, "Can I help? A chair, perhaps?"⟧ S⟦He nods.⟧',
        'S⟦"Why? Why now?" asked Rosa.⟧ S⟦Nobody knew.⟧', 'S⟦"It works. At last!" she cried.⟧ S⟦We cheered.⟧',
        'S⟦"No way! Never!" Ravi shouted.⟧ S⟦He sat down.⟧', "S⟦“Wait. Then wait again,” wrote Osei.⟧ S⟦We did.⟧",
        "S⟦'Is it true?' he asked.⟧ S⟦It was.⟧", 'S⟦"Because," he said, "it broke. It was old."⟧ S⟦He left.⟧',
    )  # fmt: skip


def test_no_clause_titles_inches_and_apostrophes():
    check(
        'S⟦"It works.⟧ S⟦I tried it twice."⟧ S⟦Then she left.⟧', 'S⟦"One.⟧ S⟦Two."⟧ S⟦"Three!"⟧',
        "S⟦“Leave!⟧ S⟦Now!”⟧",
        'S⟦The song "Stop!" was loud.⟧ S⟦The term "U.S." is common.⟧ S⟦"What Is Rain?" is a book.⟧',
        "S⟦The 5\" pipe fits.⟧ S⟦The 6\" one doesn't.⟧ S⟦The dogs' bowls are empty.⟧ S⟦It's late.⟧",
    )  # fmt: skip

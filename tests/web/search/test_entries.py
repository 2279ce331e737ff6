"""How words match entries of a search."""

import pytest

from annotation.web.search.entries import MAX_LENGTH, contains_words, label_words, words_of


@pytest.mark.parametrize(
    ("text", "query", "matches"),
    [
        ("Agreement · Study june", "june agree", True),
        ("Agreement · Study june", "july agree", False),
        ("Plan de análisis", "ANALISIS", True),
        ("Plan de analisis", "análisis", True),
        ("Agreement", "", True),
    ],
)
def test_every_word_occurs_in_any_order_without_case_and_accents(text, query, matches):
    assert contains_words(text, words_of(query)) == matches


def test_the_beginning_of_a_word_counts_more_than_its_inside():
    assert label_words("Rate responses", ["rate"]) == 2
    assert label_words("Moderate", ["rate"]) == 1
    assert label_words("Report", ["rate"]) == 0
    assert label_words("Freeze report", ["report", "fre"]) == 4


def test_a_query_has_a_maximum_length():
    assert words_of("\x00june " + "x" * 1000)[0] == "june"
    assert sum(map(len, words_of("x" * 1000))) == MAX_LENGTH

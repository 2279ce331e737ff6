"""BM25, against the package rank-bm25."""

import random

import pytest
from rank_bm25 import BM25Okapi

from annotation.retrieval import BM25
from annotation.retrieval.bm25 import words_of

WORDS = [
    "exam", "exams", "lab", "labs", "grade", "graded", "book", "homework", "monday", "12", "40", "the", "of", "café",
]  # fmt: skip


def test_scores_are_those_of_rank_bm25():
    draw = random.Random(7)
    for _ in range(20):
        texts = [" ".join(draw.choices(WORDS, k=draw.randint(1, 30))) for _ in range(draw.randint(2, 12))]
        question = " ".join(draw.choices([*WORDS, "absent"], k=6))
        expected = BM25Okapi([words_of(text) for text in texts]).get_scores(words_of(question))
        assert BM25(texts).scores(question) == pytest.approx(list(expected), abs=1e-12)


def test_the_best_text_is_first_words_are_stemmed_and_none_score_nothing():
    texts = ["Rooms and offices.", "The exams are on Monday.", "Rooms and offices.", "Books. Labs. Grades. Homework."]
    assert BM25(texts).ranked("When is the exam?") == [1, 0, 2, 3]
    assert words_of("The exams, of 2023: Grading is café") == ["exam", "2023", "grade", "café"]
    assert BM25(["…", "!"]).scores("an exam") == [0, 0]
    assert BM25([]).ranked("an exam") == []

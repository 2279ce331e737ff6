"""Similarity of questions, against rouge-score called outside."""

import json
from collections import defaultdict
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.metrics.question_similarity import question_similarity
from tests.importing.files import SHARED
from tests.metrics.rouge_reference import RougeScorer

SPLITS = SHARED / "syllabusqa" / "dataset_split"


def expected(questions: list[str]) -> float:
    scorer = RougeScorer(["rougeL"], use_stemmer=True)
    pairs = combinations(questions, 2)
    return float(np.mean([scorer.score(first, second)["rougeL"].fmeasure for first, second in pairs]))


@given(st.lists(st.lists(st.sampled_from(["when", "is", "exams", "exam", "the", "?"])), min_size=2, max_size=5))
def test_it_is_the_mean_of_rouge_score_over_all_pairs(words):
    questions = [" ".join(each) for each in words]
    assert question_similarity(questions) == pytest.approx(expected(questions), abs=1e-12)


def test_equal_questions_have_one_those_without_a_common_word_zero_and_one_question_none():
    assert question_similarity(["When is the exam?", "When is the exam?"]) == 1
    assert question_similarity(["When is the exam?", "Who teaches?"]) == 0
    assert question_similarity(["When is the exam?"]) is None and question_similarity([]) is None


if SPLITS.is_dir():

    def test_it_is_that_of_rouge_score_for_the_questions_of_public_syllabi():
        by_syllabus = defaultdict(list)
        for row in json.loads((SPLITS / "val.json").read_text(encoding="utf-8")):
            by_syllabus[row["syllabus_name"]].append(row["question"])
        smallest = sorted(by_syllabus.values(), key=len)[:2]
        assert len(by_syllabus) == 11
        for questions in smallest:
            assert question_similarity(questions) == pytest.approx(expected(questions), abs=1e-12)

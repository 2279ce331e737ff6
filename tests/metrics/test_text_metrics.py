"""Metrics of one response, against rouge-score and NLTK called directly, and by hand."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from nltk.tokenize import NLTKWordTokenizer
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

from annotation.metrics.text_metrics import METRICS, Texts, length, numbers_exact, numbers_fuzzy, self_bleu
from tests.metrics.rouge_reference import RougeScorer


def test_length_counts_words_and_what_needs_a_reference_or_sentences_is_undefined_without():
    texts = Texts("It is 3 km.", ["It is 3 km."], "  ")
    assert {name for name, metric in METRICS.items() if metric(texts) is not None} == {"length"}
    assert length(Texts("Two  words,\nthen four more.")) == 5
    assert length(Texts("")) == 0
    assert self_bleu(Texts("", ["A tern flies far away."] * 2)) == pytest.approx(1)
    assert self_bleu(Texts("", ["A tern flies far away.", "  "])) is None


@pytest.mark.parametrize(
    ("reference", "response", "exact", "fuzzy"),
    [
        ("It has 1,000 birds.", "It has 1000.0 birds.", 1.0, 1.0),
        ("17.3 km and 4 days", "17.2 km and 4 days", 0.5, 1.0),
        ("17.3 km", "17.1 km", 0.0, 0.0),  # 1.2 percent apart
        ("Version 3.10.4", "Version 3.10.4", 1.0, 1.0),
        ("Version 3.10.4", "Version 3.10.5", 0.0, 0.0),
        ("5 of 8", "no number", 0.0, 0.0),
        ("no number", "5 of 8", 0.0, 0.0),
        ("none", "neither", None, None),
        ("1 and 2 and 3 and 4", "1", 0.4, 0.4),  # precision 1, recall 1/4
        ("0 days", "0 days", 1.0, 1.0),
    ],
)
def test_numbers(reference, response, exact, fuzzy):
    texts = Texts(response, reference=reference)
    assert numbers_exact(texts) == exact
    assert numbers_fuzzy(texts) == fuzzy


SCORER = RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=True)
FEW_WORDS = st.lists(st.sampled_from(["a", "b", "c", "it", "sea", "tern"]), min_size=1, max_size=9).map(" ".join)


@given(FEW_WORDS, FEW_WORDS)
@example("The exams are on Mondays and Fridays.", "The exam is on Monday, and another on Friday.")
@example("Grades: 40% homework, 60% exams.", "Homework counts forty percent; exams count 60%.")
@example("¿Dónde está el aula?", "The room is 12.")
@example("Terns fly further on turbid days.", "Terns fly further on turbid days.")
@settings(max_examples=50)
def test_rouge_is_that_of_rouge_score_with_porters_stemmer(reference, response):
    for kind, score in SCORER.score(reference, response).items():
        assert METRICS[kind](Texts(response, reference=reference)) == score.fmeasure


@given(st.lists(FEW_WORDS, min_size=2, max_size=6))
@example(["The tern flies over the sea each day.", "The tern flies over the land each day.", "It sleeps."])
@example(["a", "b", "a a b"])
@settings(max_examples=50)
def test_self_bleu_is_nltks_of_each_sentence_against_the_others(sentences):
    words = [NLTKWordTokenizer().tokenize(sentence.lower()) for sentence in sentences]
    smoothing, weights = SmoothingFunction().method1, (0.25,) * 4
    each = [sentence_bleu(words[:n] + words[n + 1 :], own, weights, smoothing) for n, own in enumerate(words)]
    assert self_bleu(Texts("", sentences)) == sum(each) / len(each)


@given(*[st.lists(st.decimals(0, 30, places=1).map(str), min_size=1, max_size=9)] * 2)
def test_fuzzy_numbers_are_those_within_one_percent_of_any(response, reference):
    own, expected = ({str(float(number)).removesuffix(".0") for number in numbers} for numbers in (response, reference))
    near = [[abs(float(a) - float(b)) <= 0.01 * max(float(a), float(b)) for b in expected] for a in own]
    precision = sum(map(any, near)) / len(own)
    recall = sum(map(any, zip(*near, strict=True))) / len(expected)
    f1 = 2 * precision * recall / (precision + recall) if precision else 0
    assert numbers_fuzzy(Texts(" ".join(response), reference=" ".join(reference))) == pytest.approx(f1)

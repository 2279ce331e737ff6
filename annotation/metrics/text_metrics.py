"""Automatic metrics of one response: pure functions of its text and of the prompt's reference answer.

A metric that is undefined, such as ROUGE without a reference answer, is None.
"""

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from ..judging.passages import numbers_in

if TYPE_CHECKING:
    from rouge_score.rouge_scorer import RougeScorer

TOLERANCE = 0.01
"""Two numbers match fuzzily if they differ by at most this share of the larger one."""
BLEU_ORDER = 4
ROUGE = ("rouge1", "rouge2", "rougeL")


@dataclass(frozen=True)
class Texts:
    """What a metric is computed from: the response, its sentences in order, the reference answer (or empty)."""

    response: str
    sentences: Sequence[str] = ()
    reference: str = ""


class _StemmedWords:
    """The tokenizer of rouge-score with Porter's stemmer. It remembers texts, because each serves in several scores."""

    def __init__(self, tokenize: Callable[[str], list[str]]) -> None:
        self.tokenize = lru_cache(maxsize=2_000)(tokenize)


@lru_cache(maxsize=1)
def _stemmed_words() -> _StemmedWords:
    # rouge-score imports absl's log, which takes the standard error of this moment, and closes it when logs are set up
    # again unless it is the process's own.
    with redirect_stderr(sys.__stderr__):
        from rouge_score.tokenizers import DefaultTokenizer

    return _StemmedWords(DefaultTokenizer(use_stemmer=True).tokenize)


@lru_cache(maxsize=2)
def _scorer(*kinds: str) -> "RougeScorer":
    with redirect_stderr(sys.__stderr__):  # as above
        from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer(list(kinds), tokenizer=_stemmed_words())


def rouge_words(text: str) -> list[str]:
    """Return the words that ROUGE counts: in lower case, with Porter's stemmer, as rouge-score has them."""
    return _stemmed_words().tokenize(text)


@lru_cache(maxsize=16)
def rouge(reference: str, text: str, *kinds: str) -> Mapping[str, float]:
    """Return F1 of these kinds of ROUGE (Lin 2004) with Porter's stemmer, as rouge-score computes it: 0 to 1."""
    return {kind: float(score.fmeasure) for kind, score in _scorer(*kinds).score(reference, text).items()}


def _rouge1(texts: Texts) -> float | None:
    return _rouge(texts, "rouge1")


def _rouge2(texts: Texts) -> float | None:
    return _rouge(texts, "rouge2")


def _rouge_l(texts: Texts) -> float | None:
    return _rouge(texts, "rougeL")


def _rouge(texts: Texts, kind: str) -> float | None:
    return rouge(texts.reference, texts.response, *ROUGE)[kind] if texts.reference.strip() else None


def length(texts: Texts) -> float:
    """Return the number of words of the response, separated by white space."""
    return float(len(texts.response.split()))


def numbers_exact(texts: Texts) -> float | None:
    """Return F1 of the distinct numbers of the response and of the reference answer; None if neither has a number.

    Separators of thousands and zeros after the point do not matter: 1,000.0 is 1000.
    """
    return _numbers_f1(texts, lambda number, others: number in others)


def numbers_fuzzy(texts: Texts) -> float | None:
    """Return the same where numbers match that differ by at most TOLERANCE of the larger one."""
    return _numbers_f1(texts, lambda number, others: any(_are_close(number, other) for other in others))


def _numbers_f1(texts: Texts, matches: Callable[[str, Collection[str]], bool]) -> float | None:
    if not texts.reference.strip():
        return None
    own, expected = set(numbers_in(texts.response)), set(numbers_in(texts.reference))
    if not own and not expected:
        return None
    if not own or not expected:
        return 0.0
    precision = sum(matches(number, expected) for number in own) / len(own)
    recall = sum(matches(number, own) for number in expected) / len(expected)
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _are_close(one: str, other: str) -> bool:
    try:
        a, b = float(one), float(other)
    except ValueError:  # such as 3.10.4
        return one == other
    return abs(a - b) <= TOLERANCE * max(abs(a), abs(b))


def self_bleu(texts: Texts) -> float | None:
    """Return the mean BLEU of each sentence against the other sentences of the response (Zhu et al. 2018): 0 to 1.

    Higher means more repetition. BLEU has four orders, equal weights and NLTK's first smoothing; words are NLTK's in
    lower case. None with fewer than two sentences.
    """
    from nltk.tokenize import NLTKWordTokenizer
    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

    tokenizer, smoothing = NLTKWordTokenizer(), SmoothingFunction().method1
    words = [tokenizer.tokenize(sentence.lower()) for sentence in texts.sentences]
    words = [sentence for sentence in words if sentence]
    if len(words) < 2:
        return None
    weights = (1 / BLEU_ORDER,) * BLEU_ORDER
    scores = [
        float(sentence_bleu(words[:n] + words[n + 1 :], sentence, weights, smoothing_function=smoothing))
        for n, sentence in enumerate(words)
    ]
    return sum(scores) / len(scores)


METRICS: Mapping[str, Callable[[Texts], float | None]] = {
    "rouge1": _rouge1,
    "rouge2": _rouge2,
    "rougeL": _rouge_l,
    "length": length,
    "numbers_exact": numbers_exact,
    "numbers_fuzzy": numbers_fuzzy,
    "self_bleu": self_bleu,
}
"""Name -> function, in the order of the tables."""


BERTSCORE = "bertscore_f1"
"""The metric that `bertscore` computes where the site has a model."""
COMPUTED_NAMES = (*METRICS, BERTSCORE)
"""The metrics that the site computes, in the order of the tables. No imported metric has such a name."""
COMPUTED, IMPORTED = "computed", "imported"
SOURCES = (COMPUTED, IMPORTED)


def source_of(metric: str) -> str:
    """Return whether scores of a metric are computed by the site or imported."""
    return COMPUTED if metric in COMPUTED_NAMES else IMPORTED

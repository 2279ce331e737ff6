"""Automatic metrics of one response: pure functions of its text and of the prompt's reference answer.

A metric that is undefined, such as ROUGE without a reference answer, is None.
"""

import math
import sys
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import redirect_stderr
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from ..judging.passages import numbers_in

if TYPE_CHECKING:
    from rouge_score.rouge_scorer import RougeScorer

TOLERANCE = 0.01
"""Two numbers match fuzzily if they differ by at most this share of the larger one."""
BLEU_ORDER = 4
_EPSILON = 0.1
"""What NLTK's first smoothing counts for no n-gram in common."""
ROUGE = ("rouge1", "rouge2")


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


def _rouge(texts: Texts, kind: str) -> float | None:
    return rouge(texts.reference, texts.response, *ROUGE)[kind] if texts.reference.strip() else None


def _rouge_l(texts: Texts) -> float | None:
    """Return F1 of the longest common subsequence as rouge-score does, whose table has a cell for each two words: here
    a row is a number with a bit for each word (Hyyrö 2004).
    """
    if not texts.reference.strip():
        return None
    expected, own = rouge_words(texts.reference), rouge_words(texts.response)
    if not expected or not own:
        return 0.0
    places: dict[str, int] = {}
    for place, word in enumerate(expected):
        places[word] = places.get(word, 0) | 1 << place
    row = everything = (1 << len(expected)) - 1
    for word in own:
        common = row & places.get(word, 0)
        row = (row + common | row - common) & everything
    longest = len(expected) - row.bit_count()
    precision, recall = longest / len(own), longest / len(expected)
    return 2 * precision * recall / (precision + recall) if longest else 0.0


def length(texts: Texts) -> float:
    """Return the number of words of the response, separated by white space."""
    return float(len(texts.response.split()))


def numbers_exact(texts: Texts) -> float | None:
    """Return F1 of the distinct numbers of the response and of the reference answer; None if neither has a number.

    Separators of thousands and zeros after the point do not matter: 1,000.0 is 1000.
    """
    return _numbers_f1(texts, lambda numbers, others: len(numbers & others))


def numbers_fuzzy(texts: Texts) -> float | None:
    """Return the same where numbers match that differ by at most TOLERANCE of the larger one."""
    return _numbers_f1(texts, _with_close_ones)


def _numbers_f1(texts: Texts, matched: Callable[[Set[str], Set[str]], int]) -> float | None:
    """Return F1; `matched` counts the numbers of its first argument that are among its second."""
    if not texts.reference.strip():
        return None
    own, expected = set(numbers_in(texts.response)), set(numbers_in(texts.reference))
    if not own and not expected:
        return None
    if not own or not expected:
        return 0.0
    precision, recall = matched(own, expected) / len(own), matched(expected, own) / len(expected)
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _with_close_ones(numbers: Set[str], others: Set[str]) -> int:
    """Count the numbers that are close to another one: to the next smaller or the next greater, if to any."""
    values = sorted(value for other in others if (value := _value_of(other)) is not None)
    matches = 0
    for number in numbers:
        value = _value_of(number)
        if value is None:  # such as 3.10.4
            matches += number in others
        else:
            index = bisect_left(values, value)
            near = values[max(index - 1, 0) : index + 1]
            matches += any(abs(value - other) <= TOLERANCE * max(value, other) for other in near)
    return matches


def _value_of(number: str) -> float | None:
    try:
        return float(number)
    except ValueError:
        return None


def self_bleu(texts: Texts) -> float | None:
    """Return the mean BLEU of each sentence against the other sentences of the response (Zhu et al. 2018): 0 to 1.

    Higher means more repetition. BLEU has four orders, equal weights and NLTK's first smoothing; words are NLTK's in
    lower case. None with fewer than two sentences.
    """
    from nltk.tokenize import NLTKWordTokenizer

    tokenizer = NLTKWordTokenizer()
    words = [tokenizer.tokenize(sentence.lower()) for sentence in texts.sentences]
    words = [sentence for sentence in words if sentence]
    if len(words) < 2:
        return None
    orders = range(1, BLEU_ORDER + 1)
    counts = [{order: _ngrams(sentence, order) for order in orders} for sentence in words]
    # The greatest number of an n-gram in one sentence, where it is, and the greatest in another: NLTK's sentence_bleu
    # would count the n-grams of all other sentences anew for each.
    most: dict[tuple[str, ...], tuple[int, int, int]] = {}
    for number, by_order in enumerate(counts):
        for ngram, count in chain.from_iterable(ngrams.items() for ngrams in by_order.values()):
            first, place, second = most.get(ngram, (0, -1, 0))
            most[ngram] = (count, number, first) if count > first else (first, place, max(second, count))
    lengths = sorted(map(len, words))
    scores: list[float] = []
    for number, sentence in enumerate(words):
        precisions: list[float] = []
        for ngrams in counts[number].values():
            others = ((count, *most[ngram]) for ngram, count in ngrams.items())
            shared = sum(min(count, second if place == number else first) for count, first, place, second in others)
            precisions.append((shared or _EPSILON) / max(1, ngrams.total()))
            if len(precisions) == 1 and not shared:
                break
        if len(precisions) < BLEU_ORDER:
            scores.append(0.0)
            continue
        size, index = len(sentence), bisect_left(lengths, len(sentence))
        near = [*lengths[max(index - 1, 0) : index], *lengths[index + 1 : index + 2]]
        closest = min(near, key=lambda length: (abs(length - size), length))
        penalty = 1.0 if size > closest else math.exp(1 - closest / size)
        scores.append(penalty * math.exp(math.fsum(math.log(each) / BLEU_ORDER for each in precisions)))
    return sum(scores) / len(scores)


def _ngrams(words: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(words[start:] for start in range(order)), strict=False))


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

"""BM25 (Robertson and Zaragoza 2009) in the variant of the package rank-bm25 (Okapi), over stemmed words.

The weight of a word that more than half of the texts have would be negative: it is a quarter of the mean weight.
This is the baseline of chunks as published, whose figures are compared with the published ones, so it stays as it is.
Paragraphs are ranked for raters and judges by `passage_ranking`.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache

K1, B, FLOOR = 1.5, 0.75, 0.25
_WORD = re.compile(r"\w+")
_STOP = """
a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was
will with
"""
_STOP_WORDS = frozenset(_STOP.split())


@lru_cache(maxsize=1)
def _stem() -> Callable[[str], str]:
    from nltk.stem.porter import PorterStemmer

    return lru_cache(maxsize=50_000)(PorterStemmer().stem)


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case with Porter's stemmer, without the most frequent English words."""
    words = (match[0].lower() for match in _WORD.finditer(text))
    stem = _stem()
    return [stem(word) for word in words if word not in _STOP_WORDS]


class BM25:
    """The weights of the words in some texts."""

    def __init__(self, texts: Sequence[str]):
        self._counts = [Counter(words_of(text)) for text in texts]
        self._sizes = [sum(counts.values()) for counts in self._counts]
        self._mean_size = sum(self._sizes) / len(texts) if any(self._sizes) else 1.0
        self._weights = self._weights_of(Counter(word for counts in self._counts for word in counts))

    def _weights_of(self, frequencies: Counter[str]) -> dict[str, float]:
        size = len(self._counts)
        weights = {word: math.log(size - n + 0.5) - math.log(n + 0.5) for word, n in frequencies.items()}
        floor = FLOOR * sum(weights.values()) / len(weights) if weights else 0.0
        return {word: weight if weight >= 0 else floor for word, weight in weights.items()}

    def scores(self, question: str) -> list[float]:
        """Return the score of each text for the question; a word that the question repeats counts each time."""
        words = [word for word in words_of(question) if word in self._weights]
        return [
            sum(self._weights[word] * counts[word] * (K1 + 1) / (counts[word] + self._norm(size)) for word in words)
            for counts, size in zip(self._counts, self._sizes, strict=True)
        ]

    def _norm(self, size: int) -> float:
        return K1 * (1 - B + B * size / self._mean_size)

    def ranked(self, question: str) -> list[int]:
        """Return the numbers of the texts, the best first, equal ones in their order."""
        scores = self.scores(question)
        return sorted(range(len(scores)), key=lambda number: -scores[number])
